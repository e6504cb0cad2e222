"""A one-step knowledge gradient for 0/1 outcomes over a pool, on AEPsych's Bernoulli look-ahead (probit).

AEPsych looks ahead exactly (``lookahead_type="posterior"``: the joint probability of two outcomes by 20 Gauss-Hermite
nodes), but its acquisitions ask for the most informative trial, not for the best final choice. A subclass of its global
look-ahead asks that instead, with the pool as the query set. To be as kind as we can, the moments of the pool come
ready-made from one matrix product: what is timed is AEPsych's look-ahead, not its variational model.

Run in the environment of ``peers-aepsych.txt``; prints one line of JSON.
"""

import warnings

from problem import arguments, best_cpu_time, history, laplace, pool, report

warnings.filterwarnings("ignore")
import torch  # noqa: E402
from aepsych.acquisition import lookahead_utils  # noqa: E402
from aepsych.acquisition.lookahead import GlobalLookaheadAcquisitionFunction  # noqa: E402
from botorch.models import SingleTaskGP  # noqa: E402

BLOCK = 64  # candidates a call: 64 x M x 20 nodes of memory


class KnowledgeGradient(GlobalLookaheadAcquisitionFunction):
    """The expected best success probability after the outcome, less the best now."""

    def _compute_acqf(self, Px, P1, P0, py1):
        gain = py1[:, 0] * P1.amax(dim=-1) + (1.0 - py1[:, 0]) * P0.amax(dim=-1)
        return gain - Px.amax(dim=-1)


def main():
    wanted = arguments(__doc__)
    torch.set_num_threads(1)
    X = pool(wanted.M, wanted.d, wanted.seed)
    mean, cov, _, _ = laplace(*history(X, wanted.n, wanted.seed), wanted.d)
    candidates, m, S = torch.as_tensor(X), torch.as_tensor(mean), torch.as_tensor(cov)

    def moments(model, Xstar, Xq, posterior_transform=None):
        here, there = Xstar[:, 0], Xq[0]
        turned = here @ S
        mu_q, s_q = there @ m, ((there @ S) * there).sum(dim=-1)
        mu_s, s_s = (here @ m)[:, None], (turned * here).sum(dim=-1, keepdim=True)
        shape = (len(here), len(there))
        return mu_s, s_s, mu_q.expand(shape), s_q.expand(shape), turned @ there.T

    lookahead_utils.posterior_at_xstar_xq = moments
    stand_in = SingleTaskGP(candidates[:2], torch.zeros(2, 1, dtype=torch.float64))  # the constructor wants a model
    acquisition = KnowledgeGradient(None, None, stand_in, "posterior", query_set_size=None, Xq=candidates)

    def whole_pool():
        with torch.no_grad():
            return torch.cat([acquisition(block[:, None]) for block in candidates.split(BLOCK)])

    least, value = best_cpu_time(whole_pool, wanted.repeats)
    report("aepsych", wanted, least, argmax=int(value.argmax()), value=float(value.max()))


main()
