"""What Optuna's TPE tries and answers on the problems of a file (written by ``benchmarks.bench_choices``)."""

import numpy as np
import optuna
from problem import answer

optuna.logging.set_verbosity(optuna.logging.ERROR)


def play(problem, seed):
    """The alternatives tried, and what ``study.best_trial`` is after each of ``at`` trials."""
    columns, rows, labels = problem["columns"], problem["rows"], np.array(problem["labels"])
    codes = np.array([[column["levels"].index(cell) for column, cell in zip(columns, row)] for row in rows])  # noqa: B905
    where = {tuple(code): index for index, code in enumerate(codes.tolist())}
    scale = np.maximum(codes.max(axis=0), 1)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    tried, answers = [], []
    for n in range(labels.shape[1]):
        trial = study.ask()
        code = []
        for column in columns:
            if column["kind"] == "number":
                code.append(trial.suggest_int(column["name"], 0, len(column["levels"]) - 1))
            else:
                code.append(column["levels"].index(trial.suggest_categorical(column["name"], column["levels"])))
        pick = where.get(tuple(code))
        if pick is None:  # a table of candidates: the nearest one
            pick = int(np.argmin((((codes - code) / scale) ** 2).sum(axis=1)))
        tried.append(pick)
        study.tell(trial, float(labels[pick, n]))
        if n + 1 in problem["at"]:
            answers.append(tried[study.best_trial.number])
    return {"tried": tried, "answers": answers}


answer(play)
