"""Arrow columns as the fold reads them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def integers(column: pa.Array) -> Integers:
    """A column of whole numbers; null is 0."""
    filled = column.cast(pa.int64()).fill_null(0)
    return cast(Integers, filled.to_numpy(zero_copy_only=False))


def flags(column: pa.Array) -> Flags:
    """A column of booleans, which has no null."""
    return cast(Flags, column.to_numpy(zero_copy_only=False))


def sortable(column: pa.Array) -> list[Any]:
    """Python values that compare as Spark orders the column: NaN is the greatest number.

    Texts need no change: Python orders them by code points, Spark by the bytes of UTF-8, which is
    the same order.

    Raises:
        ValueError: a value is null.
    """
    if column.null_count:
        raise ValueError("a row without a value is not ranked: leave it out before the fold")
    kind = column.type
    if pa.types.is_floating(kind):
        return [*_ordinals(column).tolist()]
    if pa.types.is_date32(kind):
        column = column.cast(pa.int32())
    if (
        pa.types.is_integer(column.type)
        or pa.types.is_timestamp(kind)
        or pa.types.is_duration(kind)
    ):
        return [*integers(column).tolist()]
    return cast("list[Any]", column.to_pylist())


def _ordinals(column: pa.Array) -> Integers:
    """Whole numbers in the order of floats; both zeros are one, NaN is one and the greatest."""
    filled = column.cast(pa.float64()).fill_null(0)
    values: npt.NDArray[np.float64] = filled.to_numpy(zero_copy_only=False) + 0.0  # no -0.0
    values[np.isnan(values)] = np.nan
    bits = values.view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def changes(column: pa.Array) -> Flags:
    """Whether each value but the first differs from the one before it. Null equals null."""
    if pa.types.is_nested(column.type) or pa.types.is_null(column.type):
        values = column.to_pylist()
        return np.array([a != b for a, b in zip(values[1:], values, strict=False)], dtype=bool)
    is_null = flags(column.is_null())
    if pa.types.is_floating(column.type):
        column = pa.array(_ordinals(column), mask=is_null)
    unequal = flags(pc.not_equal(column[1:], column[:-1]).fill_null(True))
    return unequal & ~(is_null[1:] & is_null[:-1])


def entered_orders(entered: pa.Array) -> list[tuple[int, int, list[int]]]:
    """What orders the cycles of `entered`, as Spark orders such structs; none of them is null."""
    arrivals = entered.field("arrival")
    # Null comes first.
    numbers = np.where(flags(arrivals.is_valid()), integers(arrivals), np.iinfo(np.int64).min)
    ats = integers(entered.field("at")).tolist()
    steps = entered.field("step").to_pylist()
    return list(zip(ats, numbers.tolist(), steps, strict=True))
