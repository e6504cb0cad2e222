"""The belief is what the log says: with a snapshot, without, after corrections, and when a snapshot lies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from sureshot.campaign import Campaign, belief_from_dict, belief_to_dict
from sureshot.campaign.log import believed as fold
from sureshot.campaign.log import log
from sureshot.campaign.log.ledger import Ledger, extended
from sureshot.core import fit, mixture, observe_many, prior
from sureshot.errors import CorruptLog, InvalidInput
from sureshot.space import Space
from sureshot.storage import Storage


@pytest.fixture
def _often(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The first 8 outcomes together, then blocks of 8, and a snapshot after each."""
    monkeypatch.setattr(fold, "BLOCK", 8)
    monkeypatch.setattr(fold, "TOGETHER", 8)
    monkeypatch.setattr(log, "SNAPSHOT_EVERY", 8)
    return


def fresh(made: Campaign) -> dict[str, object]:
    """The belief folded from the prior, all outcomes."""
    counted = extended(Ledger(), made.storage.events(made._log.record.id)).counted()
    return belief_to_dict(fold.folded(made.spec.pool, fold.Base(0, made.spec.prior), counted)[1])


def filled(space: Space, store: Storage, n: int = 30) -> Campaign:
    made = Campaign.create("nanotubes", space, seed=1, storage=store)
    rng = np.random.default_rng(2)
    for row, y in zip(rng.integers(32, size=n).tolist(), rng.integers(2, size=n).tolist(), strict=True):
        made.tell_new(row, y)
    return made


@pytest.mark.usefixtures("_often")
def test_from_a_snapshot_to_the_last_bit(store: Storage, space: Space) -> None:
    made = filled(space, store)
    kept = store.get_snapshot(made._log.record.id)
    assert kept is not None
    assert kept.payload["outcomes"] == 24
    again = Campaign.open(storage=store)
    assert belief_to_dict(again.belief) == belief_to_dict(made.belief) == fresh(made)
    assert again._log.kept == 24  # it was used
    again.verify()


@pytest.mark.usefixtures("_often")
@pytest.mark.parametrize("how", ["correct", "withdraw"])
def test_a_correction_makes_the_snapshot_worthless(memory: Storage, space: Space, how: str) -> None:
    made = filled(space, memory)
    made.withdraw(20) if how == "withdraw" else made.correct(3, 1 - (made.history()[2].successes or 0))
    again = Campaign.open(storage=memory)
    assert belief_to_dict(again.belief) == belief_to_dict(made.belief) == fresh(made)
    assert again._log.kept == 0  # it was passed over
    again.verify()
    made.note("anything")
    assert memory.get_snapshot(made._log.record.id).payload["outcomes"] == 24  # no outcome since: none is made
    made.tell_new(1, 1)
    assert belief_to_dict(Campaign.open(storage=memory).belief) == fresh(made)
    made.correct(30, 1)  # after the snapshot's outcomes
    assert belief_to_dict(made.belief) == fresh(made)


@pytest.mark.usefixtures("_often")
def test_a_snapshot_of_something_else_is_passed_over(memory: Storage, space: Space) -> None:
    made = filled(space, memory)
    truth = belief_to_dict(made.belief)
    last = made._log.ledger
    good = memory.get_snapshot(made._log.record.id).payload
    for wrong in (
        {},
        {**good, "version": 0},
        {**good, "outcomes": 16},
        {**good, "outcomes": 9},
        {**good, "outcomes": 10**6},
        {**good, "inputs": "0" * 64},
        {**good, "belief": {}},
        {**good, "belief": {"beliefs": [{}], "log_weights": None}},
    ):
        memory.put_snapshot(made._log.record.id, last.last, last.digest, wrong)
        assert belief_to_dict(Campaign.open(storage=memory).belief) == truth


@pytest.mark.usefixtures("_often")
def test_verify_finds_a_forged_snapshot(memory: Storage, space: Space) -> None:
    made = filled(space, memory)
    good = memory.get_snapshot(made._log.record.id).payload
    good["belief"]["beliefs"][0]["mean"][0] += 1e-9
    memory.put_snapshot(made._log.record.id, made._log.ledger.last, made._log.ledger.digest, good)
    with pytest.raises(CorruptLog, match="not what the log gives"):
        Campaign.open(storage=memory).verify()


@pytest.mark.usefixtures("_often")
def test_blocks_are_the_same_fold(memory: Storage, space: Space) -> None:
    made = filled(space, memory)
    counted = made._log.ledger.counted()
    X = made.spec.pool.features(counted)
    y = [e.successes for e in counted]
    together = fit(made.spec.prior, X[:8], y[:8]).belief
    whole, _ = observe_many(together, X[8:], y[8:])
    for one, other in zip(whole.beliefs, made.belief.beliefs, strict=True):
        np.testing.assert_allclose(one.mean, other.mean, rtol=0, atol=1e-12)
        np.testing.assert_allclose(one.cov, other.cov, rtol=0, atol=1e-12)
    np.testing.assert_allclose(whole.log_weights, made.belief.log_weights, rtol=0, atol=1e-12)


@pytest.mark.usefixtures("_often")
def test_members_without_weight_are_left_out_of_what_follows(
    memory: Storage, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "NEGLIGIBLE", 0.05)
    made = filled(space, memory)
    first = made._log.ledger.counted()[:8]
    fitted = fit(made.spec.prior, made.spec.pool.features(first), [e.successes for e in first]).belief
    assert len(made.belief.beliefs) == np.count_nonzero(fitted.weights > 0.05)


def test_corrected_is_as_if_never_wrong(memory: Storage, space: Space) -> None:
    clumsy = Campaign.create("clumsy", space, seed=9, storage=memory)
    sure = Campaign.create("sure", space, seed=9, storage=memory)
    for i, row in enumerate([4, 9, 30, 9]):
        clumsy.tell_new(row, i == 2)
        sure.tell_new(row, i % 2)
    clumsy.tell_new(5, 1)
    for trial in (1, 2, 3, 4):
        clumsy.correct(trial, (trial - 1) % 2)
    clumsy.withdraw(5)
    assert belief_to_dict(clumsy.belief) == belief_to_dict(sure.belief)
    # the same belief, and the same event number from here: the same suggestion
    while sure.status().events < clumsy.status().events:
        sure.note("waiting")
    for _ in range(3):
        one, other = clumsy.ask(), sure.ask()
        assert (one.alternative, one.value) == (other.alternative, other.value)


def test_beliefs_survive_json() -> None:
    full, _ = observe_many(prior(3), [[1.0, 0.3, -2.0], [1.0, 0.1, 0.7]], [1, 0])
    diagonal = prior(2, covariance="diagonal", link="probit", method="adf")
    for belief in (full, diagonal, mixture([full, replace(full, mean=-full.mean)], [0.3, 0.7])):
        again = belief_from_dict(belief_to_dict(belief))
        assert belief_to_dict(again) == belief_to_dict(belief)
        assert repr(again) == repr(belief)
    for broken in ({}, {"beliefs": []}, {"beliefs": [1, 2], "log_weights": [0.0]}, {"beliefs": [], "log_weights": []}):
        with pytest.raises(InvalidInput, match=r"belief\.beliefs"):
            belief_from_dict(broken)
    stored = belief_to_dict(full)
    stored["beliefs"][0]["spread"][0] = -1.0
    with pytest.raises(InvalidInput, match="above 0"):
        belief_from_dict(stored)
