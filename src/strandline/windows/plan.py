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
    # mapInArrow reads a dot in a column's name as the field of a struct.
    names_of_rows = rows.columns
    plain = {name: _plain(place, name) for place, name in enumerate(names_of_rows)}
    rows = rows.toDF(*plain.values())
    schema = rows.schema
    written = {name.lower(): other for name, other in plain.items()}
    names = tuple(written.get(key.lower(), key) for key in rule.keys)
    keys = [quoted(name) for name in names]
    parts = rows.repartition(*keys) if keys else rows.repartition(1)
    ordered = parts.sortWithinPartitions(*keys, "__turn", "__sequence")  # nulls first
    # An expiry has no arrival, even if the query says that no arrival is null.
    entered = StructField("entered", _nullable(schema["entered"].dataType))
    fields = [entered if field.name == "entered" else field for field in schema.fields]
    added = [StructField("expelled", entered.dataType), StructField("exit", LongType())]
    fold = partial(fold_batches, rule=replace(rule, keys=names))
    done = ordered.mapInArrow(fold, StructType([*fields, *added]))
    return done.toDF(*names_of_rows, *(field.name for field in added))


def _plain(place: int, name: str) -> str:
    """A name without signs for a column of the user; the fold reads the others by their names."""
    is_own = name.startswith("__") or name in ("entered", "reason")
    return name if is_own else f"__column_{place}"


def _nullable(cycle: DataType) -> DataType:
    """A struct whose fields may be null."""
    assert isinstance(cycle, StructType)
    return StructType([StructField(field.name, field.dataType) for field in cycle.fields])
