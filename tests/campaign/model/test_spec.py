"""Campaigns of older versions open, go on as they were made, and say what is no more; newer ones are refused."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.model.spec import VERSION, Spec
from sureshot.errors import InvalidInput
from sureshot.policies import POLICIES, Policy, Situation
from sureshot.space import Design, ShapedDesign, Space
from sureshot.space.features.older_shapes import VERSION as SHAPE
from tests.campaign.assets.story import CASE

ASSETS = Path(__file__).parents[1] / "assets"
#: The stores, and whether their campaigns were made with a policy that is no more.
STORES = {"spec1": False, "spec3-formula": True, "spec3-together": True, "spec3-near": False, "spec4": False}


@pytest.fixture(params=STORES)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str, dict[str, Any]]:
    """The name of a store, a copy of it, and what the code that made it said."""
    copy = tmp_path / "old.db"
    shutil.copy(ASSETS / f"{request.param}.db", copy)
    return request.param, str(copy), json.loads((ASSETS / f"{request.param}.json").read_text())


def test_the_present_version_has_a_store():
    """A new version without one fails here: run tests/campaign/assets/story.py."""
    kept = json.loads((ASSETS / f"spec{VERSION}.json").read_text())
    assert kept["specification"] == VERSION


def test_all_answers_are_given(old: tuple[str, str, dict[str, Any]]):
    name, store, said = old
    for campaign, case, told in (("grid", None, 5), ("cases", CASE, 4)):
        opened = Campaign.open(campaign, store)
        status = opened.status()
        assert (status.told, status.pending) == (told, (told + 1,))
        assert [row.state for row in opened.history()] == ["told"] * told + ["pending"]
        assert opened.export()["spec"]["version"] == said["specification"]  # as it was written, for ever
        gone = [one for one in status.cautions if "kg-careful" in one]
        assert len(gone) == STORES[name]
        assert all("kg-star decides" in one for one in gone)
        assert opened.ask(case).number == told + 2
        opened.tell(told + 1, 1)
        assert Campaign.open(campaign, store).status().told == told + 1
        opened.storage.close()


def test_chances_and_features_are_what_the_old_code_said(old: tuple[str, str, dict[str, Any]]):
    """The belief of each is fitted anew from the log, to the same prior, features and outcomes: the same but for
    rounding.
    """
    _, store, said = old
    for campaign, case, features in (("grid", None, "features"), ("cases", CASE, "features of a case")):
        opened = Campaign.open(campaign, store)
        np.testing.assert_allclose(opened.spec.pool.matrix(case), said[features], rtol=0, atol=1e-12)
        best = opened.best(case)
        assert best.alternative == said[campaign]["best"]
        assert best.probability == pytest.approx(said[campaign]["probability"], abs=1e-9)
        assert best.interval == pytest.approx(said[campaign]["interval"], abs=1e-9)
        opened.storage.close()


def test_a_copy_has_the_same_features_and_the_present_version(old: tuple[str, str, dict[str, Any]]):
    _, store, _ = old
    opened = Campaign.open("grid", store)
    for new in (Campaign.create_from("copy", opened), Campaign.open("copy", store)):
        assert new.spec.to_dict()["version"] == VERSION
        np.testing.assert_array_equal(new.spec.pool.matrix(), opened.spec.pool.matrix())
        assert not any("kg-careful" in one for one in new.status().cautions)
    heir = Campaign.create("heir", opened.spec.pool.space, prior=opened.posterior(), storage=":memory:")
    np.testing.assert_array_equal(heir.spec.pool.matrix(), opened.spec.pool.matrix())
    opened.storage.close()


@dataclass(frozen=True)
class KgSeveral(Policy):
    """With the name and the parameters of a policy that is gone."""

    trials: int = 4
    exact_first: int = 8
    name: ClassVar[str] = "kg-several"

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        return situation.probability.copy()


def test_a_campaign_made_with_kg_several_goes_on_with_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    store = str(tmp_path / "old.db")
    with monkeypatch.context() as then:
        then.setitem(POLICIES, "kg-several", KgSeveral)
        old = Campaign.create("x", Space.grid(power=[1, 2, 3]), policy="kg-several trials=3", storage=store)
        old.tell(old.ask().number, 1)
        old.storage.close()
    opened = Campaign.open("x", store)
    status = opened.status()
    assert "the policy kg-several, which this campaign was made with, is gone: kg-star decides" in status.cautions
    assert status.policy["name"] == "kg-star"
    assert "kg-several chose it" in str(opened.why(1))
    assert opened.ask().number == 2
    opened.storage.close()


def test_a_policy_of_that_name_that_somebody_registered_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setitem(POLICIES, "kg-careful", POLICIES["random"])
    spec = Campaign.create("x", Space.grid(power=[1, 2, 3]), storage=":memory:").spec.to_dict()
    found = Spec.from_dict({**spec, "policy": {"name": "kg-careful"}})
    assert found.gone_policy is None
    assert type(found.policy) is POLICIES["random"]


@pytest.mark.parametrize("version", [VERSION + 1, "4", None, 0])
def test_a_version_that_is_not_known_is_refused(version: object):
    spec = Campaign.create("x", Space.grid(power=[1, 2, 3]), storage=":memory:").spec.to_dict()
    with pytest.raises(InvalidInput, match="update sureshot"):
        Spec.from_dict({"version": version})  # before anything else is looked at
    with pytest.raises(InvalidInput, match="update sureshot"):
        Spec.from_dict({**spec, "version": version})


def test_what_is_kept_inside_is_refused_too_if_it_is_newer():
    made = Campaign.create("x", Space.grid(power=[1, 2, 3], gas=["a", "b"]), storage=":memory:")
    with pytest.raises(InvalidInput, match="update sureshot"):
        ShapedDesign.from_dict({"version": SHAPE + 1})
    with pytest.raises(InvalidInput, match="update sureshot"):
        Design.from_dict({"version": 2})
    with pytest.raises(InvalidInput, match="update sureshot"):
        Campaign.create("y", made.spec.pool.space, prior={**made.posterior(), "version": 2}, storage=":memory:")
