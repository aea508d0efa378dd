"""`strandline status`: tables, engines of detection, consolidation, and rows that are not used."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.workspace import entered, project_options

if TYPE_CHECKING:
    from strandline.cli.observed import ConsolidationStatus, EngineStatus
    from strandline.cli.observed_tables import TableStatus
    from strandline.cli.project import Project
    from strandline.cli.tables import Unusable

    Status = TableStatus | EngineStatus | ConsolidationStatus

EXAMPLES = """
\b
Examples:
  strandline status
  strandline status --select flight_detections
  strandline status --json | jq '.[] | select(.status == "ERROR")'
"""


KINDS = {"TableStatus": "table", "EngineStatus": "engine", "ConsolidationStatus": "anomalies"}


@click.command(epilog=EXAMPLES)
@click.option(
    "--select",
    multiple=True,
    metavar="NAME",
    help="Only this table, engine or table of anomalies, with all that is known. Repeatable.",
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
    """Show the tables of a project, its engines of detection and its anomalies on one screen.

    Of each table its rows, the greatest arrival that it has read (its watermark), and when it was
    last written; of each engine its state and its last error; of each table of anomalies the
    watermark of scheduled runs, and how many are active, outdated and ignored; parents are not
    counted. Below them: the rows in tables of late events and in quarantines of landings. Engines
    are looked for beside the tables of Python models. Nothing is written.

    Exit codes: 0 shown (also errors, and when there is nothing to show), 1 failed, 2 wrong use.
    """
    from strandline.cli.console import Terminal
    from strandline.cli.progress import Steps
    from strandline.cli.status_tables import overview, status_table

    with entered(project_dir, profiles_dir, target, "status.log") as (project, terminal):
        steps = Steps(Terminal(file=terminal, quiet=as_json), of=2)
        with steps.step("reading the project"):
            is_empty = not project.relations().stored
        with steps.step("reading its tables"):
            found = [] if is_empty else _found(project)
            rejected = [] if is_empty or as_json or select else _unusable(project)
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


def _found(project: Project) -> list[Status]:
    """The tables, the engines, then the tables of anomalies."""
    from strandline.cli.observed import consolidations, engines
    from strandline.cli.observed_tables import table_statuses
    from strandline.spark import close_session, session_for

    observed, relations = project.observed(), project.relations()
    stored = {name: it for name, it in relations.by_name.items() if it in relations.stored}
    tables = {name: it for name, it in stored.items() if name not in observed.anomalies}
    spark = session_for(project.folder, project.target, project.profiles)
    try:
        return [
            *table_statuses(spark, tables),
            *engines(spark, observed.schemas),
            *consolidations(spark, observed.anomalies),
        ]
    finally:
        close_session(spark)


def _unusable(project: Project) -> list[Unusable]:
    from strandline.cli.tables import unusable
    from strandline.spark import close_session, credentials_for, home_for, session_for

    credentials = credentials_for(project.folder, project.target, project.profiles)
    relations = project.relations()
    spark = session_for(project.folder, project.target, project.profiles)
    try:
        tables = [*relations.stored, *relations.late]
        return unusable(spark, tables, home_for(credentials, project.folder))
    finally:
        close_session(spark)


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
    return {"kind": KINDS[type(each).__name__], **fields}
