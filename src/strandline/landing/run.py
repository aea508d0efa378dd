"""The landing of a folder, from what the user asks to what was done."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.batch import BatchWriter
from strandline.landing.checkpoint import last_batch, seen_files
from strandline.landing.errors import LandingError, WrongUse, refuse
from strandline.landing.files import check_files, check_planned, new_files
from strandline.landing.formats import FileFormat, parse_format
from strandline.landing.schema import ADDED, QUARANTINE, parse_schema
from strandline.landing.tables import create_table, last_arrival, table_faults

TABLE_NAME = re.compile(r"([A-Za-z_]\w*\.){1,2}[A-Za-z_]\w*", re.ASCII)
UTC_NAMES = ("UTC", "Etc/UTC", "Z", "GMT", "+00:00")
# The file source forgets, and then ignores, files that are a week older than the newest one. A
# file that comes late would be lost without a word.
NEVER = "36500d"


@dataclass(frozen=True)
class LandingResult:
    """What one call has done; rows that an earlier, killed call had committed are not in it.

    Attributes:
        landed: rows appended to the events table.
        quarantined: rows appended to the quarantine; both together are the rows of the files.
        batches: batches that were completed.
        arrival_from: the first arrival number given, None when nothing landed.
        arrival_to: the last one, None when nothing landed.
    """

    landed: int
    quarantined: int
    batches: int
    arrival_from: int | None
    arrival_to: int | None


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
        source: folder of the files; every visible file in it and below it is landed once.
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
    faults.extend(_place_faults(spark, source, table, quarantine))
    columns = parse_schema(spark, schema, is_text=fmt is None or fmt.is_text, faults=faults)
    refuse("land", faults, WrongUse)
    assert fmt is not None
    assert columns is not None
    events = T.StructType([*columns, *ADDED])
    faults.extend(table_faults(spark, table, events))
    faults.extend(table_faults(spark, quarantine, QUARANTINE))
    seen = seen_files(checkpoint)
    faults.extend(check_planned(seen))
    faults.extend(check_files(new_files(source, seen, fmt), source, columns, fmt))
    before = last_arrival(spark, table), last_arrival(spark, quarantine)
    if any(before) and not new_checkpoint and not (checkpoint / "metadata").exists():
        faults.append(
            f"table {table} or {quarantine} has rows, but checkpoint {checkpoint.name} is new: "
            "files that are in the table would land a second time; bring the checkpoint back, "
            "land to a new table, or say new_checkpoint (--new-checkpoint) if the files are others"
        )
    refuse("land", faults)

    create_table(spark, table, events)
    create_table(spark, quarantine, QUARANTINE)
    done = last_batch(checkpoint)
    writer = BatchWriter(table, quarantine, columns, fmt, str(source), str(checkpoint))
    _run(_stream(spark, source, columns, fmt), writer, checkpoint)
    batches = last_batch(checkpoint) - done
    if not batches:
        return LandingResult(0, 0, 0, None, None)
    last = last_arrival(spark, table)
    landed = last - before[0]
    return LandingResult(
        landed=landed,
        quarantined=last_arrival(spark, quarantine) - before[1],
        batches=batches,
        arrival_from=before[0] + 1 if landed else None,
        arrival_to=last if landed else None,
    )


def _place_faults(spark: SparkSession, source: Path, table: str, quarantine: str) -> list[str]:
    faults = [
        f"table '{name}' is not a name such as schema.name"
        for name in (table, quarantine)
        if not TABLE_NAME.fullmatch(name)
    ]
    if table.lower() == quarantine.lower():
        faults.append(f"table and quarantine are both '{table}'; give the quarantine its own name")
    if not source.is_dir():
        faults.append(f"source folder '{source}' does not exist; give the folder of the files")
    zone = spark.conf.get("spark.sql.session.timeZone")
    if zone not in UTC_NAMES:
        faults.append(
            f"the session's time zone is {zone}; set spark.sql.session.timeZone to UTC, "
            "or a time without an offset would be another instant"
        )
    return faults


def _stream(spark: SparkSession, source: Path, schema: T.StructType, fmt: FileFormat) -> DataFrame:
    """The folder as a stream of rows, each with the place it was read from."""
    reader = spark.readStream.option("recursiveFileLookup", "true").option("maxFileAge", NEVER)
    if fmt.glob != "*":
        reader = reader.option("pathGlobFilter", fmt.glob)
    content = F.col("value").alias("raw")
    if fmt.is_text:
        stream = reader.format("text").load(source.as_uri())
    else:
        stream = reader.format("parquet").schema(schema).load(source.as_uri())
        content = F.struct(*(F.col(f"`{name}`") for name in schema.names)).alias("row")
    return stream.select(
        content,
        F.col("_metadata.file_path").alias("file"),
        F.col("_metadata.file_modification_time").alias("modified"),
        F.col("_metadata.file_block_start").alias("block"),
    )


def _run(stream: DataFrame, writer: BatchWriter, checkpoint: Path) -> None:
    query = (
        stream.writeStream.foreachBatch(writer.__call__)
        .option("checkpointLocation", checkpoint.as_uri())
        .trigger(availableNow=True)
        .start()
    )
    try:
        query.awaitTermination()
    except PySparkException as error:
        # The batch runs behind Spark, which wraps its error into its own, with the trace before it.
        cause = str(error).rpartition("LandingError: ")[2].strip().splitlines()[0]
        raise LandingError(
            f"land: the batch failed and is not done; correct the cause and land again: {cause}"
        ) from error
