"""The fold in Spark: the rows of each key in one task, in the order that the fold needs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql.types import LongType, StructField, StructType

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
    ordered = parts.sortWithinPartitions(*keys, "window_turn", "window_seq")  # nulls first
    cycle = schema["entered"].dataType
    fields = [
        StructField(field.name, field.dataType, nullable=True) if field.name == "entered" else field
        for field in schema.fields
    ]
    added = [StructField("expelled", cycle), StructField("exit", LongType())]
    fold = partial(fold_batches, rule=replace(rule, keys=names))
    return ordered.mapInArrow(fold, StructType([*fields, *added]))
