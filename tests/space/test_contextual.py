import json

import numpy as np
import pandas as pd
import pytest

from sureshot import core
from sureshot.errors import InvalidInput
from sureshot.space import NO_INTERACTIONS, Actions, Contexts, ContextualDesign, Space

PATIENTS = pd.DataFrame({"age": [30, 50, 70, 90], "diabetic": [True, False, True, True], "ward": ["A", "B", "B", "A"]})
DRUGS = Actions(drug=["none", "X"], dose=[1, 3])


def test_features_by_hand():
    """Age 60 +- sqrt(500); dose 2 +- 1."""
    design = ContextualDesign.fit(Contexts(PATIENTS), DRUGS)
    phi, psi = ("age", "diabetic[T.True]", "ward[T.B]"), ("drug[T.X]", "dose")
    assert design.columns == ("Intercept", *phi, *psi, *(f"{c}:{a}" for c in phi for a in psi))
    case = {"age": 60 + 500**0.5, "diabetic": True, "ward": "A"}
    matrix = design.matrix(case, DRUGS)
    wanted = [[1, 1, 1, 0, x, d, x, d, x, d, 0, 0] for x, d in ((0, -1), (0, 1), (1, -1), (1, 1))]
    np.testing.assert_allclose(matrix, wanted, atol=1e-12)
    assert matrix.shape[1] == design.width == core.context_width(3, 2, interactions=True)


@pytest.mark.parametrize("interactions", [True, False])
def test_joined_rows_are_rows_of_in_context(interactions):
    design = ContextualDesign.fit(PATIENTS, DRUGS, interactions=interactions)
    chosen = [3, 0, 1, 3]
    each = [design.matrix(row, DRUGS)[a] for row, a in zip(PATIENTS.to_dict("records"), chosen, strict=True)]
    phi, psi = design.context_features(PATIENTS), design.action_features(DRUGS)
    np.testing.assert_array_equal(design.joined(phi, psi[chosen]), each)
    np.testing.assert_allclose(
        design.matrix(PATIENTS.iloc[[2]], DRUGS), core.in_context(phi[2], psi, interactions=interactions)
    )


def test_without_interactions_a_note_and_the_same_ranking_everywhere():
    design = ContextualDesign.fit(PATIENTS, DRUGS, interactions=False)
    assert design.notes == (NO_INTERACTIONS,)
    assert ContextualDesign.fit(PATIENTS, DRUGS).notes == ()
    weights = np.random.default_rng(1).standard_normal(design.width)
    ranks = {tuple(np.argsort(design.matrix(row, DRUGS) @ weights)) for row in PATIENTS.to_dict("records")}
    assert len(ranks) == 1


def test_declared_contexts():
    """Age spread evenly over 20 to 80: mean 50, standard deviation 60 / sqrt(12)."""
    declared = Contexts(age=(20, 80), diabetic=bool, ward=["A", "B", "C"])
    design = ContextualDesign.fit(declared, Actions(["wait", "treat"]))
    phi = design.context_features({"age": 80, "diabetic": False, "ward": "C"})
    np.testing.assert_allclose(phi, [[3**0.5, 0, 0, 1]], atol=1e-12)


def test_actions_in_any_shape():
    assert Actions(["wait", "treat"]).row(1) == {"action": "treat"}
    assert Actions(DRUGS) is DRUGS
    assert Actions(DRUGS.to_frame()).names == ("drug", "dose")
    assert isinstance(Actions(dose="1,2 mg"), Space)


def test_formulas():
    design = ContextualDesign.fit(
        PATIENTS, DRUGS, context_formula="poly(age, 2)", action_formula="drug", interactions=False
    )
    assert design.columns == ("Intercept", "poly(age, 2)[1]", "poly(age, 2)[2]", "drug[T.X]")
    with pytest.raises(InvalidInput, match="intercept"):
        ContextualDesign.fit(PATIENTS, DRUGS, context_formula="age - 1")
    with pytest.raises(InvalidInput, match="'age' in both"):
        ContextualDesign.fit(PATIENTS, Actions(age=[1, 2]))


def test_stored_and_restored():
    design = ContextualDesign.fit(PATIENTS, DRUGS, context_formula="poly(age, 2) * ward")
    again = ContextualDesign.from_dict(json.loads(json.dumps(design.to_dict())))
    assert again == design
    assert np.array_equal(again.matrix(PATIENTS.iloc[[2]], DRUGS), design.matrix(PATIENTS.iloc[[2]], DRUGS))
    for bad in ({}, {"version": 2}, design.to_dict() | {"context": 3}):
        with pytest.raises(InvalidInput):
            ContextualDesign.from_dict(bad)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"age": 50, "diabetic": True}, "must have a column 'ward'"),
        ({"age": 50, "diabetic": "maybe", "ward": "A"}, "diabetic must be true or false, got 'maybe'"),
        ({"age": 50, "diabetic": True, "ward": "Z"}, "ward has no level 'Z': choose one of A, B"),
        ({"age": "old", "diabetic": True, "ward": "A"}, "age must be a number"),
    ],
)
def test_bad_contexts(case, said):
    with pytest.raises(InvalidInput, match=said):
        ContextualDesign.fit(PATIENTS, DRUGS).matrix(case, DRUGS)


def test_bad_declarations():
    for declared in (
        {"age": (80, 20)},
        {"age": "number"},
        {"age": (1, float("nan"))},
        {"ward": []},
        {"ward": ["A", "A"]},
    ):
        with pytest.raises(InvalidInput):
            Contexts(**declared)
    for call in (lambda: Contexts(), lambda: Contexts(PATIENTS, age=(1, 2)), lambda: Contexts(PATIENTS.columns)):
        with pytest.raises(InvalidInput):
            call()
