"""Links as mixtures of probits: σ(f) ≈ Σ weight·Φ((f - shift)/scale).

A probit is closed under a Gaussian (E Φ((f - b)/h) = Φ((mu - b)/√(h² + s)) for f ~ N(mu, s)), and two of them under a
bivariate one, so a link written this way has its predictive probability and its exact look-ahead in closed form, to
the largest error of the mixture, ``error``. Weights are positive and sum to one.

The tables were fitted by least squares with Lawson's reweighting at 50 digits: ten terms for logit where Monahan &
Stefanski (1992) give eight (2.2e-9); no table for cloglog was found elsewhere. tests/core/numerics/test_probits.py
holds them to their errors over the real line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sureshot.core.numerics.stable import Array

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
    7e-8,
    (8.181751558521404e-05, -8.12159899366983, 2.506196621077593),
    (0.0010486716519436006, -6.309357194825248, 1.8676837158128348),
    (0.006166637624061801, -4.767774749574965, 1.5048887421029389),
    (0.02302527837176065, -3.530859851026349, 1.2362436829808938),
    (0.03210653341191688, -2.92913088580971, 0.9352529616469273),
    (0.046684426330553586, -2.390983871938158, 0.737693737578349),
    (0.03550022824216887, -2.1065664400830744, 0.5549131535844697),
    (0.0710580369230847, -1.6373484714155422, 0.48472891376370525),
    (0.0632165124556592, -1.3134289815104387, 0.39195755778998864),
    (0.05810446706434203, -1.055847773936022, 0.32247691231345627),
    (0.06080208839368766, -0.816867631137071, 0.2785258750180212),
    (0.06338555697258348, -0.591149346946596, 0.25308551333791235),
    (0.10386767129036562, -0.3276306180315951, 0.25251264247789645),
    (0.08668339813289143, -0.06666919532059766, 0.24127096498057543),
    (0.08737752476646991, 0.1765084578071517, 0.24340720766340995),
    (0.1128401352164467, 0.4516729374247639, 0.26107782035357424),
    (0.06010385950346492, 0.7414726287291559, 0.25708400238449836),
    (0.05380422277190907, 0.9920546138131476, 0.281154391706228),
    (0.033385976616158275, 1.294014072983438, 0.3189903856151168),
    (0.0007569567449464918, 1.7899961970299185, 0.26199075920308473),
)
#: exp(-exp(-f)): cloglog read from the other end.
LOGLOG_PROBITS = ProbitMixture(
    CLOGLOG_PROBITS.weights, -CLOGLOG_PROBITS.shifts, CLOGLOG_PROBITS.scales, CLOGLOG_PROBITS.error
)
