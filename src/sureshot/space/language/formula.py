"""The formula language: what may stand in it, and nothing else. Formulaic never sees a user's text.

A formula is read by the small parser below. Names must be columns, functions must be on the list, the arithmetic inside
them goes through :mod:`sureshot.space.language.expression`. What comes out is a list of blocks and a formula over their
placeholders (``1 + (v0 * c1)``): that text, made here, is what formulaic expands.

    formula  = term { ("+" | "-") term }        - removes a term;  "+ 0" or "- 1" removes the intercept
    term     = interaction { "*" interaction }  a * b is a + b + a:b
    interaction = power { ":" power }
    power    = atom [ ("**" | "^") whole number ]   (a + b + c)**2: all terms up to the second order
    atom     = column | function "(" ... ")" | "{" arithmetic "}" | "(" formula ")"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import normalize

from sureshot.errors import InvalidInput
from sureshot.space.language.expression import FUNCTIONS, MAX_DEPTH, MAX_TEXT, parse_arithmetic
from sureshot.space.language.tokens import SPECIAL, refused, split_arguments, tokens_of
from sureshot.space.tables.column import Column

__all__ = ["MAX_FEATURES", "Block", "Parsed", "parse_formula"]

#: Wider designs than this are a slip (a column of sample numbers as a category), not a model to learn from trials.
MAX_FEATURES = 1_000
#: The bound made while parsing counts some features twice: (a + b)**2 has 3 terms and is counted as 4.
_SLACK = 4

MAX_DEGREE = 8
MAX_EXPONENT = 5


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the formula that becomes one or more columns: numbers, or the levels of a category."""

    kind: str  # "number", "center", "scale", "poly", "bs" or "levels"
    of: str  # arithmetic, or the column of the levels
    name: str  # what its features are called
    width: int  # numbers: how many columns; levels: how many levels
    degree: int = 0
    raw: bool = False

    def placeholder(self, i: int) -> str:
        """What formulaic sees. A block of several numbers goes as a polynomial: only its width matters there."""
        if self.kind == "levels":
            return f"c{i}"
        return f"v{i}" if self.width == 1 else f"poly(v{i}, {self.width})"


@dataclass(frozen=True, slots=True)
class Parsed:
    """A checked formula."""

    text: str
    blocks: tuple[Block, ...]
    expansion: str  # over placeholders: the only text that formulaic is given
    intercept: bool


@dataclass(frozen=True, slots=True)
class _Part:
    text: str  # over placeholders
    size: int  # at least as many features as it can become
    single: bool = False  # one term


def parse_formula(text: str, column: Callable[[str], Column]) -> Parsed:
    """Check a formula against the allow-list and the columns; an error names the token and the list."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput(f"a formula must be text, got {text!r}: write one such as power + C(catalyst).")
    clean = normalize("NFKC", text).strip()
    if len(clean) > MAX_TEXT:
        raise InvalidInput(f"a formula must have at most {MAX_TEXT:,} characters, got {len(clean):,}: shorten it.")
    return _Parser(clean, column).formula()


class _Parser:
    def __init__(self, text: str, column: Callable[[str], Column]) -> None:
        self.text, self.column = text, column
        self.tokens = tokens_of(text)  # (kind, token, start, end)
        self.at = 0
        self.depth = 0
        self.blocks: list[Block] = []

    def formula(self) -> Parsed:
        intercept, part = self.sum(top=True)
        if self.at < len(self.tokens):
            raise self.refused(self.token(), "")
        if part is None and not intercept:
            raise InvalidInput(f"a formula must keep at least one term, got {self.text!r}: add one.")
        if part is None:
            return Parsed(self.text, (), "1", True)
        return Parsed(self.text, tuple(self.blocks), f"1 + {part.text}" if intercept else f"{part.text} - 1", intercept)

    def sum(self, *, top: bool) -> tuple[bool, _Part | None]:
        """Terms added and removed; at the top, 0 and 1 speak of the intercept."""
        intercept, part, first = True, None, True
        while True:
            sign = self.take("+", "-") or ("+" if first else "")
            if not sign:
                return intercept, part
            if top and self.token() in ("0", "1"):
                kept = (self.take("0", "1") == "1") == (sign == "+")
                if not kept or sign == "+":
                    intercept = kept
            else:
                part = self.joined(part, sign, self.product())
            first = False

    def joined(self, left: _Part | None, sign: str, right: _Part) -> _Part:
        if left is None and sign == "-":
            raise InvalidInput(
                f"a formula must add a term before it removes one, got {self.text!r}: start with a column."
            )
        if left is None:
            return right
        return self.bounded(f"({left.text} {sign} {right.text})", left.size + (right.size if sign == "+" else 0))

    def product(self) -> _Part:
        left = self.interaction()
        while self.take("*"):
            right = self.interaction()
            left = self.bounded(f"({left.text} * {right.text})", left.size + right.size + left.size * right.size)
        return left

    def interaction(self) -> _Part:
        left = self.power()
        while self.take(":"):
            right = self.power()
            both = left.single and right.single
            left = self.bounded(f"({left.text}:{right.text})", left.size * right.size, single=both)
        return left

    def power(self) -> _Part:
        base = self.atom()
        sign = self.take("**", "^")
        if not sign:
            return base
        exponent = self.take_kind("number")
        if not exponent.isdecimal() or not 2 <= int(exponent) <= MAX_EXPONENT:
            raise InvalidInput(
                f"{sign} must be followed by a whole number from 2 to {MAX_EXPONENT}, got "
                f"{exponent or self.token()!r}: it says up to which order terms interact."
            )
        if base.single:
            raise InvalidInput(
                f"{sign} must follow several terms in brackets, got {self.text!r}: write poly(x, {exponent}) or "
                f"I(x**{exponent}) for a power of a column."
            )
        return self.bounded(f"({base.text} ** {exponent})", base.size ** int(exponent))

    def atom(self) -> _Part:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InvalidInput(f"a formula must be nested at most {MAX_DEPTH} deep, got {self.text!r}: simplify it.")
        part = self.atom_inside()
        self.depth -= 1
        return part

    def atom_inside(self) -> _Part:
        if self.take("("):
            _, inner = self.sum(top=False)
            self.expect(")")
            if inner is None:  # pragma: no cover - sum() has read a term or raised
                raise self.refused(")", "")
            return _Part(f"({inner.text})" if not inner.single else inner.text, inner.size, inner.single)
        if self.take("{"):
            return self.number(self.slice_until("}"), wrap="I")
        name = self.take_kind("name")
        if not name:
            raise self.refused(self.token(), "")
        if self.take("("):
            return self.call(name)
        if name in (*SPECIAL, *FUNCTIONS) and not self.is_column(name):
            raise InvalidInput(f"{name} must be called, got {self.text!r}: write {name}(a column).")
        found = self.column(name)
        return self.levels(found) if found.kind != "number" else self.number(name, wrap="")

    # -- functions

    def call(self, name: str) -> _Part:
        if name not in SPECIAL and name not in FUNCTIONS:
            raise self.refused(f"{name}()", "")
        if name in FUNCTIONS:
            return self.number(f"{name}({self.slice_until(')')})", wrap="")
        arguments = [part.strip() for part in split_arguments(self.slice_until(")"))]
        first, rest = arguments[0], arguments[1:]
        if not first:
            raise InvalidInput(f"{name}() must be given a column, got nothing in {self.text!r}: name one.")
        if name == "C":
            self.no_more(name, rest)
            return self.levels(self.column(normalize("NFKC", first)))
        if name == "I":
            self.no_more(name, rest)
            return self.number(first, wrap="I")
        self.check_numbers(first)
        if name in ("center", "scale"):
            self.no_more(name, rest)
            return self.add(Block(name, first, f"{name}({first})", 1))
        options = self.options(name, rest, {"poly": ("degree", "raw"), "bs": ("df", "degree")}[name])
        if name == "poly":
            degree, raw = options.get("degree", 1), bool(options.get("raw", 0))
            told = f"poly({first}, {degree}{', raw=True' if raw else ''})"
            return self.add(Block("poly", first, told, degree, degree, raw))
        degree = options.get("degree", 3)
        df = options.get("df", degree)
        if df < degree or df > 20:
            raise InvalidInput(f"`df` of bs() must lie between its degree {degree} and 20, got {df} in {self.text!r}.")
        return self.add(Block("bs", first, f"bs({first}, df={df}, degree={degree})", df, degree))

    def options(self, name: str, rest: list[str], known: tuple[str, ...]) -> dict[str, int]:
        found: dict[str, int] = {}
        for position, text in enumerate(rest):
            key, equals, value = (part.strip() for part in text.rpartition("="))
            if not equals:
                key = known[position] if position < len(known) else ""
            if key not in known or key in found:
                raise InvalidInput(f"{name}() takes {' and '.join(known)}, got {text!r} in {self.text!r}: remove it.")
            if key == "raw":
                if value not in ("True", "False"):
                    raise InvalidInput(f"`raw` of {name}() must be True or False, got {value!r} in {self.text!r}.")
                found[key] = int(value == "True")
            elif not re.fullmatch(r"[0-9]{1,2}", value) or not 1 <= int(value) <= (20 if key == "df" else MAX_DEGREE):
                most = 20 if key == "df" else MAX_DEGREE
                raise InvalidInput(
                    f"`{key}` of {name}() must be a whole number from 1 to {most}, got {value!r} in {self.text!r}."
                )
            else:
                found[key] = int(value)
        return found

    def no_more(self, name: str, rest: list[str]) -> None:
        if rest:
            raise InvalidInput(
                f"{name}() must be given one thing, got also {', '.join(rest)!r} in {self.text!r}: remove it."
            )

    def number(self, text: str, *, wrap: str) -> _Part:
        self.check_numbers(text)
        bare = text.strip()
        return self.add(Block("number", bare, f"{wrap}({bare})" if wrap else bare, 1))

    def check_numbers(self, text: str) -> None:
        expression = parse_arithmetic(text)
        if not expression.names:
            raise InvalidInput(f"a term must depend on a column, got {text!r} in {self.text!r}: name one.")
        for name in expression.names:
            if self.column(name).kind != "number":
                raise InvalidInput(
                    f"{name} is a {self.column(name).kind}, not a number, in {text!r}: write it as a term of its own, "
                    f"as in power + {name}."
                )

    def levels(self, column: Column) -> _Part:
        name = f"C({column.name})" if column.kind == "number" else column.name
        return self.add(Block("levels", column.name, name, len(column.levels)))

    def add(self, block: Block) -> _Part:
        if block.width > MAX_FEATURES:
            raise InvalidInput(
                f"{block.name} must have at most {MAX_FEATURES:,} levels to be a term, got {block.width:,}: "
                "leave it out of the formula."
            )
        if block not in self.blocks:
            self.blocks.append(block)
        return _Part(block.placeholder(self.blocks.index(block)), max(block.width, 1), single=True)

    def bounded(self, text: str, size: int, *, single: bool = False) -> _Part:
        if size > _SLACK * MAX_FEATURES:
            raise InvalidInput(
                f"a formula must become at most {MAX_FEATURES:,} features, got up to {size:,} for {self.text!r}: use "
                "fewer interactions."
            )
        return _Part(text, size, single)

    # -- tokens

    def token(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        found = self.token()
        if found and found in wanted:
            self.at += 1
            return found
        return ""

    def take_kind(self, kind: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] == kind:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise self.refused(self.token(), f"{sign!r} is missing")

    def slice_until(self, closing: str) -> str:
        """The text up to the bracket that closes the one just taken."""
        opening = {")": "(", "}": "{"}[closing]
        start, depth = self.tokens[self.at - 1][3], 1
        while self.at < len(self.tokens):
            _, token, begin, _ = self.tokens[self.at]
            self.at += 1
            depth += (token == opening) - (token == closing)
            if depth == 0:
                return self.text[start:begin].strip()
        raise InvalidInput(f"a formula must close its brackets, got {self.text!r}: {closing!r} is missing.")

    def is_column(self, name: str) -> bool:
        try:
            self.column(name)
        except LookupError:
            return False
        return True

    def refused(self, token: str, why: str) -> InvalidInput:
        return refused(token, self.text, why)
