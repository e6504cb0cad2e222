"""Links as mixtures of probits: each table holds to its stated error, over the real line."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from sureshot import core


@pytest.mark.parametrize("link", list(core.LINKS.values()), ids=list(core.LINKS))
def test_the_mixture_errs_by_its_stated_error_at_most(link: core.Link) -> None:
    table = link.probits
    if table is None:  # a link registered by another test
        return
    f = np.linspace(-60, 60, 240_001)
    mixed = sum(
        w * special.ndtr((f - b) / h) for w, b, h in zip(table.weights, table.shifts, table.scales, strict=True)
    )
    worst = np.abs(mixed - link.probability(f)).max()
    assert worst <= max(table.error, 1e-15)
    assert worst > 0.5 * table.error or table.error == 0.0  # nor is the statement idle
    assert (table.weights > 0).all()
    assert table.weights.sum() == pytest.approx(1.0, abs=1e-15)


def test_the_probabilities_of_a_belief_inherit_the_error() -> None:
    from sureshot.core.beliefs.predictive import success_probability
    from sureshot.core.numerics.quadrature import outcome_probability

    mu, s = (v.ravel() for v in np.meshgrid(np.linspace(-20, 20, 41), 10.0 ** np.linspace(-4, 4, 17)))
    for name in ("logit", "cloglog", "loglog"):
        link = core.LINKS[name]
        gap = success_probability(link, mu, s, form="mixture") - outcome_probability(link, mu, s)
        assert np.abs(gap).max() <= link.probits.error + 1e-12
