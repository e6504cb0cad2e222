import itertools
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import MAX_ALTERNATIVES, Space
from sureshot.space.tables.column import sized

GRID = Space.grid(power=[8, 10, 12, 14], ethylene="10:40:10 sccm", catalyst=["Fe", "Co"])


def test_the_nearest_of_names_that_are_numbers_is_by_number():
    space = Space.grid(age=["18", "90"])
    assert space.column("age").kind == "category"
    with pytest.raises(UnknownName, match=r"choose one of 18, 90\. The nearest is 18"):
        space.column("age").code("40")


def test_a_grid_is_the_product_in_order():
    wanted = list(itertools.product([8, 10, 12, 14], [10, 20, 30, 40], ["Fe", "Co"]))
    assert [tuple(GRID.row(i).values()) for i in range(len(GRID))] == wanted
    assert GRID.to_frame().itertuples(index=False, name=None).__next__() == (8, 10, "Fe")


def test_labels():
    assert GRID.label(25) == "power 14, ethylene 10 sccm, catalyst Co"
    assert Space.grid(x=[0.5], on=[True], units={"x": "mm"}).label(0) == "x 0.5 mm, on True"
    assert repr(GRID) == "Space(32 alternatives: power, ethylene, catalyst)"
    for bad in (-1, 32, 1.0, True, None):
        with pytest.raises(InvalidInput, match="from 0 to 31"):
            GRID.label(bad)


def test_every_way_to_write_it_is_the_same_space():
    typed = Space.grid(power="8,10,12,14", ethylene="10:40:10 sccm", catalyst="Fe,Co")
    mapped = Space.grid({"power": "8,10,12,14", "ethylene": range(10, 41, 10), "catalyst": ("Fe", "Co")},
                        units={"ethylene": "sccm"})  # fmt: skip
    arrays = Space.grid(power=np.array([8, 10, 12, 14]), ethylene="10,20,30,40 sccm", catalyst=["Fe", "Co"])
    assert {s.content_hash for s in (GRID, typed, mapped, arrays)} == {GRID.content_hash}
    assert Space.grid(power=[8, 10], x=[1]).content_hash != Space.grid(power=[10, 8], x=[1]).content_hash
    assert Space.grid(power=[8], units={"power": "W"}).content_hash != Space.grid(power=[8]).content_hash


def test_find_every_alternative():
    assert [GRID.find(GRID.row(i)) for i in range(len(GRID))] == list(range(len(GRID)))
    assert Space.grid(x=[0.1, 0.3]).find(x=0.1 + 0.2) == 1
    assert GRID.find(power="14", ethylene=10, catalyst="Co") == 25


@pytest.mark.parametrize(
    ("cells", "error", "said"),
    [
        (
            {"power": 13, "ethylene": 10, "catalyst": "Co"},
            UnknownName,
            "power has no level '13'.*8, 10, 12, 14.*nearest is 12",
        ),
        ({"power": 14, "ethylene": 10, "catalyst": "co"}, UnknownName, "nearest is Co"),
        ({"power": "hot", "ethylene": 10, "catalyst": "Co"}, UnknownName, "no level 'hot'"),
        ({"power": True, "ethylene": 10, "catalyst": "Co"}, UnknownName, "no level 'True'"),
        ({"power": 14, "etylene": 10, "catalyst": "Co"}, UnknownName, "Did you mean 'ethylene'"),
        ({"power": 14}, InvalidInput, "none for ethylene, catalyst"),
    ],
)
def test_what_cannot_be_found(cells, error, said):
    with pytest.raises(error, match=said):
        GRID.find(cells)


def test_known_values_not_together():
    with pytest.raises(UnknownName, match=r"power 10, time 5: the constraint power \* time <= 40 forbids it"):
        Space.grid(power=[8, 10], time=[1, 5], where="power * time <= 40").find(power=10, time=5)
    table = Space.from_frame({"power": [8, 10], "time": [1, 5]})
    with pytest.raises(UnknownName, match=r"not together. The nearest is row 0, power 8, time 1"):
        table.find(power=8, time=5)


def test_find_many():
    rows = GRID.to_frame().sample(20, random_state=1)
    assert np.array_equal(GRID.find_many(rows), rows.index)
    strange = pd.DataFrame({"catalyst": ["Cu", "Co"], "power": [8, 9], "ethylene": [10, 10]})
    assert GRID.find_many(strange).tolist() == [-1, -1]


def test_limits_are_checked_before_anything_is_made():
    with pytest.raises(InvalidInput, match="10000 x 10000 x 10000 = 1,000,000,000,000"):
        Space.grid(a=range(10_000), b=range(10_000), c=range(10_000))
    with pytest.raises(InvalidInput, match="at most 100,000,000 combinations"):
        Space.grid(a=range(100_000), b=range(100_000), where="a < 3")
    with pytest.raises(InvalidInput, match=f"at most {MAX_ALTERNATIVES:,} alternatives"):
        Space.grid(a=range(3000), b=range(3000), where="a > -1")
    with pytest.raises(InvalidInput, match=f"at most {MAX_ALTERNATIVES:,} alternatives, got 5,000,001"):
        Space.from_frame(pd.DataFrame({"a": np.zeros(MAX_ALTERNATIVES + 1)}))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Space.grid(), "at least one parameter"),
        (lambda: Space.grid(power=[]), "at least one level"),
        (lambda: Space.grid(power=[8, 8]), "'8' twice"),
        (lambda: Space.grid(power=5), "must be a list"),
        (lambda: Space.grid({"a b": [1]}), "'a_b'"),
        (lambda: Space.grid(power=[8], where="power > 9"), "got none of 1: loosen 'power > 9'"),
        (lambda: Space.from_frame({"power": [8]}, where="power > 9"), "loosen"),
        (lambda: Space.from_frame(pd.DataFrame({"a": []})), "at least one alternative"),
        (lambda: Space.from_frame(pd.DataFrame({"a": [1]}), without=["a"]), "at least one column"),
        (lambda: Space.from_frame(pd.DataFrame({"a": [1]}), without="a"), r"write \['a'\]"),
        (lambda: Space.from_frame(pd.DataFrame({"a": [1]}), kinds={"a": "odd"}), "number, category, boolean"),
    ],
)
def test_bad_spaces(make, said):
    with pytest.raises(InvalidInput, match=said):
        make()


def test_unknown_names_in_options():
    for options in ({"units": {"b": "W"}}, {"kinds": {"b": "number"}}, {"without": ["b"]}, {"duplicates": "keep"}):
        with pytest.raises(UnknownName):
            Space.from_frame({"a": [1]}, **options)
    with pytest.raises(UnknownName):
        Space.grid(power=[1], units={"powr": "W"})


def test_two_equal_rows_are_one_alternative():
    rows = {"power": [8, 9, 8.0, 9, 7], "cat": ["Fe", "Co", "Fe", "Co", "Fe"]}
    with pytest.raises(InvalidInput, match="power 8, cat Fe twice, in row 0 and row 2"):
        Space.from_frame(rows)
    merged = Space.from_frame(rows, duplicates="merge")
    assert merged.column("power").numbers().tolist() == [8, 9, 7]
    assert merged.notes == ("rows that repeated an earlier one were merged with it: 2",)


def test_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        GRID.column("power").codes[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        GRID.column("power").levels[0] = 1


cells = st.one_of(
    st.lists(st.floats(-1e6, 1e6).filter(sized), min_size=1, max_size=4, unique=True),
    st.lists(st.text("abcXYZ é", min_size=1).map(str.strip).filter(lambda s: s.lower() not in ("", "true", "false")),
             min_size=1, max_size=4, unique=True),
    st.just([True, False]),
)  # fmt: skip


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), cells, min_size=1, max_size=4))
def test_stored_and_restored(parameters):
    space = Space.grid(parameters)
    for one in (space, Space.from_frame(space.to_frame(), kinds={c.name: c.kind for c in space.columns})):
        again = Space.from_dict(json.loads(json.dumps(one.to_dict())))
        assert again.content_hash == one.content_hash
        assert [again.row(i) for i in range(len(again))] == [space.row(i) for i in range(len(space))]
        assert again.find(space.row(len(space) - 1)) == len(space) - 1


def test_constraints_are_stored():
    space = Space.grid(power=[8, 10], time=[1, 5], where=["power * time <= 40", "power > 1"])
    stored = json.loads(json.dumps(space.to_dict()))
    assert stored["where"] == ["power * time <= 40", "power > 1"]
    assert Space.from_dict(stored).content_hash == space.content_hash


@pytest.mark.parametrize("harm", [{"version": 9}, {"hash": "0"}, {"grid": 3}, {"grid": [{}]}, {"where": ["power > 9"]},
                                  {"where": ["__import__('os')"]}])  # fmt: skip
def test_a_harmed_store_is_refused(harm):
    with pytest.raises(InvalidInput):
        Space.from_dict(GRID.to_dict() | harm)


def test_a_harmed_table_is_refused():
    stored = Space.from_frame({"a": [1, 2], "c": ["x", "y"]}).to_dict()
    for harm in (
        {"codes": [0, 7]},
        {"codes": [0]},
        {"codes": [0, "x"]},
        {"codes": [0, 10**10]},
        {"kind": "odd"},
        {"levels": [1, 1]},
        {"name": "c"},
    ):
        table = [stored["table"][0] | harm, stored["table"][1]]
        with pytest.raises(InvalidInput):
            Space.from_dict(stored | {"table": table})


def test_an_index_that_runs_out_of_room_renumbers():
    """Ten columns of 200 different numbers: 200**10 keys do not fit 62 bits."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({f"x{i}": rng.permutation(200) + 0.5 for i in range(10)})
    space = Space.from_frame(frame)
    assert np.array_equal(space.find_many(frame.iloc[::-1]), np.arange(200)[::-1])
    assert space.find_many(frame.assign(x0=frame["x1"])).max() == -1 or (frame["x0"] == frame["x1"]).any()
    with pytest.raises(InvalidInput, match="row 7 and row 200"):
        Space.from_frame(pd.concat([frame, frame.iloc[[7]]]))
