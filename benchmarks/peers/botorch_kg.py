"""A one-step knowledge gradient for 0/1 outcomes over a pool, put together on BoTorch.

BoTorch has no knowledge gradient for 0/1 outcomes, so this is what a user would assemble, as kindly as we can:

- the belief is a ``SingleTaskGP`` with a linear kernel, conditioned on Laplace pseudo-outcomes (the logit likelihood's
  own, with their precision as known noise), which makes it equal to sureshot's belief;
- one call of ``model.posterior`` gives mean and covariance of the whole pool (part of what is timed);
- each candidate's two fantasies are Laplace updates (eight vectorised Newton steps), pushed to the whole pool as
  tensors in blocks, and the maxima of the success probabilities (kappa form) are weighted by those of the outcomes.

Run in the environment of ``peers-botorch.txt``; prints one line of JSON.
"""

import math
import warnings

from problem import arguments, best_cpu_time, history, laplace, pool, report

warnings.filterwarnings("ignore")
import torch  # noqa: E402
from botorch.models import SingleTaskGP  # noqa: E402
from gpytorch.kernels import LinearKernel  # noqa: E402
from gpytorch.means import ZeroMean  # noqa: E402

BLOCK = 256  # candidates looked at together: 256 x M numbers stay in cache for the pools of the table


def belief(X, rows, y):
    """The GP that is the Laplace belief. With no outcome yet it sees one of next to no precision."""
    _, _, targets, precisions = laplace(rows, y, X.shape[1])
    if len(rows) == 0:
        rows, targets, precisions = X[:1], [0.0], [1e-10]
    kernel = LinearKernel()
    kernel.variance = 1.0
    tensor = torch.as_tensor(rows)
    model = SingleTaskGP(
        tensor,
        torch.as_tensor(targets, dtype=torch.float64)[:, None],
        train_Yvar=1.0 / torch.as_tensor(precisions, dtype=torch.float64)[:, None],
        covar_module=kernel,
        mean_module=ZeroMean(),
        outcome_transform=None,
    )
    return model.eval()


def knowledge_gradient(model, X):
    """The value of each alternative, (M,)."""
    posterior = model.posterior(X).distribution
    mu, cov = posterior.mean, posterior.covariance_matrix
    s = cov.diagonal().clamp_min(0.0)
    kappa = math.pi / 8.0
    p = torch.sigmoid(mu / torch.sqrt(1.0 + kappa * s))
    value = torch.zeros_like(mu)
    for outcome, chance in ((1.0, p), (0.0, 1.0 - p)):
        z = mu.clone()
        for _ in range(8):
            sigma = torch.sigmoid(z)
            z = z - (z - mu - s * (outcome - sigma)) / (1.0 + s * sigma * (1.0 - sigma))
        sigma = torch.sigmoid(z)
        r, t = outcome - sigma, sigma * (1.0 - sigma)
        for rows in torch.arange(len(mu)).split(BLOCK):
            c = cov[rows]
            after = mu + r[rows, None] * c
            spread = s - (t[rows] / (1.0 + t[rows] * s[rows]))[:, None] * c * c
            best = (after / torch.sqrt(1.0 + kappa * spread)).amax(dim=1)
            value[rows] += chance[rows] * torch.sigmoid(best)
    return value - p.max()


def main():
    wanted = arguments(__doc__)
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    X = pool(wanted.M, wanted.d, wanted.seed)
    model = belief(X, *history(X, wanted.n, wanted.seed))
    candidates = torch.as_tensor(X)
    with torch.no_grad():
        least, value = best_cpu_time(lambda: knowledge_gradient(model, candidates), wanted.repeats)
    report("botorch", wanted, least, argmax=int(value.argmax()), value=float(value.max()))


main()
