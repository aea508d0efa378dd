"""The columns of a Parquet file, against the schema and what Spark would change silently."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
from pyspark.errors import PySparkException
from pyspark.sql import types as T
from pyspark.sql.pandas.types import from_arrow_schema

from strandline.landing.formats import FileFormat
from strandline.landing.tables import differences, stored


def check_parquet(path: Path, schema: T.StructType, fmt: FileFormat) -> tuple[list[str], list[str]]:
    """What is wrong with a file's columns, and those that the schema lacks and that are left out.

    Raises:
        pa.ArrowInvalid, OSError: it is not a whole Parquet file.
    """
    with pq.ParquetFile(path) as file:
        try:
            given = from_arrow_schema(file.schema_arrow, prefer_timestamp_ntz=True)
        except PySparkException as error:
            return [f"it has a type that Spark does not know: {error}"], []
        faults = [*_names_given_twice(given.names), *_nanoseconds(file.schema)]
    expected = f"given {', '.join(given.names)}; expected {', '.join(schema.names)}"
    others: list[str] = []
    if fmt.unknown == "ignore":
        wanted = {name.lower() for name in schema.names}
        others = [name for name in given.names if name.lower() not in wanted]
        given = T.StructType([field for field in given if field.name not in others])
    faults = faults or [f"{fault}; {expected}" for fault in differences(stored(schema), given)]
    return faults, others


def _names_given_twice(names: list[str]) -> Iterator[str]:
    """Spark would read one of the columns, and not say which."""
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"column {name} is in the file twice; write it once"


def _nanoseconds(schema: pq.ParquetSchema) -> Iterator[str]:
    """Times that a TIMESTAMP cannot hold; lists and structs are searched as well."""
    for column in (schema.column(number) for number in range(len(schema.names))):
        # The old INT96 counts nanoseconds in any case, and does not say whether it is an instant.
        unit = json.loads(column.logical_type.to_json()).get("timeUnit")
        if column.physical_type == "INT96" or unit == "nanoseconds":
            yield (
                f"column {column.path} has times in nanoseconds; write microseconds "
                "(in Spark: spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS)"
            )
