"""The landing of a folder, from what the user asks to what was done."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.batch import BatchWriter, file_name
from strandline.landing.checkpoint import last_batch, seen_files
from strandline.landing.errors import LandingError, WrongUse, refuse
from strandline.landing.files import Listing, check_files, check_planned, list_files, new_files
from strandline.landing.formats import FileFormat, parse_format
from strandline.landing.schema import ADDED, QUARANTINE, parse_schema
from strandline.landing.tables import create_table, last_arrival, note_quarantine, table_faults
from strandline.spark.errors import message_of

TABLE_NAME = re.compile(r"([A-Za-z_]\w*\.){1,2}[A-Za-z_]\w*", re.ASCII)
UTC_NAMES = ("UTC", "Etc/UTC", "Z", "GMT", "+00:00")
# The file source forgets, and then ignores, files that are a week older than the newest one. A
# file that comes late would be lost without a word.
NEVER = "36500d"
# Causes that lie in a file itself, and not in what may be read here, or by whom.
DAMAGED = re.compile(r"FAILED_READ_FILE\.(NO_HINT|CANNOT_READ_FILE_FOOTER)")
NOT_THE_FILE = re.compile(r"Permission denied|AccessControl|library not available|OutOfMemory")
GLOB_CHARACTERS = re.compile(r"([\\{}\[\]*?,^])")
EXPANDED_CHARACTERS = re.compile(r"([\\{},])")


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
    """

    landed: int
    quarantined: int
    batches: int
    arrival_from: int | None
    arrival_to: int | None
    unreadable: Mapping[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()


def check_request(
    source: str | Path,
    table: str,
    file_format: str,
    *,
    quarantine: str | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Refuse what can be seen to be wrong before Spark runs; `land` does it as well.

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
    refuse("land", faults, WrongUse)
    assert fmt is not None
    assert columns is not None
    events = T.StructType([*columns, *ADDED])
    faults.extend(table_faults(spark, table, events))
    faults.extend(table_faults(spark, quarantine, QUARANTINE))
    seen = seen_files(checkpoint)
    faults.extend(check_planned(seen))
    listing = _listing(source, fmt)
    new = new_files(listing.files, seen)
    checked = check_files(new, source, columns, fmt)
    faults.extend(checked.faults)
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
    note_quarantine(spark, table, quarantine)
    links = tuple(str(path.relative_to(source)) for path in listing.links)
    if not new and not seen.planned:
        return LandingResult(0, 0, 0, None, None, links=links)
    done = last_batch(checkpoint)
    writer = BatchWriter(table, quarantine, columns, fmt, str(source), str(checkpoint))
    unreadable = _land_new_files(spark, listing, replace(writer, unreadable=checked.unreadable))
    last = last_arrival(spark, table)
    landed = last - before[0]
    return LandingResult(
        landed=landed,
        quarantined=last_arrival(spark, quarantine) - before[1],
        batches=last_batch(checkpoint) - done,
        arrival_from=before[0] + 1 if landed else None,
        arrival_to=last if landed else None,
        unreadable=unreadable,
        links=links,
    )


def _listing(source: Path, fmt: FileFormat) -> Listing:
    try:
        return list_files(source, fmt)
    except OSError as error:
        raise LandingError(
            f"land: folder {error.filename}: {error.strerror}; make it readable, or name another"
        ) from error


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


def _land_new_files(
    spark: SparkSession, listing: Listing, writer: BatchWriter
) -> Mapping[str, str]:
    """Run the batches; when Spark cannot read a file, once more with that file in quarantine.

    A batch has read all its files before it commits anything. Returns the files in quarantine.
    """
    while True:
        try:
            _run(_stream(spark, listing, writer), writer)
        except PySparkException as error:
            found = _unreadable(spark, writer) if DAMAGED.search(str(error)) else {}
            if not found:
                raise LandingError(
                    "land: the batch failed and is not done; correct the cause and land again: "
                    + _cause_of(error)
                ) from error
            writer = replace(writer, unreadable={**writer.unreadable, **found})
        else:
            return writer.unreadable


def _stream(spark: SparkSession, listing: Listing, writer: BatchWriter) -> DataFrame:
    """The folder as a stream of rows, each with the place it was read from."""
    fmt, schema = writer.fmt, writer.schema
    reader = spark.readStream.option("recursiveFileLookup", "true").option("maxFileAge", NEVER)
    if fmt.glob != "*":
        reader = reader.option("pathGlobFilter", fmt.glob)
    paths = _pattern(Path(writer.source), listing.roots)
    content = F.col("value").alias("raw")
    if fmt.is_text:
        stream = reader.format("text").load(paths)
    else:
        stream = reader.format("parquet").schema(schema).load(paths)
        content = F.struct(*(F.col(f"`{name}`") for name in schema.names)).alias("row")
    if writer.unreadable:
        # Spark takes these files out of the batch before it opens any.
        name = file_name("_metadata.file_path", writer.source)
        stream = stream.where(~name.isin(*writer.unreadable))
    return stream.select(
        content,
        F.col("_metadata.file_path").alias("file"),
        F.col("_metadata.file_modification_time").alias("modified"),
        F.col("_metadata.file_block_start").alias("block"),
    )


def _pattern(source: Path, roots: Sequence[Path]) -> str:
    """The one path that Spark is given: the source folder, or a pattern of some places in it."""
    places = [_literal(str(root.relative_to(source))) for root in roots if root != source]
    if any("/" in place for place in places):
        # Hadoop expands such braces before it reads the patterns, and takes a backslash each time.
        places = [EXPANDED_CHARACTERS.sub(r"\\\1", place) for place in places]
    return _location(source) + (f"/{{{','.join(places)}}}" if places else "")


def _location(path: Path) -> str:
    """A path as Spark takes it: not encoded, as in a URI, but literal."""
    return "file://" + _literal(str(path))


def _literal(text: str) -> str:
    return GLOB_CHARACTERS.sub(r"\\\1", text)


def _run(stream: DataFrame, writer: BatchWriter) -> None:
    query = (
        stream.writeStream.foreachBatch(writer.__call__)
        .option("checkpointLocation", f"file://{writer.checkpoint}")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def _cause_of(error: Exception) -> str:
    """The last cause in one line: the batch runs behind Spark, which wraps its error twice."""
    _, own, text = str(error).rpartition("LandingError: ")
    if own:
        return text.strip().splitlines()[0]
    lines = message_of(error).splitlines()
    named = [line for line in lines if re.match(r"(Caused by: |[\w.]*(Error|Exception): )", line)]
    return (named or lines)[-1].removeprefix("Caused by: ")


def _unreadable(spark: SparkSession, writer: BatchWriter) -> dict[str, str]:
    """The planned files that Spark cannot read, by name, with the cause.

    Raises:
        LandingError: a file cannot be read here, though it may be whole.
    """
    planned = seen_files(Path(writer.checkpoint)).planned
    names = {path: writer.name_of(path) for path in sorted(planned)}
    paths = [path for path, name in names.items() if name not in writer.unreadable]
    found: dict[str, str] = {}
    for path, error in _failing(spark, writer, paths):
        cause = _cause_of(error)
        if NOT_THE_FILE.search(str(error)) or not DAMAGED.search(str(error)):
            raise LandingError(f"land: file {names[path]} cannot be read: {cause}") from error
        found[names[path]] = f"the file cannot be read: {cause}"
    return found


def _failing(
    spark: SparkSession, writer: BatchWriter, paths: Sequence[Path]
) -> Iterable[tuple[Path, Exception]]:
    """The files that cannot be read, found by halves, each with its error."""
    if not paths:
        return
    error = _error_of_reading(spark, writer, paths)
    if error is None:
        return
    if len(paths) == 1:
        yield paths[0], error
        return
    middle = len(paths) // 2
    yield from _failing(spark, writer, paths[:middle])
    yield from _failing(spark, writer, paths[middle:])


def _error_of_reading(
    spark: SparkSession, writer: BatchWriter, paths: Sequence[Path]
) -> Exception | None:
    reader = spark.read.format("text" if writer.fmt.is_text else "parquet")
    if not writer.fmt.is_text:
        reader = reader.schema(writer.schema)
    try:
        rows = reader.load([_location(path) for path in paths])
        rows.write.format("noop").mode("overwrite").save()
    except (PySparkException, Py4JError) as error:
        return error
    return None
