"""What a table has on disk, and whether two drivers have made the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.aggregation.check import same
from bench.rounds import assert_same_rows
from bench.scale_out.project import AGGREGATION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def described(spark: SparkSession, schema: str, model: str) -> dict[str, Any]:
    """Rows, live files and their bytes, partitions and the folder of a table."""
    table = f"{schema}.{model}"
    detail = spark.sql(f"describe detail {table}").first()
    columns = ", ".join(f"`{name}`" for name in detail["partitionColumns"])
    counted = f"count(distinct {columns})" if columns else "1"
    rows, partitions = spark.sql(f"select count(*), {counted} from {table}").first()
    return {
        "model": model, "rows": rows, "files": detail["numFiles"], "bytes": detail["sizeInBytes"],
        "partitions": partitions, "location": detail["location"],
    }  # fmt: skip


def compared(spark: SparkSession, model: str, one: str, other: str) -> int:
    """Compares all columns, both ways; sums of doubles of an aggregation to 1e-9. Gives the rows.

    Of a window and a correlation the rows that are no rows of theirs are left out: the identity of
    a build is in them.

    Raises:
        RuntimeError, DifferentTables: a row differs.
    """
    if model in AGGREGATION:
        return same(spark, one, other)
    only = " where row_kind = 'row'" if "row_kind" in spark.table(one).columns else ""
    queries = [f"select * from {table}{only}" for table in (one, other)]
    assert_same_rows(spark, model, *queries)
    return spark.sql(queries[0]).count()
