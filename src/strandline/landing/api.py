"""The requests of landings, checked and run: of a folder of files, of a topic, of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from strandline.errors import WrongUse, refuse
from strandline.landing.checkpoint import has_begun, import_checkpoint
from strandline.landing.folder import Folder
from strandline.landing.formats import FileFormat, parse_format
from strandline.landing.kafka import Topic, message_columns
from strandline.landing.landings import Landings
from strandline.landing.request import (
    client_settings,
    name_faults,
    place_faults,
    timeout_faults,
    topic_faults,
    zone_faults,
)
from strandline.landing.rows import offset_faults
from strandline.landing.run import LandingResult, run_landing
from strandline.landing.table import DeltaTable, GrowingTable, column_faults, source_faults
from strandline.landing.tables import RESERVED, parse_schema
from strandline.landing.texts import field_faults
from strandline.spark.jars_kafka import load_kafka
from strandline.spark.lock import RunLock
from strandline.spark.remote import is_remote


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

    Which files have landed is in the table ``<table>_landings``.

    Args:
        spark: session whose time zone is UTC.
        source: folder of the files; every visible file in it and below it is landed once. Links
            are not followed.
        table: events table, ``schema.name``; made when missing, with the columns of `schema`,
            ``arrival`` and ``landed_from``.
        schema: Spark DDL of the files' columns; NOT NULL columns are required.
        file_format: csv, json (one object a line, or one array) or parquet.
        checkpoint: folder of the lock. A checkpoint that version 0.1.0 has left there is read
            once, and the landing goes on from it.
        quarantine: table of the faulty rows; ``<table>_quarantine`` by default.
        options: how the files are written, see ``formats.OPTIONS``.
        new_checkpoint: land although the table has rows and ``<table>_landings`` is missing. Files
            that are in the table already would land a second time.
        lock_timeout: seconds to wait for another landing with this lock.

    Returns:
        What this call has done. Calling it again without new files writes nothing.

    Raises:
        WrongUse: the request is wrong; every fault is named, nothing is consumed.
        LandingError: the tables or files do not fit (nothing is consumed), or a batch failed:
            what was done stays, and the next call goes on from there.
        StrandlineSparkError: another landing with this lock has not ended in time, or its folder
            cannot be written.
    """
    source, checkpoint = Path(source).absolute(), Path(checkpoint).absolute()
    quarantine = quarantine or f"{table}_quarantine"
    faults: list[str] = []
    fmt = parse_format(file_format, dict(options or {}), faults)
    faults.extend(place_faults(source, table, quarantine))
    faults.extend(zone_faults(spark))
    faults.extend(timeout_faults(lock_timeout))
    columns = parse_schema(schema, is_text=fmt is None or fmt.is_text, faults=faults)
    if fmt is not None and columns is not None:
        faults.extend(field_faults(columns, fmt))
        faults.extend(offset_faults(columns, fmt))
    refuse("land", faults, WrongUse)
    assert fmt is not None
    assert columns is not None
    with RunLock(checkpoint / "lock").held("landing", lock_timeout):
        landings = Landings(spark, table, quarantine)
        if has_begun(checkpoint):
            import_checkpoint(spark, checkpoint, source, landings)
        reader = Folder(spark, source, columns, fmt)
        return run_landing(spark, landings, reader, checkpoint, new_checkpoint=new_checkpoint)


def land_kafka(
    spark: SparkSession,
    servers: str,
    topic: str,
    table: str,
    folder: str | Path,
    *,
    schema: str | None = None,
    quarantine: str | None = None,
    options: Mapping[str, str] | None = None,
    client: Mapping[str, str] | None = None,
    allow_lost: bool = False,
    new_checkpoint: bool = False,
    lock_timeout: float = 10,
) -> LandingResult:
    """Land the new messages of a topic of Kafka, from its beginning on, each once.

    The offsets that have landed are in the table ``<table>_landings``.

    Args:
        spark: session of an embedded Spark, whose time zone is UTC.
        servers: ``host:port`` of the brokers, separated by commas.
        table: events table, ``schema.name``; made when missing, with the columns of `schema`,
            those of the message (``kafka_key``, ``kafka_headers``, ``kafka_timestamp``,
            ``kafka_partition``, ``kafka_offset``), ``arrival`` and ``landed_from``.
        folder: folder of the lock.
        schema: Spark DDL of the fields of a JSON value; None lands the value as the text `value`.
        quarantine: table of the faulty messages; ``<table>_quarantine`` by default.
        options: how the messages are written, see ``formats.OPTIONS``.
        client: settings of the Kafka client, such as ``security.protocol``. ``env:NAME`` stands for
            the environment variable NAME; a password must be given so.
        allow_lost: land what is there although Kafka has deleted messages that had not landed.
        new_checkpoint: see `land`.
        lock_timeout: seconds to wait for another landing with this lock.

    Raises:
        WrongUse, LandingError, StrandlineSparkError: see `land`.
    """
    quarantine = quarantine or f"{table}_quarantine"
    faults: list[str] = []
    fmt = parse_format("kafka", dict(options or {}), faults)
    faults.extend(name_faults(table, quarantine))
    faults.extend(zone_faults(spark))
    faults.extend(timeout_faults(lock_timeout))
    faults.extend(topic_faults(servers, topic))
    settings = client_settings(client or {}, faults)
    columns = None
    if schema is not None:
        taken = (*RESERVED, *message_columns(fmt or FileFormat("kafka")).names)
        columns = parse_schema(schema, is_text=True, faults=faults, reserved=taken)
    elif others := sorted((options or {}).keys() - {"key"}):
        faults.append(f"options {', '.join(others)} are for JSON values; give their schema as well")
    if fmt is not None and columns is not None:
        fmt = replace(fmt, name="json")
        faults.extend(field_faults(columns, fmt))
        faults.extend(offset_faults(columns, fmt))
    if is_remote(spark):
        faults.append(
            "a topic is landed by a Spark of this process, and this session is one of a server; "
            "name another target, such as --target dev"
        )
    refuse("land", faults, WrongUse)
    assert fmt is not None
    load_kafka(spark)
    folder = Path(folder).absolute()
    with RunLock(folder / "lock").held("landing", lock_timeout):
        source = Topic(
            spark, servers, topic, columns, replace(fmt, name="json"),
            client=settings, allow_lost=allow_lost,
        )  # fmt: skip
        landings = Landings(spark, table, quarantine)
        return run_landing(spark, landings, source, folder, new_checkpoint=new_checkpoint)


def land_table(
    spark: SparkSession,
    source: str,
    table: str,
    folder: str | Path,
    *,
    schema: str | None = None,
    quarantine: str | None = None,
    order_by: Sequence[str] = (),
    changes: str = "refuse",
    grows_by: str | None = None,
    allow_lost: bool = False,
    new_checkpoint: bool = False,
    lock_timeout: float = 10,
) -> LandingResult:
    """Land what was committed to a table since the last landing, each row once.

    Of a Delta table the versions that have landed are in ``<table>_landings``: the first landing
    reads all rows, each later one the versions since then, by the change data feed where it is on,
    else by the files that were added.

    Args:
        spark: session whose time zone is UTC.
        source: the table to read, ``schema.name``.
        table: events table, ``schema.name``; made when missing, with the columns of `source`,
            ``arrival`` and ``landed_from``.
        folder: folder of the lock.
        schema: Spark DDL of the columns to land, with the types that they have; NOT NULL columns
            are required. None lands all columns.
        quarantine: table of the faulty rows; ``<table>_quarantine`` by default.
        order_by: columns by which the rows of one commit are numbered.
        changes: ``refuse`` stops at an update or a delete; ``land`` lands the new rows of updates
            and the old ones of deletes, with the column ``change_type`` (insert, update, delete).
            It needs the change data feed.
        grows_by: of any table or view, a column of whole numbers, dates or times that only grows:
            the rows beyond its last value are read. For what is no Delta table.
        allow_lost: land all rows again where versions are gone, or the table was made again.
        new_checkpoint: see `land`.
        lock_timeout: seconds to wait for another landing with this lock.

    Raises:
        WrongUse, LandingError, StrandlineSparkError: see `land`.
    """
    quarantine = quarantine or f"{table}_quarantine"
    faults = [*name_faults(table, quarantine), *zone_faults(spark), *timeout_faults(lock_timeout)]
    faults.extend(source_faults(spark, source, table, changes, grows_by))
    columns = None
    if schema is not None:
        columns = parse_schema(schema, is_text=False, faults=faults)
    refuse("land", faults, WrongUse)
    faults.extend(column_faults(spark, source, columns, order_by, changes))
    refuse("land", faults, WrongUse)
    reader: DeltaTable | GrowingTable
    if grows_by:
        reader = GrowingTable(spark, source, columns, order_by, column=grows_by)
    else:
        reader = DeltaTable(
            spark, source, columns, order_by, changes=changes, allow_lost=allow_lost
        )
    folder = Path(folder).absolute()
    with RunLock(folder / "lock").held("landing", lock_timeout):
        landings = Landings(spark, table, quarantine)
        return run_landing(spark, landings, reader, folder, new_checkpoint=new_checkpoint)
