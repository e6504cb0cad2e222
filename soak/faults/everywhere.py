"""Faults of every store: the process is killed, the clock jumps."""

from __future__ import annotations

import time
from collections.abc import Iterator

from soak.doors.calls import KINDS, WITHOUT_KEY
from soak.doors.web import Web
from soak.scene import AT_COMMIT, Fault, Scene

__all__ = ["EVERYWHERE"]

_KEYED = tuple(one for one in KINDS if one not in WITHOUT_KEY)
DAY = 86_400.0
JUMPS = (1.0, -1.0, 3_600.0, -3_600.0, 400 * DAY, -400 * DAY, 9_000 * DAY, -9_000 * DAY)


def killed(scene: Scene) -> Iterator[None]:
    """SIGKILL at a step."""
    scene.kill()
    yield


def killed_in_flight(scene: Scene) -> Iterator[None]:
    """SIGKILL at some moment after a step: also within one call of C."""
    moment = scene.rng.uniform(0.0, 0.006)

    def strike() -> None:
        time.sleep(moment)
        scene.kill()

    scene.in_flight = strike
    yield


def killed_while_it_commits(scene: Scene) -> Iterator[None]:
    """SIGKILL at some moment after the last line before COMMIT."""
    moment = scene.rng.choice((0.0, 0.0, scene.rng.uniform(0.0, 0.0006), scene.rng.uniform(0.0, 0.003)))

    def strike() -> None:
        time.sleep(moment)
        scene.kill()

    scene.in_flight = strike
    yield


def clock_jumped(scene: Scene) -> Iterator[None]:
    """Its clock is another from a step on, by a second to many years, forwards or backwards."""
    scene.clock = scene.rng.choice(JUMPS)
    yield
    scene.bench.door.kill()  # what comes after has the right clock again


def caller_cut_off(scene: Scene) -> Iterator[None]:
    """The connection to the web server is cut at a step: the client asks again while the server is still at it."""
    assert isinstance(scene.bench.door, Web)
    assert scene.bench.door.between is not None
    scene.bench.door.between.cut_all()
    time.sleep(scene.rng.choice((0.0, 0.15, 0.3)))
    yield


EVERYWHERE = (
    Fault("killed", killed),
    Fault("killed in flight", killed_in_flight),
    Fault("killed while it commits", killed_while_it_commits, at=AT_COMMIT),
    Fault("clock jumped", clock_jumped),
    Fault(
        "caller cut off", caller_cut_off, kinds=tuple(one for one in KINDS if one not in WITHOUT_KEY), doors=("web",)
    ),
)
