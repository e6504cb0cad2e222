"""The features of shapes: each part of variance 1 over the pool, likeness by landmarks, kept as JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import SHAPES, Space
from sureshot.space.features import sizes
from sureshot.space.features.shape import LENGTHS, ShapedDesign

SPACE = Space.grid(temperature=range(100, 201, 20), hours=[1, 2, 4, 8], solvent=["DMF", "DMSO", "GBL"])


def likeness(space: Space, length: float) -> np.ndarray:
    """How alike settings are, written by hand: numbers by steps, two levels half alike."""
    frame = space.to_frame()
    total = np.ones((len(frame), len(frame)))
    reach = length * (len(frame.columns) / 2) ** 0.5
    for name in frame:
        codes = np.unique(frame[name].to_numpy(), return_inverse=True)[1]
        if frame[name].dtype.kind in "if":
            step = codes / codes.max()
            total *= np.exp(-0.5 * ((step[:, None] - step) / reach) ** 2)
        else:
            total *= np.where(codes[:, None] == codes, 1.0, 0.5)
    return total


def test_every_part_has_mean_0_and_variance_1_over_the_pool():
    design = ShapedDesign.fit(SPACE)
    X = design.matrix(SPACE)
    assert (X[:, 0] == 1.0).all()
    for part in design.parts[1:]:
        own = X[:, part.columns]
        np.testing.assert_allclose(own.mean(axis=0), 0.0, atol=1e-12)
        assert np.sum(own**2, axis=1).mean() == pytest.approx(1.0)


@pytest.mark.parametrize("kind", ["near", "far"])
def test_settings_are_as_alike_as_their_steps_say(kind):
    design = ShapedDesign.fit(SPACE)
    (part,) = (part for part in design.parts if part.kind == kind)
    X = design.matrix(SPACE)[:, part.columns]
    expected = likeness(SPACE, LENGTHS[kind])
    centre = np.eye(len(SPACE)) - 1.0 / len(SPACE)
    expected = centre @ expected @ centre
    expected /= np.trace(expected) / len(SPACE)
    assert np.abs(X @ X.T - expected).max() < (0.02 if kind == "far" else 0.25)
    assert design.landmarks[kind].residue < (0.01 if kind == "far" else 0.2)


def test_a_score_with_its_best_inside_is_a_curve_and_not_a_slope():
    design = ShapedDesign.fit(SPACE)
    X, temperature = design.matrix(SPACE), SPACE.column("temperature").numbers()
    hill = -((temperature - 150.0) ** 2)
    for kind, explains in (("slope", False), ("curve", True)):
        columns = [0, *(c for part in design.parts if part.kind == kind for c in part.columns)]
        fitted = X[:, columns] @ np.linalg.lstsq(X[:, columns], hill, rcond=None)[0]
        left = np.var(hill - fitted) / np.var(hill)
        assert (left < 0.01) == explains


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("auto", {"constant", "slope", "level", "curve", "near", "far"}),
        ("straight", {"constant", "slope", "level"}),
        ("curved", {"constant", "slope", "level", "curve"}),
        ("pairs", {"constant", "slope", "level", "curve", "near", "far"}),
    ],
)
def test_what_each_shape_has(name, kinds):
    design = ShapedDesign.fit(SPACE, name)
    assert {part.kind for part in design.parts} == kinds
    assert [part.start for part in design.parts] == [0, *(part.stop for part in design.parts[:-1])]
    assert len(design.columns) == design.width == design.matrix(SPACE).shape[1]


def test_one_parameter_has_nothing_to_be_taken_together_with():
    design = ShapedDesign.fit(Space.grid(power=[1, 2, 3, 4]))
    assert {part.kind for part in design.parts} == {"constant", "slope", "curve"}


def test_contexts_have_products_with_actions():
    design = ShapedDesign.fit(SPACE, contexts=["hours"])
    assert [part.of for part in design.parts if part.kind == "product"] == [
        ("hours", "temperature"),
        ("hours", "solvent"),
    ]
    assert [one.name for one in design.context_inputs] == ["hours"]
    assert [one.name for one in design.action.inputs] == ["temperature", "solvent"]


def test_kept_as_json_to_the_last_bit():
    for space in (SPACE, Space.grid(power=[8, 10, 12, 14], gas=["Ar", "N2"])):
        for name in SHAPES:
            design = ShapedDesign.fit(space, name)
            again = ShapedDesign.from_dict(json.loads(json.dumps(design.to_dict())))
            np.testing.assert_array_equal(again.matrix(space), design.matrix(space))
    for broken, said in (
        ({}, "a stored shape must be of version 1 or 2, got None"),
        ({"version": 2}, r"shape\.shape: must be there, and is missing"),
        ({**design.to_dict(), "landmarks": []}, r"shape\.landmarks: must be an object with keys, got a list of 0"),
        ({**design.to_dict(), "centre": [0.0]}, r"shape\.centre: must have a number for each of 24 features"),
        ({**design.to_dict(), "shape": "round"}, r"shape\.shape: must be one of 'auto', .*, got 'round'"),
    ):
        with pytest.raises(InvalidInput, match=said):
            ShapedDesign.from_dict(broken)


@pytest.mark.parametrize("space", [SPACE, Space.grid(power=[8, 10, 12, 14], gas=["Ar", "N2"])])
def test_every_number_that_gives_the_features_is_kept(space):
    """So that another number in the code leaves the shapes that exist as they are: each is read from what is kept."""
    design = ShapedDesign.fit(space)
    kept, X = json.loads(json.dumps(design.to_dict())), design.matrix(space)
    axes, marks = kept["axes"], kept["landmarks"]
    others = {
        "curve": {"axes": [{**one, "length": 0.3} for one in axes]},
        "near": {"landmarks": {**marks, "near": {**marks["near"], "reach": 0.3}}},
        "far": {"landmarks": {**marks, "far": {**marks["far"], "nugget": 0.1}}},
        "near far": {"axes": [{**one, "shared": 0.4} for one in axes]},
    }
    for kinds, change in others.items():
        other = ShapedDesign.from_dict({**kept, **change}).matrix(space)
        changed = {part.kind for part in design.parts if np.abs(other - X)[:, part.columns].max() > 1e-3}
        assert changed == set(kinds.split())


def test_version_1_left_these_numbers_to_the_code():
    design = ShapedDesign.fit(SPACE)
    kept = json.loads(json.dumps(design.to_dict()))
    for axis in kept["axes"]:
        del axis["length"], axis["shared"]
    marks = {kind: [one["places"], one["residue"]] for kind, one in kept["landmarks"].items()}
    again = ShapedDesign.from_dict({**kept, "version": 1, "landmarks": marks})
    np.testing.assert_array_equal(again.matrix(SPACE), design.matrix(SPACE))
    assert again.to_dict() == design.to_dict()


def test_the_first_shapes_had_one_length_and_a_middle():
    """By hand: -(distance from the middle)² in steps, and likeness at 0.35 in the products of features."""
    kept = json.loads(json.dumps(ShapedDesign.fit(SPACE, "straight").to_dict()))
    for axis in kept["axes"]:
        del axis["length"], axis["shared"]
    codes = [np.unique(SPACE.to_frame()[name].to_numpy(), return_inverse=True)[1] for name in SPACE.names]
    steps = np.stack([codes[0] / 5, codes[1] / 3, codes[2]], axis=1)
    start, every = kept["parts"][-1][3], list(SPACE.names)
    parts = [["middle", every[:2], start, start + 1], ["together", every, start + 1, start + 1 + len(SPACE)]]
    first = {"parts": [*kept["parts"], *parts], "landmarks": steps.tolist(), "residue": 0.0}
    more = 1 + len(SPACE)
    first |= {"centre": kept["centre"] + [0.0] * more, "scale": kept["scale"] + [1.0] * more}
    X = ShapedDesign.from_dict({**kept, **first, "version": 1}).matrix(SPACE)
    np.testing.assert_allclose(X[:, start], -((steps[:, 0] - 0.5) ** 2) - (steps[:, 1] - 0.5) ** 2, atol=1e-12)
    together = X[:, start + 1 :]
    np.testing.assert_allclose(together @ together.T, likeness(SPACE, 0.35), atol=1e-5)


def test_a_row_is_the_same_whoever_it_stands_beside():
    design = ShapedDesign.fit(SPACE)
    one = design.matrix([SPACE.row(17)])
    np.testing.assert_allclose(one[0], design.matrix(SPACE)[17], atol=1e-12)


def test_what_is_too_large_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr(sizes, "MOST_CELLS", len(SPACE) * 60)
    design = ShapedDesign.fit(SPACE)
    assert {part.kind for part in design.parts} == {"constant", "slope", "level", "curve"}
    assert "pairs are left out" in design.notes[0]
    monkeypatch.setattr(sizes, "MOST_CELLS", len(SPACE) * 8)
    design = ShapedDesign.fit(SPACE)
    assert {part.kind for part in design.parts} == {"constant", "slope", "level"}
    assert "chances only rise or fall" in design.notes[-1]


def test_unknown_shapes_and_levels_are_refused():
    with pytest.raises(UnknownName, match="unknown shape 'round'"):
        ShapedDesign.fit(SPACE, "round")  # type: ignore[arg-type]
    with pytest.raises(Exception, match="no level 'water'"):
        ShapedDesign.fit(SPACE).matrix([{"temperature": 120, "hours": 2, "solvent": "water"}])
