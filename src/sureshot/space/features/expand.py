"""From a checked formula to its columns: each a product of parts of blocks. The algebra is formulaic's.

Formulaic is given text that :mod:`sureshot.space.language.formula` made (``v0 * c1``), a handful of made-up rows
under the placeholders' names, and an empty context. Its column names say which parts are multiplied: ``v0:c1[T.L2]``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.space.features.blocks import TrainedBlock
from sureshot.space.language.formula import MAX_FEATURES, Parsed

__all__ = ["Product", "centring_keeps_span", "expand"]

#: The parts of one feature: (block, part, reduced), empty for the intercept.
Product = tuple[tuple[int, int, bool], ...]

_PLAIN = re.compile(r"^v(\d+)$")
_POLY = re.compile(r"^poly\(v(\d+), \d+\)\[(\d+)\]$")
_LEVEL = re.compile(r"^c(\d+)\[(T\.)?L(\d+)\]$")


def expand(parsed: Parsed) -> tuple[Product, ...]:
    """The features of a formula in order, without redundant ones (full rank, as in R)."""
    import pandas as pd
    from formulaic.materializers import PandasMaterializer

    n = max([32, *(block.width for block in parsed.blocks)])
    rng = np.random.default_rng(0)
    data: dict[str, object] = {"row": np.arange(n)}
    for i, block in enumerate(parsed.blocks):
        if block.kind == "levels":
            levels = [f"L{k}" for k in range(block.width)]
            data[f"c{i}"] = pd.Categorical([levels[row % block.width] for row in range(n)], categories=levels)
        else:
            data[f"v{i}"] = rng.standard_normal(n)
    materializer = PandasMaterializer(pd.DataFrame(data), context={})
    matrix = materializer.get_model_matrix(parsed.expansion, output="numpy")
    products = tuple(_product(name) for name in matrix.model_spec.column_names)
    if len(products) > MAX_FEATURES:
        raise InvalidInput(
            f"a formula must become at most {MAX_FEATURES:,} features, got {len(products):,} for {parsed.text!r}",
            fix="use fewer interactions",
        )
    if not products:
        raise InvalidInput(
            f"a formula must become at least one feature, got none for {parsed.text!r}", fix="add a term"
        )
    return products


def centring_keeps_span(products: Sequence[Product], blocks: Sequence[TrainedBlock]) -> tuple[bool, ...]:
    """For each feature, whether its numbers may be centred before they are multiplied without changing the model.

    They may when the lower-order terms are there to take up the difference: in a * b, not in a:b alone. Tried on
    made-up rows: is the product of centred numbers a linear combination of the features as they are?
    """
    rng = np.random.default_rng(0)
    n = 4 * len(products) + 32
    parts = [
        np.eye(block.width)[rng.integers(block.width, size=n)]
        if block.kind == "levels"
        else rng.standard_normal((n, block.width))
        for block in blocks
    ]
    shifted = [part if block.kind == "levels" else part - 1.7 for part, block in zip(parts, blocks, strict=True)]
    plain = np.column_stack([_multiply(product, parts, n) for product in products])
    centred = np.column_stack([_multiply(product, shifted, n) for product in products])
    weights = np.linalg.lstsq(plain, centred, rcond=None)[0]
    return tuple(bool(np.abs(r).max() < 1e-8) for r in (plain @ weights - centred).T)


def _multiply(product: Product, parts: Sequence[Array], n: int) -> Array:
    out = np.ones(n)
    for block, part, _ in product:
        out = out * parts[block][:, part]
    return out


def _product(name: str) -> Product:
    return () if name == "Intercept" else tuple(_part(factor) for factor in name.split(":"))


def _part(factor: str) -> tuple[int, int, bool]:
    if found := _PLAIN.match(factor):
        return int(found[1]), 0, False
    if found := _POLY.match(factor):
        return int(found[1]), int(found[2]) - 1, False
    if found := _LEVEL.match(factor):
        return int(found[1]), int(found[3]), bool(found[2])
    raise AssertionError(f"formulaic named a column {factor!r}, which no placeholder makes")
