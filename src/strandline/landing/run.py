"""The landing of a folder, from the request to the result."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import types as T

from strandline.errors import WrongUse, refuse
from strandline.landing.batch import BatchWriter
from strandline.landing.checkpoint import last_batch
from strandline.landing.formats import parse_format
from strandline.landing.lost import lost_rows
from strandline.landing.plan import plan_landing
from strandline.landing.record import given_arrivals
from strandline.landing.stream import land_batches
from strandline.landing.tables import (
    ADDED,
    QUARANTINE,
    create_table,
    last_arrivals,
    note_quarantine,
    parse_schema,
    table_faults,
)
from strandline.landing.texts import field_faults

TABLE_NAME = re.compile(r"([A-Za-z_]\w*\.){1,2}[A-Za-z_]\w*", re.ASCII)
UTC_NAMES = ("UTC", "Etc/UTC", "Z", "GMT", "+00:00")


@dataclass(frozen=True)
class LandingResult:
    """What one call has done; rows that an earlier, killed call had committed are not in it.

    Attributes:
        landed: rows appended to the events table.
        quarantined: rows appended to the quarantine; both together are the rows of the files, and
            one for each file that cannot be read.
        batches: batches that were completed.
        arrival_from: the first arrival number given, None when nothing landed.
        arrival_to: the last one, None when nothing landed.
        unreadable: files that went to quarantine whole, by name, with the reason.
        links: links and special files below the source folder, which are never followed.
        changed: files that changed after they were landed; they were not read again.
    """

    landed: int
    quarantined: int
    batches: int
    arrival_from: int | None
    arrival_to: int | None
    unreadable: Mapping[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def check_request(
    source: str | Path,
    table: str,
    file_format: str,
    *,
    quarantine: str | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Check the request as far as it can be without Spark; `land` does it as well.

    Raises:
        WrongUse: every fault is named.
    """
    faults: list[str] = []
    parse_format(file_format, dict(options or {}), faults)
    faults.extend(_place_faults(Path(source), table, quarantine or f"{table}_quarantine"))
    refuse("land", faults, WrongUse)


def land(
    spark: SparkSession,
    source: str | Path,
    table: str,
    schema: str,
    file_format: str,
    checkpoint: str | Path,
    *,
    quarantine: str | None = None,
    options: Mapping[str, str] | None = None,
    new_checkpoint: bool = False,
) -> LandingResult:
    """Land the new files of a folder: good rows to `table`, faulty ones to `quarantine`.

    Args:
        spark: session whose time zone is UTC.
        source: folder of the files; every visible file in it and below it is landed once. Links
            are not followed.
        table: events table, ``schema.name``; made when missing, with the columns of `schema`,
            ``arrival`` and ``landed_from``.
        schema: Spark DDL of the files' columns; NOT NULL columns are required.
        file_format: csv, json (one object a line) or parquet.
        checkpoint: folder in which Spark keeps which files have been landed.
        quarantine: table of the faulty rows; ``<table>_quarantine`` by default.
        options: how the files are written, see ``formats.OPTIONS``.
        new_checkpoint: begin a new checkpoint although the table has rows. Files that are in
            the table already would land a second time.

    Returns:
        What this call has done. Calling it again without new files writes nothing.

    Raises:
        WrongUse: the request is wrong; every fault is named, nothing is consumed.
        LandingError: the tables or files do not fit (nothing is consumed), or a batch failed:
            what was done stays, and the next call goes on from there.
    """
    source, checkpoint = Path(source).absolute(), Path(checkpoint).absolute()
    quarantine = quarantine or f"{table}_quarantine"
    faults: list[str] = []
    fmt = parse_format(file_format, dict(options or {}), faults)
    faults.extend(_place_faults(source, table, quarantine))
    faults.extend(_zone_faults(spark))
    columns = parse_schema(spark, schema, is_text=fmt is None or fmt.is_text, faults=faults)
    if fmt is not None and fmt.name == "json" and columns is not None:
        faults.extend(field_faults(columns))
    refuse("land", faults, WrongUse)
    assert fmt is not None
    assert columns is not None
    events = T.StructType([*columns, *ADDED])
    faults.extend(table_faults(spark, table, events))
    faults.extend(table_faults(spark, quarantine, QUARANTINE))
    plan = plan_landing(spark, (table, quarantine), source, checkpoint, columns, fmt)
    faults.extend(plan.faults)
    has_begun = (checkpoint / "metadata").exists()
    is_done = has_begun and not plan.has_work
    stored = (0, 0) if is_done else last_arrivals(spark, table, quarantine)
    if any(stored) and not new_checkpoint and not has_begun:
        faults.append(
            f"table {table} or {quarantine} has rows, but checkpoint {checkpoint.name} is new: "
            "files that are in the table would land a second time; bring the checkpoint back, "
            "land to a new table, or say new_checkpoint (--new-checkpoint) if the files are others"
        )
    if has_begun:
        faults.extend(lost_rows(spark, (table, quarantine), checkpoint, stored, plan.has_work))
    refuse("land", faults)

    create_table(spark, table, events)
    create_table(spark, quarantine, QUARANTINE)
    note_quarantine(spark, table, quarantine)
    if not plan.has_work:
        return LandingResult(0, 0, 0, None, None, links=plan.links, changed=plan.changed)
    done = last_batch(checkpoint)
    before = tuple(map(max, stored, given_arrivals(checkpoint, done + 1)))
    writer = BatchWriter(
        table, quarantine, columns, fmt, str(source), str(checkpoint), plan.unreadable, plan.before
    )
    unreadable = land_batches(spark, plan.listing, writer)
    last, faulty = map(max, last_arrivals(spark, table, quarantine), before)
    landed = last - before[0]
    return LandingResult(
        landed=landed,
        quarantined=faulty - before[1],
        batches=last_batch(checkpoint) - done,
        arrival_from=before[0] + 1 if landed else None,
        arrival_to=last if landed else None,
        unreadable=unreadable,
        links=plan.links,
        changed=plan.changed,
    )


def _place_faults(source: Path, table: str, quarantine: str) -> list[str]:
    faults = [
        f"table '{name}' is not a name such as schema.name"
        for name in (table, quarantine)
        if not TABLE_NAME.fullmatch(name)
    ]
    if table.lower() == quarantine.lower():
        faults.append(f"table and quarantine are both '{table}'; give the quarantine its own name")
    if ":" in str(source):
        faults.append(f"source folder '{source}' has a colon, which Spark cannot read; rename it")
    if not source.exists():
        faults.append(f"source folder '{source}' does not exist; give the folder of the files")
    elif not source.is_dir():
        faults.append(f"source '{source}' is a file; give the folder that it is in")
    return faults


def _zone_faults(spark: SparkSession) -> list[str]:
    zone = spark.conf.get("spark.sql.session.timeZone")
    if zone in UTC_NAMES:
        return []
    return [
        f"the session's time zone is {zone}; set spark.sql.session.timeZone to UTC, "
        "or a time without an offset would be another instant"
    ]
