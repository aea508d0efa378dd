"""A table as the source of a landing: what was committed since the last one.

Of a Delta table a batch is a range of versions: its change data feed where that is on, else the
files that were added. Of any other table it is the range of a column that only grows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from urllib.parse import unquote

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.delta_log import folder_of
from strandline.errors import LandingError, refuse
from strandline.landing.batch import Read, cause_of, release, shown_rows
from strandline.landing.formats import FileFormat
from strandline.landing.landings import Landings, Part
from strandline.landing.numbering import Block, in_order
from strandline.landing.reading import literal_path
from strandline.landing.request import TABLE_NAME
from strandline.landing.rows import parse
from strandline.landing.source import Plan
from strandline.landing.tables import RESERVED, differences, name_problems, type_name
from strandline.landing.texts import PLACE
from strandline.landing.unfinished import EVENTS, QUARANTINE, Forgotten, Unfinished
from strandline.literals import name_sql, text_sql

SNAPSHOT, CHANGES = "snapshot", "changes"  # a whole version, or what was committed in some
CHANGE_TYPE = T.StructField("change_type", T.StringType())
GROWING = (T.ByteType, T.ShortType, T.IntegerType, T.LongType, T.DateType, T.TimestampType)
COMMIT = f"{'?' * 20}.json"  # the name of its file in the log
# Of a commit in Delta's log what says which files it has added and removed.
ACTIONS = ", ".join(
    f"{action} STRUCT<path: STRING, dataChange: BOOLEAN>" for action in ("add", "remove")
)


@dataclass(frozen=True)
class Commits:
    """What a range of versions has added.

    Attributes:
        added: names of files, by version.
        gone: those of them that a later version of the range has removed, as a compaction does.
        changed: versions that have changed or deleted rows.
    """

    added: Mapping[int, frozenset[str]]
    gone: frozenset[str]
    changed: Sequence[int]


class VersionsGone(Exception):
    """Delta's log does not have some versions any more."""


class Table(ABC):
    """What a source that is a table has in common, of Delta or not.

    Args:
        schema: the columns to land, all of them if None.
        order_by: columns by which rows of one commit are numbered.
    """

    def __init__(
        self,
        spark: SparkSession,
        table: str,
        schema: T.StructType | None,
        order_by: Sequence[str],
    ) -> None:
        self._spark = spark
        self._table = table
        given = spark.table(table).schema
        self._values = schema or T.StructType(
            [T.StructField(field.name, field.dataType) for field in given]
        )
        self._order_by = order_by
        self.schema = self._values
        self._part: Part | None = None  # what the plan has found to be new

    def read_again(self, each: Unfinished) -> Read:
        """Read the same range."""
        return self._read(each.batch.parts[0])

    def read_new(self) -> Iterator[Read]:
        """Read what is new as one batch."""
        if self._part:
            yield self._read(self._part)

    @abstractmethod
    def _read(self, part: Part) -> Read:
        """Read a range."""

    def _value(self, rows: DataFrame, field: T.StructField) -> Column:
        """A value of a row; null if its version had no such column."""
        if field.name in rows.columns:
            return F.col(name_sql(field.name))
        return F.lit(None).cast(field.dataType).alias(field.name)

    def _ends(
        self, landings: Landings, open_ones: Sequence[Unfinished]
    ) -> list[tuple[int, str | None]]:
        """What comes after the ranges that have landed, with the id that the table had then."""
        restored = [part for each in open_ones if each.is_restored for part in each.batch.parts]
        ends = [(part.last + 1, part.source_id) for part in restored if part.last is not None]
        return [*landings.ends_of(self._table).values(), *ends]

    def _rows_read(
        self, rows: DataFrame, part: Part, *, version: Column, change: Column | None = None
    ) -> Read:
        """Rows as a batch, in the order of `version`, then of the user's columns.

        Rows that are equal in these follow by their contents, so that a batch has the same numbers
        when it is read again.

        Args:
            change: the value of `change_type`, where the events table has that column.
        """
        values = F.struct(*(self._value(rows, field) for field in self._values))
        placed = rows.select(
            values.alias("__row"),
            F.to_json(values).alias("__text"),
            version.cast("bigint").alias("__version"),
            F.struct(F.lit(0), *map(F.col, map(name_sql, self._order_by))).alias("__order"),
            (F.lit(None) if change is None else change).cast("string").alias("__change"),
        ).persist()
        cached = [placed]
        kept = ("__version", "__change")
        try:
            ordered = in_order(
                placed, placed.count(), self._table, ("__version", "__order", "__text")
            )
            found = ordered.select(*PLACE, "__row", *kept)
            parsed = parse(found, self._values, FileFormat("parquet"), kept)
            of_change = [] if change is None else [F.col("__change").alias(CHANGE_TYPE.name)]
            shown = shown_rows(
                parsed,
                landed_from=F.concat(F.lit(f"{self._table}@"), F.col("__version").cast("string")),
                row=F.struct("__row.*", *of_change),
                line=F.lit(None).cast("bigint"),
                raw=F.col("raw"),
                reason=F.col("reason"),
            ).persist()
            cached.append(shown)
        except PySparkException:
            release(cached)
            raise
        return _TableRead(part, shown, cached)


class DeltaTable(Table):
    """A Delta table: the versions after the last one that has landed.

    Args:
        changes: `refuse` stops at an update or a delete; `land` lands the new rows of updates and
            the old ones of deletes, with the column `change_type`.
        allow_lost: begin again with the whole table where versions are gone.
    """

    def __init__(
        self,
        spark: SparkSession,
        table: str,
        schema: T.StructType | None,
        order_by: Sequence[str],
        *,
        changes: str,
        allow_lost: bool,
    ) -> None:
        super().__init__(spark, table, schema, order_by)
        self._changes = changes
        self._allow_lost = allow_lost
        self._commits: dict[tuple[int, int], Commits] = {}
        if changes == "land":
            self.schema = T.StructType([*self._values, CHANGE_TYPE])

    @cached_property
    def _detail(self) -> Mapping[str, object]:
        found = self._spark.sql(f"DESCRIBE DETAIL {self._table}").first()
        assert found is not None
        return found.asDict()

    @property
    def _has_feed(self) -> bool:
        properties = self._detail["properties"]
        assert isinstance(properties, dict)
        return str(properties.get("delta.enableChangeDataFeed")).lower() == "true"

    def plan(self, landings: Landings, open_ones: Sequence[Unfinished]) -> Plan:
        """Compare the newest version with the last one that has landed."""
        self._part = None
        newest = self._spark.sql(f"DESCRIBE HISTORY {self._table} LIMIT 1").first()
        assert newest is not None
        last, table_id = int(newest["version"]), str(self._detail["id"])
        ends = self._ends(landings, open_ones)
        first, known = max(ends, default=(0, None))
        snapshot = Part(self._table, SNAPSHOT, None, last, last, source_id=table_id)
        faults: list[str] = []
        if not ends:
            self._part = snapshot
        elif known != table_id:
            self._part = snapshot
            if not self._allow_lost:
                faults.append(
                    f"table {self._table} is another one than the one that has landed: it was made "
                    "again; say allow_lost (--allow-lost) to land all its rows"
                )
        elif first > last + 1:
            faults.append(
                f"table {self._table} is at version {last:,}, and version {first - 1:,} has "
                "landed: it has lost commits; land it to a new table"
            )
        elif first <= last:
            self._part = replace(snapshot, name=CHANGES, first=first)
            try:
                faults.extend(self._change_faults(first, last))
            except (PySparkException, VersionsGone) as error:
                self._part = snapshot
                if not self._allow_lost:
                    faults.append(self._gone(first, last, error))
        return Plan(to_complete=open_ones, has_new=self._part is not None, faults=faults)

    def restored(self, landings: Landings, lost: Forgotten) -> Unfinished:
        """A batch that the landings have lost, by the versions of its rows."""
        counts, last = [0, 0], 0
        for nth, rows in lost.rows(self._spark, landings):
            version = F.substring_index("landed_from", "@", -1).cast("bigint")
            found = rows.agg(F.count("*"), F.max(version)).first()
            assert found is not None
            counts[nth], last = found[0], max(last, found[1] or 0)
        first = max((end for end, _ in self._ends(landings, ())), default=None)
        part = Part(
            self._table,
            SNAPSHOT if first is None else CHANGES,
            None,
            last if first is None else first,
            last,
            counts[EVENTS],
            counts[QUARANTINE],
            (lost.arrivals[0] + counts[EVENTS], lost.arrivals[1] + counts[QUARANTINE]),
            source_id=str(self._detail["id"]),
        )
        return lost.with_parts([part])

    def read_new(self) -> Iterator[Read]:
        """Read the new versions as one batch; all rows if they are gone and may be lost.

        Raises:
            LandingError: they are gone.
        """
        part = self._part
        if part is None:
            return
        try:
            read = self._read(part)
        except PySparkException as error:
            if part.name == SNAPSHOT or part.first is None or part.last is None:
                raise
            if not self._allow_lost:
                refuse("land", [self._gone(part.first, part.last, error)])
            read = self._read(replace(part, name=SNAPSHOT, first=part.last))
        yield read

    def _read(self, part: Part) -> Read:
        assert part.first is not None
        assert part.last is not None
        change = F.lit("insert") if self._changes == "land" else None
        if part.name == SNAPSHOT:
            rows, version = self._as_of(part.last), F.lit(part.last)
        elif self._has_feed:
            rows = self._feed(part.first, part.last).where("_change_type <> 'update_preimage'")
            version = F.col("_commit_version")
            if change is not None:
                change = F.regexp_replace("_change_type", "_postimage$", "")
        else:
            rows, version = self._added(part.first, part.last), F.col("__version")
        return self._rows_read(rows, part, version=version, change=change)

    def _as_of(self, version: int) -> DataFrame:
        return self._spark.read.option("versionAsOf", version).table(self._table)

    def _feed(self, first: int, last: int) -> DataFrame:
        reader = self._spark.read.option("readChangeFeed", "true")
        return (
            reader.option("startingVersion", first).option("endingVersion", last).table(self._table)
        )

    def _added(self, first: int, last: int) -> DataFrame:
        """The rows of the files that the versions have added, with their version."""
        found = self._commits_of(first, last)
        stay = {
            name: version for version, names in found.added.items() for name in names - found.gone
        }
        frames = [self._of_files(last, stay)]
        for version, names in found.added.items():
            if gone := names & found.gone:
                frames.append(self._of_files(version, dict.fromkeys(gone, version)))
        return reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), frames)

    def _of_files(self, version: int, names: Mapping[str, int]) -> DataFrame:
        rows = self._as_of(version)
        name = rows.metadataColumn("_metadata")["file_name"]
        rows = rows.withColumn("__name", F.url_decode(F.replace(name, F.lit("+"), F.lit("%2B"))))
        versions = ", ".join(f"{text_sql(name)}, {version}L" for name, version in names.items())
        listed = ", ".join(map(text_sql, names)) or "''"
        found = f"map({versions})[__name]" if names else "cast(null as bigint)"
        return rows.where(f"__name in ({listed})").withColumn("__version", F.expr(found))

    def _commits_of(self, first: int, last: int) -> Commits:
        """The files of some versions, by Delta's log; read once.

        Raises:
            VersionsGone: the log does not have them any more.
        """
        if (first, last) in self._commits:
            return self._commits[first, last]
        location = str(self._detail["location"]).rstrip("/")
        if location.startswith("file:"):
            location = literal_path(folder_of(location))
        log = self._spark.read.schema(ACTIONS).option("pathGlobFilter", COMMIT)
        rows = log.json(f"{location}/_delta_log")
        # Spark opens only the commits in the range. A list of their paths would be listed by a job.
        name = rows.metadataColumn("_metadata")["file_name"]
        in_range = name.between(f"{first:020}.json", f"{last:020}.json")
        added: dict[int, frozenset[str]] = {}
        gone: set[str] = set()
        changed, seen = set(), set()
        for file, add, remove in rows.where(in_range).select(name, "add", "remove").collect():
            version = int(file.removesuffix(".json"))
            seen.add(version)
            if add and add["dataChange"]:
                added[version] = added.get(version, frozenset()) | {_file_of(add["path"])}
            if remove:
                gone.add(_file_of(remove["path"]))
                if remove["dataChange"]:
                    changed.add(version)
        if missing := set(range(first, last + 1)) - seen:
            raise VersionsGone(f"version {min(missing):,} is not in its log")
        found = Commits(added, frozenset(gone), sorted(changed))
        self._commits[first, last] = found
        return found

    def _change_faults(self, first: int, last: int) -> list[str]:
        """Why the versions cannot be appended, if they have changed rows.

        Raises:
            PySparkException, VersionsGone: they are gone.
        """
        say = "say changes=land (--changes land) to land changed rows once more"
        if not self._has_feed:
            changed = self._commits_of(first, last).changed
            say = f"turn on its change data feed (delta.enableChangeDataFeed), and {say}"
        elif self._changes == "land":
            return []
        else:
            others = self._feed(first, last).where("_change_type <> 'insert'")
            found = others.select("_commit_version").distinct().collect()
            changed = sorted(version for (version,) in found)
        if not changed:
            return []
        shown = ", ".join(f"{version:,}" for version in changed[:5])
        return [
            f"table {self._table} has updated or deleted rows in version {shown}, which cannot be "
            f"appended; {say}"
        ]

    def _gone(self, first: int, last: int, error: Exception) -> str:
        return (
            f"table {self._table}: versions {first:,} to {last:,} cannot be read any more: "
            f"they were vacuumed, or its log was cleaned ({cause_of(error)[:200]}); land more "
            "often, or keep them longer (delta.deletedFileRetentionDuration, "
            "delta.logRetentionDuration), and say allow_lost (--allow-lost) to land all rows "
            "of the table again"
        )


class GrowingTable(Table):
    """Any table or view with a column that only grows: the rows beyond the last value.

    Args:
        column: of whole numbers, dates or times.
    """

    def __init__(
        self,
        spark: SparkSession,
        table: str,
        schema: T.StructType | None,
        order_by: Sequence[str],
        *,
        column: str,
    ) -> None:
        super().__init__(spark, table, schema, order_by)
        self._column = column

    def plan(self, landings: Landings, open_ones: Sequence[Unfinished]) -> Plan:
        """Compare the greatest value with the last one that has landed."""
        rows = self._spark.table(self._table)
        kind = rows.schema[self._column].dataType if self._column in rows.columns else None
        if not isinstance(kind, GROWING):
            given = f"is a {type_name(kind)}" if kind else "is no column"
            return Plan(faults=[
                f"column {self._column} of {self._table} {given}; name a column of whole numbers, "
                "dates or times that only grows (--grows-by)"
            ])  # fmt: skip
        found = rows.agg(F.max(self._number), F.count_if(self._number.isNull())).first()
        assert found is not None
        greatest, nulls = found
        faults = []
        if nulls:
            faults.append(
                f"column {self._column} of {self._table} is null in {nulls:,} rows, which would "
                "never land; give it a value"
            )
        first = max((end for end, _ in self._ends(landings, open_ones)), default=None)
        if greatest is not None and (first is None or greatest >= first):
            self._part = Part(self._table, self._column, None, first, greatest)
        return Plan(to_complete=open_ones, has_new=self._part is not None, faults=faults)

    def restored(self, landings: Landings, lost: Forgotten) -> Unfinished:
        """Not known: two landings may have read different ranges.

        Raises:
            LandingError: always.
        """
        raise LandingError(
            f"land: {landings.name} has lost batch {lost.number}, and the rows of {self._table} do "
            "not say which values it had; bring it back from a copy, or land all again: drop the "
            f"tables {landings.table}, {landings.quarantine} and {landings.name}"
        )

    def _read(self, part: Part) -> Read:
        rows = self._spark.table(self._table).where(self._number <= F.lit(part.last))
        if part.first is not None:
            rows = rows.where(self._number >= F.lit(part.first))
        return self._rows_read(rows, part, version=self._number)

    @property
    def _number(self) -> Column:
        """The column as a whole number: microseconds of a time, days of a date."""
        column = F.col(name_sql(self._column))
        kind = self._spark.table(self._table).schema[self._column].dataType
        if isinstance(kind, T.TimestampType):
            return F.unix_micros(column)
        return F.unix_date(column) if isinstance(kind, T.DateType) else column.cast("bigint")


def _file_of(path: str) -> str:
    """The name of a file in an action of Delta's log."""
    return unquote(path).rpartition("/")[2]


def source_faults(
    spark: SparkSession, source: str, table: str, changes: str, grows_by: str | None
) -> list[str]:
    """What is wrong with a table as a source."""
    if not TABLE_NAME.fullmatch(source):
        return [f"source table '{source}' is not a name such as schema.name"]
    faults = []
    if source.lower() == table.lower():
        faults.append(f"table '{table}' is its own source; land it to another one")
    if changes not in ("refuse", "land"):
        faults.append(f"changes is '{changes}'; say refuse or land")
    if changes == "land" and grows_by:
        faults.append("changes=land needs a Delta table, and grows_by is for any other")
    if not spark.catalog.tableExists(source):
        return [*faults, f"source table {source} does not exist; name one that does"]
    if not grows_by:
        described = spark.sql(f"DESCRIBE TABLE EXTENDED {source}").collect()
        provider = {row[0]: row[1] for row in described}.get("Provider", "a view")
        if provider.lower() != "delta":
            faults.append(
                f"source table {source} is {provider}, and only Delta has versions; name a column "
                "that only grows: grows_by (--grows-by)"
            )
    return faults


def column_faults(
    spark: SparkSession,
    source: str,
    schema: T.StructType | None,
    order_by: Sequence[str],
    changes: str,
) -> list[str]:
    """What is wrong with the columns of a source."""
    given = spark.table(source).schema
    wanted = schema or given
    named = {field.name: field for field in given}
    of_source = T.StructType([named[name] for name in wanted.names if name in named])
    faults = [f"source table {source}: {fault}" for fault in differences(wanted, of_source)]
    faults.extend(
        f"column {name} of {source} is no column to order by; it has {', '.join(given.names)}"
        for name in order_by
        if name not in given.names
    )
    reserved = (*RESERVED, CHANGE_TYPE.name) if changes == "land" else RESERVED
    faults.extend(
        f"column {name} of {source} {what}; name the other columns by schema (--schema)"
        for name, what in name_problems(wanted.names, reserved)
    )
    return faults


class _TableRead(Read):
    """The rows of a table."""

    def __init__(self, part: Part, rows: DataFrame, cached: list[DataFrame]) -> None:
        super().__init__(rows, cached)
        self._part = part

    def parts(
        self, good: Sequence[Block], bad: Sequence[Block], before: tuple[int, int]
    ) -> tuple[Part, ...]:
        """The one range that was read."""
        landed, faulty = sum(it.rows for it in good), sum(it.rows for it in bad)
        arrivals = before[EVENTS] + landed, before[QUARANTINE] + faulty
        return (replace(self._part, landed=landed, quarantined=faulty, arrivals=arrivals),)
