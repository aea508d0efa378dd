"""`strandline status`: how the engines of detection are doing."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.project import entered, project_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from strandline.cli.build import Project
    from strandline.cli.engines import EngineStatus

EXAMPLES = """
\b
Examples:
  strandline status
  strandline status --select flight_detections
  strandline status --json | jq '.[] | select(.status != "OK")'
"""
COLOURS = {"OK": "green", "ERROR": "red"}
LARGER = 1024


@click.command(epilog=EXAMPLES)
@click.option("--select", multiple=True, metavar="NAME", help="Only this engine. Repeatable.")
@click.option("--json", "as_json", is_flag=True, help="A list of objects, for machines.")
@project_options
def status(
    select: tuple[str, ...],
    as_json: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Tell of every engine of detection how far it came, what it holds, and its last error.

    Engines are looked for beside the tables of the project's Python models: each has a table
    <name>_state and a view <name>_status there. Nothing is written.

    Exit codes: 0 told (also of errors, and when there is no engine), 1 failed, 2 wrong use.
    """
    from rich.console import Console

    from strandline.cli.progress import Steps

    with entered(project_dir, profiles_dir, target, "status.log") as (project, terminal):
        steps = Steps(Console(file=terminal, quiet=as_json), of=2)
        with steps.step("reading the project"):
            schemas = project.schemas("python")
        with steps.step("asking the engines"):
            found = _found(project, schemas) if schemas else []
    chosen = _chosen(found, select, project_dir)
    if as_json:
        click.echo(json.dumps([_plain(engine) for engine in chosen], indent=2))
        return
    console = Console(highlight=False)
    for engine in chosen:
        console.print()
        console.print(_shown(engine))
    if not chosen:
        console.print(_none(schemas))


def _found(project: Project, schemas: Iterable[str]) -> list[EngineStatus]:
    from strandline.cli.engines import engines
    from strandline.spark import close_session, session_for

    spark = session_for(project.folder, project.target, project.profiles)
    try:
        return engines(spark, schemas)
    finally:
        close_session(spark)


def _chosen(found: list[EngineStatus], select: tuple[str, ...], folder: Path) -> list[EngineStatus]:
    names = dict.fromkeys(engine.name for engine in found)
    unknown = [name for name in select if name not in names]
    if unknown:
        raise click.UsageError(
            f"--select {', '.join(unknown)} is no engine of {folder}; "
            + (f"it has {', '.join(names)}." if names else "it has none.")
        )
    return [engine for engine in found if not select or engine.name in select]


def _none(schemas: list[str]) -> str:
    """What to say, and to do, when there is no engine."""
    where = f"in {', '.join(schemas)}" if schemas else "in this project: it has no Python model"
    return (
        f"There is no engine of detection {where}.\nA Python model that returns"
        " strandline.detection.detect(…) makes one when `dbt run` builds it: see docs/detection.md."
    )


def _plain(engine: EngineStatus) -> dict[str, object]:
    """The engine as JSON has it; instants are ISO 8601, in UTC."""
    at = engine.consumed_at
    return {**asdict(engine), "consumed_at": None if at is None else at.isoformat()}


def _shown(engine: EngineStatus) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    status = engine.status or "no status yet: its first run has not ended; run dbt again"
    table.add_row(Text(engine.name, "bold"), Text(status, COLOURS.get(status, "yellow")))
    for what, told in _told(engine):
        table.add_row(Text(f"  {what}", "dim"), Text(told))
    return table


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
