"""What a bare import loads: next to nothing. Heavy libraries are imported where they are used."""

import json
import subprocess
import sys

import pytest

from sureshot import Campaign, Space

HEAVY = {
    "dask",
    "distributed",
    "fastapi",
    "matplotlib",
    "numba",
    "narwhals",
    "pandas",
    "plotly",
    "polars",
    "pyarrow",
    "scipy",
    "sklearn",
}
#: What a command that only reads or records has no use for either.
SLOW = {"alembic", "formulaic", "psycopg", "pydantic", "pygments", "tomllib"}

REPORT = "; import json, sys; sys.stdout = sys.__stdout__; print(); print(json.dumps(sorted(sys.modules)))"
CALL = """
import io, sys
sys.argv, sys.stdout = ["sureshot", *{!r}], io.StringIO()
from sureshot.cli import main
try:
    main()
except SystemExit as stop:
    assert not stop.code
assert {!r} in sys.stdout.getvalue()
pass"""
HELP = CALL.format(["--help"], "Usage")


def loaded(code: str) -> set[str]:
    """The top-level modules that the code leaves loaded in a fresh process."""
    done = subprocess.run([sys.executable, "-c", code + REPORT], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


@pytest.mark.parametrize("code", ["import sureshot", "import sureshot.errors", HELP], ids=["import", "errors", "help"])
def test_no_heavy_library_is_loaded(code):
    assert not loaded(code) & (HEAVY | {"numpy"})


def test_a_bare_import_loads_no_third_party_library_at_all():
    before, after = loaded("pass"), loaded("import sureshot")
    assert {m for m in after - before if m not in sys.stdlib_module_names} == {"sureshot"}


def test_the_core_loads_without_numba():
    assert not loaded("import sureshot.core, sureshot.policies") & (HEAVY - {"scipy"})


def test_floors_are_reached_as_attributes():
    assert "numpy" in loaded("import sureshot; sureshot.core")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A campaign with an outcome and two trials that are pending."""
    path = str(tmp_path_factory.mktemp("quick") / "sureshot.db")
    campaign = Campaign.create("quick", Space.grid(power=[8, 10, 12], gas=["Ar", "He"]), policy="random", storage=path)
    campaign.ask_batch(2)
    campaign.tell_new(3, "success")
    campaign.storage.close()
    return path


@pytest.mark.parametrize(
    ("line", "said"),
    [("tell 1 success", "Trial 1"), ("withdraw 2", "withdrawn"), ("history", "He"), ("history --csv -", "He")],
)
def test_a_command_that_only_reads_or_records_loads_only_what_it_needs(store, line, said):
    assert not loaded(CALL.format([*line.split(), "--storage", store], said)) & (HEAVY | SLOW)


def test_the_status_computes_nothing_that_was_computed_when_the_last_trial_was_asked(tmp_path):
    path = str(tmp_path / "sureshot.db")
    made = Campaign.create("quick", Space.grid(power=[8, 10, 12], gas=["Ar", "He"]), storage=path)
    made.tell_new(3, "success")
    made.ask()
    made.storage.close()
    assert not loaded(CALL.format(["status", "--storage", path], "1 pending")) & (HEAVY | SLOW)


def test_the_status_after_an_outcome_loads_no_more_than_the_model_needs(store):
    """It says whether the model fits, which is computed."""
    code = CALL.format(["status", "--storage", store], "alternatives")
    assert loaded(code) & (HEAVY | SLOW) <= {"numba", "scipy"}


@pytest.mark.parametrize(("line", "said"), [("predict", "chance"), ("effects", "Power"), ("best", "chance")])
def test_what_is_believed_is_shown_without_pandas(store, line, said):
    assert not loaded(CALL.format([line, "--storage", store], said)) & (HEAVY - {"numba", "scipy"})


#: What other commands answer.
OTHER_ANSWERS = ("advice", "calibration", "cases", "compare", "effects", "forecast", "predictions", "timeline")


def test_an_ask_loads_no_other_answer_and_nothing_that_numba_has_no_use_for(store):
    code = (
        CALL.format(["ask", "--storage", store], "chance")
        + f"""
assert not {{f"sureshot.campaign.answers.{{name}}" for name in {OTHER_ANSWERS!r}}} & set(sys.modules)
assert not {{"scipy", "yaml", "sureshot.campaign.settings"}} & set(sys.modules)"""
    )
    assert "sureshot" in loaded(code)


def test_a_setting_of_numba_is_read_where_there_is_a_file_of_them(store, tmp_path, monkeypatch):
    pytest.importorskip("yaml")
    (tmp_path / ".numba_config.yaml").write_text("num_threads: 1\n")
    monkeypatch.chdir(tmp_path)
    assert "yaml" in loaded(CALL.format(["ask", "--storage", store], "chance"))


@pytest.mark.parametrize("line", ["ask", "best", "effects"])
def test_no_garbage_is_looked_for_while_libraries_load(store, line):
    code = (
        "import gc; looked = []; gc.callbacks.append(lambda *_: looked.append(gc.get_threshold()[0]))"
        + CALL.format([line, "--storage", store], "chance")
        + "\nfrom sureshot.cli import GARBAGE\nassert gc.get_threshold()[0] == GARBAGE not in looked"
    )
    assert "sureshot" in loaded(code)


@pytest.mark.parametrize("line", ["ask", "best"])
def test_a_command_that_computes_loads_no_linear_algebra_of_scipy_and_leaves_numba_as_it_would_be(store, line):
    numba = pytest.importorskip("numba")
    code = (
        CALL.format([line, "--storage", store], "chance")
        + """
assert not {"scipy.linalg", "scipy.special"} & set(sys.modules)
import numba.np.arraymath, scipy.linalg.cython_blas
assert numba.np.arraymath._HAVE_BLAS"""
    )
    assert "numba" in loaded(code), numba
