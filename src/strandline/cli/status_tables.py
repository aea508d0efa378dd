"""The output of `strandline status`: engines, tables of anomalies, rows that are not usable."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from strandline.cli.observed import ConsolidationStatus, EngineStatus
from strandline.cli.tables import Unusable

Status = EngineStatus | ConsolidationStatus

COLOURS = {"OK": "green", "ERROR": "red"}
LARGER = 1024


def status_table(each: Status) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    headline, lines = _engine(each) if isinstance(each, EngineStatus) else _consolidation(each)
    table.add_row(Text(each.name, "bold"), Text(headline, COLOURS.get(headline, "yellow")))
    for label, text in lines:
        table.add_row(Text(f"  {label}", "dim"), Text(text))
    return table


def _consolidation(table: ConsolidationStatus) -> tuple[str, list[tuple[str, str]]]:
    if table.active is None:
        return "not built yet; run dbt", []
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


def unusable_table(tables: list[Unusable]) -> Table:
    """How many rows could not be used, and the query for their reasons."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(Text("rows that could not be used", "bold"))
    for each in tables:
        colour = "yellow" if each.rows else "green"
        reasons = f"select {each.column}, count(*) from {each.table} group by 1"
        table.add_row(
            Text(f"  {each.table}", "dim"),
            Text(f"{each.rows:,}", colour),
            Text(reasons if each.rows else ""),
        )
    return table
