"""One batch of new files: parse, number, append the good rows and then the faulty ones.

Each table's append carries the batch's number as a Delta transaction of its own, so that a batch
that is run again after a kill appends only what is missing. The transaction is an option of the
one write: as a session setting it would silently skip later statements.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.errors import LandingError
from strandline.landing.checkpoint import batch_files, query_id
from strandline.landing.files import check_header
from strandline.landing.formats import FileFormat
from strandline.landing.numbering import Block, line_shifts, shifts
from strandline.landing.rows import parse
from strandline.landing.tables import last_arrival

KEYS = ("file", "block")
FAULTY_FILE = "file STRING, block BIGINT, modified TIMESTAMP, landed_from STRING, reason STRING"


@dataclass(frozen=True)
class BatchWriter:
    """Lands a batch; plain data, so that it can also be sent to a Spark server.

    Attributes:
        table: the events table.
        quarantine: the table of the faulty rows.
        schema: the user's columns.
        fmt: how the files are written.
        source: folder of the files.
        checkpoint: folder of the streaming query's checkpoint.
        unreadable: files that go to quarantine whole, by name, with the reason.
    """

    table: str
    quarantine: str
    schema: T.StructType
    fmt: FileFormat
    source: str
    checkpoint: str
    unreadable: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, batch: DataFrame, batch_id: int) -> None:
        """Append the batch to both tables; skips what an earlier run has already committed."""
        spark = batch.sparkSession
        placed = batch.withColumn("position", F.monotonically_increasing_id())
        # Read and parsed once, and the positions stay the same in all that follows.
        rows = parse(placed, self.schema, self.fmt).persist()
        try:
            lined = self._with_lines(rows)
            is_good = F.col("reason") == ""
            name = file_name("file", self.source).alias("landed_from")
            good = lined.where(is_good).select(*KEYS, "modified", name, "row")
            bad = lined.where(~is_good).select(*KEYS, "modified", name, *self._faulty())
            if files := self._unreadable_files(batch_id):
                whole = spark.createDataFrame(files, FAULTY_FILE)
                bad = bad.unionByName(whole, allowMissingColumns=True)
            events = _numbered(good, lambda: last_arrival(spark, self.table))
            faulty = _numbered(bad, lambda: last_arrival(spark, self.quarantine))
            columns = ("arrival", "landed_from")
            transaction = f"strandline:{query_id(Path(self.checkpoint))}"
            if events is not None:
                values = [F.col("row")[column.name].alias(column.name) for column in self.schema]
                append(events.select(*values, *columns), self.table, transaction, batch_id)
            if faulty is not None:
                wanted = faulty.select(*columns, "line", "raw", "raw_bytes", "reason")
                append(wanted, self.quarantine, transaction, batch_id)
        finally:
            rows.unpersist()

    def _faulty(self) -> tuple[str | Column, ...]:
        """The columns of a faulty row; Delta's files have text only if it is UTF-8."""
        raw, is_text = F.col("raw"), F.is_valid_utf8("raw")
        return (
            "line",
            F.make_valid_utf8(raw).alias("raw"),
            F.when(~is_text, raw.cast("binary")).alias("raw_bytes"),
            "reason",
        )

    def _unreadable_files(self, batch_id: int) -> list[tuple[str, int, datetime, str, str]]:
        """A row for each file of the batch that cannot be read."""
        if not self.unreadable:
            return []
        files = batch_files(Path(self.checkpoint), batch_id)
        names = {path: self.name_of(path) for path in files}
        return [
            (path.as_uri(), 0, files[path], name, self.unreadable[name])
            for path, name in names.items()
            if name in self.unreadable
        ]

    def name_of(self, path: Path) -> str:
        """As `file_name`; a file of another source, which a killed run has planned, whole."""
        is_below = path.is_relative_to(self.source)
        return str(path.relative_to(self.source) if is_below else path)

    def _with_lines(self, rows: DataFrame) -> DataFrame:
        """The rows with their line numbers, without header lines and blank lines."""
        blocks = _blocks(rows)
        lined = _shifted(rows, line_shifts(blocks), "line")
        if not self.fmt.is_text:
            return lined
        if self.fmt.has_header:
            self._check_headers(rows, blocks)
            lined = lined.where(F.col("line") > 1)
        return lined.where(F.trim("raw") != "")

    def _check_headers(self, rows: DataFrame, blocks: list[Block]) -> None:
        """Refuse the batch when a file begins with other names; only first rows are fetched."""
        firsts = [block.first for block in blocks if block.start == 0]
        name = file_name("file", self.source)
        heads = rows.where(F.col("position").isin(firsts)).select(name, "raw").collect()
        faults = [
            fault
            for name, raw in heads
            for fault in check_header(name, raw, self.schema.names, self.fmt)
        ]
        if faults:
            raise LandingError("; ".join(faults))


def file_name(uri: str, source: str) -> Column:
    """Path of a file below the source folder: its bare name, where there are no others."""
    # Spark gives a URI, in which only + is not what a form would make of it.
    path = F.url_decode(F.replace(uri, F.lit("+"), F.lit("%2B")))
    start = F.instr(path, source.rstrip("/") + "/") + len(source.rstrip("/")) + 1
    return F.substr(path, start)


def append(rows: DataFrame, table: str, transaction: str, batch_id: int) -> None:
    """Append `rows` to a Delta table unless this transaction's batch is in it already."""
    (
        rows.write.format("delta")
        .mode("append")
        .option("txnAppId", transaction)
        .option("txnVersion", batch_id)
        .saveAsTable(table)
    )


def _blocks(rows: DataFrame, position: str = "position") -> list[Block]:
    found = rows.groupBy("modified", *KEYS).agg(F.min(position), F.count("*")).collect()
    return [Block(*row) for row in found]


def _numbered(rows: DataFrame, base: Callable[[], int]) -> DataFrame | None:
    """Rows with `arrival` from `base()` + 1; None when there are none."""
    nth = rows.withColumn("nth", F.monotonically_increasing_id())
    blocks = _blocks(nth, "nth")
    return _shifted(nth, shifts(blocks, base()), "arrival", "nth") if blocks else None


def _shifted(
    rows: DataFrame, by: list[tuple[str, int, int]], name: str, position: str = "position"
) -> DataFrame:
    """Rows with the column `name`: their position, moved by their block's shift."""
    if not by:
        return rows.withColumn(name, F.lit(None).cast("bigint"))
    shift = rows.sparkSession.createDataFrame(by, "file STRING, block BIGINT, shift BIGINT")
    # A left join: a row without a block would get no number, which the table refuses.
    joined = rows.join(F.broadcast(shift), list(KEYS), "left")
    return joined.withColumn(name, F.col(position) + F.col("shift")).drop("shift")
