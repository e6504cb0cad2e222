"""The Gaussian that samplers begin at is the fit by expectation propagation, of a belief and of its outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.links import Link
from sureshot.core.reference.gaussian import near, standard
from sureshot.core.reference.target import Target

X = np.array([[1.0, -1.2], [1.0, 0.4], [1.0, 1.5]])
WON, OF = np.array([0, 2, 7]), np.array([3, 3, 7])


@pytest.mark.parametrize("link", core.LINKS)
def test_it_is_the_fit(link: str) -> None:
    fitted = core.fit(core.prior(2, link=link, method="ep"), X, WON, of=OF).belief
    found = near(Target(core.LINKS[link], np.zeros(3), X, WON.astype(float), (OF - WON).astype(float)))
    assert found.mean == pytest.approx(fitted.mean, abs=1e-5)
    assert found.root @ found.root.T == pytest.approx(fitted.cov, abs=1e-5)
    assert found.inverse @ found.root == pytest.approx(np.eye(2), abs=1e-12)
    assert found.log_det == pytest.approx(np.linalg.slogdet(found.root)[1])
    wider = found.wider(1.5)
    assert wider.root == pytest.approx(1.5 * found.root)
    assert wider.log_det == pytest.approx(np.linalg.slogdet(wider.root)[1])
    assert wider.inverse @ wider.root == pytest.approx(np.eye(2), abs=1e-12)


def test_without_outcomes_it_is_the_prior_and_a_link_of_ones_own_will_do() -> None:
    empty = near(Target(core.LOGIT, np.zeros(0), np.zeros((0, 2)), np.zeros(0), np.zeros(0)))
    assert (empty.mean == standard(2).mean).all()
    assert (empty.root == standard(2).root).all()
    logit = core.LOGIT
    own = Link("my logit", logit.probability, logit.inverse, logit.success, logit.failure)
    won, lost = WON.astype(float), (OF - WON).astype(float)
    one, other = (near(Target(link, np.zeros(3), X, won, lost)) for link in (own, logit))
    assert one.mean == pytest.approx(other.mean, abs=1e-4)
