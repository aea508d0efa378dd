"""The status of a project as metrics of Prometheus, for the textfile collector of node exporter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from strandline.cli.last_run import last_run
from strandline.cli.observed import (
    ConsolidationStatus,
    EngineStatus,
    LandingStatus,
    Status,
    TableStatus,
)

if TYPE_CHECKING:
    from strandline.cli.tables import Unusable

# The commands of dbt whose results are those of a run.


def write_metrics(
    file: Path, found: Sequence[Status], rejected: Sequence[Unusable], project: Path, now: datetime
) -> None:
    """Writes the file in one step: a collector that reads meanwhile has the old one or the new one.

    Raises OSError.
    """
    registry = CollectorRegistry()
    for metrics in (
        _landings([each for each in found if isinstance(each, LandingStatus)]),
        _tables([each for each in found if isinstance(each, TableStatus)]),
        _engines([each for each in found if isinstance(each, EngineStatus)]),
        _anomalies([each for each in found if isinstance(each, ConsolidationStatus)]),
        _unusable(rejected),
        _last_run(project),
        [_gauge("status_timestamp_seconds", "When these metrics were written.", {(): now})],
    ):
        for metric in metrics:
            registry.register(metric)
    write_to_textfile(str(file), registry)


def _gauge(
    name: str,
    help_text: str,
    values: dict[tuple[str, ...], float | int | datetime | None],
    labels: Sequence[str] = (),
) -> Gauge:
    """A metric with its values by their labels; without those that are not known."""
    metric = Gauge(f"strandline_{name}", help_text, labels, registry=None)
    for given, value in values.items():
        if value is not None:
            number = value.timestamp() if isinstance(value, datetime) else float(value)
            (metric.labels(*given) if labels else metric).set(number)
    return metric


def _landings(found: Sequence[LandingStatus]) -> list[Gauge]:
    of = ["table"]
    return [
        _gauge("landed_rows", "Rows that have landed in a table of events.",
               {(each.name,): each.rows for each in found}, of),
        _gauge("quarantined_rows", "Rows that a landing could not use.",
               {(each.name,): each.quarantined for each in found}, of),
        _gauge("landed_timestamp_seconds", "When the newest batch landed.",
               {(each.name,): each.landed_at for each in found}, of),
    ]  # fmt: skip


def _tables(found: Sequence[TableStatus]) -> list[Gauge]:
    of = ["table", "schema"]
    named = {(each.name, each.schema): each for each in found}
    return [
        _gauge("table_rows", "Rows of a stored model.",
               {labels: each.rows for labels, each in named.items()}, of),
        _gauge("table_watermark", "The greatest arrival that a stored model has read.",
               {labels: _whole(each.watermark) for labels, each in named.items()}, of),
        _gauge("table_written_timestamp_seconds", "When a stored model was last written.",
               {labels: each.written_at for labels, each in named.items()}, of),
    ]  # fmt: skip


def _whole(watermark: str | None) -> int | None:
    return int(watermark) if watermark and watermark.lstrip("-").isdigit() else None


def _engines(found: Sequence[EngineStatus]) -> list[Gauge]:
    of = ["engine", "schema"]
    named = {(each.name, each.schema): each for each in found}
    return [
        _gauge("engine_up", "1 if the last run of an engine of detection had no error, else 0.",
               {labels: int(each.status == "OK") for labels, each in named.items()}, of),
        _gauge("engine_rows", "Rows that an engine has read.",
               {labels: each.rows for labels, each in named.items()}, of),
        _gauge("engine_consumed_timestamp_seconds", "When an engine last read rows.",
               {labels: each.consumed_at for labels, each in named.items()}, of),
    ]  # fmt: skip


def _anomalies(found: Sequence[ConsolidationStatus]) -> list[Gauge]:
    of = ["table", "schema"]
    named = {(each.name, each.schema): each for each in found}
    return [
        _gauge("anomalies_active", "Active anomalies; parents are not counted.",
               {(*labels, severity): count for labels, each in named.items()
                for severity, count in (each.severities or {}).items()}, [*of, "severity"]),
        _gauge("anomalies_outdated", "Anomalies that are no longer found.",
               {labels: each.outdated for labels, each in named.items()}, of),
        _gauge("anomalies_ignored", "Anomalies that are in an ignored range.",
               {labels: each.ignored for labels, each in named.items()}, of),
        _gauge("anomalies_watermark_timestamp_seconds", "Up to where scheduled runs have analysed.",
               {labels: each.watermark for labels, each in named.items()}, of),
    ]  # fmt: skip


def _unusable(rejected: Sequence[Unusable]) -> list[Gauge]:
    counts: dict[tuple[str, ...], float | int | datetime | None] = {
        (each.table, each.column): each.rows for each in rejected
    }
    return [
        _gauge("unusable_rows", "Rows in a table of late events or a quarantine, and the column "
               "with their reasons.", counts, ["table", "reasons"]),
    ]  # fmt: skip


def _last_run(project: Path) -> list[Gauge]:
    """Of dbt's own record of its last run, which other commands of dbt replace."""
    found = last_run(project)
    if found is None:
        return []
    statuses = Counter(each.status for each in found.results)
    return [
        _gauge("run_timestamp_seconds", "When the last run of dbt ended.", {(): found.ended_at}),
        _gauge("run_seconds", "How long the last run of dbt took.", {(): found.seconds}),
        _gauge("run_nodes", "Models, tests and other nodes of the last run of dbt by their status.",
               {(status,): count for status, count in statuses.items()}, ["status"]),
    ]  # fmt: skip
