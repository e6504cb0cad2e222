"""The formula language: what it reads, and that nothing a user writes reaches formulaic."""

import ast
import builtins
import os
import re
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sureshot.errors import InvalidInput, SureshotError, UnknownName
from sureshot.space import Space
from sureshot.space.language.expression import FUNCTIONS
from sureshot.space.language.formula import MAX_FEATURES, SPECIAL, parse_formula
from tests.space.language.escapes import ESCAPES

SPACE = Space.grid(power=[8, 10, 12, 14], time=[1, 2, 3], catalyst=["Fe", "Co"], hot=[True, False])

#: All that formulaic may ever be given.
MADE_HERE = re.compile(r"(?:[vc]\d+|poly\(v\d+, \d+\)|\*\*|[-+*:()\s]|\d)+")


def parse(text):
    return parse_formula(text, SPACE.column)


@pytest.mark.parametrize(
    ("text", "expansion", "blocks"),
    [
        ("power", "v0", ["power"]),
        ("power + time - 1", "v0 + v1 - 1", ["power", "time"]),
        ("0 + power", "0 + v0", ["power"]),
        ("power*time", "v0*v1", ["power", "time"]),
        ("power + time:catalyst", "v0 + v1:c2", ["power", "time", "catalyst"]),
        ("(power + time)^2 - time", "(v0 + v1)**2 - v1", ["power", "time"]),
        ("catalyst + C(catalyst)", "c0 + c0", ["catalyst"]),
        ("C(power)", "c0", ["C(power)"]),
        ("poly(power, 2)*hot", "poly(v0, 2)*c1", ["poly(power, 2)", "hot"]),
        ("log(power / time) + {power*time}", "v0 + v1", ["log(power / time)", "I(power*time)"]),
        ("+ power", "1+ v0", ["power"]),
        ("-1 + power:(time)", "1-1 + v0:(v1)", ["power", "time"]),
        ("00 + (power + time)**0x2", "0 + (v0 + v1)**2", ["power", "time"]),
        ("1", "1", []),
    ],
)
def test_reads(text, expansion, blocks):
    found = parse(text)
    assert found.expansion == expansion
    assert [block.name for block in found.blocks] == blocks


@pytest.mark.parametrize("text", ESCAPES)
def test_escapes_are_refused(text, monkeypatch):
    def alarm(*args, **options):
        raise AssertionError("a formula called out")

    monkeypatch.setattr(os, "system", alarm)
    monkeypatch.setattr(builtins, "open", alarm)
    with pytest.raises((InvalidInput, UnknownName)):
        parse(text)


@pytest.mark.timeout(60)  # they take some milliseconds
@pytest.mark.parametrize("text", ["power + " * 240 + "time", ":".join(["power"] * 60), "*".join(["hot"] * 12)])
def test_long_texts_are_read_or_refused_soon(text):
    with suppress(InvalidInput):
        assert parse(text).blocks


def test_nothing_is_compiled_or_run(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "eval", None)
        patch.setattr(builtins, "exec", None)
        patch.setattr(builtins, "compile", partial(_only_trees, builtins.compile))
        assert parse("log(power) + poly(time, 2):C(catalyst)").blocks


def _only_trees(real, source, filename, mode, flags=0, **options):
    assert flags & ast.PyCF_ONLY_AST  # what ast.parse asks for: a tree, no code
    return real(source, filename, mode, flags, **options)


def test_brackets_alone_mean_nothing():
    assert SPACE.design("(" * 90 + "power" + ")" * 90).columns == ("Intercept", "power")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("power time", "must not contain 'time' here"),
        ("power +", "a term is missing at the end"),
        ("power:", "a term is missing at the end"),
        ("(power", "close the bracket"),
        ("power.real", "list the columns by name"),
        ("power % time", r"I\(a % b\) for a remainder"),
        ("y ~ power", "only a right-hand side"),
        ("`power`", "without backticks"),
        ("- power", "add a term before it removes one"),
        ("log", "log must be called"),
        ("log(catalyst)", "catalyst is a category, not a number"),
        ("poly(power, 9)", "`degree` of poly.. must be a whole number from 1 to 8, got '9'"),
        ("poly(power, raw=1)", "`raw` of poly.. must be True or False, got '1'"),
        ("bs(power, 2)", "`df` of bs.. must lie between its degree 3 and 20, got 2"),
        ("C(catalyst, hot)", "C.. must be given one thing, got also 'hot'"),
        ("poly()", "must be given a column, got nothing"),
        ("power**٢", "must not contain '٢' here"),  # \d of a pattern is any digit there is
        ("poly(power, ٣)", "must not contain '٣' here"),
        ("{power * ١}", "number|readable|'١'"),
    ],
)
def test_what_is_said(text, said):
    with pytest.raises(InvalidInput, match=said):
        parse(text)


def test_the_error_names_the_token_and_the_list():
    with pytest.raises(InvalidInput) as caught:
        parse("power + hashed(time)")
    said = str(caught.value)
    assert "'hashed()'" in said
    assert all(f"{name}()" in said for name in (*SPECIAL, *FUNCTIONS))
    with pytest.raises(InvalidInput, match=r"I\(a / b\) for a ratio"):
        parse("power / time")
    with pytest.raises(InvalidInput, match=r"poly\(x, 2\) or I\(x\*\*2\)"):
        parse("power**2")
    with pytest.raises(UnknownName, match="Did you mean 'power'"):
        parse("powr")


PIECES = [
    "power",
    "time",
    "catalyst",
    "hot",
    "C",
    "I",
    "poly",
    "log",
    "bs",
    "center",
    "scale",
    "np",
    "Q",
    "hashed",
    "lag",
    "__import__",
    "os",
    "eval",
    "contr",
    "(",
    "(",
    ")",
    ")",
    "{",
    "}",
    "[",
    "]",
    "`",
    "'",
    '"',
    ".",
    ",",
    "=",
    ":",
    "*",
    "**",
    "^",
    "+",
    "-",
    "/",
    "~",
    "|",
    "%",
    "%in%",
    "@",
    "\\",
    " ",
    "\n",
    "0",
    "1",
    "2",
    "3.5",
    " in ",
    "lambda ",
    ":=",
    "\uff08",
    "\u00b5",
]


@settings(max_examples=800, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("power+poly(time,2):C(catalyst)")
@example("(power+time)**3-power")
def test_whatever_is_read_is_written_anew(text):
    try:
        found = parse(text)
    except SureshotError:
        return
    assert MADE_HERE.fullmatch(found.expansion)
    assert all(set(re.findall(r"[^\W\d]\w*", block.of)) <= {*SPACE.names, *FUNCTIONS} for block in found.blocks)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(max_size=60))
def test_no_text_at_all_breaks_the_parser(text):
    with suppress(SureshotError):
        assert MADE_HERE.fullmatch(parse(text).expansion)


def test_formulaic_gets_only_what_was_made_here(monkeypatch):
    from formulaic.materializers import PandasMaterializer

    given_to, real = [], PandasMaterializer.get_model_matrix

    def spy(self, spec, *args, **options):
        given_to.append((spec, list(self.data.columns), dict(self.context)))
        return real(self, spec, *args, **options)

    monkeypatch.setattr(PandasMaterializer, "get_model_matrix", spy)
    evil = Space.grid(power=[1, 2, 3], os=["__import__('os')", "T.L1]:v0", "`x`", "{1}"], np=[1, 2], poly=["a", "b"])
    columns = evil.design("power * os + poly(np, 1) + poly").columns
    assert "os[T.T.L1]:v0]" in columns
    ((text, names, context),) = given_to
    assert MADE_HERE.fullmatch(text)
    assert all(re.fullmatch(r"row|[vc]\d+", name) for name in names)
    assert context == {}


def test_explosions_are_refused_before_they_happen():
    wide = Space.grid(**{f"x{i}": [0, 1] for i in range(12)})
    everything = " + ".join(wide.names)
    with pytest.raises(InvalidInput, match=f"at most {MAX_FEATURES:,} features"):
        wide.design(f"({everything})**5")
    with pytest.raises(InvalidInput, match=f"at most {MAX_FEATURES:,} features"):
        wide.design(" * ".join(wide.names))
    many = Space.from_frame({"name": [f"s{i}" for i in range(1500)], "x": list(range(1500))})
    with pytest.raises(InvalidInput, match="at most 1,000 levels"):
        many.design("C(x)")


def test_columns_may_be_called_like_functions():
    space = Space.grid(log=[1, 2], I=[1, 2], C=["a", "b"], poly=[3, 4])
    assert space.design("log(log) + log + I + C + poly").columns == (
        "Intercept", "log(log)", "log", "I", "C[T.b]", "poly")  # fmt: skip
