"""The tables from real benches: their facts, what each world makes of them, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sureshot.errors import InvalidInput, SureshotError
from sureshot.lab import BeliefRecipe
from sureshot.lab.play.run import play, stage, stream
from sureshot.lab.play.world import Truth, World
from sureshot.lab.worlds import get_world, real_benches
from sureshot.lab.worlds.real import benches
from sureshot.lab.worlds.real.benches_data import DEOXYFLUORINATION, DIRECT_ARYLATION
from sureshot.policies import get_policy
from tests.lab.worlds.data import FOLDER, needs_benches, same

#: Distinct settings of each amine and the share of the runs that gave a large crystal, counted without this code.
SETTINGS = {
    "CQWGDVVCKBJLNX": (121, 20 / 168),
    "FCTHQYIDLRRROX": (191, 140 / 240),
    "GGYGJCFIYJVWIP": (589, 218 / 701),
    "JBOIAZWJIACNJF": (188, 66 / 192),
    "JMXLWMIFDJCGBV": (276, 71 / 291),
    "KOAGKPNEVYEZDU": (81, 9 / 96),
    "LLWRXQXPJMPHLR": (154, 80 / 154),
    "NOHLSFNWSBZSBW": (129, 30 / 144),
    "QHJPGANWSLEMTI": (216, 96 / 216),
    "UMDDLGMCNFAZDX": (81, 54 / 96),
    "VAWHFUNJDMQUSB": (96, 11 / 96),
    "VNAAUNTYIONOHR": (96, 9 / 96),
    "XFYICZOIWSBQSK": (1649, 339 / 1692),
}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """What was read from one folder is not taken for another."""
    yield
    forget()


def forget() -> None:
    benches._pool.cache_clear()
    benches._cases.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of copies that a test may spoil."""
    (tmp_path / "benches").mkdir()
    for table in (DIRECT_ARYLATION, DEOXYFLUORINATION):
        (tmp_path / "benches" / table.file).write_bytes((Path(FOLDER) / "benches" / table.file).read_bytes())
    monkeypatch.setenv("SURESHOT_DATA", str(tmp_path))
    forget()
    return tmp_path / "benches"


def raw(file: str) -> pd.DataFrame:
    return pd.read_csv(Path(FOLDER) / "benches" / file)


def draw(name: str, **given: object) -> Truth:
    return get_world(name, **given).draw(np.random.default_rng(0), 30)


@needs_benches
@pytest.mark.parametrize("amine", SETTINGS)
def test_a_setting_of_an_amine_has_the_mean_of_its_outcomes_as_its_chance(amine: str) -> None:
    found = draw("perovskites", amine=amine)
    size, share = SETTINGS[amine]
    assert found.X.shape[1] == len(found.space) == size
    table = raw("perovskite_crystals.csv")
    mine = table[table["amine"].str.startswith(amine)]
    assert mine["success"].mean() == pytest.approx(share)
    rows = found.space.find_many(mine)  # which setting each run was of
    assert (rows >= 0).all()
    for row in np.unique(rows)[:60]:
        assert found.at(0)[0, row] == mine["success"].to_numpy()[rows == row].mean()


@needs_benches
def test_only_what_varies_is_a_parameter() -> None:
    numbers = ("acid_M", "inorganic_M", "organic_M")
    assert draw("perovskites", amine="KOAGKPNEVYEZDU").space.names == numbers
    assert draw("perovskites", amine="XFYICZOIWSBQSK").space.names == (*numbers, "temperature_C", "stir_rpm")


@needs_benches
def test_vapour_diffusion_whole_or_of_one_organic() -> None:
    whole = draw("vapour-diffusion")
    assert whole.at(0).shape == (1, 918)
    assert whole.at(0).sum() == 357
    assert len(whole.space.column("organic").levels) == 17
    one = draw("vapour-diffusion", organic="Morpholinium Iodide")
    assert one.at(0).shape == (1, 194)
    assert one.at(0).sum() == 96
    assert "organic" not in one.space.names
    counted = raw("vapour_diffusion.csv").groupby("organic").size()
    assert sorted(counted[counted >= 40].index) == sorted(benches.ORGANICS)


@needs_benches
def test_direct_arylation_by_yield_or_by_threshold() -> None:
    found, rare = draw("direct-arylation"), draw("direct-arylation", threshold=80)
    table = raw("direct_arylation.csv")
    row = found.space.find(
        base=table["Base_SMILES"][2], ligand=table["Ligand_SMILES"][2], solvent=table["Solvent_SMILES"][2],
        concentration=0.1, temperature=105,
    )  # fmt: skip
    assert found.at(0)[0, row] == pytest.approx(0.7895)
    assert len(found.space) == 4 * 12 * 4 * 3 * 3
    assert found.at(0).mean() == pytest.approx(table["yield"].mean() / 100)
    assert rare.at(0).sum() == 67
    assert set(np.unique(rare.at(0))) == {0.0, 1.0}


@needs_benches
def test_deoxyfluorination_knows_every_action_for_every_case() -> None:
    found = draw("deoxyfluorination")
    assert found.contextual
    assert found.space is None
    assert found.probability.shape == (1, 37, 20)
    assert found.probability.sum() == 199
    assert found.judged.tolist() == list(range(37))
    assert len(set(found.arrivals.tolist())) > 10
    table = raw("deoxyfluorination.csv")
    by_hand = table.groupby("substrate_smiles")["success"].mean()
    np.testing.assert_allclose(found.at(0).mean(axis=1), by_hand.sort_index())
    counted = table.groupby(["base_name", "fluoride_name"])["success"].mean()
    np.testing.assert_allclose(found.at(0).mean(axis=0), counted.sort_index())
    assert draw("deoxyfluorination", threshold=100).probability.sum() < 10


@needs_benches
@pytest.mark.parametrize("world", real_benches(), ids=lambda world: world.label)
def test_the_truth_is_the_same_in_each_run_and_its_space_is_in_the_order_of_x(world: World) -> None:
    one, other = (world.draw(np.random.default_rng(seed), 10) for seed in (0, 1))
    np.testing.assert_array_equal(one.probability, other.probability)
    np.testing.assert_array_equal(one.X, other.X)
    assert same(one, other) != one.contextual  # cases arrive in another order
    if one.space is not None:
        np.testing.assert_array_equal(one.X[0], one.space.design().matrix(one.space))


@needs_benches
@pytest.mark.parametrize("name", ["perovskites", "deoxyfluorination"])
def test_a_policy_plays_them(name: str) -> None:
    given = {"amine": "KOAGKPNEVYEZDU"} if name == "perovskites" else {}
    staged = stage(get_world(name, **given), seed=0, run=0, budget=6)
    rows = play(staged, get_policy("thompson"), BeliefRecipe("one", prior=1.0), rng=stream(0, "x"), budget=6)
    assert np.isfinite(rows.oc).all()


def test_the_worlds_are_made_without_the_tables_and_told_apart() -> None:
    labels = [world.label for world in real_benches()]
    assert len(set(labels)) == len(labels) == 27
    assert get_world("perovskites", amine="XFYICZOIWSBQSK-UHFFFAOYSA-N") == get_world(
        "perovskites", amine="XFYICZOIWSBQSK"
    )


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("perovskites", {}, "world 'perovskites' must be given a `amine`"),
        ("perovskites", {"amine": "XFYICZOIWSBQSX"}, "unknown `amine` of world 'perovskites'.*Did you mean 'XFYICZOI"),
        ("vapour-diffusion", {"organic": "Morpholinium"}, "unknown `organic` .*Did you mean 'Morpholinium Iodide'"),
        ("direct-arylation", {"threshold": 0}, "`threshold` must be a number above 0, got 0"),
        ("direct-arylation", {"threshold": 180}, "`threshold` must be a yield in %, at most 100, got 180"),
        ("deoxyfluorination", {"threshold": "much"}, "`threshold` must be a number above 0, got 'much'"),
    ],
)
def test_what_is_wrong_is_said(name: str, given: dict[str, object], said: str) -> None:
    with pytest.raises(SureshotError, match=said):
        get_world(name, **given)


def test_without_the_folder_it_is_said_where_the_table_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SURESHOT_DATA", raising=False)
    forget()
    with pytest.raises(InvalidInput, match=r"SURESHOT_DATA is not set.*can't download it.*darkreactions/rapid \(MIT\)"):
        draw("perovskites", amine="KOAGKPNEVYEZDU")
    monkeypatch.setenv("SURESHOT_DATA", str(tmp_path))
    with pytest.raises(InvalidInput, match=r"benches/deoxyfluorination.csv must be in.*No such file.*ochem-data"):
        draw("deoxyfluorination")


@needs_benches
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda t: t.rstrip().rsplit("\n", 1)[0], r"it has 1728 lines .*\(1729 lines, SHA-256 74acae7b4d11.*edbo"),
        (lambda t: t.replace(",78.95", ",78.9", 1), "it has 1729 lines and another digest"),
        (lambda _: "", "it has 0 lines"),
    ],
)
def test_another_table_is_refused_with_what_differs(folder: Path, spoil: Callable[[str], str], said: str) -> None:
    file = folder / DIRECT_ARYLATION.file
    file.write_text(spoil(file.read_text()))
    with pytest.raises(InvalidInput, match=said):
        draw("direct-arylation")


@needs_benches
def test_a_table_is_read_once(folder: Path) -> None:
    first = draw("direct-arylation")
    (folder / "direct_arylation.csv").unlink()
    assert same(first, draw("direct-arylation"))
