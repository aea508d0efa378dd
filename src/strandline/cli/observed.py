"""The state of tables, engines of detection and tables of anomalies, read from the tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from strandline.connection import properties_of, types_of
from strandline.delta_log import location_in, newest_commit
from strandline.literals import instant_of, name_sql, text_sql
from strandline.retention.width import stored_width

if TYPE_CHECKING:
    from strandline.connection import Connection


@dataclass(frozen=True)
class TableStatus:
    """One stored table; all but name and schema are None while it is not built.

    Attributes:
        name: of its model or snapshot.
        schema: where it is.
        rows: how many it has.
        watermark: the greatest arrival that it has read, as text; None if it has none.
        written_at: when its newest commit was made, UTC; None if its log cannot be read from here.
        partition: the calendar unit by which it is partitioned; None if it does not store one.
    """

    name: str
    schema: str
    rows: int | None
    watermark: str | None
    written_at: datetime | None
    partition: str | None = None


def table_statuses(spark: Connection, relations: Mapping[str, str]) -> list[TableStatus]:
    """Of each table (`schema.table` by the name of its model), by name."""
    from strandline.cli.tables import information_of, row_counts

    shown = information_of(spark, relations.values())
    there = {name: relation for name, relation in relations.items() if relation.lower() in shown}
    rows = row_counts(spark, list(there.values()))
    watermarks = _watermarks(spark, list(there.values()))
    return [
        TableStatus(
            name,
            relation.partition(".")[0],
            rows.get(relation),
            watermarks.get(relation),
            _written_at(location_in(shown.get(relation.lower()))),
            _width_of(spark, relation) if relation in rows else None,
        )
        for name, relation in sorted(relations.items())
    ]


def _watermarks(spark: Connection, relations: list[str]) -> dict[str, str]:
    """Of tables with an arrival in each row, and of windows, which keep it in their clock."""
    queries = []
    for relation in relations:
        columns = spark.table(relation).columns
        if "agg_arrival" in columns:
            read = f"string(max(agg_arrival)) as watermark from {relation}"
        elif "window_progress" in columns:
            read = (
                f"string(window_progress.arrival) as watermark from {relation}"
                " where window_part = 'open' and row_kind = 'clock'"
            )
        else:
            continue
        queries.append(f"select {text_sql(relation)} as name, {read}")
    found = spark.sql(" union all ".join(queries)).collect() if queries else []
    return {row["name"]: row["watermark"] for row in found if row["watermark"] is not None}


def _width_of(spark: Connection, relation: str) -> str | None:
    """The width of the partitions of a table of buckets, if it stores one."""
    if "agg_partition" not in spark.table(relation).columns:
        return None
    return stored_width(properties_of(spark, relation))


def _written_at(location: str | None) -> datetime | None:
    commit = newest_commit(location) if location else None
    return commit.written_at if commit else None


LANDINGS = "_landings"
# Columns by which a table is known as the record of a landing.
LANDING_COLUMNS = {"batch", "part", "landed", "arrival", "noted_at"}


@dataclass(frozen=True)
class LandingStatus:
    """What has landed in a table, from `<table>_landings`.

    Attributes:
        name: schema.table of the events.
        source: the folder, topic or table of the newest batch.
        parts: how many files, or ranges of offsets or versions.
        rows, quarantined: how many rows of them are events, and how many were faulty.
        arrival: the last number.
        landed_at: when the newest batch was noted, UTC.
    """

    name: str
    source: str
    parts: int
    rows: int
    quarantined: int
    arrival: int
    landed_at: datetime


def landings(spark: Connection, sources: Iterable[str]) -> list[LandingStatus]:
    """Of each of these tables (`schema.table`) that is written by `strandline land`, by name."""
    from strandline.cli.tables import information_of

    names = sorted(sources)
    shown = information_of(spark, names)
    queries = [
        f"select {text_sql(name)} as name, max_by(source, batch) as source, count(*) as parts,"
        " coalesce(sum(landed), 0) as rows, coalesce(sum(quarantined), 0) as quarantined,"
        f" max(arrival) as arrival, unix_micros(max(noted_at)) as landed_at from {name}{LANDINGS}"
        " having count(*) > 0"
        for name in names
        if f"{name}{LANDINGS}".lower() in shown
        and {*spark.table(f"{name}{LANDINGS}").columns} >= LANDING_COLUMNS
    ]
    found = spark.sql(" union all ".join(queries)).collect() if queries else []
    statuses = [
        LandingStatus(**{**row.asDict(), "landed_at": instant_of(row["landed_at"])})
        for row in found
    ]
    return sorted(statuses, key=lambda each: each.name)


STATE = "_state"
# Fields of the struct `engine`, by which a table is known as the state of one.
ENGINE_FIELDS = {"build", "until", "meaning", "consumed_at"}
# Columns of the view that are passed on unchanged.
STATUS_COLUMNS = (
    "user", "status", "last_error", "groups", "rows", "metric_count", "metrics", "last_arrival",
    "garbage_size", "rows_kept",
)  # fmt: skip


@dataclass(frozen=True)
class EngineStatus:
    """One engine at its last commit, from its view `<name>_status`.

    All but name, schema and bytes_held are None while there is no such view: the first run has not
    ended. groups is also None when no row of any is kept.
    """

    name: str
    schema: str
    user: str | None
    status: str | None
    last_error: str | None
    groups: int | None
    rows: int | None
    metric_count: int | None
    metrics: list[str] | None
    last_arrival: int | None
    consumed_at: datetime | None
    garbage_size: int | None
    rows_kept: int | None
    bytes_held: int


def engines(spark: Connection, schemas: Iterable[str]) -> list[EngineStatus]:
    """Every engine of these schemas, by schema and name."""
    return [
        _engine(spark, schema, name)
        for schema in sorted(set(schemas))
        if spark.catalog.databaseExists(schema)
        for name in _names(spark, schema)
    ]


def _names(spark: Connection, schema: str) -> Iterator[str]:
    """Engines have known columns in their state: another model may end in _state, too."""
    for row in spark.sql(f"show tables in `{schema}` like '*{STATE}'").collect():
        name = row["tableName"]
        if not row["isTemporary"] and _has_engine(spark, _of(schema, name)):
            yield name.removesuffix(STATE)


def _has_engine(spark: Connection, table: str) -> bool:
    if not types_of(spark, f"select * from {table}").get("engine", "").startswith("struct<"):
        return False
    return types_of(spark, f"select engine.* from {table}").keys() >= ENGINE_FIELDS


def _engine(spark: Connection, schema: str, name: str) -> EngineStatus:
    [detail] = spark.sql(f"describe detail {_of(schema, name + STATE)}").collect()
    view = _of(schema, f"{name}_status")
    shown: dict[str, Any] = {}
    if spark.catalog.tableExists(view):
        columns = [name_sql(each) for each in STATUS_COLUMNS if each != "metrics"]
        columns += ["unix_micros(consumed_at) as consumed_at", "to_json(metrics) as metrics"]
        [row] = spark.sql(f"select {', '.join(columns)} from {view}").collect()
        shown = row.asDict()
        shown["metrics"] = json.loads(shown["metrics"]) if shown["metrics"] else None
    at = shown.pop("consumed_at", None)
    return EngineStatus(
        name=name,
        schema=schema,
        **{column: shown.get(column) for column in STATUS_COLUMNS},
        consumed_at=None if at is None else instant_of(at),
        bytes_held=detail["sizeInBytes"],
    )


def _of(schema: str, table: str) -> str:
    return f"`{schema}`.`{table}`"


WATERMARK_PROPERTY = "strandline.watermark"


@dataclass(frozen=True)
class ConsolidationStatus:
    """One table of anomalies after its last run; parents are not counted.

    The counts are None while the table is not built, the watermark also while no run has analysed
    anything. `severities` are the active ones by severity; one that has none is "".
    """

    name: str
    schema: str
    watermark: datetime | None
    active: int | None
    outdated: int | None
    ignored: int | None
    severities: dict[str, int] | None = None


def consolidations(spark: Connection, relations: Mapping[str, str]) -> list[ConsolidationStatus]:
    """Of each table (`schema.table` by the name of its model), by name."""
    return [_consolidation(spark, name, relation) for name, relation in sorted(relations.items())]


def _consolidation(spark: Connection, name: str, relation: str) -> ConsolidationStatus:
    schema, table = relation.split(".")
    of = f"`{schema}`.`{table}`"
    if not spark.catalog.tableExists(of):
        return ConsolidationStatus(name, schema, None, None, None, None)
    stored = properties_of(spark, of).get(WATERMARK_PROPERTY)
    counts = spark.sql(
        "select coalesce(severity, '') as severity,"
        " count_if(status not in ('outdated', 'ignored')) as active,"
        " count_if(status = 'outdated') as outdated, count_if(status = 'ignored') as ignored"
        f" from {of} where not is_parent group by 1 order by 1"
    ).collect()
    at = datetime.fromisoformat(stored).replace(tzinfo=timezone.utc) if stored else None
    return ConsolidationStatus(
        name,
        schema,
        at,
        active=sum(row["active"] for row in counts),
        outdated=sum(row["outdated"] for row in counts),
        ignored=sum(row["ignored"] for row in counts),
        severities={row["severity"]: row["active"] for row in counts},
    )


Status = LandingStatus | TableStatus | EngineStatus | ConsolidationStatus
