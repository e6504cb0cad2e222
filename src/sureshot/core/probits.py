"""Links as mixtures of probits: σ(f) ≈ Σ weight·Φ((f - shift)/scale).

A probit is closed under a Gaussian (E Φ((f - b)/h) = Φ((mu - b)/√(h² + s)) for f ~ N(mu, s)), and two of them under a
bivariate one, so a link written this way has its predictive probability and its exact look-ahead in closed form, to
the largest error of the mixture, ``error``. Weights are positive and sum to one.

The tables were fitted by least squares with Lawson's reweighting at 50 digits: ten terms for logit where Monahan &
Stefanski (1992) give eight (2.2e-9); no table for cloglog was found elsewhere. tests/core/test_probits.py holds them to
their errors over the real line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sureshot.core.stable import Array

__all__ = ["CLOGLOG_PROBITS", "LOGIT_PROBITS", "LOGLOG_PROBITS", "PROBIT_PROBITS", "ProbitMixture"]


@dataclass(frozen=True, slots=True, eq=False)
class ProbitMixture:
    """σ(f) ≈ Σ weights·Φ((f - shifts)/scales), off by ``error`` at most."""

    weights: Array  # (T,)
    shifts: Array  # (T,)
    scales: Array  # (T,)
    error: float


def _table(error: float, *rows: tuple[float, float, float]) -> ProbitMixture:
    weights, shifts, scales = np.array(rows).T.copy()
    return ProbitMixture(weights / weights.sum(), shifts, scales, error)


#: Φ itself.
PROBIT_PROBITS = _table(0.0, (1.0, 0.0, 1.0))
#: 1/(1 + exp(-f)).
LOGIT_PROBITS = _table(
    1e-10,
    (0.0004933138440890995, 0.0, 0.6616324608620731),
    (0.012485261839471396, 0.0, 0.8257204899975782),
    (0.07466529678595511, 0.0, 1.0180306917542619),
    (0.19144242775486833, 0.0, 1.2539451262463919),
    (0.27326282186428985, 0.0, 1.5480616173899109),
    (0.24684059976143571, 0.0, 1.916165856894976),
    (0.1441860291611108, 0.0, 2.374700089716496),
    (0.0489664430125021, 0.0, 2.9429303834232874),
    (0.007389610864523753, 0.0, 3.65449186636865),
    (0.00026819511175392094, 0.0, 4.59677021306116),
)
#: 1 - exp(-exp(f)).
CLOGLOG_PROBITS = _table(
    2.5e-7,
    (0.00019695791722299893, -7.523171715240414, 2.3763437386835062),
    (0.002257641633798115, -5.711870548843683, 1.745836116293217),
    (0.010644330574860738, -4.310635224301202, 1.371651345078613),
    (0.03513059485800812, -3.1388530697922916, 1.1206526781425492),
    (0.06600239891030948, -2.3386323409604794, 0.8844602486513479),
    (0.0514831057443333, -1.9941954351513895, 0.6370598944350498),
    (0.059836085653918826, -1.6159440555186666, 0.501016135741992),
    (0.05914919815825513, -1.2950350303168614, 0.40748101401974296),
    (0.1123582728165762, -0.884299066355871, 0.37856411429474934),
    (0.09878174991634299, -0.5413613533059217, 0.3344969403160747),
    (0.12190750422367573, -0.2064714397624395, 0.32114055486656895),
    (0.1584531326812678, 0.16675007075245896, 0.3255127783765458),
    (0.10010530052410313, 0.5277271599972871, 0.3092188671550843),
    (0.08380297336756892, 0.8633037911624766, 0.3185370915113105),
    (0.03852659764382921, 1.238472159887976, 0.3306851042814148),
    (0.001364155375929208, 1.7034433440573553, 0.2757817087429045),
)
#: exp(-exp(-f)): cloglog read from the other end.
LOGLOG_PROBITS = ProbitMixture(
    CLOGLOG_PROBITS.weights, -CLOGLOG_PROBITS.shifts, CLOGLOG_PROBITS.scales, CLOGLOG_PROBITS.error
)
