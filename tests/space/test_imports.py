import subprocess
import sys


def test_nothing_heavy_is_loaded_until_it_is_needed():
    """A grid, its labels and a stored design need neither pandas nor formulaic."""
    script = (
        "import sys, sureshot.space as s\nfrom sureshot.space.features import design\n"
        "g = s.Space.grid(power=[8, 10], cat=['a', 'b'], where='power > 1')\n"
        "assert g.find(power=8, cat='a') == 0\n"
        "d = s.Design('power', False, (design.Input('power', 'number'),), (), (design.Feature('Intercept', ()),))\n"
        "d.matrix(g)\n"
        "print([m for m in ('pandas', 'formulaic', 'pyarrow', 'openpyxl') if m in sys.modules])\n"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
