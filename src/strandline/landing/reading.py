"""Files read by Spark: their rows with their faults, each with its line and where it is from."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from urllib.parse import unquote, urlsplit

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.errors import LandingError
from strandline.landing.batch import cause_of, shown_rows
from strandline.landing.files import Listing
from strandline.landing.formats import FileFormat
from strandline.landing.numbering import blocks_of, line_shifts, shifted
from strandline.landing.rows import parse
from strandline.landing.spanning import open_files, spanning_rows
from strandline.landing.tables import stored
from strandline.landing.texts import elements_of, is_blank, without_return
from strandline.literals import name_sql, text_sql

# Causes in a file itself, and not in permissions or in this installation; the last is a colon.
DAMAGED = re.compile(
    r"FAILED_READ_FILE\.(NO_HINT|CANNOT_READ_FILE_FOOTER)|Relative path in absolute URI"
)
NOT_THE_FILE = re.compile(r"Permission denied|AccessControl|library not available|OutOfMemory")
NO_ARRAY = (
    "it begins as a JSON array and is none that can be read: it is cut or not valid, or longer "
    "than Spark's VARIANT; write one object a line"
)
GLOB_CHARACTERS = re.compile(r"([\\{}\[\]*?,^])")
EXPANDED_CHARACTERS = re.compile(r"([\\{},])")


@dataclass(frozen=True)
class FileReader:
    """Reads files of a folder; plain data.

    Attributes:
        source: the folder.
        listing: what it holds.
        schema: the user's columns.
        fmt: how the files are written.
        headers: of files whose columns are in another order, or more than the schema's, by name.
        ignored: columns of these files that the schema lacks and that are left out.
        arrays: JSON files that are one array each, by name.
    """

    source: Path
    listing: Listing
    schema: T.StructType
    fmt: FileFormat
    headers: Mapping[str, tuple[str, ...]]
    ignored: Sequence[str] = ()
    arrays: Collection[str] = ()

    def rows(
        self,
        spark: SparkSession,
        names: Collection[str],
        cached: list[DataFrame],
        broken: dict[str, str],
    ) -> DataFrame | None:
        """The rows of some files, read and parsed once; None without files.

        Args:
            cached: gets what is in memory, for the caller to free.
            broken: gets the files that are no JSON array though they begin as one, with the reason.
        """
        groups: dict[FileFormat, list[str]] = {}
        for name in names:
            columns, is_array = self.headers.get(name), name in self.arrays
            fmt = replace(self.fmt, columns=columns, is_array=is_array)
            groups.setdefault(fmt, []).append(name)
        frames = [
            self._with_lines(spark, of_group, fmt, cached, broken)
            for fmt, of_group in groups.items()
        ]
        return reduce(DataFrame.unionByName, frames) if frames else None

    def damaged(self, spark: SparkSession, names: Sequence[str]) -> dict[str, str]:
        """The files that Spark cannot read, by name, with the cause.

        Raises:
            LandingError: a file cannot be read here, though it may be whole.
        """
        found: dict[str, str] = {}
        for name, error in self._failing(spark, sorted(names)):
            cause = cause_of(error)
            if not _is_of_the_file(self.source / name, error):
                raise LandingError(f"land: file {name} cannot be read: {cause}") from error
            found[name] = f"the file cannot be read: {cause}"
        return found

    def _with_lines(
        self,
        spark: SparkSession,
        names: list[str],
        fmt: FileFormat,
        cached: list[DataFrame],
        broken: dict[str, str],
    ) -> DataFrame:
        """Rows with their line numbers, without headers and blank lines."""
        lines = self._read(spark, names, is_whole=fmt.is_array)
        if fmt.is_array:
            lines = elements_of(lines)
        placed = lines.withColumn("__position", F.monotonically_increasing_id())
        # Read and parsed once, and the positions stay the same in all that follows.
        rows = parse(placed, self.schema, fmt).persist()
        cached.append(rows)
        if fmt.is_array:
            name = file_name(F.col("__file"), self.source)
            found = rows.where(F.col("raw").isNull()).select(name).collect()
            broken.update({name: NO_ARRAY for (name,) in found})
            rows = rows.where(F.col("raw").isNotNull())
        lined = shifted(rows, line_shifts(blocks_of(rows)), "line")
        if not fmt.is_text:
            return self._shown(lined)
        if fmt.has_header:
            lined = lined.where(F.col("line") > 1)
        is_row = ~is_blank(fmt)
        if fmt.name != "csv" or not (files := open_files(lined)):
            return self._shown(lined.where(is_row))
        is_open = F.col("__file").isin(*files)
        spanning = spanning_rows(lined.where(is_open), self.schema, fmt)
        both = lined.where(~is_open & is_row).select(*spanning.columns).union(spanning)
        # The order of rows that went through a shuffle is kept for all that follows.
        both = both.persist()
        cached.append(both)
        return self._shown(both)

    def _shown(self, lined: DataFrame) -> DataFrame:
        raw = F.col("raw")
        return shown_rows(
            lined,
            landed_from=file_name(F.col("__file"), self.source),
            row=F.col("__row"),
            line=F.col("line"),
            raw=without_return(raw, self.fmt) if self.fmt.is_text else raw,
            reason=F.col("reason"),
        )

    def _read(
        self, spark: SparkSession, names: Collection[str], *, is_whole: bool = False
    ) -> DataFrame:
        """The files as rows, each with the place it is from; as one row each if `is_whole`."""
        reader = spark.read.option("recursiveFileLookup", "true")
        if is_whole:
            reader = reader.option("wholetext", "true")
        if self.fmt.glob != "*":
            reader = reader.option("pathGlobFilter", self.fmt.glob)
        paths = _pattern(self.source, self.listing.roots)
        if self.fmt.is_text:
            if self.fmt.multi_line:  # else a carriage return ends a line as well
                reader = reader.option("lineSep", "\n")
            found = reader.format("text").load(paths)
            content = F.col("value").alias("raw")
        else:
            found = reader.format("parquet").schema(stored(self.schema)).load(paths)
            content = F.struct(*(F.col(name_sql(name)) for name in self.schema.names))
            content = content.alias("__row")
        of_file = found.metadataColumn("_metadata")  # a column of a file may have this name, too
        placed = found.select(
            content,
            of_file["file_path"].alias("__file"),
            of_file["file_modification_time"].alias("__modified"),
            of_file["file_block_start"].alias("__block"),
            file_name(of_file["file_path"], self.source).alias("__name"),
        )
        # Spark removes all other files of the folder before it opens any.
        wanted = ", ".join(map(text_sql, names))
        return placed.where(f"__name in ({wanted})").drop("__name")

    def _failing(
        self, spark: SparkSession, names: Sequence[str]
    ) -> Iterable[tuple[str, Exception]]:
        """The files that cannot be read, found by halves, each with its error."""
        if not names:
            return
        error = self._error_of_reading(spark, names)
        if error is None:
            return
        if len(names) == 1:
            yield names[0], error
            return
        middle = len(names) // 2
        yield from self._failing(spark, names[:middle])
        yield from self._failing(spark, names[middle:])

    def _error_of_reading(self, spark: SparkSession, names: Sequence[str]) -> Exception | None:
        try:
            self._read(spark, names).write.format("noop").mode("overwrite").save()
        except (PySparkException, Py4JError) as error:
            return error
        return None


def is_damage(error: Exception) -> bool:
    """Whether Spark may have failed because of a file itself."""
    return bool(DAMAGED.search(str(error)))


def path_of(uri: str) -> str:
    """The path in a URI as Spark gives it for a file."""
    return unquote(urlsplit(uri).path)


def file_name(uri: Column, source: Path) -> Column:
    """Path of a file below the source folder: its bare name, where there are no others."""
    folder = str(source).rstrip("/")
    # Spark gives a URI, in which only + is not what a form would make of it.
    path = F.url_decode(F.replace(uri, F.lit("+"), F.lit("%2B")))
    return F.substr(path, F.instr(path, folder + "/") + len(folder) + 1)


def _pattern(source: Path, roots: Sequence[Path]) -> str:
    """The one path that Spark is given: the source folder, or a pattern of some places in it."""
    names = [str(root.relative_to(source)) for root in roots if root != source]
    places = [_literal(name) for name in names if ":" not in name]  # Hadoop has no such names
    if any("/" in place for place in places):
        # Hadoop expands such braces first, then reads the patterns: each removes a backslash.
        places = [EXPANDED_CHARACTERS.sub(r"\\\1", place) for place in places]
    return literal_path(source) + (f"/{{{','.join(places)}}}" if places else "")


def literal_path(path: Path) -> str:
    """A local path for a reader of Spark: not encoded, as in a URI, and no pattern."""
    return f"file://{_literal(str(path))}"


def _literal(text: str) -> str:
    return GLOB_CHARACTERS.sub(r"\\\1", text)


def _is_of_the_file(path: Path, error: Exception) -> bool:
    """Whether an error is of the file itself; its name, which is in the text, may say otherwise."""
    if NOT_THE_FILE.search(str(path)):
        return is_damage(error) and os.access(path, os.R_OK)
    return is_damage(error) and not NOT_THE_FILE.search(str(error))
