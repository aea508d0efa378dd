"""`strandline status`: tables, engines of detection, consolidation, and rows that are not used."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from strandline.cli.console import Terminal, styled
from strandline.cli.observed import (
    ConsolidationStatus,
    EngineStatus,
    LandingStatus,
    Status,
    TableStatus,
)
from strandline.cli.workspace import entered, project_options
from strandline.literals import size_text

if TYPE_CHECKING:
    from strandline.cli.project import Project
    from strandline.cli.tables import Unusable

Line = tuple[str | Text, ...]

EXAMPLES = """
\b
Examples:
  strandline status
  strandline status --select flight_detections
  strandline status --json | jq '.[] | select(.status == "ERROR")'
  strandline status --prometheus /var/lib/node_exporter/plant.prom
"""
KINDS = {
    LandingStatus: "landing",
    TableStatus: "table",
    EngineStatus: "engine",
    ConsolidationStatus: "anomalies",
}
COLOURS = {"OK": "green", "ERROR": "red"}
NUMBERS = (
    *("rows", "quarantined", "arrival", "last arrival"),
    *("active", "outdated", "ignored"),
)
TABLE_HEADS: tuple[str, ...] = ("table", "rows", "watermark", "written")
PROM = ".prom"
NOT_BUILT = "not built yet; run dbt"


@click.command(epilog=EXAMPLES)
@click.option(
    "--select",
    multiple=True,
    metavar="NAME",
    help="Only this table, landing, engine or table of anomalies, with all that is known. "
    "Repeatable.",
)
@click.option("--json", "as_json", is_flag=True, help="A list of objects, for machines.")
@click.option(
    "--prometheus",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.prom",
    help="Write everything to this file as metrics, for the textfile collector of node exporter.",
)
@project_options
def status(
    select: tuple[str, ...],
    as_json: bool,
    prometheus: Path | None,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Show the tables of a project, its engines of detection and its anomalies on one screen.

    Of each source that `strandline land` writes, what has landed, and when. Of each table its rows,
    the greatest arrival that it has read (its watermark), when it was last written, and of buckets
    the calendar unit by which they are partitioned; of each engine its state and its last error; of
    each table of anomalies the watermark of scheduled runs, and how many are active, outdated and
    ignored; parents are not counted. Below them: the rows in tables of late events and in
    quarantines of landings. Engines are looked for beside the tables of Python models. No table is
    written.

    Exit codes: 0 shown (also errors, and when there is nothing to show), 1 failed, 2 wrong use.
    """
    from strandline.cli.progress import Steps

    if prometheus is not None and (select or as_json):
        raise click.UsageError("--prometheus writes everything: leave out --select and --json.")
    if prometheus is not None and not prometheus.name.endswith(PROM):
        raise click.UsageError(
            f"--prometheus {prometheus}: node exporter reads files that end in {PROM} alone; name"
            f" it {prometheus.with_suffix(PROM).name}."
        )
    prometheus = prometheus and prometheus.absolute()
    with entered(project_dir, profiles_dir, target, "status.log", needs="tables") as opened:
        project, terminal = opened
        steps = Steps(Terminal(file=terminal, quiet=as_json), of=2)
        with steps.step("reading the project"):
            is_empty = not project.relations().stored
        with steps.step("reading its tables"):
            found, rejected = ([], []) if is_empty else _read(project, not (as_json or select))
    if prometheus is not None:
        _write(prometheus, found, rejected, project_dir)
        return
    chosen = _chosen(found, select, project_dir)
    if as_json:
        click.echo(json.dumps([_plain(each) for each in chosen], indent=2))
        return
    console = Terminal()
    if not chosen:
        console.print("This project has no tables yet: it has no model that is stored.")
    for shown in map(status_table, chosen) if select else overview(chosen, rejected):
        console.print()
        console.print(shown)


def _read(project: Project, with_unusable: bool) -> tuple[list[Status], list[Unusable]]:
    """The tables, the engines, then the tables of anomalies; and the rows that are not used."""
    from strandline.cli.observed import consolidations, engines, landings, table_statuses
    from strandline.cli.tables import unusable
    from strandline.spark import connection_for

    observed, relations = project.observed(), project.relations()
    stored = {name: it for name, it in relations.by_name.items() if it in relations.stored}
    tables = {name: it for name, it in stored.items() if name not in observed.anomalies}
    with connection_for(project.folder, project.target, project.profiles) as spark:
        found: list[Status] = [
            *landings(spark, project.sources()),
            *table_statuses(spark, tables),
            *engines(spark, observed.schemas),
            *consolidations(spark, observed.anomalies),
        ]
        if not with_unusable:
            return found, []
        return found, unusable(spark, [*relations.stored, *relations.late], project.home())


def _write(
    file: Path, found: Sequence[Status], rejected: Sequence[Unusable], project: Path
) -> None:
    """Raises click.ClickException."""
    from strandline.cli.prometheus import write_metrics

    try:
        write_metrics(file, found, rejected, project, datetime.now(timezone.utc))
    except OSError as error:
        raise click.ClickException(f"{file} could not be written: {error.strerror}.") from error


def _chosen(found: list[Status], select: tuple[str, ...], folder: Path) -> list[Status]:
    names = dict.fromkeys(each.name for each in found)
    unknown = [name for name in select if name not in names]
    if unknown:
        raise click.UsageError(
            f"--select {', '.join(unknown)} is no table and no engine of {folder}; "
            + (f"it has {', '.join(names)}." if names else "it has none.")
        )
    return [each for each in found if not select or each.name in select]


def _plain(each: Status) -> dict[str, object]:
    """A status as JSON has it, with its kind; instants are ISO 8601, in UTC."""
    fields = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(each).items()
    }
    return {"kind": KINDS[type(each)], **fields}


def overview(found: Sequence[Status], rejected: Sequence[Unusable]) -> list[Table]:
    """A line for each table, engine and table of anomalies; then rows that could not be used."""
    landed = [each for each in found if isinstance(each, LandingStatus)]
    tables = [each for each in found if isinstance(each, TableStatus)]
    engines = [each for each in found if isinstance(each, EngineStatus)]
    anomalies = [each for each in found if isinstance(each, ConsolidationStatus)]
    heads, table_line = TABLE_HEADS, _table_line
    if any(each.partition for each in tables):
        heads, table_line = (*TABLE_HEADS, "partition"), _partitioned_line
    parts = [
        _lines_of(
            landed, ("landed in", "rows", "quarantined", "arrival", "last landing"), _landing_line
        ),
        _lines_of(tables, heads, table_line),
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
        is_number = head in NUMBERS
        table.add_column(
            head, justify="right" if is_number else "left", no_wrap=place == 0, overflow="fold"
        )
    for each in found:
        table.add_row(*line(each))
    return table


def _landing_line(landing: LandingStatus) -> Line:
    return (
        landing.name,
        _number(landing.rows),
        _number(landing.quarantined),
        _number(landing.arrival),
        f"{landing.landed_at:%Y-%m-%d %H:%M:%S}",
    )


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


def _partitioned_line(table: TableStatus) -> Line:
    return *_table_line(table), table.partition or ""


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
    if isinstance(each, LandingStatus):
        headline, lines = _landing(each)
    elif isinstance(each, TableStatus):
        headline, lines = _stored(each)
    else:
        headline, lines = _engine(each) if isinstance(each, EngineStatus) else _consolidation(each)
    table.add_row(styled(each.name, "bold"), styled(headline, COLOURS.get(headline, "yellow")))
    for label, text in lines:
        table.add_row(styled(f"  {label}", "dim"), text)
    return table


def _landing(landing: LandingStatus) -> tuple[str, list[tuple[str, str]]]:
    return "OK", [
        ("from", landing.source),
        ("parts", _number(landing.parts)),
        ("rows", _number(landing.rows)),
        ("quarantined", _number(landing.quarantined)),
        ("arrival", _number(landing.arrival)),
        ("last landing", landing.landed_at.isoformat(" ", "seconds")),
    ]


def _stored(table: TableStatus) -> tuple[str, list[tuple[str, str]]]:
    if table.rows is None:
        return NOT_BUILT, []
    at = table.written_at
    return "OK", [
        ("schema", table.schema),
        ("rows", _number(table.rows)),
        ("watermark", table.watermark or "-"),
        ("written", "-" if at is None else at.isoformat(" ", "seconds")),
        *([("partition", table.partition)] if table.partition else []),
    ]


def _consolidation(table: ConsolidationStatus) -> tuple[str, list[tuple[str, str]]]:
    if table.active is None:
        return NOT_BUILT, []
    at = table.watermark
    headline = "nothing analysed yet" if at is None else "OK"
    return headline, [
        ("watermark", "-" if at is None else at.isoformat(" ")),
        ("active", _active(table)),
        ("outdated", _number(table.outdated)),
        ("ignored", _number(table.ignored)),
    ]


def _active(table: ConsolidationStatus) -> str:
    """`12: critical 2, high 9, without a severity 1`."""
    from strandline.notify.incidents import rank

    counts = {name: count for name, count in (table.severities or {}).items() if count}
    if not counts.keys() - {""}:
        return _number(table.active)
    highest_first = sorted(counts, key=lambda name: (-rank(name), name))
    words = (f"{name or 'without a severity'} {counts[name]:,}" for name in highest_first)
    return f"{_number(table.active)}: {', '.join(words)}"


def _engine(engine: EngineStatus) -> tuple[str, list[tuple[str, str]]]:
    status = engine.status or "no status yet: its first run has not ended; run dbt again"
    return status, _lines(engine)


def _lines(engine: EngineStatus) -> list[tuple[str, str]]:
    """Each line: its label and its text."""
    size = [("bytes held", size_text(engine.bytes_held))]
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
