"""The bound of `not_after`: events from the future are late rows, and move no clock."""

from __future__ import annotations

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.errors import DetectionError
from strandline.detection.sql import quoted
from strandline.detection.units import INTEGERS
from strandline.spark.errors import message_of


def future_of(definition: Definition) -> str:
    """The reason of an event that is later than it may be."""
    return f"from the future: {definition.ts} is after {definition.not_after}"


def is_ahead(definition: Definition) -> Column:
    """Whether an event is later than it may be. Without a bound, or if that is null, it is not."""
    if definition.not_after is None:
        return F.lit(False)
    return F.coalesce(F.col(quoted(definition.ts)) > F.expr(definition.not_after), F.lit(False))


def check_bound(events: DataFrame, definition: Definition) -> None:
    """Raise DetectionError if Spark rejects `not_after`, or if it has another type than `ts`."""
    if definition.not_after is None:
        return
    wanted = definition.time_type
    try:
        found = events.select(F.expr(definition.not_after)).dtypes
        kind = found[0][1] if len(found) == 1 else "several columns"
        if kind == wanted or {kind, wanted} <= set(INTEGERS):
            _ = events.withColumn("__ahead", is_ahead(definition)).schema  # it is no aggregate
            return
        fault = f", which is {kind.upper()}; make it {wanted.upper()}, as `{definition.ts}` is"
    except PySparkException as error:
        fault = f": {message_of(error).splitlines()[0]}"
    raise DetectionError(
        f"detect {definition.name!r}: `not_after` is {definition.not_after!r}{fault}"
    )
