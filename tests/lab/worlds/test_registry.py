"""Every world: found by name, told apart by its label, the same from the same stream, in this process or another."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from sureshot.errors import InvalidInput, SureshotError, UnknownName
from sureshot.lab.play.run import stage
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.worlds import WORLDS, bench_worlds, get_world, paper_worlds, real_benches, register_world
from sureshot.space import Space
from tests.lab.worlds.data import same, some_worlds

EACH = pytest.mark.parametrize("world", some_worlds(), ids=lambda world: world.label)


@EACH
def test_the_same_stream_gives_the_same_truth_and_another_one_another(world: World) -> None:
    first, again, other = (world.draw(np.random.default_rng(seed), 12) for seed in (3, 3, 4))
    assert same(first, again)
    fixed = world.name in ("perovskites", "vapour-diffusion", "direct-arylation") or (
        world.name == "function" and isinstance(getattr(world, "pool", None), np.ndarray)
    )
    assert same(first, other) == fixed


@EACH
def test_a_draw_does_not_depend_on_earlier_draws(world: World) -> None:
    fresh = pickle.loads(pickle.dumps(world))
    world.draw(np.random.default_rng(1), 5)
    assert same(world.draw(np.random.default_rng(3), 12), fresh.draw(np.random.default_rng(3), 12))


@EACH
def test_it_survives_the_way_to_another_process(world: World) -> None:
    back = pickle.loads(pickle.dumps(world))
    assert back == world or world.name in ("table", "function")  # these hold tables and functions: by identity
    assert back.label == world.label
    assert same(back.draw(np.random.default_rng(3), 12), world.draw(np.random.default_rng(3), 12))


@EACH
def test_it_is_frozen(world: World) -> None:
    with pytest.raises(FrozenInstanceError):
        world.noise = 3.0  # type: ignore[attr-defined]


@EACH
def test_its_label_can_be_part_of_a_file_name(world: World) -> None:
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}", world.label)


@EACH
def test_a_truth_has_the_shapes_that_the_lab_counts_on(world: World) -> None:
    found = world.draw(np.random.default_rng(0), 9)
    cases, size, d = found.X.shape
    assert found.probability.shape[1:] == (cases, size)
    assert ((found.probability >= 0) & (found.probability <= 1)).all()
    assert found.arrivals.shape == found.delays.shape == (9,)
    assert set(found.arrivals) <= set(range(cases))
    assert set(found.judged) <= set(range(cases))
    assert not found.intercept or (found.X[:, :, 0] == 1).all()
    assert np.isfinite(found.X).all()
    assert found.space is None or len(found.space) == size
    if found.weights is not None:
        assert found.weights.shape[-1] == d


@EACH
def test_the_truth_is_read_only_and_the_features_belong_to_the_run(world: World) -> None:
    found = world.draw(np.random.default_rng(0), 4)
    with pytest.raises(ValueError, match="read-only"):
        found.probability[...] = 1.0
    found.X[...] = 7.0
    assert not (world.draw(np.random.default_rng(0), 4).X == 7.0).all()


def test_labels_tell_worlds_apart() -> None:
    worlds = [
        *some_worlds(),
        *(get_world(name, d=d) for name in ("synthetic", "noisy") for d in (2, 3, 15)),
        *(get_world("synthetic", precision=p) for p in (0.5, 2, 25, 1e-5, 1.5)),
        *(get_world("synthetic", M=M) for M in (2, 20, 201)),
        *(get_world("synthetic", link=link) for link in ("probit", "cloglog")),
        *(get_world("sonar", noise=noise) for noise in (0, 0.01, 1.0, 10.0)),
        *(get_world("sonar", redraw=False, noise=noise) for noise in (0.1, 1.0)),
        *(get_world("glass", kind=kind) for kind in ("1", "2", "7")),
        get_world("wpbc", missing="drop"),
        get_world("wpbc", follow_up=False),
        get_world("sonar", scaling="original"),
        get_world("sonar", intercept=False),
        *(get_world("drifting", rate=rate) for rate in (0.0, 0.2)),
        *(
            get_world("delayed", world="sonar", delay=delay, law=law)
            for delay in (1, 2)
            for law in ("fixed", "geometric")
        ),
        *(world for world in (*bench_worlds(), *real_benches()) if world.label not in {w.label for w in some_worlds()}),
        get_world("deoxyfluorination", threshold=70),
        *(get_world("loans", **{key: 2}) for key in ("judged", "noise", "interactions")),
    ]
    labels = [world.label for world in worlds]
    assert len(set(labels)) == len(labels)


def test_the_same_parameters_written_otherwise_are_the_same_world() -> None:
    assert get_world("synthetic", d=3, M=300) == get_world("synthetic", d=np.int64(3))
    assert get_world("synthetic", precision=25) == get_world("synthetic", precision=25.0)
    assert get_world("synthetic", precision=25).label == get_world("synthetic", precision=np.float64(25)).label
    assert get_world("glass", kind=7) == get_world("glass", kind="7")


def test_labels_as_promised() -> None:
    assert [get_world("synthetic", d=d).label for d in (2, 10)] == ["synthetic-d2", "synthetic-d10"]
    assert [world.label for world in paper_worlds()] == [
        *("sonar", "glass", "transfusion", "haberman", "wpbc", "planning-relax", "climate"),
        *("synthetic-d10", "synthetic-d15"),
    ]
    assert paper_worlds(noise=1.0)[0].label == "sonar-noise1"


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("sonnar", {}, r"unknown world 'sonnar': choose one of 'admissions'.*Did you mean 'sonar'\?"),
        ("synthetic", {"dd": 3}, r"unknown parameter of world 'synthetic' 'dd': choose one of 'M', 'd', 'intercept'"),
        ("synthetic", {"d": 0}, "`d` must be a whole number between 1 and 1,000, got 0"),
        ("synthetic", {"d": 2.5}, "`d` must be a whole number between 1 and 1,000, got 2.5"),
        ("synthetic", {"d": True}, "`d` must be a whole number between 1 and 1,000, got True"),
        ("synthetic", {"M": "many"}, "`M` must be a whole number between 1 and 4,545,454, got 'many'"),
        ("synthetic", {"d": 10**9}, "`d` must be a whole number between 1 and 1,000, got 1000000000"),
        ("synthetic", {"M": 10**11}, "`M` must be a whole number between 1 and 4,545,454, got 100000000000"),
        ("synthetic", {"precision": 0}, "`precision` must be a number above 0, got 0"),
        ("synthetic", {"precision": float("nan")}, "`precision` must be a number above 0, got nan"),
        ("synthetic", {"precision": float("inf")}, "`precision` must be a number above 0, got inf"),
        ("synthetic", {"link": "logitt"}, "unknown `link` of world 'synthetic' 'logitt': choose one of 'cloglog'"),
        ("synthetic", {"intercept": 1}, "`intercept` must be true or false, got 1"),
        ("wrong-link", {"link": "logit"}, "unknown `link` of world 'wrong-link' 'logit': choose one of 'cloglog'"),
        ("wrong-link", {"df": 2}, "`df` belongs to link 't'"),
        ("correlated", {"correlation": 1.0}, "`correlation` must be below 1, got 1.0"),
        ("drifting", {"rate": -0.1}, "`rate` must be a number of at least 0, got -0.1"),
        ("misspecified-prior", {"tails": 0}, "`tails` must be a number above 0, got 0"),
        ("sonar", {"noise": -1}, "world 'sonar': `noise` must be a number of at least 0, got -1"),
        (
            "sonar",
            {"scaling": "none"},
            "unknown `scaling` of world 'sonar' 'none': choose one of 'original', 'standard'",
        ),
        ("sonar", {"redraw": "no"}, "`redraw` must be true or false, got 'no'"),
        (
            "glass",
            {"kind": 4},
            "unknown `kind` of world 'glass' '4': choose one of '1', '2', '3', '5', '6', '7', 'window'",
        ),
        ("wpbc", {"missing": "mean"}, "unknown `missing` of world 'wpbc' 'mean': choose one of 'drop', 'median'"),
        ("bench", {"kind": "interiour"}, "unknown `kind` of world 'bench' 'interiour'.*Did you mean 'interior'"),
        ("bench", {"success": "often"}, "unknown `success` of world 'bench' 'often': choose one of 'common', 'rare'"),
        ("loans", {"judged": 0}, "`judged` must be a whole number between 1 and 100,000, got 0"),
        ("delayed", {}, "world 'delayed' must be given a `world`"),
        ("delayed", {"world": "sonar", "delay": -1}, "`delay` must be a whole number between 0 and 100,000, got -1"),
        ("delayed", {"world": "sonar", "delay": 10**30}, "`delay` must be a whole number between 0 and 100,000"),
        ("delayed", {"world": "sonar", "law": "poisson"}, "choose one of 'fixed', 'geometric'"),
        ("delayed", {"world": "sonnar"}, "unknown world 'sonnar'"),
        ("delayed", {"world": {"d": 3}}, "`world` must be a world, its name, or a table"),
        ("delayed", {"world": {"name": "delayed", "world": "sonar"}}, "must not be delayed already"),
        ("function", {"function": "f", "pool": [[1.0]]}, "`function` must be a Python function, got 'f'"),
        ("table", {"outcome": "y"}, "`source` must be a DataFrame or a file, got None"),
        ("table", {"source": "x.csv"}, "`outcome` must name a column of the table, got ''"),
    ],
)
def test_what_is_wrong_is_said_with_key_value_and_choices(name: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(SureshotError, match=said):
        get_world(name, **given)


@dataclass(frozen=True)
class Coin(World):
    name: ClassVar[str] = "coin"
    chance: float = 0.5

    def __post_init__(self) -> None:
        assert 0 <= self.chance <= 1

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:  # noqa: ARG002
        return truth(np.ones((2, 1)), np.array([self.chance, 0.1]), budget=budget)


@pytest.fixture
def coin() -> Iterator[type[World]]:
    yield register_world(Coin)
    del WORLDS["coin"]


def test_a_world_of_your_own_is_one_more_entry(coin: type[World]) -> None:
    world = get_world("coin", chance=0.7)
    assert (world.label, Coin().label) == ("coin-chance0.7", "coin")
    assert stage(world, seed=0, run=0, budget=3).truth.at(0)[0, 0] == 0.7
    with pytest.raises(InvalidInput, match="'coin', which is taken"):
        register_world(Coin)
    with pytest.raises(UnknownName, match="choose one of 'chance'"):
        get_world("coin", chanse=0.7)
    with pytest.raises(InvalidInput, match=r"'coin' can't be made with chance = 'high' \('<=' not supported"):
        get_world("coin", chance="high")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"probability": np.array([0.2, 1.2])}, "between 0 and 1"),
        ({"probability": np.array([0.2, np.nan])}, "between 0 and 1"),
        ({"probability": np.array([0.2])}, "one number for each alternative"),
        ({"arrivals": np.array([0, 1, 0])}, "`arrivals` must name cases 0 to 0, got 0 to 1"),
        ({"arrivals": np.zeros(4, dtype=int)}, "each of the 3 trials"),
        ({"judged": np.array([-1])}, "`judged` must name cases 0 to 0, got -1 to -1"),
        ({"judged": np.array([], dtype=int)}, "at least one case"),
        ({"space": Space.grid(power=[1, 2, 3])}, "one row for each of the 2 alternatives of `X`, got 3"),
        ({"space": Space.grid(power=[1, 2]), "contextual": True}, "`space` is for worlds without contexts"),
        ({"delays": np.array([0, -2, 0])}, "`delays` must not be negative, got -2"),
    ],
)
def test_a_truth_that_makes_no_sense_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        truth(np.ones((2, 1)), **{"probability": np.array([0.2, 0.7]), "budget": 3} | given)
