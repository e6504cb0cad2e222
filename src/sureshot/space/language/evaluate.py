"""The value of a checked expression on the rows of a table: a typed walk with NumPy, no Python evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.space.language.expression import ARITHMETIC, COMPARISONS, FUNCTIONS, Expression
from sureshot.space.tables.column import Column, show

__all__ = ["Lookup", "holds", "number"]

#: Hands out the column of a name, or raises the error that names the nearest.
Lookup: TypeAlias = Callable[[str], Column]


class _Names(NamedTuple):
    """Which level of a category each row has: not a number, only to be compared with a level."""

    column: Column
    codes: NDArray[np.int32]


def holds(condition: Expression, columns: Lookup, rows: slice, n: int) -> NDArray[np.bool_]:
    """Of which of ``n`` rows a constraint is true. A comparison with something that is not finite is not."""
    with np.errstate(all="ignore"):
        value = _walk(condition.tree, columns, rows, condition.text)
    if not _is_truth(value):
        raise InvalidInput(
            f"a constraint must be true or false of each alternative, got {condition.text!r}",
            fix="compare it with something, as in power * time <= 40",
        )
    return np.broadcast_to(value, (n,))


def number(arithmetic: Expression, columns: Lookup, rows: slice, n: int) -> Array:
    """The number that an expression is in each of ``n`` rows; it may be infinite or NaN."""
    with np.errstate(all="ignore"):
        value = _number(_walk(arithmetic.tree, columns, rows, arithmetic.text), arithmetic.tree, arithmetic.text)
    return np.broadcast_to(np.asarray(value, dtype=np.float64), (n,))


def _walk(node: ast.expr, columns: Lookup, rows: slice, text: str) -> Any:
    def number_of(child: ast.expr) -> Any:
        return _number(_walk(child, columns, rows, text), child, text)

    match node:
        case ast.Name(id=name):
            column = columns(name)
            return _Names(column, column.codes[rows]) if column.kind == "category" else column.values(rows)
        case ast.Constant(value=bool() | str() as value):
            return value
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.BinOp(left=left, op=op, right=right):
            return ARITHMETIC[type(op)](number_of(left), number_of(right))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return np.logical_not(_truth(_walk(operand, columns, rows, text), operand, text))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -number_of(operand)
        case ast.UnaryOp(operand=operand):
            return number_of(operand)
        case ast.BoolOp(op=op, values=values):
            truths = [_truth(_walk(value, columns, rows, text), value, text) for value in values]
            return reduce(np.logical_and if isinstance(op, ast.And) else np.logical_or, truths)
        case ast.Compare(left=left, ops=ops, comparators=others):
            chain = [_walk(left, columns, rows, text)]
            parts = []
            for comparison, other in zip(ops, others, strict=True):
                if isinstance(comparison, (ast.In, ast.NotIn)):
                    choices = [_walk(choice, columns, rows, text) for choice in other.elts]  # type: ignore[attr-defined]
                    found = reduce(np.logical_or, [_compare(ast.Eq(), chain[-1], c, node, text) for c in choices])
                    parts.append(np.logical_not(found) if isinstance(comparison, ast.NotIn) else found)
                else:
                    chain.append(_walk(other, columns, rows, text))
                    parts.append(_compare(comparison, chain[-2], chain[-1], node, text))
            return reduce(np.logical_and, parts)
        case ast.Call(func=ast.Name(id=name), args=args):
            return (
                reduce(FUNCTIONS[name], map(number_of, args)) if len(args) > 1 else FUNCTIONS[name](number_of(args[0]))
            )
    raise AssertionError(f"unchecked node {ast.dump(node)}")  # pragma: no cover - the allow-list let it through


def _compare(op: ast.cmpop, left: Any, right: Any, node: ast.expr, text: str) -> Any:
    if isinstance(right, _Names) and not isinstance(left, _Names):
        left, right = right, left  # only == and != are left for names: they read alike from both sides
    if isinstance(left, _Names):
        if not isinstance(op, (ast.Eq, ast.NotEq)):
            raise InvalidInput(f"{left.column.name} is a category, got {text!r}", fix="compare it with == or !=")
        same = _same_names(left, right, text)
        return same if isinstance(op, ast.Eq) else np.logical_not(same)
    if isinstance(left, str) or isinstance(right, str):
        name = left if isinstance(left, str) else right
        raise InvalidInput(
            f"{name!r} is text and is compared with a number in {text!r}",
            fix="remove the quotes, or compare a category",
        )
    if _is_truth(left) and _is_truth(right) and isinstance(op, (ast.Eq, ast.NotEq)):
        return COMPARISONS[type(op)](left, right)
    return COMPARISONS[type(op)](_number(left, node, text), _number(right, node, text))


def _same_names(left: _Names, right: Any, text: str) -> Any:
    if isinstance(right, _Names):
        return left.column.lookup(list(right.column.levels))[right.codes] == left.codes
    if isinstance(right, str) or (isinstance(right, float) and left.column.lookup([show(right)])[0] >= 0):
        return left.codes == left.column.code(right)
    name, level = left.column.name, left.column.levels[0]
    raise InvalidInput(
        f"{name} is a category, got {text!r}", fix=f'compare it with a level in quotes, as in {name} == "{level}"'
    )


def _number(value: Any, node: ast.expr, text: str) -> Any:
    if isinstance(value, (_Names, str)) or _is_truth(value):
        kind = "a category" if isinstance(value, _Names) else "text" if isinstance(value, str) else "true or false"
        raise InvalidInput(
            f"{ast.unparse(node)!r} is {kind}, not a number, in {text!r}", fix="use a column of numbers there"
        )
    return value


def _truth(value: Any, node: ast.expr, text: str) -> Any:
    if not _is_truth(value):
        raise InvalidInput(
            f"{ast.unparse(node)!r} is neither true nor false in {text!r}", fix="compare it with something"
        )
    return value


def _is_truth(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, np.ndarray) and value.dtype == np.bool_)
