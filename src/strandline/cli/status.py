"""`strandline status`: how engines of detection are doing, how far consolidation has come."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.engines import EngineStatus
from strandline.cli.project import entered, project_options

if TYPE_CHECKING:
    from rich.table import Table

    from strandline.cli.build import Observed, Project
    from strandline.cli.consolidations import ConsolidationStatus
    from strandline.cli.unusable import Unusable

    Status = EngineStatus | ConsolidationStatus

EXAMPLES = """
\b
Examples:
  strandline status
  strandline status --select flight_detections
  strandline status --json | jq '.[] | select(.status == "ERROR")'
"""
COLOURS = {"OK": "green", "ERROR": "red"}
LARGER = 1024


@click.command(epilog=EXAMPLES)
@click.option(
    "--select",
    multiple=True,
    metavar="NAME",
    help="Only this engine or model. Repeatable.",
)
@click.option("--json", "as_json", is_flag=True, help="A list of objects, for machines.")
@project_options
def status(
    select: tuple[str, ...],
    as_json: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Show of every engine of detection how far it came, what it holds, and its last error.

    Engines are looked for beside the tables of the project's Python models: each has a table
    <name>_state and a view <name>_status there. Of each table of anomalies it shows up to when
    scheduled runs have analysed (the watermark), and how many are active, outdated and ignored;
    parents are not counted. Below them: how many rows the tables of late events and the quarantines
    of landings hold. Nothing is written.

    Exit codes: 0 shown (also errors, and when there is nothing to show), 1 failed, 2 wrong use.
    """
    from rich.console import Console

    from strandline.cli.progress import Steps

    with entered(project_dir, profiles_dir, target, "status.log") as (project, terminal):
        steps = Steps(Console(file=terminal, quiet=as_json), of=2)
        with steps.step("reading the project"):
            observed = project.observed()
        with steps.step("reading their tables"):
            found = _found(project, observed) if observed.schemas or observed.anomalies else []
            rejected = [] if as_json or select else _unusable(project)
    chosen = _chosen(found, select, project_dir)
    if as_json:
        click.echo(json.dumps([_plain(each) for each in chosen], indent=2))
        return
    console = Console(highlight=False)
    for each in chosen:
        console.print()
        console.print(_shown(each))
    if not chosen:
        console.print(_none(observed.schemas))
    if rejected:
        console.print()
        console.print(_rejected(rejected))


def _found(project: Project, observed: Observed) -> list[Status]:
    """The engines, then the tables of anomalies."""
    from strandline.cli.consolidations import consolidations
    from strandline.cli.engines import engines
    from strandline.spark import close_session, session_for

    spark = session_for(project.folder, project.target, project.profiles)
    try:
        return [
            *engines(spark, observed.schemas),
            *consolidations(spark, observed.anomalies),
        ]
    finally:
        close_session(spark)


def _unusable(project: Project) -> list[Unusable]:
    from strandline.cli.unusable import unusable
    from strandline.spark import close_session, credentials_for, home_for, session_for

    credentials = credentials_for(project.folder, project.target, project.profiles)
    tables = project.relations().stored
    spark = session_for(project.folder, project.target, project.profiles)
    try:
        return unusable(spark, tables, home_for(credentials, project.folder))
    finally:
        close_session(spark)


def _rejected(tables: list[Unusable]) -> Table:
    """How many rows could not be used, and where their reasons stand."""
    from rich.table import Table
    from rich.text import Text

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


def _chosen(found: list[Status], select: tuple[str, ...], folder: Path) -> list[Status]:
    names = dict.fromkeys(each.name for each in found)
    unknown = [name for name in select if name not in names]
    if unknown:
        raise click.UsageError(
            f"--select {', '.join(unknown)} is no engine and no table of anomalies of {folder}; "
            + (f"it has {', '.join(names)}." if names else "it has none.")
        )
    return [each for each in found if not select or each.name in select]


def _none(schemas: list[str]) -> str:
    """What to say, and to do, when there is no engine."""
    where = f"in {', '.join(schemas)}" if schemas else "in this project: it has no Python model"
    return (
        f"There is no engine of detection {where}.\nA Python model that returns"
        " strandline.detection.detect(…) makes one when `dbt run` builds it: see docs/detection.md."
    )


def _plain(each: Status) -> dict[str, object]:
    """A status as JSON has it, with its kind; instants are ISO 8601, in UTC."""
    fields = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(each).items()
    }
    return {"kind": "engine" if isinstance(each, EngineStatus) else "anomalies", **fields}


def _shown(each: Status) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    headline, lines = _engine(each) if isinstance(each, EngineStatus) else _consolidation(each)
    table.add_row(Text(each.name, "bold"), Text(headline, COLOURS.get(headline, "yellow")))
    for what, told in lines:
        table.add_row(Text(f"  {what}", "dim"), Text(told))
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
    return status, _told(engine)


def _told(engine: EngineStatus) -> list[tuple[str, str]]:
    """Each line: what it is about, and what is said."""
    held = [("bytes held", _size(engine.bytes_held))]
    if engine.status is None:
        return held
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
        *held,
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
