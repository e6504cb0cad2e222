"""Features against independent truth: patsy, NumPy's QR, numbers worked by hand."""

import json
import math

import numpy as np
import pandas as pd
import patsy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot.errors import InvalidInput
from sureshot.space import Design, Space
from sureshot.space.features import design as module

RNG = np.random.default_rng(7)
FRAME = pd.DataFrame(
    {
        "a": RNG.uniform(1, 5, 60),
        "b": RNG.normal(3, 2, 60),
        "t": RNG.permutation(60) / 10,
        "cat": RNG.choice(["Co", "Fe", "Ni"], 60),
        "hot": RNG.choice([False, True], 60),
    }
)


@pytest.mark.parametrize(
    ("formula", "patsy_formula"),
    [
        ("a + b", None),
        ("a * b", None),
        ("a + cat", None),
        ("cat - 1", None),
        ("0 + a + cat + hot", None),
        ("a * cat", None),
        ("a:cat", None),
        ("a + a:cat", None),
        ("cat * hot", None),
        ("cat:hot", None),
        ("cat:hot - 1", None),
        ("(a + b + cat)**2", None),
        ("(a + b + t)**3 - b:t", None),
        ("log(a) + sqrt(a)", "np.log(a) + np.sqrt(a)"),
        ("I(a * b) + {a / (1 + t)}", "I(a * b) + I(a / (1 + t))"),
        ("log1p(t) * cat", "np.log1p(t) * cat"),
        ("center(a) + scale(b)", "center(a) + I((b - b.mean()) / b.std())"),
        ("bs(a, df=4) + b", "bs(a, df=4) + b"),
        ("bs(t, 5, degree=2):hot", "bs(t, df=5, degree=2):hot"),
        ("poly(a, 3, raw=True)", "a + I(a**2) + I(a**3)"),
        ("1", None),
    ],
)
def test_as_patsy(formula, patsy_formula):
    mine = Design.fit(FRAME, formula, standardise=False).matrix(FRAME)
    theirs = np.asarray(patsy.dmatrix(patsy_formula or formula, FRAME))
    assert mine.shape == theirs.shape
    # Both order main effects before interactions, though not always alike within: compare as sets of columns.
    order = [int(np.argmin(np.abs(theirs - column[:, None]).max(axis=0))) for column in mine.T]
    assert sorted(order) == list(range(theirs.shape[1]))
    np.testing.assert_allclose(mine, theirs[:, order], rtol=1e-10, atol=1e-10)


def test_poly_as_qr():
    """Orthonormal polynomials are the Q of a Vandermonde matrix, up to signs."""
    matrix = Design.fit(FRAME, "poly(t, 4)", standardise=False).matrix(FRAME)[:, 1:]
    q = np.linalg.qr(np.vander(FRAME["t"], 5, increasing=True))[0][:, 1:]
    np.testing.assert_allclose(matrix, q * np.sign((q * matrix).sum(axis=0)), atol=1e-10)


def test_poly_of_new_rows_is_the_same_polynomial():
    design = Design.fit(FRAME, "poly(t, 2)", standardise=False)
    coefficients = np.polynomial.polynomial.polyfit(FRAME["t"], design.matrix(FRAME)[:, 2], 2)
    new = pd.DataFrame({"t": [-3.0, 100.0]})
    np.testing.assert_allclose(
        design.matrix(new)[:, 2], np.polynomial.polynomial.polyval(new["t"], coefficients), rtol=1e-8
    )


@pytest.mark.parametrize(
    "formula", ["a + cat * b", "poly(t, 3) * hot + bs(a, df=4)", "center(a):scale(b)", "(a+b+cat+hot)**2"]
)
def test_as_formulaic(formula):
    from formulaic import model_matrix

    theirs = np.asarray(model_matrix(formula, FRAME.assign(hot=FRAME["hot"].map({False: "0", True: "1"})), context={}))
    np.testing.assert_allclose(Design.fit(FRAME, formula, standardise=False).matrix(FRAME), theirs, atol=1e-10)


def test_by_hand():
    space = Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"])
    design = space.design()
    sd = math.sqrt(5)  # of 8, 10, 12, 14 about 11
    assert design.formula == "power + catalyst"
    assert design.columns == ("Intercept", "power", "catalyst[T.Co]")
    wanted = [[1, (p - 11) / sd, c] for p in (8, 10, 12, 14) for c in (0, 1)]
    np.testing.assert_allclose(design.matrix(space), wanted, rtol=1e-14)


def test_matrix_is_float64_and_contiguous():
    matrix = Design.fit(FRAME).matrix(FRAME)
    assert matrix.dtype == np.float64
    assert matrix.flags.c_contiguous
    assert matrix.shape == (60, 7)


def test_standardised_numbers_and_their_products():
    design = Design.fit(FRAME, "a * b + log(a) + poly(t, 2) + cat + cat:b")
    matrix = design.matrix(FRAME)
    for j, feature in enumerate(design.features):
        dummy = "cat" in feature.name
        if feature.factors and not dummy:
            assert abs(matrix[:, j].mean()) < 1e-12
            assert abs(matrix[:, j].std() - 1) < 1e-12
    fe = (FRAME["cat"] == "Fe").to_numpy(float)
    assert np.array_equal(matrix[:, design.columns.index("cat[T.Fe]")], fe)
    b = ((FRAME["b"] - FRAME["b"].mean()) / FRAME["b"].std(ddof=0)).to_numpy()
    np.testing.assert_allclose(matrix[:, design.columns.index("cat[T.Fe]:b")], b * fe, atol=1e-12)


def span(matrix):
    u, s, _ = np.linalg.svd(matrix, full_matrices=False)
    u = u[:, s > 1e-9 * s[0]]
    return u @ u.T


@pytest.mark.parametrize(
    "formula",
    ["a * b", "a:b", "a + a:b", "a * b * t", "a:cat", "a * cat", "a:b:cat", "a * b - b", "b:cat - 1", "a + b - 1",
     "a:b - 1", "cat:hot + a:hot", "poly(t, 2) * a", "poly(t, 2):a", "(a + b + cat + hot)**3"],
)  # fmt: skip
def test_standardising_never_changes_the_model(formula):
    """The same functions of the rows can be fitted before and after: the columns span the same space."""
    raw, standard = (Design.fit(FRAME, formula, standardise=s).matrix(FRAME) for s in (False, True))
    np.testing.assert_allclose(span(raw), span(standard), atol=1e-7)


def test_products_of_centred_numbers_stay_apart_from_main_effects():
    space = Space.grid(a=range(8, 15, 2), b=range(10, 41, 10))
    matrix = space.design("a * b").matrix(space)
    np.testing.assert_allclose(np.corrcoef(matrix[:, 1:].T), np.eye(3), atol=1e-12)


def test_constant_columns():
    design = Design.fit({"a": [5, 5, 5], "b": [1, 2, 3]})
    assert design.matrix({"a": [5, 6], "b": [2, 2]}).tolist() == [[1, 0, 0], [1, 1, 0]]
    assert design.notes == ("a is the same in the whole pool: nothing can be learned about it",)
    huge = Design.fit({"a": [1e9 + 0.1] * 3, "b": [1, 2, 3]})
    assert np.abs(huge.matrix({"a": [1e9 + 0.1], "b": [2]})).max() == 1


def test_one_row_and_one_level():
    design = Design.fit({"a": [5], "cat": ["Fe"]})
    assert design.columns == ("Intercept", "a")
    assert design.matrix({"a": 6, "cat": "Fe"}).tolist() == [[1, 1]]


def test_levels_of_numbers():
    design = Space.grid(power=[8, 10.5, 14]).design("C(power)")
    assert design.columns == ("Intercept", "C(power)[T.10.5]", "C(power)[T.14]")
    assert design.matrix({"power": [10.5, 8, 14]}).tolist() == [[1, 1, 0], [1, 0, 0], [1, 0, 1]]
    with pytest.raises(InvalidInput, match=r"row 0: power has no level '9'.*nearest is 8"):
        design.matrix({"power": [9]})


def test_the_reference_level_is_the_first_given():
    assert Space.grid(cat=["Ni", "Co", "Fe"]).design().columns[1:] == ("cat[T.Co]", "cat[T.Fe]")
    ordered = pd.DataFrame({"cat": pd.Categorical(["lo", "hi"], categories=["lo", "hi"])})
    assert Design.fit(ordered).columns[1:] == ("cat[T.hi]",)
    assert Design.fit(pd.DataFrame({"cat": ["lo", "hi"]})).columns[1:] == ("cat[T.lo]",)


FORMULAS = ["a", "a * b + cat", "poly(t, 3) + C(cat):hot", "bs(a, df=5) * b", "log(a) + center(b) + scale(t)", "1",
            "0 + cat", "poly(a, 2, raw=True):b", "I(a / (1 + t)) + hot"]  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("standardise", [True, False])
def test_stored_and_restored_to_the_last_bit(formula, standardise):
    design = Design.fit(FRAME, formula, standardise=standardise)
    again = Design.from_dict(json.loads(json.dumps(design.to_dict())))
    assert again == design
    assert np.array_equal(again.matrix(FRAME), design.matrix(FRAME))


def test_a_restored_design_needs_no_formulaic(monkeypatch):
    stored = Design.fit(FRAME, "poly(t, 2) * cat + bs(a, df=4)").to_dict()
    monkeypatch.setitem(__import__("sys").modules, "formulaic", None)
    assert Design.from_dict(stored).matrix(FRAME).shape == (60, 13)


@pytest.mark.parametrize(
    "harm",
    [
        {"version": 2},
        {"features": []},
        {"features": [{"name": "x", "factors": [[9, 0, 0, 1]], "centre": 0, "scale": 1}]},
        {"features": [{"name": "x", "factors": [[0, 0, 0, 0]], "centre": 0, "scale": 1}]},
        {"features": [{"name": "x", "factors": [], "centre": math.nan, "scale": 1}]},
        {
            "blocks": [
                {"kind": "number", "of": "__import__('os')", "name": "x", "width": 1, "numbers": [], "levels": []}
            ]
        },
        {"blocks": [{"kind": "evil", "of": "a", "name": "x", "width": 1, "numbers": [], "levels": []}]},
        {"blocks": [{"kind": "poly", "of": "a", "name": "x", "width": 2, "degree": 2, "numbers": [[1]], "levels": []}]},
        {"blocks": [{"kind": "number"}]},
        {"blocks": 3},
        {"inputs": [{"name": "a", "kind": "odd", "unit": "", "levels": []}]},
    ],
)
def test_a_harmed_store_is_refused(harm):
    stored = Design.fit(FRAME, "a + cat").to_dict() | harm
    with pytest.raises(InvalidInput):
        Design.from_dict(stored)
    with pytest.raises(InvalidInput):
        Design.from_dict({})


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"a": [1], "b": [1]}, "must have a column 'cat', got a, b"),
        ({"a": [1, 2], "b": [1, 1], "cat": ["Fe", "Cu"]}, "row 1: cat has no level 'Cu': choose one of Co, Fe, Ni"),
        ({"a": [1, None], "b": [1, 1], "cat": ["Fe", "Fe"]}, "row 1: a must have a value"),
        ({"a": [1.0, math.nan], "b": [1, 1], "cat": ["Fe", "Fe"]}, "row 1: a must have a value, got nothing"),
        ({"a": [1, math.inf], "b": [1, 1], "cat": ["Fe", "Fe"]}, "row 1: a must be finite"),
        ({"a": ["one"], "b": [1], "cat": ["Fe"]}, "row 0: a must be a number, got 'one'"),
        ({"a": [-1], "b": [1], "cat": ["Fe"]}, r"row 0: log\(a\) must be finite, got nan \(a -1\)"),
        ({"a": [1, 2], "b": [1], "cat": ["Fe"]}, "one length"),
        ([], "at least one row"),
        (3, "got int"),
    ],
)
def test_bad_rows(rows, said):
    with pytest.raises(InvalidInput, match=said):
        Design.fit(FRAME, "log(a) + b + cat").matrix(rows)


def test_bad_pools():
    with pytest.raises(InvalidInput, match=r"row 1: x\*\*4 must be at most 1e.150 in size, got .* \(x 1e.40\)"):
        Space.grid(x=[1, 1e40]).design("I(x**4)")
    with pytest.raises(InvalidInput, match=r"row 1: log\(x\) must be finite, got -inf \(x 0\)"):
        Design.fit({"x": [1, 0]}, "log(x)")
    with pytest.raises(InvalidInput, match="at least 4 different values in the pool, got 3: lower the degree to 2"):
        Design.fit({"x": [1, 2, 3]}, "poly(x, 3)")
    with pytest.raises(InvalidInput, match="leave it out"):
        Design.fit({"x": [1, 1]}, "poly(x, 2)")
    with pytest.raises(InvalidInput, match="different values"):
        Design.fit({"x": [1, 1]}, "scale(x)")
    with pytest.raises(InvalidInput, match=r"without=\['name'\]"):
        Design.fit({"name": [f"s{i}" for i in range(50)], "x": list(range(50))})


def test_splines_stop_at_the_ends_of_the_pool():
    design = Design.fit(FRAME, "bs(a, df=4)")
    with pytest.raises(InvalidInput, match=r"row 0: bs\(a, df=4, degree=3\)\[1\] must be finite"):
        design.matrix({"a": [99]})


def test_rows_may_come_in_any_shape():
    design = Design.fit(FRAME, "a + cat + hot")
    whole = design.matrix(FRAME)
    rows = FRAME.to_dict("records")
    assert np.array_equal(design.matrix(rows), whole)
    assert np.array_equal(design.matrix(FRAME.to_dict("list")), whole)
    assert np.array_equal(design.matrix(FRAME[["hot", "cat", "a"]]), whole)
    assert np.array_equal(design.matrix(FRAME.assign(odd=[object()] * 60)), whole)
    assert np.array_equal(np.vstack([design.matrix(row) for row in rows]), whole)
    text = {"a": str(rows[0]["a"]), "cat": rows[0]["cat"], "hot": str(rows[0]["hot"]).lower()}
    assert np.array_equal(design.matrix(text), whole[:1])


def test_blocks_of_rows_make_no_difference(monkeypatch):
    whole = Design.fit(FRAME, "a * b + poly(t, 2)").matrix(FRAME)
    monkeypatch.setattr(module, "BLOCK", 7)
    np.testing.assert_allclose(Design.fit(FRAME, "a * b + poly(t, 2)").matrix(FRAME), whole, rtol=1e-12, atol=1e-13)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.integers(-50, 50), st.sampled_from("xyz"), st.booleans()), min_size=2, max_size=20, unique=True
    )
)
def test_dummies_and_numbers_by_brute_force(rows):
    pool = [{"n": n, "c": c, "f": f} for n, c, f in rows]
    design = Design.fit(pool)
    matrix = design.matrix(pool)
    n = np.array([row[0] for row in rows], float)
    sd = n.std() or 1.0
    levels = sorted({row[1] for row in rows})
    wanted = [[1, (x - n.mean()) / sd, *(c == level for level in levels[1:]), f] for x, c, f in rows]
    np.testing.assert_allclose(matrix, np.array(wanted, float), atol=1e-10)


def test_a_million_alternatives():
    space = Space.grid(a=range(100), b=range(100), c=range(10), d=["x", "y"], e=[0, 1, 2, 3, 4])
    design = space.design("a * b + poly(c, 2) + d")
    matrix = design.matrix(space)
    assert matrix.shape == (1_000_000, 7)
    row = space.find(a=17, b=3, c=9, d="y", e=2)
    np.testing.assert_allclose(matrix[row], design.matrix(space.row(row))[0], rtol=1e-12)
