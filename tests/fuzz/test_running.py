"""The frame of ``fuzz/``: it notices every way in which a format can break its promise, and goes on behind it."""

import pytest

from fuzz import running


@pytest.fixture(autouse=True)
def corpus(tmp_path, monkeypatch):
    """Four inputs to begin with, for whatever format."""
    monkeypatch.setattr(running, "CORPUS", tmp_path)
    for name in ("raises", "loops", "hoards", "dies", "hangs", "keeps", "mumbles"):
        (tmp_path / name).mkdir()
        for digit in "0123":
            (tmp_path / name / digit).write_text(digit)


def tried(name, inputs=4, *options, hangs=60.0):
    return running.run(f"tests.fuzz.faulty.{name}", inputs=inputs, options=options, hangs=hangs)


def test_an_exception_is_found_once_with_the_input_that_shows_it():
    report = tried("raises", 500)
    assert report.inputs == 500
    ((told, data),) = report.broken.values()
    assert told.startswith("KeyError at raises.py:3\n")
    assert b"4" in data


def test_a_loop_without_end_is_ended():
    report = tried("loops", 4, "--seconds=0.2")
    assert (report.inputs, [data for _, data in report.broken.values()]) == (4, [b"1"])
    assert next(iter(report.broken.values()))[0].startswith("TooSlow at loops.py:")


def test_memory_without_end_is_refused_to_it():
    report = tried("hoards", 4, f"--memory={1 << 28}")
    assert (report.inputs, [data for _, data in report.broken.values()]) == (4, [b"1"])
    assert next(iter(report.broken.values()))[0].startswith("MemoryError at hoards.py:3\n")


def test_an_input_is_not_accused_of_what_those_before_it_have_left():
    report = tried("keeps", 20, f"--memory={1 << 28}")
    assert (report.inputs, report.broken) == (20, {})


def test_a_process_that_dies_is_told_with_its_input_and_another_goes_on():
    report = tried("dies")
    assert (report.inputs, list(report.broken.values())) == (4, [("the process ended with 3\n\n", b"2")])


def test_one_that_hangs_beyond_the_reach_of_signals_is_killed():
    report = tried("hangs", hangs=3.0)
    ((told, data),) = report.broken.values()
    assert (report.inputs, data) == (4, b"2")
    assert told.startswith("no end within 3 s of a clock\n")
    assert "hangs.py" in told  # where it was


def test_an_error_that_nobody_can_read_is_a_mistake_and_a_clean_one_is_none():
    report = tried("mumbles")
    assert report.inputs == 4
    assert sorted(data for _, data in report.broken.values()) == [b"1", b"2"]


def test_the_same_seed_tries_the_same_inputs():
    first, second = (tried("raises", 200) for _ in range(2))
    assert first.broken == second.broken
