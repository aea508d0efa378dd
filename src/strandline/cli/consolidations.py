"""How far the tables of anomalies of a project have come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WATERMARK = "strandline.watermark"


@dataclass(frozen=True)
class ConsolidationStatus:
    """One table of anomalies after its last run; parents are not counted.

    The counts are None while the table is not built, the watermark also while no run has analysed
    anything.
    """

    name: str
    schema: str
    watermark: datetime | None
    active: int | None
    outdated: int | None
    ignored: int | None


def consolidations(spark: SparkSession, relations: Mapping[str, str]) -> list[ConsolidationStatus]:
    """Of each table (`schema.table` by the name of its model), by name."""
    return [_status(spark, name, relation) for name, relation in sorted(relations.items())]


def _status(spark: SparkSession, name: str, relation: str) -> ConsolidationStatus:
    schema, table = relation.split(".")
    of = f"`{schema}`.`{table}`"
    if not spark.catalog.tableExists(of):
        return ConsolidationStatus(name, schema, None, None, None, None)
    properties = {row.key: row.value for row in spark.sql(f"show tblproperties {of}").collect()}
    mark = properties.get(WATERMARK)
    counts = spark.sql(
        "select count_if(status not in ('outdated', 'ignored')) as active,"
        " count_if(status = 'outdated') as outdated, count_if(status = 'ignored') as ignored"
        f" from {of} where not is_parent"
    ).collect()[0]
    watermark = mark and datetime.fromisoformat(mark).replace(tzinfo=timezone.utc)
    return ConsolidationStatus(name, schema, watermark or None, *counts)
