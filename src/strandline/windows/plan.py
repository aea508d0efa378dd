"""The fold in Spark: the rows of each key in one task, in the order that the fold needs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql.types import DataType, LongType, StructField, StructType

from strandline.detection.sql import quoted
from strandline.windows.fold import fold_batches
from strandline.windows.rule import Rule

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def folded(rows: DataFrame, rule: Rule) -> DataFrame:
    """The rows with `entered`, `expelled` and `exit`: see `fold` for the columns that it reads.

    A window without keys is computed by one task.
    """
    schema = rows.schema
    written = {name.lower(): name for name in schema.names}
    names = tuple(written.get(key.lower(), key) for key in rule.keys)
    keys = [quoted(name) for name in names]
    parts = rows.repartition(*keys) if keys else rows.repartition(1)
    ordered = parts.sortWithinPartitions(*keys, "__turn", "__sequence")  # nulls first
    # An expiry has no arrival, even if the query says that no arrival is null.
    entered = StructField("entered", _nullable(schema["entered"].dataType))
    fields = [entered if field.name == "entered" else field for field in schema.fields]
    added = [StructField("expelled", entered.dataType), StructField("exit", LongType())]
    fold = partial(fold_batches, rule=replace(rule, keys=names))
    return ordered.mapInArrow(fold, StructType([*fields, *added]))


def _nullable(cycle: DataType) -> DataType:
    """A struct whose fields may be null."""
    assert isinstance(cycle, StructType)
    return StructType([StructField(field.name, field.dataType) for field in cycle.fields])
