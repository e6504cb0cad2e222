"""One case: a call is made, stops at a step, a fault is done, it goes on or not, and what is left is judged."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from random import Random
from typing import NamedTuple

from soak.bench import Bench
from soak.doors.calls import KINDS, Answer, Call, new_call
from soak.doors.door import HANGS
from soak.judging import Opened, Wrong, advises, agrees, goes_on, looks_sound, seen, standing
from soak.running import Case, Verdict
from sureshot.errors import SureshotError
from sureshot.storage import doctor

__all__ = ["AT_COMMIT", "Fault", "Scene", "played"]

#: Part of the steps of a call; by its multiples all are reached in turn, evenly, wherever one begins.
GOLDEN = 0.6180339887498949
#: The step that is the last line before COMMIT.
AT_COMMIT = -1


class Scene:
    """What a fault is done to."""

    def __init__(self, bench: Bench, call: Call, rng: Random) -> None:
        self.bench, self.call, self.rng = bench, call, rng
        self.before: tuple[str, ...] = ()
        self.killed = False
        self.clock = 0.0  # seconds that it is put forwards
        self.in_flight: Callable[[], None] = lambda: None  # done once the process goes on
        self.others: list[str] = []  # what somebody else recorded meanwhile
        self.opened: Opened = bench.opened
        self.undone: list[Callable[[], None]] = []  # by which what was prepared is mended
        self.only_looked_at = False  # once it is damaged: what is mended would not fit what is recorded meanwhile
        self.ends = False  # the store is not for this sureshot any more: nothing is repeated

    def kill(self) -> None:
        """The process under test is gone."""
        self.killed = True
        self.bench.door.kill()


class Fault(NamedTuple):
    """What is done. ``done`` runs to its first ``yield`` while the process stops at a step, from there to its second
    (if there is one) once the call is over, and to its end once it is seen what is said of a damaged store.
    """

    name: str
    done: Callable[[Scene], Iterator[None]]
    prepared: Callable[[Scene], None] | None = None  # instead of a campaign in the store as it is
    kinds: tuple[str, ...] = KINDS  # in the midst of which calls
    doors: tuple[str, ...] = ("library", "command", "web")
    at: int | None = None  # always at this step; None: each in turn


def played(bench: Bench, fault: Fault, number: int, seed: int) -> Case:
    """The case of that number."""
    rng = Random(f"{seed} {number}")
    call = new_call(rng.choice(fault.kinds), number)
    what = f"{bench.store}, {bench.door.name}: {fault.name}"
    at = "before it began"
    try:
        bench.turn_over()
        steps = _steps(bench, call.kind)
        step = fault.at or 1 + int((number * GOLDEN + rng.random() * 0.01) % 1.0 * (steps + 1))
        at = f"{call.kind}, step {step} of {steps}"
        scene = Scene(bench, call, rng)
        try:
            verdict, said, where = _played(scene, fault, step)
        finally:
            for undo in scene.undone:
                undo()
    except Wrong as error:
        found = Case(what, "BROKEN", _again(seed, number, at, str(error)))
    except Exception:
        found = Case(what, "BROKEN", _again(seed, number, at, traceback.format_exc()))
    else:
        return Case(what, verdict, f"{at} ({where}): {said}" if said else "")
    bench.spoil()
    with suppress(Exception):
        if last := bench.door.last_words():
            return found._replace(told=f"{found.told}\nIts process said: {last}")
    return found


def _again(seed: int, number: int, at: str, said: str) -> str:
    return f"seed {seed}, case {number} ({at}): {said}"


def _steps(bench: Bench, kind: str) -> int:
    """How many steps a call of that kind takes at this door: seen once, without a fault."""
    if (bench.door.name, kind) not in bench.steps:
        call = new_call(kind, -1 - len(bench.steps) - 100 * bench.played)
        bench.campaign(call)
        bench.door.ready(bench.url, call.campaign)
        answer = bench.door.call(call)
        if not answer.ok:
            raise Wrong(f"without a fault: {answer}")
        bench.steps[bench.door.name, kind] = bench.door.steps()
    return bench.steps[bench.door.name, kind]


def _played(scene: Scene, fault: Fault, step: int) -> tuple[Verdict, str, str]:
    bench, call, door = scene.bench, scene.call, scene.bench.door
    if fault.prepared is not None:
        fault.prepared(scene)
    else:
        scene.before = bench.campaign(call, None if scene.rng.random() < 0.05 else "random")
    door.ready(bench.url, call.campaign)
    under_way = door.begin(call, stop=step)
    done = fault.done(scene)
    try:
        entered = door.entered
        assert entered is not None
        stopped = entered.stopped(under_way.done)
        next(done)
        entered.go(clock=scene.clock)
        scene.in_flight()
        answer = _answer(under_way)
        entered.calm()
        refused = ""
        if next(done, "over") is None:
            refused = _damaged(scene, answer)
            next(done, None)
        where = "after the answer" if stopped is None else stopped.where
    finally:
        done.close()
    if scene.killed:
        answer = answer._replace(broken="") if answer.gone else answer
    judged(scene, answer)
    words = refused or ("" if answer.ok or answer.gone else f"{answer.kind}: {answer.words}")
    return "refused" if words else "held", words, where


def _answer(under_way: Future[Answer]) -> Answer:
    try:
        return under_way.result(HANGS)
    except TimeoutError:
        raise Wrong(f"it hangs: no answer in {HANGS:g} s") from None


def _damaged(scene: Scene, answer: Answer) -> str:
    """What is said of a damaged store; empty: it is read as what it is."""
    bench, call = scene.bench, scene.call
    said = ""
    try:
        agrees(answer._replace(broken=""), standing(call, scene.before, seen(scene.opened, call.campaign)))
    except SureshotError as error:
        said = f"{type(error).__name__}: {error}"
        if not advises(said):
            raise Wrong(f"it does not say what to do: {said}") from error
    found = doctor(bench.direct)
    if said and found.sound and "lost" not in said:
        raise Wrong(f"a doctor finds nothing, and opening says {said}")
    try:
        bench.door.ready(bench.url, call.campaign)
    except SureshotError as error:
        if not advises(str(error)):
            raise Wrong(f"it does not say what to do: {error}") from error
        return said or str(error)
    if scene.only_looked_at:
        return said
    tried = bench.door.call(call)
    if tried.broken or not (tried.ok or advises(tried.words)):
        raise Wrong(f"in the damaged store: {tried}")
    return said


def judged(scene: Scene, answer: Answer) -> None:
    """All that must hold in the end; raises :class:`~soak.judging.Wrong`."""
    bench, call, opened = scene.bench, scene.call, scene.opened
    mine = standing(call, scene.before, seen(opened, call.campaign), scene.others)
    agrees(answer, mine)
    if scene.ends:
        return
    bench.door.ready(bench.url, call.campaign)
    again = bench.door.call(call)
    for _ in range(2):  # a machine at its limit may let a connection wait for longer than its patience
        if again.ok or "can't be reached" not in again.words:
            break
        again = bench.door.call(call)
    known = not call.keyed and mine is not None and advises(again.words)  # it says that it is recorded already
    if not again.ok and not known:
        raise Wrong(f"repeated, it is not acknowledged: {again}")
    at_last = standing(call, scene.before, seen(opened, call.campaign), scene.others)
    if at_last is None or (mine is not None and at_last != mine):
        raise Wrong(f"repeated, there is {at_last} instead of {mine}")
    agrees(again._replace(broken="") if known else again, at_last)
    goes_on(opened, call.campaign)
    looks_sound(bench.direct)
