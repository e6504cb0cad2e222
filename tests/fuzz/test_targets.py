"""Every format keeps its promise for what once broke it, for its corpus, and for some inputs made out of these.

``make fuzz`` tries 20,000 of each.
"""

import pytest
from fuzz.running import CORPUS, CRASHES, FORMATS, run

#: Inputs of each format beside those that are kept.
MORE = 150


@pytest.mark.parametrize("name", FORMATS)
def test_it_ends_in_an_answer_or_in_a_clean_error_soon_and_in_little_memory(name):
    kept = sum(len(list((folder / name).glob("*"))) for folder in (CORPUS, CRASHES))
    report = run(name, inputs=kept + MORE)
    assert [told for told, _ in report.broken.values()] == []
    assert report.inputs == kept + MORE


@pytest.mark.parametrize("name", FORMATS)
def test_it_has_inputs_to_begin_with(name):
    assert any((CORPUS / name).iterdir())
