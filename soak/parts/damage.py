"""Damaged files: each is read as what it was, refused in words, or worse."""

from __future__ import annotations

import random
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from soak.damaging import NAMES, OF_FILE, OF_INDEX, OF_LOG, Damage, held, put, stores
from soak.running import Case
from sureshot.errors import SureshotError
from sureshot.storage import noted, open_storage

__all__ = ["run"]


def run(seed: int, first: int = 0) -> Iterator[Case]:
    """Damaged stores without end, from that number on."""
    with tempfile.TemporaryDirectory(prefix="sureshot-soak-") as name:
        folder = Path(name)
        known = stores(folder)
        at = folder / "damaged"
        at.mkdir()
        rng = random.Random(seed)
        for number, (state, done) in enumerate(cases(rng)):
            files = dict(getattr(known, state))
            for damage in done:
                damage(rng, files, known)
            if number < first:  # what is random goes on from there
                continue
            put(at, files)
            what = f"sqlite, {state}: {', '.join(one.__name__.replace('_', ' ') for one in done)}"
            found = judged(at / NAMES[0], known.holds[state])
            told = found.told.replace(name, "")
            yield Case(what, found.verdict, f"seed {seed}, case {number}: {told}" if told else "")


def cases(rng: random.Random) -> Iterator[tuple[str, list[Damage]]]:
    """The state of a store, and what is done to its files. When it was killed while it wrote, its log is needed: what
    is done to log *and* index then leaves nothing that could tell. When it had nothing to do, nothing is lost by that.
    """
    while True:
        for damage in OF_FILE:
            yield "rest", [damage]
        yield rng.choice(["killed", "settled"]), [rng.choice(OF_FILE)]
        for damage in (*OF_LOG, *OF_INDEX):
            yield "killed", [damage]
        yield "settled", [rng.choice(OF_LOG), rng.choice(OF_INDEX)]
        yield "rest", [rng.choice(OF_FILE[:-1]), rng.choice(OF_FILE[:-1])]


def goes_on(path: Path) -> None:
    """One more note in each campaign, as long as nothing is refused."""
    with closing(open_storage(path, create=False)) as store:
        for one in store.campaigns():
            [note] = store.append(one.id, [noted("after", trial=3)] if one.last_number else [noted("after")])
            assert note.number == one.last_number + 1
            assert store.events(one.id)[-1] == note


def judged(path: Path, right: dict[str, Any]) -> Case:
    """What came of one damaged store."""
    try:
        if held(path) != right:
            return Case("", "BROKEN", "read as something else")
        goes_on(path)
        before = [len(one[1]) for name, one in right.items() if name != "list"]
        if [len(one[1]) - 1 for name, one in held(path).items() if name != "list"] != before:
            return Case("", "BROKEN", "gone after it went on")
        return Case("", "held")
    except SureshotError as error:
        return Case("", "refused", f"{type(error).__name__}: {error}")
    except Exception:
        return Case("", "BROKEN", traceback.format_exc())
