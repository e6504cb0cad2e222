"""The exact look-ahead over a pool, compiled: one belief or a mixture, any of the built-in links.

The same numbers as :mod:`sureshot.core.lookahead.joint`, to the error of the links' probits (1e-10 logit, 7e-8 cloglog
and loglog, rounding for probit unless scores are as wide as 1e18), without looking at most pairs twice; memory
O(M (d + 33) + block) for each belief.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, heaviest, members
from sureshot.core.links import CLOGLOG, LOGIT, LOGLOG, PROBIT, Link
from sureshot.core.lookahead.compared import Compared, Group, stacked
from sureshot.core.lookahead.threads import share
from sureshot.core.numerics.probits import ProbitMixture
from sureshot.core.numerics.stable import Array
from sureshot.core.numerics.twins import code_of

if TYPE_CHECKING:
    from sureshot.core.lookahead.compiled.expansion import Expansion
    from sureshot.core.lookahead.compiled.hermite import Constants

__all__ = ["Ready", "best_after", "best_joint", "can_expand", "expanded", "probits_of", "ready", "values"]

#: Members of a mixture below this weight are left out: no probability changes by more.
NEGLIGIBLE = 1e-9
#: Alternatives of one block: their products with a candidate stay in cache.
BLOCK = 1024
#: Numbers of expanded candidates that are held at once, where they are compared over others than themselves, and
#: numbers of one candidate under one belief, beside one for each weight.
HELD, EXPANDED = 1 << 25, 70
#: How far the closed form of σ² (see ``hermite.second_moment``) is off for each link's probits, on a fine grid; a test
#: computes them again.
SQUARE_ERRORS = {
    LOGIT: 3.295561376236716e-10,
    PROBIT: 1e-15,
    CLOGLOG: 1.874530578441999e-07,
    LOGLOG: 1.8745305778136148e-07,
}


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """Beliefs made ready: their weights, and the constants of their links."""

    beliefs: tuple[Belief, ...]
    weights: Array
    constants: Constants


def can_expand(belief: Belief | Mixture) -> bool:
    """Whether compiled code knows the links of these beliefs."""
    return all(code_of(one.link) is not None for _, one in members(belief))


def ready(belief: Belief | Mixture) -> Ready:
    """The beliefs of a mixture with what compiled code needs of their links; hardly weighted ones are left out."""
    beliefs, weights = heaviest(belief, NEGLIGIBLE)
    return Ready(beliefs, weights, _constants(tuple(one.link for one in beliefs)))


def expanded(state: Ready, X: Array) -> tuple[Expansion, NDArray[np.intp]]:
    """Alternatives expanded under each belief, in an order that lets blocks be left out, and that order.

    Row 0 is the best predicted.
    """
    from sureshot.core.lookahead.compiled.expansion import arranged
    from sureshot.core.lookahead.compiled.hermite import ORDER, expand

    mu, s, root, _ = stacked(state.beliefs, X)
    K, M = mu.shape
    p, var = np.empty((K, M)), np.empty((K, M))
    coef, tail = np.empty((K, M, ORDER + 1)), np.empty((K, M, ORDER + 1))
    for k in range(K):
        expand(state.constants, k, mu[k], s[k], p[k], var[k], coef[k], tail[k])
    mean, width = state.weights @ p, np.sqrt(state.weights @ tail[:, :, 0] ** 2)
    lead = int(np.argmax(mean))
    lean = min(float(np.partition(width / np.maximum(mean, 1e-3), M // 2)[M // 2]), 1.0)
    order = np.argsort(-(mean + lean * width), kind="stable")
    order = np.concatenate(([lead], order[order != lead]))
    return arranged(order, mu, s, root, p, var, coef, tail, mean), order


def values(belief: Belief | Mixture, task: Compared) -> Array:
    """What one outcome of each candidate adds to the final choice, (M,)."""
    state = ready(belief)
    if any(group.rows is task.X for group in task.groups):
        here, order = expanded(state, task.X)
        return _values(state, here, order, [(group, here, order) for group in task.groups])
    there = [expanded(state, group.rows) for group in task.groups]
    each = sum(len(one.mean) + EXPANDED for one in state.beliefs)
    size, found = max(HELD // each, 1), np.empty(len(task.X))
    for start in range(0, len(task.X), size):
        part = slice(start, start + size)
        groups = [group._replace(twin=group.twin[part]) for group in task.groups]
        here, order = expanded(state, task.X[part])
        found[part] = _values(state, here, order, [(one, *seen) for one, seen in zip(groups, there, strict=True)])
    return found


def _values(
    state: Ready,
    here: Expansion,
    order: NDArray[np.intp],
    groups: Sequence[tuple[Group, Expansion, NDArray[np.intp]]],
) -> Array:
    """The same for candidates that are expanded, beside groups that are: each with its rows, and their order."""
    total = np.zeros(len(order))
    for group, there, places in groups:
        best, arg = best_joint(state, here, there, _arranged_twins(group.twin, order, places))
        gain = np.maximum(best.sum(axis=1) - there.mean[0], 0.0)
        gain[arg[:, 0] == arg[:, 1]] = 0.0  # whatever comes out, the choice is the same
        total[order] += group.weight * gain
    return total


def _arranged_twins(twin: NDArray[np.intp], rows: NDArray[np.intp], cols: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where each candidate stands among the alternatives, both in their order."""
    at = np.empty(len(cols), dtype=np.intp)
    at[cols] = np.arange(len(cols))
    return np.where(twin[rows] < 0, -1, at[twin[rows]])


def best_joint(
    state: Ready, rows: Expansion, cols: Expansion, twin: NDArray[np.intp]
) -> tuple[Array, NDArray[np.int64]]:
    """For each candidate the largest P(failure here, success there) and P(success here, success there), (M, 2), and
    which alternatives they are; in the order of ``rows`` and ``cols``.
    """
    from sureshot.core.lookahead.compiled.exact import seed

    M = len(rows.mean)
    best, arg = np.full((M, 2), -1.0), np.zeros((M, 2), dtype=np.int64)

    def work(part: NDArray[np.intp]) -> None:
        seed(state.constants, state.weights, rows, cols, twin, part, best, arg)
        for start in range(0, len(cols.mean), BLOCK):
            _block(state, rows, cols, twin, part, start, best, arg)

    share(work, np.arange(M))
    return best, arg


def best_after(belief: Belief | Mixture, x: Array, Z: Array, at: int) -> tuple[Array, NDArray[np.intp]]:
    """The largest P(failure here, success there) and P(success here, success there) over the rows of ``Z``, (2,), for
    the candidate ``x``, (1, d), who is row ``at`` of them; and the rows where they are.
    """
    state = ready(belief)
    (here, _), (there, order) = expanded(state, x), expanded(state, Z)
    best, arg = best_joint(state, here, there, _arranged_twins(np.array([at]), np.array([0]), order))
    return best[0], np.asarray(order[arg[0]])


def _block(
    state: Ready,
    rows: Expansion,
    cols: Expansion,
    twin: NDArray[np.intp],
    part: NDArray[np.intp],
    start: int,
    best: Array,
    arg: NDArray[np.int64],
) -> None:
    """One block of alternatives against those candidates of ``part`` that may find better in it."""
    from sureshot.core.lookahead.compiled.exact import scan

    v = state.weights
    stop = min(start + BLOCK, len(cols.mean))
    reach = v * cols.tail[:, start:stop, 0].max(axis=1)
    chance = v * cols.p[:, start:stop].max(axis=1)
    here = rows.p[:, part]
    spread = reach @ rows.tail[:, part, 0]
    live = (chance @ here + spread > best[part, 1]) | (chance @ (1.0 - here) + spread > best[part, 0])
    active = part[live]
    # ρ errs by (r + 2)·2^-24 and stands before T_0 T'_0 <= 1/4, or before g_1 g'_1 <= 1/4 and, squared,
    # before T_1 T'_1 <= 1/4; and there are a few roundings of numbers <= 1 for each belief
    slack = 2.0**-24 * (1.0 * rows.unit.shape[2] + 12.0 * len(v) + 6.0)
    scan(state.constants, v, rows, cols, twin, active, start, stop - start, slack, best, arg)


@cache
def _constants(links: tuple[Link, ...]) -> Constants:
    """The links of several beliefs side by side, padded to the longest."""
    from sureshot.core.lookahead.compiled.hermite import ORDER, Constants, rest_rule

    codes = [code_of(link) for link in links]
    rules = [rest_rule(code, link.probability) for code, link in zip(codes, links, strict=True) if code is not None]
    probits = [link.probits for link in links if link.probits is not None]
    terms, w, b, h = probits_of(probits)
    n = np.arange(ORDER + 2)
    steps = [node[1] - node[0] if len(node) else 0.0 for _, node, _ in rules]
    return Constants(
        code=np.array(codes, dtype=np.int64),
        terms=terms,
        w=w,
        b=b,
        h=h,
        slack=np.array([SQUARE_ERRORS[link] for link in links]),
        tol=max(1e-14, max(0.1 * table.error for table in probits)),
        base=np.array([base for base, _, _ in rules]),
        nodes=np.array([len(node) for _, node, _ in rules], dtype=np.int64),
        node=_padded([node for _, node, _ in rules], 0.0),
        weight=_padded([weight for _, _, weight in rules], 0.0),
        small=(1.2 * np.array(steps)) ** 2,
        c1=1.0 / np.sqrt(n + 1.0),
        c2=np.where(n > 0, (n - 1.0) / np.sqrt(np.maximum(n, 1) * (n + 1.0)), 0.0),
    )


def probits_of(tables: Sequence[ProbitMixture]) -> tuple[NDArray[np.int64], Array, Array, Array]:
    """Several mixtures of probits side by side: how many each has, weights, shifts, scales, padded to the longest."""
    return (
        np.array([len(table.weights) for table in tables], dtype=np.int64),
        _padded([table.weights for table in tables], 0.0),
        _padded([table.shifts for table in tables], 0.0),
        _padded([table.scales for table in tables], 1.0),
    )


def _padded(parts: Sequence[Array], fill: float) -> Array:
    out = np.full((len(parts), max(1, *(len(part) for part in parts))), fill)
    for row, part in zip(out, parts, strict=True):
        row[: len(part)] = part
    return out
