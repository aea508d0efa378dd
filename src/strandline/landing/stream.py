"""The batches of a landing: a stream of the folder, run again without files that are damaged."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from strandline.errors import LandingError
from strandline.landing.batch import BatchWriter, file_name
from strandline.landing.changes import gone_files
from strandline.landing.checkpoint import discovered_files
from strandline.landing.files import Listing
from strandline.landing.tables import stored
from strandline.literals import name_sql
from strandline.spark.errors import message_of

# The file source forgets, and then ignores, files that are a week older than the newest one. A
# file that comes late would be lost silently.
NEVER = "36500d"
# Causes in a file itself, and not in permissions or in this installation; the last is a colon.
DAMAGED = re.compile(
    r"FAILED_READ_FILE\.(NO_HINT|CANNOT_READ_FILE_FOOTER)|Relative path in absolute URI"
)
NOT_THE_FILE = re.compile(r"Permission denied|AccessControl|library not available|OutOfMemory")
# A server starts a Python process for each landing, and gives it ten seconds.
NO_WORKER = re.compile(r"Python worker (failed )?to connect back")
STARTS = 3
GLOB_CHARACTERS = re.compile(r"([\\{}\[\]*?,^])")
EXPANDED_CHARACTERS = re.compile(r"([\\{},])")
# For each file whose path looks like a pattern Spark lists all files of its batch: of more than so
# many, no more are in one batch.
FILES_LIKE_PATTERNS = 200


def colon_faults(source: Path, listing: Listing) -> list[str]:
    """Files that Hadoop finds only where it reads a folder whole: else its pattern fails."""
    if listing.roots == (source,):
        return []
    names = (str(path.relative_to(source)) for path in listing.files)
    return [f"file {name} has a colon, which Spark cannot read; rename it" for name in names
            if ":" in name]  # fmt: skip


def land_batches(spark: SparkSession, listing: Listing, writer: BatchWriter) -> Mapping[str, str]:
    """Run the batches; when Spark cannot read a file, once more with that file in quarantine.

    A batch has read all its files before it commits anything. Returns the files in quarantine.
    """
    starts = 1
    while True:
        try:
            _run(_stream(spark, listing, writer), writer)
        except (PySparkException, Py4JError) as error:
            if "[CONCURRENT_QUERY]" in str(error):
                raise LandingError(
                    "land: Spark keeps a landing with this checkpoint that it has never begun, "
                    "since two were started at once; restart the Spark server, or the program that "
                    "runs Spark, and land again: no row is lost"
                ) from error
            if NO_WORKER.search(str(error)):
                starts += 1
                if starts <= STARTS:
                    continue  # safe: what a batch has written, it does not write again
                raise LandingError(
                    f"land: Spark could not start a Python process within its time, {STARTS} times:"
                    " the machine, or the one of the Spark server, is too busy or short of memory; "
                    "stop other work there, or land at another time: no row is lost"
                ) from error
            gone = gone_files(discovered_files(Path(writer.checkpoint)).planned)
            is_damage = not gone and DAMAGED.search(str(error))
            found = _unreadable(spark, writer) if is_damage else {}
            if not found:
                raise LandingError(
                    "land: the batch failed and is not done; correct the cause and land again: "
                    + ("; ".join(gone) or _cause_of(error))
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
    like_patterns = sum(bool(GLOB_CHARACTERS.search(str(path))) for path in listing.files)
    if like_patterns > FILES_LIKE_PATTERNS:
        reader = reader.option("maxFilesPerTrigger", FILES_LIKE_PATTERNS)
    paths = _pattern(Path(writer.source), listing.roots)
    content = F.col("value").alias("raw")
    if fmt.is_text:
        if fmt.multi_line:  # else a carriage return ends a line as well
            reader = reader.option("lineSep", "\n")
        stream = reader.format("text").load(paths)
    else:
        stream = reader.format("parquet").schema(stored(schema)).load(paths)
        content = F.struct(*(F.col(name_sql(name)) for name in schema.names)).alias("__row")
    of_file = stream.metadataColumn("_metadata")  # a column of a file may have this name, too
    if writer.unreadable:
        # Spark removes these files from the batch before it opens any.
        name = file_name(of_file["file_path"], writer.source)
        stream = stream.where(~name.isin(*writer.unreadable))
    return stream.select(
        content,
        of_file["file_path"].alias("__file"),
        of_file["file_modification_time"].alias("__modified"),
        of_file["file_block_start"].alias("__block"),
    )


def _pattern(source: Path, roots: Sequence[Path]) -> str:
    """The one path that Spark is given: the source folder, or a pattern of some places in it."""
    places = [_literal(str(root.relative_to(source))) for root in roots if root != source]
    if any("/" in place for place in places):
        # Hadoop expands such braces first, then reads the patterns: each removes a backslash.
        places = [EXPANDED_CHARACTERS.sub(r"\\\1", place) for place in places]
    return _location(source) + (f"/{{{','.join(places)}}}" if places else "")


def _location(path: Path) -> str:
    """A path in the form for Spark: not encoded, as in a URI, but literal."""
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
    planned = discovered_files(Path(writer.checkpoint)).planned
    names = {path: writer.name_of(path) for path in sorted(planned)}
    paths = [path for path, name in names.items() if name not in writer.unreadable]
    found: dict[str, str] = {}
    for path, error in _failing(spark, writer, paths):
        cause = _cause_of(error)
        if not _is_of_the_file(path, error):
            raise LandingError(f"land: file {names[path]} cannot be read: {cause}") from error
        found[names[path]] = f"the file cannot be read: {cause}"
    return found


def _is_of_the_file(path: Path, error: Exception) -> bool:
    """Whether an error is of the file itself; its name, which is in the text, may say otherwise."""
    if NOT_THE_FILE.search(str(path)):
        return bool(DAMAGED.search(str(error))) and os.access(path, os.R_OK)
    return bool(DAMAGED.search(str(error))) and not NOT_THE_FILE.search(str(error))


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
        reader = reader.schema(stored(writer.schema))
    try:
        rows = reader.load([_location(path) for path in paths])
        rows.write.format("noop").mode("overwrite").save()
    except (PySparkException, Py4JError) as error:
        return error
    return None
