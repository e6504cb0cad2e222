"""What a bare import loads: next to nothing. Heavy libraries are imported where they are used."""

import json
import subprocess
import sys

import pytest

HEAVY = {"dask", "distributed", "fastapi", "matplotlib", "numba", "pandas", "plotly", "pyarrow", "scipy", "sklearn"}

REPORT = "; import json, sys; sys.stdout = sys.__stdout__; print(); print(json.dumps(sorted(sys.modules)))"
HELP = """
import io, sys
sys.argv, sys.stdout = ["sureshot", "--help"], io.StringIO()
from sureshot.cli import main
try:
    main()
except SystemExit as stop:
    assert not stop.code
assert "Usage" in sys.stdout.getvalue()
pass"""


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
