"""The formula language: what may stand in it, and nothing else. Formulaic never sees a user's text.

Python's own parser reads a formula as an expression, with ``@`` in place of ``:`` and ``**`` of ``^``; the tree is
walked, never compiled. Names must be columns, functions must be on the list, the arithmetic inside them goes through
:mod:`sureshot.space.language.expression`. What comes out is a list of blocks and the formula with a placeholder for
each (``v0 * c1``): that text, of placeholders, brackets, 0, 1 and signs between two terms, is what formulaic reads.

    a + b, a - b    add a term, remove it; "+ 0" or "- 1" removes the intercept
    a * b           a + b + a:b
    a:b             the interaction; binds tighter than *
    (a + b + c)**2  all terms up to the second order
    {a / b}         arithmetic, as in I(a / b)

What formulaic (1.2.2) misreads never gets there: a sign before a term (``a *-- b`` becomes ``a + b``), a number that is
multiplied (``0 * a`` is nothing at all) or in brackets (``a + (0)``), ``(a + ... + j)**7``, which takes it minutes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from sureshot.errors import InvalidInput
from sureshot.space.language.expression import FUNCTIONS, MAX_DEPTH, checked_text, excerpt, parse_arithmetic
from sureshot.space.tables.column import Column

__all__ = ["MAX_FEATURES", "SPECIAL", "Block", "Parsed", "parse_formula"]

#: Wider designs than this are a slip (a column of sample numbers as a category), not a model to learn from trials.
MAX_FEATURES = 1_000
#: The bound made while parsing counts some features twice: (a + b)**2 has 3 terms and is counted as 4.
_SLACK = 4

MAX_DEGREE = 8
MAX_EXPONENT = 5

#: Functions with a form of their own; the plain ones are those of expressions.
SPECIAL = ("C", "I", "bs", "center", "poly", "scale")
#: The options of those that have some, each with its largest number.
_OPTIONS = {"poly": {"degree": MAX_DEGREE, "raw": 1}, "bs": {"df": 20, "degree": MAX_DEGREE}}

_STRANGE = re.compile(r"[^\w\s.+\-*:^(){},=/%]|(?<!\w)_\w*")
_ALLOWED = "columns, + - * : ** ( ), { arithmetic }, " + ", ".join(
    f"{name}()" for name in sorted({*SPECIAL, *FUNCTIONS}, key=str.lower)
)
_FIXES = {
    "~": "a formula has only a right-hand side: leave out the outcome and the ~",
    "|": "a formula has one part: leave out the |",
    "`": "columns are written without backticks: rename a column that is no single word",
    ".": "list the columns by name; a . for all columns, or before an attribute, is not read",
    "/": "write a + a:b for nesting, or I(a / b) for a ratio",
    "%": "write I(a % b) for a remainder",
}
#: What is called by its sign when it is refused, not by all of its text.
_SIGNS = {ast.Attribute: ".", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%", ast.USub: "-"}


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


class _Part(NamedTuple):
    size: int  # at least as many features as it can become
    single: bool = False  # one term


def parse_formula(text: str, column: Callable[[str], Column]) -> Parsed:
    """Check a formula against the allow-list and the columns; an error names the token and the list."""
    return _Reader(checked_text(text, "a formula"), column).formula()


class _Reader:
    def __init__(self, text: str, column: Callable[[str], Column]) -> None:
        self.text, self.column = text, column
        signed = "1" if text[0] in "+-" else ""  # no term has a sign of its own: + a is 1 + a
        self.source = signed + re.sub(r"\s", " ", text).replace("^", "**").replace(":", "@")
        self.blocks: list[Block] = []
        self.placed: list[tuple[ast.expr, str]] = []  # what stands for each node, from left to right

    def formula(self) -> Parsed:
        try:
            tree = self.tree()
            self.part(tree, MAX_DEPTH, outer=tree.col_offset == 0)  # not inside brackets
        except RecursionError as error:
            raise InvalidInput(f"a formula must be readable, got {self.text!r}", fix="simplify it") from error
        if not self.blocks and self.text != "1":
            raise InvalidInput(f"a formula must keep at least one term, got {self.text!r}", fix="add one")
        at, source, expansion = 0, self.source.encode(), ""  # Python counts bytes
        for node, placeholder in self.placed:
            expansion += source[at : node.col_offset].decode() + placeholder
            at = node.end_col_offset or 0
        return Parsed(self.text, tuple(self.blocks), (expansion + source[at:].decode()).replace("@", ":"))

    def tree(self) -> ast.expr:
        if found := _STRANGE.search(self.text):
            raise self.refused(found[0])
        if re.match(r"-(?!\s*1\b)", self.text):
            raise InvalidInput(
                f"a formula must add a term before it removes one, got {self.text!r}", fix="start with a column"
            )
        try:
            return ast.parse(self.source, mode="eval").body
        except SyntaxError as error:
            start, end = (error.offset or 0) - 1, (error.end_offset or 0) - 1
            if "never closed" in error.msg or start < 0 or not self.source[start:].strip():
                why = "close the bracket" if "never closed" in error.msg else "a term is missing at the end"
                raise InvalidInput(f"a formula must be complete, got {self.text!r}", fix=why) from error
            token = self.source[start : max(end, start + 1)].replace("@", ":")
            raise self.refused(token if len(token) <= 60 else token[:57] + "...") from error
        except (ValueError, MemoryError, RecursionError) as error:
            raise InvalidInput(f"a formula must be readable, got {self.text!r}", fix="simplify it") from error

    def part(self, node: ast.expr, depth: int, *, outer: bool = False) -> _Part:
        """What a node can become; ``outer`` if it stands in the outermost sum, which alone may hold 0 and 1.

        Python reads ``a * b:c`` as (a * b):c, which is never smaller than what formulaic makes of it.
        """
        if depth == 0:
            raise InvalidInput(
                f"a formula must be nested at most {MAX_DEPTH} deep, got {self.text!r}", fix="simplify it"
            )
        match node:
            case ast.Constant(value=0 | 1 as value) if outer and type(value) is int:
                self.placed.append((node, str(value)))
                return _Part(1)
            case ast.Name(id=name):
                try:
                    found = self.column(name)
                except LookupError as error:
                    if name not in (*SPECIAL, *FUNCTIONS):
                        raise
                    rule = f"{name} must be called, got {self.text!r}"
                    raise InvalidInput(rule, fix=f"write {name}(a column)") from error
                return self.add(node, self.levels(found) if found.kind != "number" else self.number(name, name))
            case ast.Call(func=ast.Name(id=name) as func) if func.col_offset == node.col_offset:
                return self.add(node, self.call(name, node))
            case ast.Set(elts=[_]):
                inner = self.segment(node)[1:-1].strip()
                return self.add(node, self.number(inner, f"I({inner})"))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.part(left, depth - 1), right)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.MatMult() as op, right=right):
                added = isinstance(op, ast.Add | ast.Sub)
                flat = left.col_offset == node.col_offset  # no brackets: a + b + c
                one = self.part(left, depth if flat else depth - 1, outer=outer and added and flat)
                bare = right.end_col_offset == node.end_col_offset
                two = self.part(right, depth - 1, outer=outer and added and bare)
                if isinstance(op, ast.MatMult):
                    return self.bounded(one.size * two.size, single=one.single and two.single)
                both = 0 if added else one.size * two.size
                return self.bounded(one.size + both + (0 if isinstance(op, ast.Sub) else two.size))
        raise self.refused(_SIGNS.get(type(getattr(node, "op", node))) or excerpt(node))

    def power(self, base: _Part, exponent: ast.expr) -> _Part:
        order = exponent.value if isinstance(exponent, ast.Constant) else None
        if type(order) is not int or not 2 <= order <= MAX_EXPONENT:
            raise InvalidInput(
                f"** must be followed by a whole number from 2 to {MAX_EXPONENT}, got {excerpt(exponent)!r}",
                fix="write 2 for pairs: it says up to which order terms interact",
            )
        if base.single:
            raise InvalidInput(
                f"** must follow several terms in brackets, got {self.text!r}",
                fix=f"write poly(x, {order}) or I(x**{order}) for a power of a column",
            )
        self.placed.append((exponent, str(order)))
        return self.bounded(base.size**order)

    def bounded(self, size: int, *, single: bool = False) -> _Part:
        if size > _SLACK * MAX_FEATURES:
            raise InvalidInput(
                f"a formula must become at most {MAX_FEATURES:,} features, got up to {size:,} for {self.text!r}",
                fix="use fewer interactions",
            )
        return _Part(size, single)

    # -- functions

    def call(self, name: str, node: ast.Call) -> Block:
        if name in FUNCTIONS:
            inner = self.segment(node)[len(name) :].strip()[1:-1].strip()
            return self.number(f"{name}({inner})", f"{name}({inner})")
        if name not in SPECIAL:
            raise self.refused(f"{name}()")
        if not node.args:
            raise InvalidInput(f"{name}() must be given a column, got nothing in {self.text!r}", fix="name one")
        first = self.segment(node.args[0])
        options = self.options(name, node)
        if name == "C":
            return self.levels(self.column(first))
        if name == "I":
            return self.number(first, f"I({first})")
        self.check_numbers(first)
        if name in ("center", "scale"):
            return Block(name, first, f"{name}({first})", 1)
        if name == "poly":
            degree, raw = options.get("degree", 1), bool(options.get("raw", 0))
            told = f"poly({first}, {degree}{', raw=True' if raw else ''})"
            return Block("poly", first, told, degree, degree, raw)
        degree = options.get("degree", 3)
        df = options.get("df", degree)
        if df < degree:
            raise InvalidInput(
                f"`df` of bs() must lie between its degree {degree} and 20, got {df} in {self.text!r}",
                fix=f"write df={degree} or more",
            )
        return Block("bs", first, f"bs({first}, df={df}, degree={degree})", df, degree)

    def options(self, name: str, node: ast.Call) -> dict[str, int]:
        known, found = _OPTIONS.get(name, {}), dict[str, int]()
        given = zip([*known, *[""] * len(node.args)], node.args[1:], strict=False)
        for key, value in [*given, *((one.arg or "", one.value) for one in node.keywords)]:
            told = self.segment(value)
            if not known:
                raise InvalidInput(
                    f"{name}() must be given one thing, got also {told!r} in {self.text!r}", fix="remove it"
                )
            if key not in known or key in found:
                raise InvalidInput(
                    f"{name}() takes {' and '.join(known)}, got {told!r} in {self.text!r}", fix="remove it"
                )
            number, wanted = value.value if isinstance(value, ast.Constant) else None, bool if key == "raw" else int
            if type(number) is not wanted or not (key == "raw" or 1 <= number <= known[key]):
                what = "True or False" if key == "raw" else f"a whole number from 1 to {known[key]}"
                raise InvalidInput(
                    f"`{key}` of {name}() must be {what}, got {told!r} in {self.text!r}",
                    fix=f"write {key}={'True' if key == 'raw' else min(2, known[key])}, for example",
                )
            found[key] = int(number)
        return found

    def number(self, text: str, name: str) -> Block:
        self.check_numbers(text)
        return Block("number", text, name, 1)

    def check_numbers(self, text: str) -> None:
        expression = parse_arithmetic(text)
        if not expression.names:
            raise InvalidInput(f"a term must depend on a column, got {text!r} in {self.text!r}", fix="name one")
        for name in expression.names:
            if self.column(name).kind != "number":
                raise InvalidInput(
                    f"{name} is a {self.column(name).kind}, not a number, in {text!r}",
                    fix=f"write it as a term of its own, as in power + {name}",
                )

    def levels(self, column: Column) -> Block:
        name = f"C({column.name})" if column.kind == "number" else column.name
        return Block("levels", column.name, name, len(column.levels))

    def add(self, node: ast.expr, block: Block) -> _Part:
        if block.width > MAX_FEATURES:
            raise InvalidInput(
                f"{block.name} must have at most {MAX_FEATURES:,} levels to be a term, got {block.width:,}",
                fix="leave it out of the formula",
            )
        if block not in self.blocks:
            self.blocks.append(block)
        self.placed.append((node, block.placeholder(self.blocks.index(block))))
        return _Part(max(block.width, 1), single=True)

    def segment(self, node: ast.expr) -> str:
        """The text of a node as it was typed."""
        return (ast.get_source_segment(self.source, node) or "").replace("@", ":")

    def refused(self, token: str) -> InvalidInput:
        """The error for a word that may not stand where it does: it names the word and all that may."""
        fix = _FIXES.get(token, "remove it")
        return InvalidInput(
            f"a formula must not contain {token!r} here, got {self.text!r}", fix=f"{fix}. It may use {_ALLOWED}"
        )
