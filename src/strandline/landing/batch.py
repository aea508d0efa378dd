"""One batch of new files: parse, number, append the good rows and then the faulty ones.

Each table's append carries the batch's number as a Delta transaction of its own, so that a batch
that is run again after a kill appends only what is missing. The transaction is an option of the
one write: as a session setting it would silently skip later statements.

The batch's record is written when all files are read and before anything is appended, so that a
file that changes later is noticed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.errors import LandingError
from strandline.landing.changes import changed_while_read, gone_files, states_of
from strandline.landing.checkpoint import batch_files
from strandline.landing.files import RENAME, check_files, header_fault, refused
from strandline.landing.formats import FileFormat
from strandline.landing.numbering import KEYS, Block, blocks_of, line_shifts, numbered, shifted
from strandline.landing.progress import commit_label, progress_of, transaction_of
from strandline.landing.record import BatchRecord, FileState, given_arrivals, write_record
from strandline.landing.rows import parse
from strandline.landing.spanning import open_files, spanning_rows
from strandline.landing.tables import last_arrival
from strandline.landing.texts import is_blank, without_return

FAULTY_FILE = pa.schema(
    [
        ("__file", pa.string()),
        ("__block", pa.int64()),
        ("__modified", pa.timestamp("us", "UTC")),
        ("landed_from", pa.string()),
        ("reason", pa.string()),
    ]
)


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
        before: the files that were checked, as they were then.
    """

    table: str
    quarantine: str
    schema: T.StructType
    fmt: FileFormat
    source: str
    checkpoint: str
    unreadable: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[Path, FileState] = field(default_factory=dict)

    def __call__(self, batch: DataFrame, batch_id: int) -> None:
        """Append the batch to both tables; skips what an earlier run has already committed."""
        spark, checkpoint = batch.sparkSession, Path(self.checkpoint)
        progress = progress_of(spark, (self.table, self.quarantine), checkpoint, batch_id)
        if progress.is_done:
            return
        found = batch_files(checkpoint, batch_id)
        self._check_unchecked(found)
        placed = batch.withColumn("__position", F.monotonically_increasing_id())
        # Read and parsed once, and the positions stay the same in all that follows.
        rows = parse(placed, self.schema, self.fmt).persist()
        lined = rows
        try:
            blocks = blocks_of(rows)
            unreadable = {**self.unreadable, **self._other_headers(rows, blocks)}
            lined = self._with_lines(rows, blocks, unreadable)
            is_good = F.col("reason") == ""
            name = file_name("__file", self.source).alias("landed_from")
            good = lined.where(is_good).select(*KEYS, "__modified", name, "__row")
            bad = lined.where(~is_good).select(*KEYS, "__modified", name, *self._faulty())
            if files := self._unreadable_files(found, unreadable):
                whole = spark.createDataFrame(pa.Table.from_pylist(files, FAULTY_FILE))
                bad = bad.unionByName(whole, allowMissingColumns=True)
            given = given_arrivals(checkpoint, batch_id)
            events, good_rows, event = numbered(
                good, lambda: max(last_arrival(spark, self.table), given[0])
            )
            faulty, bad_rows, fault = numbered(
                bad, lambda: max(last_arrival(spark, self.quarantine), given[1])
            )
            # By now all files are read, and their rows cached.
            read = self._unchanged(found)
            if not progress.is_half:
                rows_of, last = (good_rows, bad_rows), (max(event, given[0]), max(fault, given[1]))
                write_record(checkpoint, batch_id, BatchRecord(read, rows_of, last, unreadable))
            columns = ("arrival", "landed_from")
            if good_rows:
                values = [F.col("__row")[column.name].alias(column.name) for column in self.schema]
                append(events.select(*values, *columns), self.table, checkpoint, batch_id)
            if bad_rows:
                wanted = faulty.select(*columns, "line", "raw", "raw_bytes", "reason")
                append(wanted, self.quarantine, checkpoint, batch_id)
        finally:
            rows.unpersist()
            if lined is not rows:
                lined.unpersist()

    def _faulty(self) -> tuple[str | Column, ...]:
        """The columns of a faulty row; Delta's files have text only if it is UTF-8."""
        raw, is_text = F.col("raw"), F.is_valid_utf8("raw")
        return (
            "line",
            F.make_valid_utf8(raw).alias("raw"),
            F.when(~is_text, raw.cast("binary")).alias("raw_bytes"),
            "reason",
        )

    def _check_unchecked(self, found: Mapping[Path, FileState]) -> None:
        """Check the files that came while the landing began; a damaged one fails the batch, too.

        The next call has it checked before its stream starts, and puts it in quarantine.
        """
        new = sorted(path for path in found if path not in self.before)
        checked = check_files(new, Path(self.source), self.schema, self.fmt)
        damaged = (f"file {name}: {why}" for name, why in checked.unreadable.items())
        unfit = (f"file {name}: {why}" for name, each in checked.unfit.items() for why in each)
        faults = [*checked.faults, *damaged, *unfit]
        if faults:
            raise LandingError("; ".join(faults))

    def _unchanged(self, found: Mapping[Path, FileState]) -> dict[Path, FileState]:
        """The states of the batch's files; refuses the batch if one changed since it was checked.

        A file that came later must be as it was when Spark found it.
        """
        now = states_of(found)
        faults = gone_files(found) + changed_while_read({**found, **self.before}, now)
        if faults:
            raise LandingError("; ".join(faults))
        return now

    def _unreadable_files(
        self, found: Mapping[Path, FileState], unreadable: Mapping[str, str]
    ) -> list[dict[str, object]]:
        """A row for each file of the batch that cannot be read."""
        names = {path: self.name_of(path) for path in found}
        return [
            {
                "__file": path.as_uri(),
                "__block": 0,
                "__modified": found[path].time,
                "landed_from": name,
                "reason": unreadable[name],
            }
            for path, name in names.items()
            if name in unreadable
        ]

    def name_of(self, path: Path) -> str:
        """As `file_name`; a file of another source, which a killed run has planned, whole."""
        is_below = path.is_relative_to(self.source)
        return str(path.relative_to(self.source) if is_below else path)

    def _with_lines(
        self, rows: DataFrame, blocks: list[Block], unreadable: Mapping[str, str]
    ) -> DataFrame:
        """The rows of readable files with their line numbers, without headers and blank lines."""
        lined = shifted(rows, line_shifts(blocks), "line")
        if not self.fmt.is_text:
            return lined
        if self.fmt.has_header:
            lined = lined.where(F.col("line") > 1)
        if unreadable:
            lined = lined.where(~file_name("__file", self.source).isin(*unreadable))
        is_row = ~is_blank(self.fmt)
        if self.fmt.name != "csv" or not (files := open_files(lined)):
            return self._as_shown(lined.where(is_row))
        is_open = F.col("__file").isin(*files)
        spanning = spanning_rows(lined.where(is_open), self.schema, self.fmt)
        both = lined.where(~is_open & is_row).select(*spanning.columns).union(spanning)
        # The order of rows that went through a shuffle is kept for all that follows.
        return self._as_shown(both).persist()

    def _as_shown(self, lined: DataFrame) -> DataFrame:
        """Lines as the quarantine has them."""
        return lined.withColumn("raw", without_return(F.col("raw"), self.fmt))

    def _other_headers(self, rows: DataFrame, blocks: list[Block]) -> dict[str, str]:
        """Files that begin with other names, with the reason; only first rows are fetched.

        Raises:
            LandingError: no file has these names, so the schema or an option may be wrong.
        """
        if not self.fmt.has_header:
            return {}
        firsts = [block.first for block in blocks if block.start == 0]
        name = file_name("__file", self.source)
        heads = rows.where(F.col("__position").isin(firsts)).select(name, "raw").collect()
        faults = {
            name: fault
            for name, raw in heads
            if name not in self.unreadable
            and (fault := header_fault(raw.rstrip("\r"), self.schema.names, self.fmt))
        }
        if faults and len(faults) == len(heads):
            raise LandingError(
                "; ".join(refused({name: [fault] for name, fault in faults.items()}))
            )
        return {name: f"{fault}; {RENAME}" for name, fault in faults.items()}


def file_name(uri: str | Column, source: str) -> Column:
    """Path of a file below the source folder: its bare name, where there are no others."""
    # Spark gives a URI, in which only + is not what a form would make of it.
    path = F.url_decode(F.replace(uri, F.lit("+"), F.lit("%2B")))
    start = F.instr(path, source.rstrip("/") + "/") + len(source.rstrip("/")) + 1
    return F.substr(path, start)


def append(rows: DataFrame, table: str, checkpoint: Path, batch_id: int) -> None:
    """Append `rows` to a Delta table unless this checkpoint's batch is in it already."""
    (
        rows.write.format("delta")
        .mode("append")
        .option("txnAppId", transaction_of(checkpoint))
        .option("txnVersion", batch_id)
        .option("userMetadata", commit_label(checkpoint, batch_id))
        .saveAsTable(table)
    )
