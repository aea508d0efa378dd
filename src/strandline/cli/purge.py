"""`strandline purge`: old rows of aggregations, and small and old files of all tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from strandline.cli.build import plain
from strandline.cli.console import Terminal
from strandline.cli.workspace import entered, project_options
from strandline.literals import EPOCH, length_text, size_text

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.cli.progress import Line
    from strandline.cli.project import Project
    from strandline.retention import (
        Aggregation,
        Compaction,
        Purged,
        Repartition,
        Vacuumed,
    )

EXAMPLES = """
\b
Examples:
  strandline purge --dry-run
  strandline purge --dry-run --compact --vacuum
  strandline purge
  strandline purge --compact --vacuum
  strandline purge --select trade_aggregation --vacuum
"""


@click.command(epilog=EXAMPLES)
@click.option("--select", multiple=True, metavar="NAME", help="Only this aggregation. Repeatable.")
@click.option("--dry-run", is_flag=True, help="Count what would go, and remove nothing.")
@click.option("--compact", is_flag=True, help="Join small files; fit the width of partitions.")
@click.option("--vacuum", is_flag=True, help="Delete files of older versions, after 7 days.")
@project_options
def purge(
    select: tuple[str, ...],
    dry_run: bool,
    compact: bool,
    vacuum: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Remove what is older than the `retention` of its aggregation, by the events' own clock.

    The age of a row is counted from the newest bucket of the base table. Roll-ups keep what they
    have merged of removed rows. The rows of the source are never changed.

    --compact joins small files, and writes a table into wider or narrower partitions where these
    are too small or too large. --compact and --vacuum are for all tables that the project builds or
    lands; with --select, for those of the aggregation. A scheduled run does neither: it never waits
    for them.

    Exit codes: 0 done (also when nothing is old enough), 1 failed, 2 wrong use.
    """
    from strandline.cli.progress import Steps

    done: list[tuple[Aggregation, list[Purged]]] = []
    joined: list[Compaction] = []
    widths: list[Repartition] = []
    deleted: list[Vacuumed] = []
    with entered(project_dir, profiles_dir, target, "purge.log") as (project, terminal):
        steps = Steps(Terminal(file=terminal), of=2 + 2 * compact + vacuum)
        with steps.step("reading the project and starting Spark"):
            chosen = _chosen(project, select)
        limited = [aggregation for aggregation in chosen if aggregation.is_limited()]
        with _session(project, bool(limited) or compact or vacuum) as spark:
            with steps.step("looking for old rows" if dry_run else "removing old rows"):
                if spark is not None:
                    done = _purged(spark, limited, dry_run)
            if spark is not None and (compact or vacuum):
                tables = _tables_of(project, spark, chosen if select else ())
                if compact:
                    title = "looking at" if dry_run else "choosing"
                    with steps.step(f"{title} the width of partitions") as line:
                        widths = _repartitioned(project, spark, tables, dry_run, line)
                    title = "looking for small files" if dry_run else "joining small files"
                    with steps.step(title) as line:
                        joined = _compacted(spark, tables, dry_run, line)
                if vacuum:
                    title = "looking for old files" if dry_run else "deleting old files"
                    with steps.step(title) as line:
                        deleted = _vacuumed(spark, tables, dry_run, line)
    console = Terminal()
    for text in _kept_for_ever(chosen, select):
        console.print(text)
    if done:
        console.print(_report(done, dry_run))
    if compact or vacuum:
        files = files_report(joined, deleted, dry_run, widths)
        console.print(files or "No file has to go.")


def _chosen(project: Project, select: tuple[str, ...]) -> list[Aggregation]:
    """The aggregations of the project that are to be purged."""
    from strandline.retention import aggregations, names_in

    if select:  # compiling starts Spark, which a mistyped name need not wait for
        _refuse_unknown(select, names_in(project.models("strandline_aggregation")), project.folder)
    models = project.compiled("strandline_aggregation", "strandline_aggregation_late")
    found = {each.name: each for each in aggregations(models)}
    _refuse_unknown(select, list(found), project.folder)
    return [found[name] for name in dict.fromkeys(select or found)]


def _refuse_unknown(select: tuple[str, ...], names: list[str], folder: Path) -> None:
    unknown = [name for name in select if name not in names]
    if unknown:
        raise click.UsageError(
            f"--select {', '.join(unknown)} is no aggregation of {folder}; "
            + (f"it has {', '.join(names)}." if names else "it has none.")
        )


@contextmanager
def _session(project: Project, is_needed: bool) -> Iterator[SparkSession | None]:
    from strandline.spark import close_session, session_for

    if not is_needed:
        yield None
        return
    spark = session_for(project.folder, project.target, project.profiles)
    try:
        yield spark
    finally:
        close_session(spark)


def _purged(
    spark: SparkSession, limited: list[Aggregation], dry_run: bool
) -> list[tuple[Aggregation, list[Purged]]]:
    """Check all of them first, so that a refusal comes before the first delete."""
    from strandline import retention

    done = [(aggregation, retention.plan(spark, aggregation)) for aggregation in limited]
    if dry_run:
        return done
    return [(each, retention.purge(spark, each, plans)) for each, plans in done]


def _kept_for_ever(chosen: list[Aggregation], select: tuple[str, ...]) -> list[str]:
    """The lines for aggregations without a retention: each selected one, or all."""
    if select:
        return [
            f"{each.name} has no retention: all is kept."
            for each in chosen
            if not each.is_limited()
        ]
    if any(each.is_limited() for each in chosen):
        return []
    return ["No aggregation has a retention: all is kept."]


def _report(done: list[tuple[Aggregation, list[Purged]]], dry_run: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("table", no_wrap=True)
    table.add_column("kept")
    table.add_column("horizon", no_wrap=True)
    would = "would " if dry_run else ""
    table.add_column(f"{would}go" if dry_run else "removed", justify="right")
    table.add_column(f"{would}stay" if dry_run else "left", justify="right")
    for aggregation, tables in done:
        if not tables:
            table.add_row(aggregation.name, "not built yet", "", "", "")
        for row in tables:
            table.add_row(
                plain(row.table.relation),
                period(row.table.kept),
                _local(row.horizon, aggregation),
                f"{row.removed:,}",
                f"{row.left:,}",
            )
    return table


def period(seconds: int | None) -> str:
    """A period in its largest whole unit: 86400 is 1 day, 90000 is 25 hours."""
    return "all" if seconds is None else length_text(seconds * 1_000_000)


def _local(horizon: int | None, aggregation: Aggregation) -> str:
    """The horizon by the clock of the aggregation's zone."""
    if horizon is None:
        return "-"
    return (EPOCH + timedelta(seconds=horizon)).astimezone(aggregation.zone).isoformat(" ")


def _tables_of(project: Project, spark: SparkSession, chosen: Sequence[Aggregation]) -> list[str]:
    """The tables of the chosen aggregations, by name; if none is chosen, all that are ours.

    These are the models and snapshots, what `detect` keeps beside its model, and what
    `strandline land` writes into this home. Other sources are not ours.
    """
    if chosen:
        relations = [table.name for each in chosen for table in each.tables]
        return [*relations, *(each.late.replace("`", "") for each in chosen if each.late)]
    from strandline.cli.observed import engines

    beside = [
        f"{engine.schema}.{engine.name}_{kind}"
        for engine in engines(spark, project.observed().schemas)
        for kind in ("state", "late")
    ]
    return sorted({*project.relations().stored, *beside, *_landed(project, spark)})


def _landed(project: Project, spark: SparkSession) -> list[str]:
    """Each landing has a folder under the name of its table."""
    from strandline.landing.tables import quarantine_of
    from strandline.spark import credentials_for

    home = Path(credentials_for(project.folder, project.target, project.profiles).home)
    names = [folder.name for folder in (home / "landing").glob("*.*")]
    there = [name for name in names if spark.catalog.tableExists(name)]
    return [each for name in there for each in (name, quarantine_of(spark, name))]


def _repartitioned(
    project: Project, spark: SparkSession, tables: Sequence[str], dry_run: bool, line: Line
) -> list[Repartition]:
    """Writes the tables that need partitions of another width, or only names them."""
    from strandline import retention

    found = []
    for number, table in enumerate(tables, start=1):
        line.report(f"{number} of {len(tables)}  {table}")
        if (measured := retention.measured(spark, table)) is not None:
            found.append(measured)
    planned = retention.plan_widths(spark, found, project.needed_widths)
    for number, each in enumerate(() if dry_run else planned, start=1):
        line.report(f"writing {number} of {len(planned)}  {each.table}")
        retention.repartition(spark, each)
    line.report(f"{len(planned)} of {len(tables)} tables need another one")
    return planned


def _compacted(
    spark: SparkSession, tables: Sequence[str], dry_run: bool, line: Line
) -> list[Compaction]:
    """The tables with many small files, and what became of them."""
    from strandline import retention

    done: list[Compaction] = []
    for number, table in enumerate(tables, start=1):
        line.report(f"{number} of {len(tables)}  {table}")
        for planned in retention.plan_compaction(spark, [table]):
            done.append(planned if dry_run else retention.compact(spark, planned))
    line.report(f"{len(done)} of {len(tables)} tables have many")
    return done


def _vacuumed(
    spark: SparkSession, tables: Sequence[str], dry_run: bool, line: Line
) -> list[Vacuumed]:
    """What each table's VACUUM has deleted, or would delete."""
    from strandline import retention

    done: list[Vacuumed] = []
    for number, table in enumerate(tables, start=1):
        line.report(f"{number} of {len(tables)}  {table}")
        if (found := retention.vacuum(spark, table, dry_run=dry_run)) is not None:
            done.append(found)
    line.report(f"{len(done)} tables")
    return done


def files_report(
    compacted: Sequence[Compaction],
    vacuumed: Sequence[Vacuumed],
    dry_run: bool = False,
    widths: Sequence[Repartition] = (),
) -> Table | None:
    """A line for each table whose files have changed, or would; None if there is none."""
    of_vacuum = {each.table: each for each in vacuumed if each.files != 0}
    of_compaction = {each.table: each for each in compacted}
    of_width = {each.table: each for each in widths}
    names = sorted({*of_vacuum, *of_compaction, *of_width})
    if not names:
        return None
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("table", no_wrap=True)
    deleted = ("would be deleted", "would be freed") if dry_run else ("deleted", "freed")
    if of_width:
        table.add_column("partitions by", no_wrap=True)
    for name in ("small files", "became", "in partitions", *deleted):
        table.add_column(name, justify="right")
    for name in names:
        small, old, width = of_compaction.get(name), of_vacuum.get(name), of_width.get(name)
        table.add_row(
            name,
            *([f"{width.before} → {width.after}" if width else "-"] if of_width else []),
            f"{small.small:,}" if small else "-",
            f"{small.made:,}" if small and small.made is not None else "-",
            f"{small.partitions:,}" if small else "-",
            "-" if old is None else "?" if old.files is None else f"{old.files:,}",
            "-" if old is None else "?" if old.bytes is None else size_text(old.bytes),
        )
    return table
