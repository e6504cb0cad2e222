"""Keys of requests under way, and the tags of conditions."""

from __future__ import annotations

import pytest

from sureshot.web.conditions import InFlight, UnderWay


def test_one_request_of_a_key_at_a_time() -> None:
    way = UnderWay()
    with way.alone(1, "a"), way.alone(1, "b"), way.alone(2, "a"), way.alone(1, None), way.alone(1, None):  # noqa: SIM117
        with pytest.raises(InFlight, match="under way"), way.alone(1, "a"):
            pass
    with way.alone(1, "a"):
        pass


def test_a_request_that_fails_is_no_longer_under_way() -> None:
    way = UnderWay()
    with pytest.raises(ZeroDivisionError), way.alone(1, "a"):
        raise ZeroDivisionError
    with way.alone(1, "a"):
        pass
