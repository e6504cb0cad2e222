"""The same rows from a Dask cluster."""

from dataclasses import replace

import pytest

from sureshot.errors import SureshotError
from sureshot.lab import run_study
from tests.lab.study.test_runner import STUDY, same

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def address():
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_gives_the_same_rows(address, tmp_path):
    assert address.startswith("tcp://")
    same(run_study(STUDY, tmp_path, dask=address), run_study(STUDY))


def test_what_is_finished_is_not_sent_again(address, tmp_path):
    run_study(STUDY, tmp_path)
    seen = []
    grown = replace(STUDY, runs=STUDY.runs + 1)
    same(run_study(grown, tmp_path, dask=address, progress=lambda *now: seen.append(now)), run_study(grown))
    assert seen[0] == (24, 32)
    assert seen[-1] == (32, 32)


def test_an_error_comes_back(address, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise SureshotError("no.")

    monkeypatch.setattr("sureshot.lab.study.jobs.play", refuse)
    with pytest.raises(SureshotError, match=r"policy .*: no"):
        run_study(STUDY, tmp_path, dask=address)


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr("sureshot.lab.study.runner.PATIENCE", 0.2)
    with pytest.raises(SureshotError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'.*leave --dask out"):
        run_study(STUDY, dask="tcp://127.0.0.1:1")
