"""The rows of a study: their columns, and the one order that they have."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sureshot.errors import SureshotError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "STOPPED", "in_order", "needs"]

#: The columns of a row and their types, in order. What each means: :class:`sureshot.lab.play.run.Rows`.
COLUMNS = {
    "study": "str",
    "world": "str",
    "policy": "str",
    "belief": "str",
    "run": "int32",  # from 1
    "n": "int32",  # the trial, from 1 to the budget
    "pick": "int64",
    "outcome": "int8",
    "oc": "float64",
    "oc_plugin": "float64",
    "successes": "int64",
    "regret": "float64",
    "predicted": "float64",
    "true": "float64",
    "max_kg": "float64",
    "found_best": "float64",
    "seconds": "float64",
}
#: A column that rows have if the study has stopping rules: those by which the run would end with this trial, each on a
#: line of its own; the last trial ends it for all that are left.
STOPPED = "stopped"


def in_order(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """All rows in the one order that depends on nothing else: by world, policy, belief, run and trial."""
    import pandas as pd

    order = ["world", "policy", "belief", "run", "n"]
    return pd.concat(tables, ignore_index=True).astype(COLUMNS).sort_values(order, kind="stable", ignore_index=True)


def needs(module: str) -> Any:
    """A library of the ``[lab]`` extra, or an error that says how to get it."""
    extra = "dask" if module.startswith("distributed") else "lab"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise SureshotError(
            f"the lab needs {module.partition('.')[0]} for this: pip install 'sureshot[{extra}]'."
        ) from error
