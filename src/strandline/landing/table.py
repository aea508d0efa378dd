"""A table as the source of a landing: what was committed since the last one.

Of a Delta table a batch is a range of versions: its change data feed where that is on, else the
files that were added. Of any other table it is the range of a column that only grows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cached_property
from urllib.parse import unquote

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.delta_log import folder_of
from strandline.errors import LandingError
from strandline.landing.batch import Read, cause_of, failed
from strandline.landing.formats import FileFormat
from strandline.landing.landings import Batch, Landings, Part
from strandline.landing.numbering import Block
from strandline.landing.reading import literal_path
from strandline.landing.request import TABLE_NAME
from strandline.landing.rows import parse
from strandline.landing.source import Plan
from strandline.landing.tables import RESERVED, differences, type_name
from strandline.landing.texts import PLACE
from strandline.landing.unfinished import EVENTS, QUARANTINE, Forgotten, Unfinished
from strandline.literals import name_sql, text_sql

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
SNAPSHOT, CHANGES = "snapshot", "changes"  # a whole version, or what was committed in some
CHANGE_TYPE = T.StructField("change_type", T.StringType())
SORTED = 500_000  # rows that one task sorts
GROWING = (T.ByteType, T.ShortType, T.IntegerType, T.LongType, T.DateType, T.TimestampType)
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


class Table:
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

    def _rows_read(
        self,
        rows: DataFrame,
        part: Part,
        *,
        version: Column,
        others: Sequence[Column] = (),
    ) -> Read:
        """Rows as a batch, in the order of `version`, then of the user's columns.

        Rows that are equal in these follow by their contents, so that a batch has the same numbers
        when it is read again.
        """
        values = [F.col(name_sql(field.name)) for field in self._values]
        placed = rows.select(
            F.struct(*values).alias("__row"),
            version.cast("bigint").alias("__version"),
            F.struct(F.lit(0), *map(F.col, map(name_sql, self._order_by))).alias("__order"),
            *others,
        )
        order = ("__version", "__order", "__text")
        cached: list[DataFrame] = []
        try:
            placed = placed.withColumn("__text", F.to_json("__row")).persist()
            cached.append(placed)
            tasks = -(-placed.count() // SORTED) or 1
            spread = placed.repartition(1)
            if tasks > 1:
                spread = placed.repartitionByRange(tasks, *order)
            sorted_rows = spread.sortWithinPartitions(*order).withColumns(
                {
                    "__file": F.lit(self._table),
                    "__modified": F.lit(EPOCH),
                    "__block": F.spark_partition_id().cast("bigint"),
                    "__position": F.monotonically_increasing_id(),
                }
            )
            kept = ("__version", *(each for each in placed.columns if each == "__change"))
            found = sorted_rows.select(*PLACE, "__row", *kept)
            parsed = parse(found, self._values, FileFormat("parquet"), kept)
            version_text = F.col("__version").cast("string")
            row = F.struct(
                "__row.*", *(F.col("__change").alias(CHANGE_TYPE.name) for each in kept[1:])
            )
            shown = parsed.select(
                "__file",
                "__block",
                "__modified",
                F.concat(F.lit(f"{self._table}@"), version_text).alias("landed_from"),
                row.alias("__row"),
                F.lit(None).cast("bigint").alias("line"),
                F.make_valid_utf8("raw").alias("raw"),
                F.lit(None).cast("binary").alias("raw_bytes"),
                "reason",
            ).persist()
            cached.append(shown)
        except PySparkException as error:
            _release(cached)
            raise failed(cause_of(error)) from error
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
        if changes == "land":
            self.schema = T.StructType([*self._values, CHANGE_TYPE])
        self._part: Part | None = None

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
        ends = list(landings.ends_of(self._table).values())
        for each in open_ones:
            if each.is_restored:
                ends.extend((part.last + 1, part.source_id) for part in each.batch.parts
                            if part.last is not None)  # fmt: skip
        first, known = max(ends, default=(0, None))
        faults: list[str] = []
        if ends and known != table_id:
            if not self._allow_lost:
                faults.append(
                    f"table {self._table} is another one than the one that has landed: it was made "
                    "again; say allow_lost (--allow-lost) to land all its rows"
                )
            ends = []
        if ends and first > last + 1:
            faults.append(
                f"table {self._table} is at version {last:,}, and version {first - 1:,} has "
                "landed: it has lost commits; land it to a new table"
            )
        if ends and first <= last and not faults:
            self._part = Part(self._table, CHANGES, None, first, last, source_id=table_id)
            fault = self._fault_of_range(first, last)
            if fault and self._allow_lost and self._are_gone(first, last):
                self._part = Part(self._table, SNAPSHOT, None, last, last, source_id=table_id)
            elif fault:
                faults.append(fault)
        elif not ends:
            self._part = Part(self._table, SNAPSHOT, None, last, last, source_id=table_id)
        return Plan(to_complete=open_ones, has_new=self._part is not None, faults=faults)

    def restored(self, landings: Landings, lost: Forgotten) -> Unfinished:
        """A batch that the landings have lost, by the versions of its rows."""
        counts, last = [0, 0], 0
        for nth in lost.tables:
            rows = self._spark.table(landings.tables[nth])
            rows = rows.where(F.col("arrival") > lost.arrivals[nth])
            version = F.substring_index("landed_from", "@", -1).cast("bigint")
            found = rows.agg(F.count("*"), F.max(version)).first()
            assert found is not None
            counts[nth], last = found[0], max(last, found[1] or 0)
        first = max((end for end, _ in landings.ends_of(self._table).values()), default=None)
        part = Part(
            self._table,
            SNAPSHOT if first is None else CHANGES,
            None,
            last if first is None else first,
            last,
            counts[EVENTS],
            counts[QUARANTINE],
            (
                lost.arrivals[EVENTS] + counts[EVENTS],
                lost.arrivals[QUARANTINE] + counts[QUARANTINE],
            ),
            source_id=str(self._detail["id"]),
        )
        missing = frozenset((EVENTS, QUARANTINE)) - lost.tables
        return Unfinished(Batch(lost.number, (part,)), missing, True, is_restored=True)

    def read_again(self, each: Unfinished) -> Read:
        """Read the same versions."""
        return self._read(each.batch.parts[0])

    def read_new(self) -> Iterator[Read]:
        """Read the new versions as one batch."""
        if self._part:
            yield self._read(self._part)

    def _read(self, part: Part) -> Read:
        assert part.first is not None
        assert part.last is not None
        change = [F.lit("insert").alias("__change")] if self._changes == "land" else []
        if part.name == SNAPSHOT:
            rows = self._as_of(part.last)
            return self._rows_read(rows, part, version=F.lit(part.last), others=change)
        if self._has_feed:
            rows = self._feed(part.first, part.last).where("_change_type <> 'update_preimage'")
            if change:
                kind = F.regexp_replace("_change_type", "_postimage$", "")
                change = [kind.alias("__change")]
            return self._rows_read(rows, part, version=F.col("_commit_version"), others=change)
        return self._rows_read(
            self._added(part.first, part.last), part, version=F.col("__version"), others=change
        )

    def _as_of(self, version: int) -> DataFrame:
        return self._spark.read.option("versionAsOf", version).table(self._table)

    def _feed(self, first: int, last: int) -> DataFrame:
        reader = self._spark.read.option("readChangeFeed", "true")
        return (
            reader.option("startingVersion", first).option("endingVersion", last).table(self._table)
        )

    def _added(self, first: int, last: int) -> DataFrame:
        """The rows of the files that the versions have added, with their version."""
        found = self._commits(first, last)
        frames = []
        for version, names in found.added.items():
            if gone := names & found.gone:
                frames.append(self._of_files(version, dict.fromkeys(gone, version)))
        stay = {
            name: version for version, names in found.added.items() for name in names - found.gone
        }
        frames.append(self._of_files(last, stay))
        first_frame, *others = frames
        for other in others:
            first_frame = first_frame.unionByName(other)
        return first_frame

    def _of_files(self, version: int, names: Mapping[str, int]) -> DataFrame:
        rows = self._as_of(version)
        name = rows.metadataColumn("_metadata")["file_name"]
        rows = rows.withColumn("__name", F.url_decode(F.replace(name, F.lit("+"), F.lit("%2B"))))
        versions = ", ".join(f"{text_sql(name)}, {version}L" for name, version in names.items())
        listed = ", ".join(map(text_sql, names)) or "''"
        found = f"map({versions})[__name]" if names else "cast(null as bigint)"
        return rows.where(f"__name in ({listed})").withColumn("__version", F.expr(found))

    def _commits(self, first: int, last: int) -> Commits:
        """The files of some versions, by Delta's log."""
        location = str(self._detail["location"]).rstrip("/")
        if location.startswith("file:"):
            location = literal_path(folder_of(location))
        added: dict[int, frozenset[str]] = {}
        gone: set[str] = set()
        changed = []
        paths = [f"{location}/_delta_log/{version:020}.json" for version in range(first, last + 1)]
        rows = self._spark.read.schema(ACTIONS).json(paths)
        source = rows.metadataColumn("_metadata")["file_name"]
        for name, add, remove in rows.select(source, "add", "remove").collect():
            version = int(re.sub(r"\D", "", name))
            if add and add["dataChange"]:
                file = unquote(add["path"]).rpartition("/")[2]
                added[version] = added.get(version, frozenset()) | {file}
            if remove:
                gone.add(unquote(remove["path"]).rpartition("/")[2])
                if remove["dataChange"] and version not in changed:
                    changed.append(version)
        return Commits(added, frozenset(gone), sorted(changed))

    def _are_gone(self, first: int, last: int) -> bool:
        """Whether Delta has removed what some versions have added, from its log or its folder."""
        try:
            if self._has_feed:
                self._feed(first, last).write.format("noop").mode("overwrite").save()
            else:
                self._added(first, last).write.format("noop").mode("overwrite").save()
        except PySparkException:
            return True
        return False

    def _fault_of_range(self, first: int, last: int) -> str | None:
        """Why the versions cannot land; None if they can."""
        remedy = (
            "turn on its change data feed (delta.enableChangeDataFeed), and say changes=land "
            "(--changes land) to land changed rows once more"
        )
        try:
            if self._has_feed:
                if self._changes == "land":
                    self._feed(first, last).write.format("noop").mode("overwrite").save()
                    return None
                kinds = self._feed(first, last).where("_change_type <> 'insert'")
                found = kinds.groupBy("_commit_version", "_change_type").count().collect()
                changed = sorted({row["_commit_version"] for row in found})
                remedy = "say changes=land (--changes land) to land changed rows once more"
            else:
                changed = list(self._commits(first, last).changed)
                if not changed:
                    self._added(first, last).write.format("noop").mode("overwrite").save()
        except PySparkException as error:
            return (
                f"table {self._table}: versions {first:,} to {last:,} cannot be read any more: "
                f"they were vacuumed, or its log was cleaned ({cause_of(error)[:200]}); land more "
                "often, or keep them longer (delta.deletedFileRetentionDuration, "
                "delta.logRetentionDuration), and say allow_lost (--allow-lost) to land all rows "
                "of the table again"
            )
        if not changed:
            return None
        shown = ", ".join(f"{version:,}" for version in changed[:5])
        return (
            f"table {self._table} has updated or deleted rows in version {shown}, which cannot be "
            f"appended; {remedy}"
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
        self._part: Part | None = None

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
        ends = [end for end, _ in landings.ends_of(self._table).values()]
        for each in open_ones:
            if each.is_restored:
                ends.extend(part.last + 1 for part in each.batch.parts if part.last is not None)
        first = max(ends, default=None)
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

    def read_again(self, each: Unfinished) -> Read:
        """Read the same range of the column."""
        return self._read(each.batch.parts[0])

    def read_new(self) -> Iterator[Read]:
        """Read the new range as one batch."""
        if self._part:
            yield self._read(self._part)

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
    reserved = (*RESERVED, *((CHANGE_TYPE.name,) if changes == "land" else ()))
    faults.extend(
        f"column {name} of {source} is reserved: the landing adds it; name the other columns by "
        "schema (--schema)"
        for name in wanted.names
        if name.lower() in reserved
    )
    return faults


class _TableRead(Read):
    """The rows of a table."""

    def __init__(self, part: Part, rows: DataFrame, cached: list[DataFrame]) -> None:
        self._part = part
        self._cached = cached
        self.unreadable = {}
        self.good = rows.where(F.col("reason") == "")
        self.bad = rows.where(F.col("reason") != "").drop("__row")

    def parts(
        self, good: Sequence[Block], bad: Sequence[Block], before: tuple[int, int]
    ) -> tuple[Part, ...]:
        """The one range that was read."""
        part = self._part
        landed, faulty = sum(it.rows for it in good), sum(it.rows for it in bad)
        return (
            Part(
                part.source, part.name, None, part.first, part.last, landed, faulty,
                (before[EVENTS] + landed, before[QUARANTINE] + faulty), source_id=part.source_id,
            ),
        )  # fmt: skip

    def release(self) -> None:
        _release(self._cached)


def _release(cached: list[DataFrame]) -> None:
    for frame in cached:
        frame.unpersist()
    cached.clear()
