"""The fold in Spark."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql.types import DoubleType, StructField, StructType

from strandline.seasons.fold import fold_batches
from strandline.seasons.rule import Rule

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def smoothed(rows: DataFrame, rule: Rule) -> DataFrame:
    """The buckets with `state`, `expected` and `deviation`: see `fold` for what it reads.

    Args:
        rows: those of a series are in one partition, adjacent and in order. Names of columns have
            no dots: mapInArrow reads a dot as the field of a struct.
    """
    added = [StructField(name, DoubleType()) for name in ("expected", "deviation")]
    schema = StructType([*rows.schema.fields, *added])
    return rows.mapInArrow(partial(fold_batches, rule=rule), schema)
