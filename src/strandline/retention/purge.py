"""The purge of one aggregation, after all its tables were checked (see `plan.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from strandline.connection import properties_of
from strandline.retention.aggregations import Aggregation, instant
from strandline.retention.plan import Purged, refuse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PURGED_BEFORE = "strandline.purged_before"
UPSTREAM_PURGED_BEFORE = "strandline.upstream_purged_before"


def purge(spark: SparkSession, aggregation: Aggregation, plans: Iterable[Purged]) -> list[Purged]:
    """Remove what was planned. After a kill it can be repeated."""
    return [_purge(spark, aggregation, planned) for planned in plans]


def _purge(spark: SparkSession, aggregation: Aggregation, planned: Purged) -> Purged:
    """The horizon is stored before the rows are deleted: after a kill between, it covers too much.

    In the other order a run could recompute a bucket of the roll-up from the rows that are left.
    """
    if planned.horizon is None or not planned.removed:
        return planned
    properties = {planned.table.relation: PURGED_BEFORE}
    rollup = aggregation.rollup_of(planned.table)
    if rollup is not None:
        properties[rollup.relation] = UPSTREAM_PURGED_BEFORE
    if aggregation.late is not None and planned.table == aggregation.tables[0]:
        properties[aggregation.late] = PURGED_BEFORE
    for relation, name in properties.items():
        _advance(spark, relation, name, instant(planned.horizon))
    query = f"delete from {planned.table.relation} where {planned.condition}"
    removed = spark.sql(query).collect()[0]["num_affected_rows"]
    _refuse_rebuilt(spark, aggregation, planned)
    return replace(planned, removed=removed, left=planned.left + planned.removed - removed)


def _refuse_rebuilt(spark: SparkSession, aggregation: Aggregation, planned: Purged) -> None:
    """A table that was rebuilt meanwhile has no horizon, and its roll-up may need the rows."""
    assert planned.horizon is not None
    table, horizon = planned.table, instant(planned.horizon)
    if properties_of(spark, table.relation).get(PURGED_BEFORE, "") < horizon:
        _advance(spark, table.relation, PURGED_BEFORE, horizon)
        base = aggregation.tables[0].name.rpartition(".")[2]
        fault = f"{table.name} was rebuilt by another run while it was purged; rebuild it again"
        refuse(aggregation, [f"{fault}: `dbt build --full-refresh --select {base}+`"])


def _advance(spark: SparkSession, relation: str, name: str, value: str) -> None:
    """Set a table property that never decreases."""
    if not spark.catalog.tableExists(relation):
        return
    if properties_of(spark, relation).get(name, "") < value:
        spark.sql(f"alter table {relation} set tblproperties ('{name}' = '{value}')")
