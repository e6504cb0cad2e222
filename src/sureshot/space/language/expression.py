"""Arithmetic and comparisons as text: ``power * time <= 40``, ``log(power)``. Text is not code.

The text is parsed with :mod:`ast`, every node is checked against an allow-list, and the checked tree is walked
with NumPy, block by block. Nothing is ever compiled or evaluated as Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.space.tables.column import as_number

__all__ = ["FUNCTIONS", "MAX_DEPTH", "Expression", "checked_text", "excerpt", "parse_arithmetic", "parse_condition"]

#: Longer text than this is no constraint or formula a person wrote.
MAX_TEXT = 2_000
#: Deeper nesting than this would exhaust Python's stack before it helped anyone.
MAX_DEPTH = 40

#: What Python's tree has below the deepest part that counts: a sign, a list, and how a name is used.
_BELOW = 4

#: Every function that a constraint or a formula may call on numbers.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "max": np.maximum,
    "min": np.minimum,
    "sqrt": np.sqrt,
}

ARITHMETIC: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.true_divide,
    ast.Pow: np.float_power,
    ast.Mod: np.mod,
}
COMPARISONS: dict[type[ast.cmpop], Callable[..., Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}

_CALLS = ", ".join(f"{name}()" for name in sorted(FUNCTIONS))
#: What each kind of text is called in an error, and what it may use.
_CONDITION = "a constraint"
_NUMBER = "a number in a formula"
_ALLOWED = {
    _CONDITION: f"columns, numbers, text in quotes, + - * / % **, comparisons, in [...], and, or, not, {_CALLS}",
    _NUMBER: f"columns, numbers, + - * / % **, {_CALLS}",
}


#: How people write comparisons, and how they are written here.
_COMPARED = {"≥": ">=", "≤": "<=", "≠": "!=", "=>": ">=", "=<": "<=", "<>": "!="}


@dataclass(frozen=True, slots=True)
class Expression:
    """Checked text and its tree."""

    text: str
    tree: ast.expr
    names: tuple[str, ...]  # the columns it needs, each once, in order of appearance


def parse_condition(text: str) -> Expression:
    """A constraint: something that is true or false of every row.

    >>> parse_condition("power * time <= 40").names
    ('power', 'time')
    """
    return _parse(text, _CONDITION)


def parse_arithmetic(text: str) -> Expression:
    """A number computed from each row; comparisons, and/or/not and text are refused."""
    return _parse(text, _NUMBER)


def checked_text(text: object, what: str) -> str:
    """The text in its one spelling (NFKC, as Python spells names), neither empty nor endless."""
    if not isinstance(text, str):
        raise InvalidInput(f"{what} must be text, got {text!r}", fix="put it in quotes")
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"{what} must have at most {MAX_TEXT:,} characters, got {len(text):,}", fix="shorten it")
    clean = normalize("NFKC", text).strip()
    if not clean:
        raise InvalidInput(f"{what} must not be empty", fix="write it, or leave it out")
    if len(clean) > MAX_TEXT:
        raise InvalidInput(f"{what} must have at most {MAX_TEXT:,} characters, got {len(clean):,}", fix="shorten it")
    return clean


def _parse(text: str, what: str) -> Expression:
    clean = checked_text(text, what)
    try:
        tree = ast.parse(clean, mode="eval").body
    except SyntaxError as error:
        raise InvalidInput(f"{what} must be readable, got {text!r}", fix=_instead(clean, error)) from error
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        raise InvalidInput(f"{what} must be readable, got {text!r}", fix="simplify it") from error
    if _deeper(tree, MAX_DEPTH + _BELOW):
        raise _too_deep(what, text)
    names = tuple(dict.fromkeys(_vet(tree, what, text, MAX_DEPTH)))
    return Expression(clean, tree, names)


def _instead(text: str, error: SyntaxError) -> str:
    """What to write instead of what Python can't read."""
    for odd, plain in _COMPARED.items():
        if odd in text:
            return f"write {plain} instead of {odd}"
    if "=" in text and not any(one in text for one in ("==", "!=", "<=", ">=")):
        return "write == instead of ="
    at = max((error.offset or 1) - 1, 0)
    return f"fix it near {text[at : at + 12]!r}" if text[at:].strip() else "something is missing at its end"


def _deeper(tree: ast.expr, than: int) -> bool:
    """Whether a tree is deeper than Python can walk, or write down in an error, before anything of it is known."""
    level: list[ast.AST] = [tree]
    for _ in range(than):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


def _too_deep(what: str, text: str) -> InvalidInput:
    return InvalidInput(f"{what} must be nested at most {MAX_DEPTH} deep, got {text!r}", fix="simplify it")


def _vet(node: ast.AST, what: str, text: str, depth: int) -> Iterator[str]:
    """The column names in a tree, once each of its nodes has been found on the allow-list."""
    if depth == 0:
        raise _too_deep(what, text)
    children: list[ast.AST] = []
    arithmetic = what == _NUMBER
    match node:
        case ast.Constant(value=bool() | str()) | ast.UnaryOp(op=ast.Not()) | ast.BoolOp() | ast.Compare() if (
            arithmetic
        ):
            raise _refused(excerpt(node), what)
        case ast.Name(id=name):
            if name.startswith("_"):
                raise _refused(name, what)
            yield name
        case ast.Constant(value=bool() | str()):
            pass
        case ast.Constant(value=int() | float() as number):
            _literal(number, what)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            children = [left, right]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not(), operand=operand):
            children = [operand]
        case ast.BoolOp(values=values):
            children = [*values]
        case ast.Compare(left=left, ops=ops, comparators=others):
            if any(isinstance(op, (ast.In, ast.NotIn)) for op in ops):
                _vet_membership(node, what)
                children = [left]
            elif all(type(op) in COMPARISONS for op in ops):
                children = [left, *others]
            else:
                raise _refused(excerpt(node), what)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            wanted = "at least 2 numbers" if name in ("min", "max") else "1 number"
            if (len(args) < 2) if name in ("min", "max") else (len(args) != 1):
                fix = "name another column" if len(args) < 2 else "remove the others"
                raise InvalidInput(f"{name}() must be given {wanted}, got {len(args)} in {text!r}", fix=fix)
            children = [*args]
        case ast.Call(func=func):
            raise _refused(f"{excerpt(func)}()", what)
        case _:
            raise _refused(excerpt(node), what)
    for child in children:
        yield from _vet(child, what, text, depth - 1)


def _vet_membership(node: ast.Compare, what: str) -> None:
    """``catalyst in ["Fe", "Co"]``: one comparison, with a list of plain values."""
    (choices, *rest) = node.comparators
    if rest or not isinstance(choices, (ast.List, ast.Tuple)) or not choices.elts:
        raise InvalidInput(f"`in` must be followed by a list of values, got {excerpt(node)!r}", fix="write in [1, 2]")
    for choice in choices.elts:
        inner = choice.operand if isinstance(choice, ast.UnaryOp) and isinstance(choice.op, ast.USub) else choice
        if not isinstance(inner, ast.Constant) or not isinstance(inner.value, (str, int, float)):
            raise _refused(excerpt(choice), what)
        if not isinstance(inner.value, str):
            _literal(inner.value, what)


def _literal(number: float, what: str) -> None:
    if not np.isfinite(as_number(number) or 0.0):  # None for True and False
        raise InvalidInput(f"numbers in {what} must be finite", fix="write a smaller one")


def excerpt(node: ast.AST) -> str:
    """The text of a node, short enough for an error."""
    try:
        text = ast.unparse(node)
    except (ValueError, RecursionError):
        text = type(node).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def _refused(token: str, what: str) -> InvalidInput:
    return InvalidInput(f"{what} must not contain {token!r}", fix=f"it may use {_ALLOWED[what]}")
