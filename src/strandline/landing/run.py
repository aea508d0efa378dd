"""The landing of a folder, from the request to the result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import types as T

from strandline.errors import WrongUse, refuse
from strandline.landing.batch import BatchWriter
from strandline.landing.checkpoint import last_batch
from strandline.landing.formats import FileFormat, parse_format
from strandline.landing.lost import lost_rows
from strandline.landing.plan import plan_landing
from strandline.landing.record import given_arrivals, read_record
from strandline.landing.request import place_faults, timeout_faults, zone_faults
from strandline.landing.rows import offset_faults
from strandline.landing.stream import land_batches
from strandline.landing.tables import (
    ADDED,
    QUARANTINE,
    create_table,
    last_arrivals,
    note_quarantine,
    parse_schema,
    stored,
    table_faults,
)
from strandline.landing.texts import field_faults
from strandline.spark.lock import RunLock


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
        denied: files and folders that this user may not read; the next call tries them again.
    """

    landed: int
    quarantined: int
    batches: int
    arrival_from: int | None
    arrival_to: int | None
    unreadable: Mapping[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


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
    lock_timeout: float = 10,
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
        lock_timeout: seconds to wait for another landing with this checkpoint.

    Returns:
        What this call has done. Calling it again without new files writes nothing.

    Raises:
        WrongUse: the request is wrong; every fault is named, nothing is consumed.
        LandingError: the tables or files do not fit (nothing is consumed), or a batch failed:
            what was done stays, and the next call goes on from there.
        StrandlineSparkError: another landing with this checkpoint has not ended in time, or its
            folder cannot be written.
    """
    source, checkpoint = Path(source).absolute(), Path(checkpoint).absolute()
    quarantine = quarantine or f"{table}_quarantine"
    faults: list[str] = []
    fmt = parse_format(file_format, dict(options or {}), faults)
    faults.extend(place_faults(source, table, quarantine))
    faults.extend(zone_faults(spark))
    faults.extend(timeout_faults(lock_timeout))
    columns = parse_schema(schema, is_text=fmt is None or fmt.is_text, faults=faults)
    if fmt is not None and fmt.name == "json" and columns is not None:
        faults.extend(field_faults(columns, fmt))
    if fmt is not None and columns is not None:
        faults.extend(offset_faults(columns, fmt))
    refuse("land", faults, WrongUse)
    assert fmt is not None
    assert columns is not None
    tables = table, quarantine
    # One at a time: of two streams of one checkpoint that start at once, Spark may keep one that
    # never runs, and refuse each later one (StreamingQueryManager of Spark 4.2).
    with RunLock(checkpoint / "lock").held("landing", lock_timeout):
        return _land(spark, tables, source, checkpoint, columns, fmt, new_checkpoint)


def _land(
    spark: SparkSession,
    tables: tuple[str, str],
    source: Path,
    checkpoint: Path,
    columns: T.StructType,
    fmt: FileFormat,
    new_checkpoint: bool,
) -> LandingResult:
    table, quarantine = tables
    faults: list[str] = []
    events = T.StructType([*stored(columns), *ADDED])
    faults.extend(table_faults(spark, table, events))
    faults.extend(table_faults(spark, quarantine, QUARANTINE))
    plan = plan_landing(spark, tables, source, checkpoint, columns, fmt)
    faults.extend(plan.faults)
    has_begun = (checkpoint / "metadata").exists()
    is_done = has_begun and not plan.has_work
    last_ones = (0, 0) if is_done else last_arrivals(spark, table, quarantine)
    if any(last_ones) and not new_checkpoint and not has_begun:
        faults.append(
            f"table {table} or {quarantine} has rows, but checkpoint {checkpoint.name} is new: "
            "files that are in the table would land a second time; bring the checkpoint back, "
            "land to a new table, or say new_checkpoint (--new-checkpoint) if the files are others"
        )
    if has_begun:
        faults.extend(lost_rows(spark, tables, checkpoint, last_ones, plan.has_work))
    refuse("land", faults)

    create_table(spark, table, events)
    create_table(spark, quarantine, QUARANTINE)
    note_quarantine(spark, table, quarantine)
    if not plan.has_work:
        return LandingResult(
            0, 0, 0, None, None, links=plan.links, changed=plan.changed, denied=plan.denied
        )
    done = last_batch(checkpoint)
    before = tuple(map(max, last_ones, given_arrivals(checkpoint, done + 1)))
    writer = BatchWriter(
        table, quarantine, columns, fmt, str(source), str(checkpoint), plan.unreadable, plan.before
    )
    unreadable = land_batches(spark, plan.listing, writer)
    records = [
        read_record(checkpoint, batch) for batch in range(done + 1, last_batch(checkpoint) + 1)
    ]
    for record in filter(None, records):  # the batch finds what only Spark can read
        unreadable = {**unreadable, **record.unreadable}
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
        denied=plan.denied,
    )
