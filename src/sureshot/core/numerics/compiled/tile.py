"""Numba intrinsics: register-tiled products in float64 and float32, and a maximum and a scaling that LLVM vectorises.

Numba's own ``max`` (or ``if``) carries no fast-math flags on its ``select``, so LLVM leaves a running maximum scalar;
and BLAS loses 30-50 % on products as thin as ours, and starts threads for them. A few lines of IR cure both.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

ROWS = 4  # rows of the left factor in one tile
WIDTH = 8  # float64 columns in one panel: two AVX2 registers; other machines split or join, the result is the same
WIDTH32 = 16  # float32 columns

MAGIC = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to a whole number, found in the low bits

_FLAGS = ("nnan", "nsz")
_CONTRACT = ("contract",)


def _larger(context, builder, signature, args):
    above = builder.fcmp_ordered(">", *args, flags=_FLAGS)
    return builder.select(above, *args, flags=_FLAGS)


@intrinsic
def larger(typingctx, x, y):
    """The larger of two float64, neither a NaN; a loop over it becomes ``vmaxpd``."""
    return types.float64(types.float64, types.float64), _larger


@intrinsic
def larger32(typingctx, x, y):
    """The same for float32."""
    return types.float32(types.float32, types.float32), _larger


@intrinsic
def times_two_to(typingctx, value, shifted):
    """``value * 2^n`` for ``shifted = MAGIC + n``, both float64, by adding to the exponent's bits."""

    def codegen(context, builder, signature, args):
        bits = ir.IntType(64)
        n = builder.shl(builder.bitcast(args[1], bits), ir.Constant(bits, 52))
        return builder.bitcast(builder.add(builder.bitcast(args[0], bits), n), ir.DoubleType())

    return types.float64(types.float64, types.float64), codegen


def _tiled(element: Any, size: int, width: int) -> Any:
    """The code of a tile whose elements take ``size`` bytes, two registers of 32 bytes wide."""
    lanes = 32 // size

    def codegen(context, builder, signature, args):
        left, depth, panel, out, out_stride = args
        index = depth.type
        vector = ir.VectorType(element, lanes)
        undefined = ir.Constant(vector, ir.Undefined)
        lane0 = ir.Constant(ir.IntType(32), 0)
        spread = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
        left, panel, out = (builder.inttoptr(p, element.as_pointer()) for p in (left, panel, out))

        def at(base, offset, kind=element):
            return builder.bitcast(builder.gep(base, [offset]), kind.as_pointer())

        def plus(value, number):
            return builder.add(value, ir.Constant(index, number))

        def times(value, number):
            return builder.mul(value, ir.Constant(index, number))

        cells = [(r, v) for r in range(ROWS) for v in range(0, width, lanes)]
        zero = ir.Constant(vector, [0.0] * lanes)
        sums = {cell: cgutils.alloca_once_value(builder, zero) for cell in cells}
        for cell in cells:
            builder.store(zero, sums[cell])
        with cgutils.for_range(builder, depth) as loop:
            start = times(loop.index, width)
            columns = {v: builder.load(at(panel, plus(start, v), vector), align=size) for v in range(0, width, lanes)}
            for r in range(ROWS):
                scalar = builder.load(at(left, builder.add(times(depth, r), loop.index)))
                scalar = builder.insert_element(undefined, scalar, lane0)
                factor = builder.shuffle_vector(scalar, undefined, spread)
                for v in range(0, width, lanes):
                    term = builder.fmul(factor, columns[v], flags=_CONTRACT)
                    total = builder.fadd(builder.load(sums[r, v]), term, flags=_CONTRACT)
                    builder.store(total, sums[r, v])
        for r, v in cells:
            place = at(out, plus(times(out_stride, r), v), vector)
            builder.store(builder.load(sums[r, v]), place, align=size)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 5), codegen


@intrinsic
def tile(typingctx, left, depth, panel, out, out_stride):
    """``out[r, :WIDTH] = left[r, :depth] @ panel[:depth, :WIDTH]`` for ROWS rows of float64.

    ``left`` is (ROWS, depth), ``panel`` (depth, WIDTH), both C-contiguous; ``left``, ``panel`` and ``out`` are
    addresses (``array.ctypes.data`` plus bytes), ``out_stride`` counts elements. Each sum runs over k in order with one
    fused multiply-add a term, so a pair's bits depend on nothing but its two vectors.
    """
    return _tiled(ir.DoubleType(), 8, WIDTH)


@intrinsic
def tile32(typingctx, left, depth, panel, out, out_stride):
    """The same for float32 and WIDTH32 columns."""
    return _tiled(ir.FloatType(), 4, WIDTH32)
