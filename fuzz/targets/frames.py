"""Tables as programs hold them: frames, columns and rows, of values that no lab writes down. The bytes are a seed."""

from __future__ import annotations

import datetime
import decimal
import fractions
import random
from typing import Any


def target(data: bytes) -> None:
    """The alternatives of such a table."""
    from sureshot.space import Space

    rng = random.Random(data)
    space = Space.from_frame(_table(rng), duplicates=rng.choice(("merge", "refuse")), id=rng.choice((None, None, "a")))
    for i in (0, len(space) - 1):
        space.label(i)
        space.row(i)
    space.to_frame()


def _table(rng: random.Random) -> Any:
    width, length = rng.choice((0, 1, 1, 2, 2, 3, 5)), rng.choice((0, 1, 2, 3, 5))
    names = [_name(rng) for _ in range(width)]
    columns = [_column(rng, length) for _ in range(width)]
    plain = dict(zip(names, columns, strict=True))
    kind = rng.randrange(5)
    if kind == 0:
        return plain
    if kind == 1:
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    if kind == 2:
        return rng.choice((names, columns, {"a": _cell(rng)}, [_cell(rng)], _cell(rng), {_hashed(rng): [1, 2]}))
    try:
        return _pandas(rng, plain) if kind == 3 else _arrays(rng, names, columns)
    except Exception:  # the library can't make it: nobody can have it
        return plain


def _pandas(rng: random.Random, plain: dict[Any, list[Any]]) -> Any:
    import pandas as pd

    frame = pd.DataFrame({i: pd.Series(one, dtype=object) for i, one in enumerate(plain.values())})
    frame = frame.set_axis(list(plain), axis=1)
    return rng.choice(
        (
            lambda: frame,
            lambda: pd.DataFrame(plain),
            lambda: pd.concat([frame, frame], axis=1),
            lambda: frame.astype("category"),
            lambda: frame.infer_objects().convert_dtypes(),
            lambda: frame.set_axis(pd.MultiIndex.from_tuples([(name, 1) for name in frame.columns]), axis=1),
            lambda: frame.set_index(list(frame.columns)[:1]),
            lambda: frame.astype(
                rng.choice(("string", "complex128", "Int64", "datetime64[ns]", "float16", "Sparse[float]"))
            ),
        )
    )()


def _arrays(rng: random.Random, names: list[Any], columns: list[Any]) -> Any:
    """Arrays, and frames of polars from them: from what is odd itself polars ends the process."""
    import numpy as np
    import polars as pl

    if rng.random() < 0.3:
        return {name: np.array(one, dtype=object) for name, one in zip(names, columns, strict=True)}
    length = len(columns[0]) if columns else 2
    dtypes = ("b", "h", "i", "l", "e", "f", "d", "g", "F", "D", "S3", "U3", "m8[s]", "M8[s]", "?")
    typed = {name: np.arange(length).astype(rng.choice(dtypes)) for name in names}
    if rng.random() < 0.3:
        return typed
    texts = pl.Series([rng.choice(("Fe", None, "")) for _ in range(length)], dtype=pl.String)
    lists = pl.Series([[1], None, [2, 3], [], [4]][:length], dtype=pl.List(pl.Int64))
    frame = pl.DataFrame({str(name): one for name, one in typed.items()})
    return frame.with_columns(
        rng.choice((texts, texts.cast(pl.Categorical), lists, pl.Series([{"a": 1}] * length), pl.lit(None))).alias("x")
    )


def _column(rng: random.Random, length: int) -> list[Any]:
    kind = rng.randrange(4)
    one = _cell(rng)
    if kind == 0:
        return [_cell(rng) for _ in range(length)]
    if kind == 1:
        return [rng.choice((1, 2.5, 8, -0.0, 3)) for _ in range(length)]
    if kind == 2:
        return [rng.choice(("Fe", "Co", "100 C", "120 C", "1,5")) for _ in range(length)]
    return [one] * length


def _name(rng: random.Random) -> Any:
    if rng.random() < 0.6:
        return rng.choice(("a", "b", "power (W)", "Flow rate", "a"))
    return _hashed(rng)


def _hashed(rng: random.Random) -> Any:
    return rng.choice(
        (
            None,
            1,
            2.5,
            float("nan"),
            (),
            ("a", 1),
            b"a",
            "",
            " ",
            "\0",
            "\ud800",
            "x" * 10_000,
            "1",
            "lambda",
            "_a",
            "é",
            "\u202ea",
            "ﬁ",
            "𝒂",
            "a\nb",
            "`a`",
            "{a}",
            "%s",
            True,
            datetime.date(2026, 1, 1),
            frozenset("a"),
            "Intercept",
        )
    )


class _Odd:
    """A value that is like nothing else."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("nothing is like it")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "odd" * 5_000


def _cell(rng: random.Random) -> Any:
    import numpy as np
    import pandas as pd

    endless: list[Any] = []
    endless.append(endless)
    return rng.choice(
        (
            None,
            float("nan"),
            float("inf"),
            -float("inf"),
            1e308,
            -1e308,
            5e-324,
            10**400,
            -(10**20),
            2**63,
            True,
            False,
            1 + 2j,
            decimal.Decimal("NaN"),
            decimal.Decimal("sNaN"),
            decimal.Decimal("1.5"),
            decimal.Decimal("1e4000"),
            fractions.Fraction(1, 3),
            b"bytes",
            bytearray(b"a"),
            "",
            " ",
            "\0",
            "\ud800",
            "x" * 40_000,
            "9" * 5_000,
            "١٢٣",
            "½",
            "1_000",
            "0x10",
            "1e400",
            "131e999999999",
            "NA",
            "nan",
            "=1+1",
            "\x1b[2J",
            "a\nb",
            [1],
            (1, 2),
            {"a": 1},
            {1},
            endless,
            datetime.date(2026, 1, 1),
            datetime.datetime(2026, 1, 1),
            datetime.timedelta(1),
            pd.NaT,
            pd.NA,
            pd.Timestamp("2026-01-01"),
            pd.Interval(0, 1),
            np.float32(1.1),
            np.float16(6e4),
            np.longdouble("1e400"),
            np.int8(3),
            np.bool_(True),
            np.datetime64("NaT"),
            np.str_("Fe"),
            np.array([1, 2]),
            np.array(5),
            np.void(b"a"),
            _Odd(),
            _Odd,
            print,
            rng,
            "80 %",
            "1 °C",
            "5 µm",
            3,
            4.5,
            "Fe",
        )
    )
