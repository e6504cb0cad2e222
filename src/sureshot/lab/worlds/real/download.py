"""The seven UCI tables from OpenML into a folder: when somebody says so, and never otherwise.

Each is checked as it is when a world reads it, and written as the files that ``SURESHOT_DATA`` names. UCI distributes
them under CC BY 4.0.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sureshot.errors import InvalidInput, StorageError
from sureshot.files import csv_text, write_whole
from sureshot.lab.worlds.real.uci import UCI
from sureshot.lab.worlds.real.uci_data import OUTCOME, Facts, checked, from_folder

__all__ = ["TABLES", "download_tables"]

#: What there is to download.
TABLES: tuple[Facts, ...] = tuple(world.facts for world in UCI)

Progress = Callable[[Facts, bool], None]


def download_tables(
    folder: str | os.PathLike[str], *, tables: Sequence[Facts] = TABLES, progress: Progress | None = None
) -> tuple[Path, ...]:
    """Download the tables that a folder lacks from OpenML, 0.4 MB in all. Set ``SURESHOT_DATA`` to it afterwards.

    A file that is there is checked and stays as it is.

    :param progress: told each table, and whether it had to be downloaded.
    """
    to = Path(folder)
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{to} can't be made ({error.strerror}): choose another folder.") from error
    made = []
    for facts in tables:
        path = to / facts.file
        lacking = not os.path.lexists(path)
        if lacking:
            rows, classes = checked(_fetched(facts), facts, f"OpenML data set {facts.openml}")
            columns = dict(zip(facts.columns, rows.T.tolist(), strict=True)) | {OUTCOME: classes.tolist()}
            write_whole(path, csv_text(columns).encode())
        from_folder(facts, to)
        made.append(path)
        if progress is not None:
            progress(facts, lacking)
    return tuple(made)


def _fetched(facts: Facts) -> Any:
    """A table as OpenML has it."""
    try:
        from sklearn.datasets import fetch_openml
    except ImportError as error:
        raise InvalidInput(
            f"scikit-learn is needed to download {facts.file} from OpenML", fix="pip install 'sureshot[lab]'"
        ) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on retries and on other versions: the content is checked
            # not parser="auto": scikit-learn 1.9 with pandas 3 stumbles there over classes that are called 1 and 2
            return fetch_openml(
                data_id=facts.openml, target_column=None, as_frame=True, parser="liac-arff", n_retries=2, cache=False
            ).frame
    except (OSError, ValueError, LookupError) as error:
        raise StorageError(
            f"{facts.file} can't be downloaded from OpenML (data set {facts.openml}; {type(error).__name__}: {error})",
            fix="try again later: what is downloaded stays",
        ) from error
