"""Hypothesis with fixed examples and no clock: a run says the same today and tomorrow, on a slow machine too."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")
