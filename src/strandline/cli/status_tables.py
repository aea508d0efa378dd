"""The output of `strandline status`: an overview, or all that is known of some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from strandline.cli.console import styled
from strandline.cli.observed import ConsolidationStatus, EngineStatus
from strandline.cli.observed_tables import TableStatus
from strandline.cli.tables import Unusable

Status = TableStatus | EngineStatus | ConsolidationStatus
Line = tuple[str | Text, ...]

COLOURS = {"OK": "green", "ERROR": "red"}
LARGER = 1024
NOT_BUILT = "not built yet; run dbt"


def overview(found: Sequence[Status], rejected: Sequence[Unusable]) -> list[Table]:
    """A line for each table, engine and table of anomalies; then rows that could not be used."""
    tables = [each for each in found if isinstance(each, TableStatus)]
    engines = [each for each in found if isinstance(each, EngineStatus)]
    anomalies = [each for each in found if isinstance(each, ConsolidationStatus)]
    parts = [
        _lines_of(tables, ("table", "rows", "watermark", "written"), _table_line),
        _lines_of(engines, ("engine", "rows", "last arrival", "status"), _engine_line),
        _lines_of(
            anomalies,
            ("anomalies", "active", "outdated", "ignored", "watermark"),
            _anomalies_line,
        ),
    ]
    return [part for part in parts if part.rows] + ([unusable_table(rejected)] if rejected else [])


def _lines_of(found: Sequence[Any], heads: Sequence[str], line: Callable[[Any], Line]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for place, head in enumerate(heads):
        is_number = head in ("rows", "last arrival", "active", "outdated", "ignored")
        table.add_column(
            head, justify="right" if is_number else "left", no_wrap=place == 0, overflow="fold"
        )
    for each in found:
        table.add_row(*line(each))
    return table


def _table_line(table: TableStatus) -> Line:
    if table.rows is None:
        return table.name, "", "", styled(NOT_BUILT, "yellow")
    at = table.written_at
    return (
        table.name,
        _number(table.rows),
        table.watermark or "-",
        "-" if at is None else f"{at:%Y-%m-%d %H:%M:%S}",
    )


def _engine_line(engine: EngineStatus) -> Line:
    status = engine.status or "its first run has not ended; run dbt again"
    error = f": {engine.last_error}" if engine.last_error else ""
    return (
        engine.name,
        _number(engine.rows),
        _number(engine.last_arrival),
        styled(status + error, COLOURS.get(status, "yellow")),
    )


def _anomalies_line(table: ConsolidationStatus) -> Line:
    if table.active is None:
        return table.name, "", "", "", styled(NOT_BUILT, "yellow")
    at = table.watermark
    return (
        table.name,
        _number(table.active),
        _number(table.outdated),
        _number(table.ignored),
        "nothing analysed yet" if at is None else f"{at:%Y-%m-%d %H:%M:%S}",
    )


def status_table(each: Status) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    if isinstance(each, TableStatus):
        headline, lines = _stored(each)
    else:
        headline, lines = _engine(each) if isinstance(each, EngineStatus) else _consolidation(each)
    table.add_row(styled(each.name, "bold"), styled(headline, COLOURS.get(headline, "yellow")))
    for label, text in lines:
        table.add_row(styled(f"  {label}", "dim"), text)
    return table


def _stored(table: TableStatus) -> tuple[str, list[tuple[str, str]]]:
    if table.rows is None:
        return NOT_BUILT, []
    at = table.written_at
    return "OK", [
        ("schema", table.schema),
        ("rows", _number(table.rows)),
        ("watermark", table.watermark or "-"),
        ("written", "-" if at is None else at.isoformat(" ", "seconds")),
    ]


def _consolidation(table: ConsolidationStatus) -> tuple[str, list[tuple[str, str]]]:
    if table.active is None:
        return NOT_BUILT, []
    at = table.watermark
    headline = "nothing analysed yet" if at is None else "OK"
    return headline, [
        ("watermark", "-" if at is None else at.isoformat(" ")),
        ("active", _number(table.active)),
        ("outdated", _number(table.outdated)),
        ("ignored", _number(table.ignored)),
    ]


def _engine(engine: EngineStatus) -> tuple[str, list[tuple[str, str]]]:
    status = engine.status or "no status yet: its first run has not ended; run dbt again"
    return status, _lines(engine)


def _lines(engine: EngineStatus) -> list[tuple[str, str]]:
    """Each line: its label and its text."""
    size = [("bytes held", _size(engine.bytes_held))]
    if engine.status is None:
        return size
    at = engine.consumed_at
    metrics = [(f"metric {place}", text) for place, text in enumerate(engine.metrics or [])]
    return [
        ("last error", engine.last_error or "none"),
        ("user", engine.user or "-"),
        ("groups", _number(engine.groups)),
        ("rows", _number(engine.rows)),
        ("metrics", _number(engine.metric_count)),
        *metrics,
        ("last arrival", _number(engine.last_arrival)),
        ("consumed at", "-" if at is None else at.isoformat(" ", "seconds")),
        ("garbage size", _number(engine.garbage_size)),
        ("rows kept", _number(engine.rows_kept)),
        *size,
    ]


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _size(count: int) -> str:
    """Bytes in the unit in which they have fewest digits: 1,536 are 1.5 KiB."""
    size, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < LARGER or unit == "TiB":
            break
        size /= LARGER
    return f"{count} B" if unit == "B" else f"{size:,.1f} {unit}"


def unusable_table(tables: Sequence[Unusable]) -> Table:
    """How many rows could not be used, and the query for their reasons."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(styled("rows that could not be used", "bold"))
    for each in tables:
        colour = "yellow" if each.rows else "green"
        reasons = f"select {each.column}, count(*) from {each.table} group by 1"
        table.add_row(
            styled(f"  {each.table}", "dim"),
            styled(f"{each.rows:,}", colour),
            reasons if each.rows else "",
        )
    return table
