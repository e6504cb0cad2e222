"""Running a study: on this process, on several, or on a Dask cluster; the same rows on each.

Jobs are computed anywhere and written here, one part after the other, so that a study that is stopped (or killed) at
any moment has whole parts only, and goes on from them. One process at a time computes what a folder keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.errors import Conflict, InvalidInput, SureshotError
from sureshot.lab.play.run import stage
from sureshot.lab.study.alone import alone_in
from sureshot.lab.study.fingerprint import difference, fingerprint
from sureshot.lab.study.jobs import Job, plan, play_job
from sureshot.lab.study.parts import KINDS, PLACES, Part, make_folder, parts_of, read_parts, write_part
from sureshot.lab.study.processes import how_many, shared
from sureshot.lab.study.rows import in_order, needs
from sureshot.lab.study.sealed import sweep
from sureshot.lab.study.study import Study
from sureshot.viz.progress import notebook_bar

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["run_study"]

Progress = Callable[[int, int], None]
Done = tuple[Job, dict[str, Any]]
Labels = tuple[str, str, str]
#: How long a Dask scheduler may take to answer, in seconds.
PATIENCE = 10.0


def run_study(
    study: Study,
    out: str | Path | None = None,
    *,
    processes: int | None = 1,
    dask: str | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Compute what is not yet computed of a study, and return all its rows, one for each trial.

    :param out: the folder that keeps results; the study goes into a folder of its own name there. Parts that are
        finished are not computed again, and nobody else may compute the same study there meanwhile
        (:class:`~sureshot.errors.Conflict`). Without it, rows are kept in memory only.
    :param processes: how many local processes share the work; 1 is this one, None: as many as there are cores.
    :param dask: the address of a Dask scheduler, ``tcp://host:8786``: its workers share the work instead.
    :param progress: called with the finished and the total number of runs, at the start and after each part. Without
        it, a notebook shows a bar.
    """
    processes = how_many(processes)
    folder = None if out is None else Path(out) / study.name
    made_by = {_labels(one): one for one in (fingerprint(study, w, c) for w in study.worlds for c in study.contenders)}
    jobs = _left(study, made_by, folder)
    _rehearse(jobs)
    if progress is None:
        progress = notebook_bar("runs")
    if folder is None:
        import pandas as pd

        fresh = [columns for _, columns in _counted(study, jobs, processes, dask, progress)]
        return in_order(map(pd.DataFrame, fresh))
    if jobs:
        make_folder(folder)
        with alone_in(folder) as alone:
            if alone:
                sweep(folder, PLACES)
            jobs = _left(study, made_by, folder)  # somebody else may have computed some of it until now
            for job, columns in _counted(study, jobs, processes, dask, progress):
                made = made_by[job.world.label, job.contender.label, job.contender.belief.label]
                write_part(folder, made, job.first, job.last, columns)
    elif progress is not None:
        progress(_total(study), _total(study))
    rows = read_parts(chain.from_iterable(_finished(made_by, folder).values()))
    return rows[rows["run"] <= study.runs].reset_index(drop=True)


def _left(study: Study, made_by: Mapping[Labels, Mapping[str, Any]], folder: Path | None) -> list[Job]:
    """The jobs whose rows the folder does not hold yet."""
    finished = _finished(made_by, folder)
    runs = {key: {run for part in parts for run in range(part.first, part.last + 1)} for key, parts in finished.items()}
    return plan(study, runs)


def _counted(
    study: Study, jobs: Sequence[Job], processes: int, dask: str | None, progress: Progress | None
) -> Iterator[Done]:
    """Each job with its columns, as it is done; once it is dealt with, its runs count as finished."""
    done = _total(study) - sum(job.last - job.first + 1 for job in jobs)
    if progress is not None:
        progress(done, _total(study))
    for job, columns in _computed(jobs, processes, dask):
        yield job, columns
        done += job.last - job.first + 1
        if progress is not None:
            progress(done, _total(study))


def _total(study: Study) -> int:
    return study.runs * len(study.worlds) * len(study.contenders)


def _finished(made_by: Mapping[Labels, Mapping[str, Any]], folder: Path | None) -> dict[Labels, list[Part]]:
    """The parts that this study already has, by world, policy and belief; parts that another study made are refused."""
    if folder is None or not folder.is_dir():
        return {}
    wanted = list(made_by.values())
    known = {kind: {one[kind]["label"]: one[kind] for one in wanted} for kind in KINDS}
    common = {key: value for key, value in wanted[0].items() if key not in KINDS}
    finished: dict[Labels, list[Part]] = {}
    for part in parts_of(folder):
        labels = part.labels
        same = {kind: known[kind][label] for kind, label in zip(KINDS, labels, strict=True) if label in known[kind]}
        found = difference(part.fingerprint, common | same)
        if found is not None:
            raise Conflict(
                f"{folder} holds rows of another study: {found}. "
                "Choose another folder or name, put the old value back, or remove that folder."
            )
        if labels in made_by:
            finished.setdefault(labels, []).append(part)
    return finished


def _labels(made_by: Mapping[str, Any]) -> Labels:
    world, policy, belief = (str(made_by[kind]["label"]) for kind in KINDS)
    return world, policy, belief


def _rehearse(jobs: Sequence[Job]) -> None:
    """Draw one truth of each world, and refuse what a policy can't deal with before anything is computed."""
    contenders: dict[str, list[Job]] = {}
    for job in jobs:
        contenders.setdefault(job.world.label, []).append(job)
    for label, of_world in contenders.items():
        study = of_world[0].study
        fact = stage(of_world[0].world, seed=study.seed, run=of_world[0].first, budget=study.budget).truth
        if study.stopping and fact.contextual:
            raise InvalidInput(
                f"stopping rules are for worlds that end in one choice, and world {label!r} has contexts: "
                "leave one of the two out, or study them apart."
            )
        for job in of_world:
            able = job.contender.policy.abilities
            lacking = ["contexts"] if fact.contextual and not able.contextual else []
            lacking += ["delayed outcomes"] if fact.delays.any() and not able.pending else []
            if lacking:
                raise InvalidInput(
                    f"policy {job.contender.label!r} can't deal with {' and '.join(lacking)}, as world {label!r} has: "
                    "leave one of them out, or study them apart."
                )


def _computed(jobs: Sequence[Job], processes: int, dask: str | None) -> Iterator[Done]:
    """Each job with its columns, as it is done, in any order."""
    if not jobs:
        return iter(())
    if dask is not None:
        return _on_dask(jobs, dask)
    return shared([partial(_computed_one, job) for job in jobs], processes)


def _computed_one(job: Job) -> Done:
    return job, play_job(job)


def _on_dask(jobs: Sequence[Job], address: str) -> Iterator[Done]:
    distributed = needs("distributed")
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise SureshotError(
            f"no Dask scheduler answers at {address!r} ({error}): start one with dask scheduler, "
            "or leave --dask out to use local processes."
        ) from error
    with client:
        futures = client.map(_computed_one, jobs, pure=False)
        try:
            for _, result in distributed.as_completed(futures, with_results=True):
                yield result
        finally:
            client.cancel(futures, force=True)
