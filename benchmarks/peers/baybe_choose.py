"""What BayBE tries and answers on the problems of a file (written by ``benchmarks.bench_choices``)."""

import warnings

import numpy as np
import pandas as pd
from baybe import Campaign
from baybe.parameters import CategoricalParameter, NumericalDiscreteParameter
from baybe.searchspace import SearchSpace
from baybe.targets import NumericalTarget
from problem import answer

warnings.filterwarnings("ignore")


def parameter(column):
    if column["kind"] == "number":
        return NumericalDiscreteParameter(column["name"], column["levels"])
    return CategoricalParameter(column["name"], column["levels"])


def play(problem, seed):
    """The alternatives tried, and which has the largest posterior mean after each of ``at`` trials."""
    np.random.seed(seed)  # noqa: NPY002  (what BayBE draws from)
    columns, labels = problem["columns"], np.array(problem["labels"])
    names = [column["name"] for column in columns]
    rows = pd.DataFrame(problem["rows"], columns=names)
    space = SearchSpace.from_dataframe(rows, [parameter(column) for column in columns])
    campaign = Campaign(space, NumericalTarget("works").to_objective())
    where = {tuple(row): index for index, row in enumerate(problem["rows"])}
    tried, answers = [], []
    for n in range(labels.shape[1]):
        told = campaign.recommend(batch_size=1)
        pick = where[tuple(told[names].iloc[0].tolist())]
        tried.append(pick)
        campaign.add_measurements(told[names].assign(works=float(labels[pick, n])))
        if n + 1 in problem["at"]:
            answers.append(int(campaign.posterior_stats(rows, stats=["mean"])["works_mean"].to_numpy().argmax()))
    return {"tried": tried, "answers": answers}


answer(play)
