"""What `strandline purge` does with files: which tables it looks at, and what it says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from rich.table import Table

    from strandline.cli.progress import Line
    from strandline.cli.project import Project
    from strandline.retention import Aggregation, Compaction, Vacuumed


def tables_of(project: Project, spark: SparkSession, chosen: Sequence[Aggregation]) -> list[str]:
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
    from pathlib import Path

    from strandline.landing.tables import quarantine_of
    from strandline.spark import credentials_for

    home = Path(credentials_for(project.folder, project.target, project.profiles).home)
    names = [folder.name for folder in (home / "landing").glob("*.*")]
    there = [name for name in names if spark.catalog.tableExists(name)]
    return [each for name in there for each in (name, quarantine_of(spark, name))]


def compacted(
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


def vacuumed(
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
    compacted: Sequence[Compaction], vacuumed: Sequence[Vacuumed], dry_run: bool = False
) -> Table | None:
    """A line for each table whose files have changed, or would; None if there is none."""
    from rich.table import Table

    of_vacuum = {each.table: each for each in vacuumed if each.files != 0}
    of_compaction = {each.table: each for each in compacted}
    names = sorted({*of_vacuum, *of_compaction})
    if not names:
        return None
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("table", no_wrap=True)
    deleted = ("would be deleted", "would be freed") if dry_run else ("deleted", "freed")
    for name in ("small files", "became", "in partitions", *deleted):
        table.add_column(name, justify="right")
    for name in names:
        small, old = of_compaction.get(name), of_vacuum.get(name)
        table.add_row(
            name,
            f"{small.small:,}" if small else "-",
            f"{small.made:,}" if small and small.made is not None else "-",
            f"{small.partitions:,}" if small else "-",
            "-" if old is None else "?" if old.files is None else f"{old.files:,}",
            "-" if old is None else size(old.bytes),
        )
    return table


def size(count: int | None) -> str:
    """Bytes as a person reads them: 1.5 MiB; `?` if they are not known."""
    if count is None:
        return "?"
    units = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
    unit, length = next((each for each in units if count >= each[1]), ("bytes", 1))
    return f"{count / length:,.1f} {unit}" if length > 1 else f"{count} bytes"
