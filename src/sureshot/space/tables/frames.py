"""Columns out of what a person holds a table in: a DataFrame, lists by name, rows; and the different cells of each.

A frame of pandas is read as it is, one of another library (polars, pyarrow) through Narwhals; and columns go back into
a frame of the library that they came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.errors import InvalidInput

__all__ = ["beside", "columns_of", "factorised", "frame_of", "is_frame", "is_other_frame", "order_of"]


def is_frame(data: object) -> bool:
    """Whether it is a DataFrame of pandas, without importing pandas to ask."""
    return hasattr(type(data), "columns") and hasattr(type(data), "iloc")


def is_other_frame(data: object) -> bool:
    """Whether it is a frame of another library than pandas, lazy ones too."""
    kind = type(data)  # a lazy frame would have to be looked through for the columns that it has
    return hasattr(kind, "columns") and not hasattr(kind, "iloc") and not isinstance(data, Mapping)


def _opened(frame: Any) -> Any:
    """A frame of another library as Narwhals sees it."""
    import narwhals as nw

    try:
        return nw.from_native(frame, eager_only=True)
    except TypeError as error:
        raise InvalidInput(
            f"a table must be a DataFrame that is at hand, got {type(frame).__module__}.{type(frame).__name__}",
            fix="collect a lazy frame, or convert it",
        ) from error


def frame_of(columns: Mapping[str, Any], like: object = None) -> Any:
    """Columns as a frame of the library that ``like`` is from; of pandas, where that is no frame."""
    if is_other_frame(like):
        import narwhals as nw

        values = {name: one.tolist() if isinstance(one, np.ndarray) else list(one) for name, one in columns.items()}
        return nw.from_dict(values, backend=_opened(like).implementation).to_native()
    import pandas as pd

    return pd.DataFrame(dict(columns))


def beside(frame: Any, columns: Mapping[str, Any]) -> Any:
    """A frame with more columns behind its own, and otherwise as it is."""
    if is_other_frame(frame):
        import narwhals as nw

        own = _opened(frame)
        more = nw.from_native(frame_of(columns, frame), eager_only=True)
        return nw.concat([own, more], how="horizontal").to_native()
    import pandas as pd

    return pd.concat([frame, pd.DataFrame(dict(columns), index=frame.index)], axis=1)


def columns_of(data: Any) -> tuple[list[object], list[Any]]:
    """The names of the columns, and the columns."""
    if is_frame(data):
        return list(data.columns), [data.iloc[:, i] for i in range(data.shape[1])]
    if is_other_frame(data):
        found = _opened(data)
        return list(found.columns), [found[name] for name in found.columns]
    if isinstance(data, Mapping):
        scalar = [_is_scalar(values) for values in data.values()]
        if all(scalar):
            return list(data), [[value] for value in data.values()]
        if any(scalar):
            name = list(data)[scalar.index(True)]
            raise InvalidInput(f"columns must all be lists, got {data[name]!r} for {name}", fix="put it in brackets")
        columns = [values if hasattr(values, "__len__") else list(values) for values in data.values()]
        lengths = {name: len(values) for name, values in zip(data, columns, strict=True)}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} {n}" for name, n in lengths.items())
            raise InvalidInput(f"columns must have one length, got {told}", fix="fill or cut them")
        return list(data), columns
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _rows_to_columns(data)
    raise InvalidInput(
        f"a table must be a DataFrame, a mapping of columns or a list of rows, got {type(data).__name__}",
        fix="convert it (give the frame itself, not the names of its columns)",
    )


def _rows_to_columns(rows: Sequence[Any]) -> tuple[list[object], list[Any]]:
    if not rows:
        raise InvalidInput("a table must have at least one row, got none", fix="add one")
    names: list[object] = []
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise InvalidInput("a row must be a mapping from column to value", got=row, place=f"row {i}")
        names = names if i else list(row)
        odd = set(row) ^ set(names)
        if odd:
            raise InvalidInput(
                f"rows must have the same columns, got {_named(row)} after {_named(names)}",
                fix=f"see {', '.join(sorted(map(str, odd)))}",
                place=f"row {i}",
            )
    return names, [[row[name] for row in rows] for name in names]


def _named(names: Iterable[object]) -> str:
    return ", ".join(map(str, names)) or "a row without any"


def factorised(values: Any) -> tuple[list[object], NDArray[Any]]:
    """The different cells of a column and, for each row, which one it holds; missing cells are cells too."""
    if hasattr(values, "to_native"):  # a column as Narwhals sees it
        values = values.to_list()
    if not isinstance(values, (list, tuple)):
        import pandas as pd

        try:
            codes, unique = pd.factorize(_objects(values), use_na_sentinel=False)
        except MemoryError:
            raise
        except Exception as error:  # a list, an array, a number that signals: each object raises what it likes
            raise InvalidInput(f"a cell must be one value, got a list or the like ({error})", fix="split it") from error
        if isinstance(unique, np.ndarray) and unique.dtype.kind in "iuf":
            return unique.tolist(), codes
        return [cell.item() if isinstance(cell, np.generic) else cell for cell in unique], codes
    index: dict[Any, int] = {}
    cells: list[object] = []
    codes = np.empty(len(values), dtype=np.int32)
    for i, cell in enumerate(values):
        bare = cell.item() if isinstance(cell, np.generic) else cell
        try:
            key = (type(bare), bare)  # True, 1 and 1.0 are different cells
            at = index.setdefault(key, len(cells))
        except TypeError:
            raise InvalidInput(
                "a cell must be one value", got=bare, fix="split it into columns", place=f"row {i}"
            ) from None
        if at == len(cells):
            cells.append(bare)
        codes[i] = at
    return cells, codes


def order_of(values: Any) -> tuple[str, ...]:
    """The order of the levels, when the frame was told one (a categorical of text in pandas, an enum in polars)."""
    categories = getattr(getattr(values, "dtype", None), "categories", None)
    names = () if categories is None else tuple(categories)
    return names if all(isinstance(name, str) for name in names) else ()


def _objects(values: Any) -> Any:
    """Booleans among numbers would be factorised as 1 and 0: tell them apart; anything else goes as it is."""
    array = getattr(values, "array", values)
    if str(getattr(values, "dtype", "")) == "object":
        flat = list(array)
        if {bool, float} & set(map(type, flat)) and len({type(v) for v in flat}) > 1:
            mixed = np.empty(len(flat), dtype=object)
            mixed[:] = [str(v) if isinstance(v, bool) else v for v in flat]
            return mixed
    return array


def _is_scalar(values: object) -> bool:
    if getattr(values, "ndim", 1) == 0:  # an array of one number
        return True
    return isinstance(values, (str, bytes)) or not (hasattr(values, "__iter__") or hasattr(values, "__len__"))
