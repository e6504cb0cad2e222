"""Campaigns to look at, each made once."""

from __future__ import annotations

from functools import cache

from sureshot import Actions, Campaign, Space

NASTY = "<script>alert(1)</script> & $x$"


@cache
def oven() -> Campaign:
    """Three parameters, names that are HTML, three trials told, one running, and one outside the pool."""
    space = Space.grid({"temperature": "100:160:20 C", "solvent": ["DMF", "<b>DMSO</b>"], "time": "5,10 min"})
    made = Campaign.create(NASTY, space, success="black <i>", failure="yellow", budget=9, seed=3, storage=":memory:")
    for trial, won in zip(made.ask_batch(3), (0, 1, 0), strict=True):
        made.tell(trial, won, author="A & B", note="<img src=x>")
    made.tell_new(made.best().alternative, 2, of=3)
    made.tell_new({"temperature": 130, "solvent": "DMF", "time": 5}, 1)
    made.ask()
    return made


@cache
def candidates() -> Campaign:
    """A table of candidates."""
    rows = [{"size": 1.5 * i, "weight": (i * 7) % 11, "kind": "ab"[i % 2]} for i in range(12)]
    made = Campaign.create("table", Space.from_frame(rows), seed=1, storage=":memory:")
    for row, won in ((0, 0), (5, 1), (9, 1), (9, 0)):
        made.tell_new(row, won)
    return made


@cache
def powers() -> Campaign:
    """One parameter."""
    made = Campaign.create("powers", Space.grid(power="8,14,10,12 W"), seed=1, storage=":memory:")
    for row, won, of in ((0, 0, 2), (1, 3, 4), (2, 1, 1)):
        made.tell_new(row, won, of=of)
    return made


@cache
def desk() -> Campaign:
    """Case by case."""
    made = Campaign.create("desk", Actions(["wait", "treat"]), context={"age": (18, 90)}, seed=1, storage=":memory:")
    made.tell_new("wait", 0, context={"age": 61})
    made.tell_new("treat", 1, context={"age": 30})
    return made
