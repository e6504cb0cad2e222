"""The same rows however a study is computed: on one process or two, at once or killed and resumed, in any company."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from sureshot.core.lookahead.threads import threads_for
from sureshot.errors import Conflict, InvalidInput, StorageError, SureshotError
from sureshot.lab import AUTO, PAPER, BeliefRecipe, Contender, Study, contenders, load_rows, run_study
from sureshot.lab.study import jobs as jobs_module
from sureshot.lab.study.jobs import BLOCK, one_thread, plan
from sureshot.lab.study.parts import parts_of
from sureshot.lab.study.rows import COLUMNS
from sureshot.lab.worlds import FunctionWorld
from sureshot.policies import get_policy
from tests.lab.little import COMPARED, Fixed, Hoards, Little

WORLDS = [Little(), Little(d=1, cases=3)]
FIELD = contenders(["random", "thompson", "kg"], [PAPER]) + contenders(["thompson"], [AUTO])
STUDY = Study("small", WORLDS, FIELD, seed=4, runs=3, budget=5)


def same(left: pd.DataFrame, right: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(left[COMPARED], right[COMPARED], check_exact=True)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return run_study(STUDY)


def test_one_row_for_each_trial(rows):
    assert list(rows.columns) == list(COLUMNS)
    assert len(rows) == 2 * 4 * 3 * 5
    keys = rows[["world", "policy", "belief", "run", "n"]]
    assert not keys.duplicated().any()
    assert sorted(rows["run"].unique()) == [1, 2, 3]
    assert sorted(rows["n"].unique()) == [1, 2, 3, 4, 5]
    assert set(rows["study"]) == {"small"}
    told = rows.groupby(["world", "policy", "belief", "run"])["outcome"].cumsum()
    assert told.tolist() == rows["successes"].tolist()


def test_two_processes_give_the_same_rows(rows, tmp_path):
    same(run_study(STUDY, tmp_path, processes=2), rows)
    same(load_rows(tmp_path / "small"), rows)


def test_company_and_order_change_nothing(rows):
    more = (*contenders(["most-uncertain"], [PAPER]), *reversed(FIELD))
    found = run_study(replace(STUDY, worlds=(Little(d=3), *reversed(WORLDS)), contenders=more))
    theirs = found["world"].isin([world.label for world in WORLDS]) & (found["policy"] != "most-uncertain")
    same(found[theirs].reset_index(drop=True), rows)


def test_a_seed_or_a_name_changes_the_rows(rows):
    other = run_study(replace(STUDY, seed=5))
    assert not np.array_equal(other["true"], rows["true"])
    assert run_study(replace(STUDY, name="other"))["true"].equals(rows["true"])


def test_what_is_finished_is_not_computed_again(rows, tmp_path, monkeypatch):
    same(run_study(STUDY, tmp_path), rows)
    monkeypatch.setattr(jobs_module, "play", None)
    same(run_study(STUDY, tmp_path), rows)


def test_more_runs_are_added_to_a_finished_study(tmp_path, monkeypatch):
    field = contenders(["random"], [PAPER])
    study = Study("grows", [Little()], field, runs=BLOCK + 3, budget=2)
    run_study(study, tmp_path)
    grown = replace(study, runs=2 * BLOCK + 1)
    seen = []
    real = jobs_module.stage
    monkeypatch.setattr(jobs_module, "stage", lambda world, **more: seen.append(more["run"]) or real(world, **more))
    found = run_study(grown, tmp_path)
    assert seen == list(range(BLOCK + 4, 2 * BLOCK + 2))
    monkeypatch.undo()
    same(found, run_study(grown))
    fewer = run_study(replace(study, runs=4), tmp_path)
    same(fewer, run_study(replace(study, runs=4)))


def test_jobs_are_blocks_of_runs_whatever_came_before():
    study = Study("plan", [Little()], contenders(["random"], [PAPER]), runs=60)
    assert [(job.first, job.last) for job in plan(study, {})] == [(1, 25), (26, 50), (51, 60)]
    done = {(Little().label, "random", "paper"): {*range(1, 31), 40}}
    assert [(job.first, job.last) for job in plan(study, done)] == [(31, 39), (41, 50), (51, 60)]


CHANGED = {
    "seed": (replace(STUDY, seed=9), "seed was 4, now 9"),
    "budget": (replace(STUDY, budget=6), "budget was 5, now 6"),
    "objective": (replace(STUDY, objective="online"), "objective was 'offline', now 'online'"),
    "max_kg": (replace(STUDY, max_kg=True), "max_kg was False, now True"),
    "policy": (
        replace(STUDY, contenders=(Contender(get_policy("thompson", scale=2.0), PAPER, label="thompson"),)),
        "scale of policy 'thompson' was 1.0, now 2.0",
    ),
    "belief": (
        replace(
            STUDY,
            contenders=contenders(
                ["random"], [BeliefRecipe("paper", prior=2.0, covariance="diagonal", method="laplace")]
            ),
        ),
        "prior of belief 'paper' was 1.0, now 2.0",
    ),
    "world": (replace(STUDY, worlds=(Little(M=13), *WORLDS[1:])), r"M of world 'little d=2.*' was 12, now 13"),
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    run_study(STUDY, folder)
    return folder


@pytest.mark.parametrize("case", CHANGED)
def test_another_study_in_the_same_folder_is_refused(kept, case):
    study, message = CHANGED[case]
    before = {part.path: part.path.stat().st_mtime_ns for part in parts_of(kept / "small")}
    with pytest.raises(Conflict, match=f"holds rows of another study: {message}"):
        run_study(study, kept)
    assert {part.path: part.path.stat().st_mtime_ns for part in parts_of(kept / "small")} == before


def test_another_function_of_the_same_name_is_refused(tmp_path):
    """And one that keeps a list of what it was asked is still itself."""
    pool = [[float(i)] for i in range(4)]

    def world(made) -> FunctionWorld:
        found = {"np": np, "__name__": "own"}
        exec(f"asked = []\ndef works(row):\n    asked.append(1)\n    return abs(np.{made}(row[0]))", found)
        return FunctionWorld(found["works"], pool)

    study = Study("own", [world("sin")], contenders(["random"], [PAPER]), runs=2, budget=2)
    run_study(study, tmp_path)
    run_study(replace(study, worlds=(world("sin"),), runs=BLOCK + 1), tmp_path)
    with pytest.raises(Conflict, match=r"holds rows of another study: function of world 'works-.*' was"):
        run_study(replace(study, worlds=(world("cos"),)), tmp_path)


def test_another_version_is_refused(kept, monkeypatch):
    monkeypatch.setattr("sureshot.lab.study.fingerprint.__version__", "99.0")
    with pytest.raises(Conflict, match=r"sureshot was '.*', now '99\.0'"):
        run_study(STUDY, kept)


def test_a_part_says_what_made_it_and_a_broken_one_is_refused(kept, tmp_path):
    one = parts_of(kept / "small")[0]
    assert (one.first, one.last) == (1, 3)
    assert one.fingerprint["seed"] == 4
    assert one.fingerprint["world"]["kind"] == "Little"
    assert pq.read_schema(one.path).names == list(COLUMNS)
    broken = tmp_path / "small" / one.path.relative_to(kept / "small")
    broken.parent.mkdir(parents=True)
    broken.write_bytes(one.path.read_bytes()[:200])
    with pytest.raises(StorageError, match=r"is damaged, .*: delete that file and run the study again"):
        run_study(STUDY, tmp_path)


@pytest.mark.parametrize("name", [".sureshot-x1", ".runs-00001-00003.parquet.123"])  # the second as before
def test_what_was_being_written_is_not_a_part_and_is_cleared_away(rows, tmp_path, name):
    run_study(STUDY, tmp_path)
    first, *_ = parts_of(tmp_path / "small")
    left = first.path.rename(first.path.with_name(name))  # as a kill in the middle leaves it
    same(run_study(STUDY, tmp_path), rows)
    assert not left.exists()


def test_loading_from_the_wrong_folder_says_where_to_look(kept, tmp_path):
    with pytest.raises(StorageError, match="there is no folder"):
        load_rows(tmp_path / "none")
    with pytest.raises(InvalidInput, match="run the study first"):
        load_rows(tmp_path)
    with pytest.raises(InvalidInput, match=r"did you mean .*small\?"):
        load_rows(kept)


KILLED = """
import sys
sys.path.insert(0, {root!r})
from tests.lab.study.test_runner import SLOW
from sureshot.lab import run_study
run_study(SLOW, {out!r}, processes=2)
"""
SLOW = Study(
    "slow",
    [Little(), Little(d=3)],
    (*(Contender(Fixed(row, pause=0.002), PAPER) for row in range(4)), *contenders(["random"], [PAPER])),
    runs=30,
    budget=2,
)


def test_killed_and_resumed_equals_undisturbed(tmp_path):
    root = str(Path(__file__).parents[3])
    code = KILLED.format(root=root, out=str(tmp_path))
    where = os.pathsep.join([f"{root}/src", root, os.environ.get("PYTHONPATH", "")])
    child = subprocess.Popen(
        [sys.executable, "-c", code], start_new_session=True, env={**os.environ, "PYTHONPATH": where}
    )
    try:
        assert soon(lambda: list(tmp_path.glob("slow/*/*/*/runs-*.parquet")), 120)
        child.kill()
        child.wait()
        assert soon(lambda: not alive(child.pid), 30)  # the processes that it had started end with it
    finally:
        if alive(child.pid):
            os.killpg(child.pid, signal.SIGKILL)
    total = len(plan(SLOW, {}))
    assert 0 < len(parts_of(tmp_path / "slow")) < total
    same(run_study(SLOW, tmp_path), run_study(SLOW))
    assert len(parts_of(tmp_path / "slow")) == total


AT_ONCE = """
import sys, time
sys.path.insert(0, {root!r})
from dataclasses import replace
from tests.lab.study.test_runner import SLOW
from sureshot.errors import Conflict
from sureshot.lab import run_study
while True:
    try:
        run_study(replace(SLOW, runs={runs}), {out!r})
        break
    except Conflict as error:
        print(error, flush=True)
        time.sleep(0.05)
"""


def test_two_at_once_with_other_numbers_of_runs_wait_for_each_other(tmp_path):
    root = str(Path(__file__).parents[3])
    out = str(tmp_path)
    children = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE.format(root=root, out=out, runs=runs)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": root + "/src:" + root},
        )
        for runs in (20, 30, 45)
    ]
    try:
        said = "".join(child.communicate(timeout=120)[0] for child in children)
    finally:
        for child in children:
            child.kill()
    assert [child.returncode for child in children] == [0, 0, 0]
    assert f"one process at a time may compute {tmp_path / 'slow'}, and process" in said
    runs = [run for part in parts_of(tmp_path / "slow") for run in range(part.first, part.last + 1)]
    assert len(runs) == 45 * len(SLOW.worlds) * len(SLOW.contenders)  # none of them twice
    same(load_rows(tmp_path / "slow"), run_study(replace(SLOW, runs=45)))


def test_a_study_that_is_computed_may_be_read_and_is_refused_to_others(rows, tmp_path):
    seen = []

    def look(done: int, total: int) -> None:
        if 0 < done < total:
            seen.append(load_rows(tmp_path / "small"))
            with pytest.raises(Conflict, match="one process at a time may compute"):
                run_study(replace(STUDY, runs=2), tmp_path)

    same(run_study(STUDY, tmp_path, progress=look), rows)
    assert len(seen) == 7
    for some in seen:  # whole runs, as they are in the end
        both = pd.concat([some[COMPARED], rows[COMPARED]])
        assert both.duplicated().sum() == len(some)


def test_a_finished_study_is_shown_where_nothing_can_be_written(rows, tmp_path):
    run_study(STUDY, tmp_path)
    (tmp_path / "small" / ".lock").unlink()
    with unable_to_write(tmp_path):
        same(run_study(STUDY, tmp_path), rows)
        with pytest.raises(StorageError, match=r"small can't be written to: choose another folder"):
            run_study(replace(STUDY, runs=4), tmp_path)
    assert not (tmp_path / "small" / ".lock").exists()
    assert len(run_study(replace(STUDY, runs=4), tmp_path)) == 4 / 3 * len(rows)


@contextmanager
def unable_to_write(folder: Path) -> Iterator[None]:
    """As one who may read a folder and what is in it, and no more."""
    inside = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    above = [one for one in folder.parents if one.stat().st_mode & 0o055 != 0o055]
    before = {one: one.stat().st_mode for one in [*inside, *above]}
    for one in inside:
        one.chmod(0o555)
    for one in above:
        one.chmod(before[one] | 0o055)
    if root := os.geteuid() == 0:  # who may write anywhere
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for one, mode in before.items():
            one.chmod(mode)


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def soon(true: Callable[[], object], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.005)
    return bool(true())


def test_a_process_that_took_memory_is_replaced_without_a_word(recwarn):
    workers = [Contender(Hoards(row, pause=0.6), PAPER) for row in range(6)]
    rows = run_study(Study("hoard", [Little()], workers, runs=1, budget=1), processes=2)
    assert len(rows) == 6
    assert [str(one.message) for one in recwarn] == []


def test_progress_counts_runs_from_what_is_finished(tmp_path):
    seen = []
    study = Study("bar", [Little()], contenders(["random"], [PAPER]), runs=BLOCK, budget=1)
    run_study(study, tmp_path, progress=lambda done, total: seen.append((done, total)))
    run_study(replace(study, runs=BLOCK + 1), tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 25), (25, 25), (25, 26), (26, 26)]


def test_what_a_policy_cannot_is_refused_before_anything_is_computed(tmp_path):
    for world, words in ((Little(cases=2), "contexts"), (Little(delay=1), "delayed outcomes")):
        study = Study("no", [Little(), world], [Contender(Fixed(), PAPER)], runs=1, budget=2)
        with pytest.raises(InvalidInput, match=f"policy 'fixed' can't deal with {words}, as world 'little .*' has"):
            run_study(study, tmp_path)
    assert not (tmp_path / "no").exists()


def test_an_error_in_a_run_says_where_and_keeps_what_is_finished(tmp_path, monkeypatch):
    study = Study("torn", [Little()], contenders(["random", "thompson"], [PAPER]), runs=2, budget=2)
    real = jobs_module.play

    def play(staged, policy, *rest, **more):
        if policy.name == "thompson":
            raise InvalidInput("no.")
        return real(staged, policy, *rest, **more)

    monkeypatch.setattr(jobs_module, "play", play)
    monkeypatch.setattr(jobs_module, "_warm", set())
    with pytest.raises(InvalidInput, match=r"world 'little .*', policy 'thompson', belief 'paper', run 1: no"):
        run_study(study, tmp_path)
    assert [part.fingerprint["policy"]["label"] for part in parts_of(tmp_path / "torn")] == ["random"]


@pytest.mark.parametrize("processes", [0, True, 1.5])
def test_a_number_of_processes_that_is_none(processes):
    with pytest.raises(InvalidInput, match="`processes` must be a whole number of at least 1"):
        run_study(STUDY, processes=processes)


def test_a_job_has_one_thread(monkeypatch):
    from threadpoolctl import threadpool_info

    monkeypatch.setenv("SURESHOT_THREADS", "3")
    assert threads_for(10**6) == 3
    with one_thread():
        assert threads_for(10**6) == 1
        assert {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"} == {1}
    assert threads_for(10**6) == 3


class Clock:
    """A clock that only a policy moves."""

    now = 0.0

    def perf_counter(self) -> float:
        return self.now


def test_compiling_is_not_counted(monkeypatch):
    clock = Clock()

    class Compiling(Fixed):
        name = "compiling"

        def scores(self, situation, rng):
            clock.now += 1.0 if clock.now else 100.0  # the first call compiles
            return super().scores(situation, rng)

    monkeypatch.setattr("sureshot.lab.play.run.time", clock)
    monkeypatch.setattr(jobs_module, "_warm", set())
    rows = run_study(Study("warm", [Little()], [Contender(Compiling(), PAPER)], runs=2, budget=3))
    assert rows["seconds"].tolist() == [1.0] * 6


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(SureshotError, match=r"needs joblib for this: pip install 'sureshot\[lab\]'"):
        run_study(STUDY, processes=2)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SureshotError, match=r"needs distributed for this: pip install 'sureshot\[dask\]'"):
        run_study(STUDY, dask="tcp://127.0.0.1:1")
