"""`strandline status`: the state of engines of detection and of tables of anomalies."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.observed import EngineStatus
from strandline.cli.workspace import entered, project_options

if TYPE_CHECKING:
    from strandline.cli.observed import ConsolidationStatus
    from strandline.cli.project import Observed, Project
    from strandline.cli.tables import Unusable

    Status = EngineStatus | ConsolidationStatus

EXAMPLES = """
\b
Examples:
  strandline status
  strandline status --select flight_detections
  strandline status --json | jq '.[] | select(.status == "ERROR")'
"""


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
    """Show the progress of every engine of detection, its size, and its last error.

    Engines are looked for beside the tables of the project's Python models: each has a table
    <name>_state and a view <name>_status there. Of each table of anomalies it shows the
    watermark of scheduled runs, and how many are active, outdated and ignored; parents are not
    counted. Below them: the rows in tables of late events and in quarantines of
    landings. Nothing is written.

    Exit codes: 0 shown (also errors, and when there is nothing to show), 1 failed, 2 wrong use.
    """
    from rich.console import Console

    from strandline.cli.progress import Steps
    from strandline.cli.status_tables import status_table, unusable_table

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
        console.print(status_table(each))
    if not chosen:
        console.print(_none(observed.schemas))
    if rejected:
        console.print()
        console.print(unusable_table(rejected))


def _found(project: Project, observed: Observed) -> list[Status]:
    """The engines, then the tables of anomalies."""
    from strandline.cli.observed import consolidations, engines
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
            f"--select {', '.join(unknown)} is no engine and no table of anomalies of {folder}; "
            + (f"it has {', '.join(names)}." if names else "it has none.")
        )
    return [each for each in found if not select or each.name in select]


def _none(schemas: list[str]) -> str:
    """The message when there is no engine."""
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
