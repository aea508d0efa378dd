"""A folder of files as the source of a landing: which files are new, and what a batch reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.errors import LandingError
from strandline.landing.batch import Read, cause_of, failed, release, shown_rows
from strandline.landing.files import (
    RENAME,
    Checked,
    Listing,
    check_files,
    list_files,
    refused,
)
from strandline.landing.formats import FileFormat
from strandline.landing.landings import Landings, Part, PartsGone
from strandline.landing.numbering import Block
from strandline.landing.reading import FileReader, is_damage, path_of
from strandline.landing.source import Plan
from strandline.landing.states import (
    EPOCH,
    FileState,
    changed_after,
    changed_while_read,
    gone_files,
    state_of,
    states_of,
)
from strandline.landing.tables import stored
from strandline.landing.unfinished import Forgotten, Unfinished

WHOLE_FILE = pa.schema(
    [
        ("__file", pa.string()),
        ("__block", pa.int64()),
        ("__modified", pa.timestamp("us", "UTC")),
        ("landed_from", pa.string()),
        ("reason", pa.string()),
    ]
)


class Folder:
    """The source of a landing."""

    def __init__(
        self, spark: SparkSession, source: Path, schema: T.StructType, fmt: FileFormat
    ) -> None:
        self._spark = spark
        self._source = source
        self.schema = schema
        self._fmt = fmt
        self._listing = Listing((), (), ())
        self._new: Mapping[str, FileState] = {}
        self._checked = Checked()

    def restored(self, landings: Landings, lost: Forgotten) -> Unfinished:
        """A batch that the landings have lost, by the files that rows of it are from."""
        counts: dict[str, list[int]] = {}
        for nth, rows in lost.rows(self._spark, landings):
            for name, count in rows.groupBy("landed_from").agg(F.count("*")).collect():
                counts.setdefault(name, [0, 0])[nth] = count
        events, faulty = lost.arrivals
        parts = []
        for name, (landed, quarantined) in sorted(counts.items()):
            events, faulty = events + landed, faulty + quarantined
            state = state_of(self._source / name) or FileState(0)
            part = Part(
                str(self._source), name, state, None, None, landed, quarantined, (events, faulty)
            )
            parts.append(part)
        return lost.with_parts(parts)

    def plan(self, landings: Landings, open_ones: Sequence[Unfinished]) -> Plan:
        """List the folder, and check its new files against the schema."""
        listing = _listing(self._source, self._fmt)
        landed = landings.states(listing.files)
        to_complete, again, faults = [], set(), []
        for each in open_ones:
            if each.is_restored:
                landed.update(each.batch.files)
                to_complete.append(each)
                continue
            faults.extend(gone_files(each.batch.files))
            faults.extend(each.changed())
            if each.has_begun or each.is_as_read():
                to_complete.append(each)
            else:
                again.add(each.batch.number)
                for path in each.batch.files:
                    landed.pop(path, None)
        new = states_of(path for path in listing.files if path not in landed)
        checked = check_files(sorted(new), self._source, self.schema, self._fmt)
        # If no new file fits, the schema or an option is likely to be wrong: nothing is consumed.
        is_odd_one = bool(checked.fitting)
        faults.extend(checked.faults)
        faults.extend([] if is_odd_one else refused(checked.unfit))
        unfit = {name: "; ".join([*each, RENAME]) for name, each in checked.unfit.items()}
        denied = (path for path in listing.denied if path not in landed)
        self._listing = listing
        self._new = {name: new[self._source / name] for name in self._names(sorted(new))}
        self._checked = replace(checked, unreadable={**checked.unreadable, **unfit})
        # Those of open batches are landed again, or were refused above.
        waiting = {path for each in open_ones for path in each.batch.files}
        done = {path: state for path, state in landed.items() if path not in waiting}
        return Plan(
            to_complete=to_complete,
            again=frozenset(again),
            has_new=bool(new or again),
            faults=faults,
            links=self._names(listing.links),
            denied=self._names(denied),
            changed=self._names(changed_after(done)),
        )

    def read_new(self) -> Iterator[Read]:
        """Read the new files as one batch; once more without those that Spark cannot read.

        Raises:
            PartsGone: a file is gone.
            LandingError: a file changed, or Spark failed for another cause.
        """
        checked = self._checked
        reader = self._reader(self._source, self._listing, checked)
        yield self._read(reader, self._new, dict(checked.unreadable), must_be_same=True)

    def read_again(self, each: Unfinished) -> Read:
        """Read a batch as it was."""
        batch = each.batch
        source = Path(batch.parts[0].source)
        listing = _listing(source, self._fmt)
        names = [part.name for part in batch.parts if not part.reason]
        checked = check_files([source / name for name in names], source, self.schema, self._fmt)
        reader = self._reader(source, listing, checked)
        now = states_of(part.path for part in batch.parts)
        states = {part.name: now[part.path] for part in batch.parts if part.path in now}
        return self._read(reader, states, dict(batch.reasons), must_be_same=each.is_as_read())

    def _read(
        self,
        reader: FileReader,
        states: Mapping[str, FileState],
        unreadable: dict[str, str],
        *,
        must_be_same: bool,
    ) -> Read:
        found = {reader.source / name: state for name, state in states.items()}
        cached: list[DataFrame] = []
        broken: dict[str, str] = {}
        while True:
            names = [name for name in states if name not in unreadable]
            try:
                rows = reader.rows(self._spark, names, cached, broken)
            except (PySparkException, Py4JError) as error:
                release(cached)
                self._refuse_gone(found)
                damaged = reader.damaged(self._spark, names) if is_damage(error) else {}
                if not damaged:
                    raise failed(cause_of(error)) from error
                unreadable.update(damaged)
            else:
                unreadable.update(broken)
                break
        # By now all files are read, and their rows are in memory.
        try:
            self._refuse_gone(found)
            if must_be_same and (faults := changed_while_read(found, states_of(found))):
                raise failed("; ".join(faults))
        except LandingError:
            release(cached)
            raise
        return _FilesRead(self._spark, reader, states, unreadable, rows, cached)

    def _reader(self, source: Path, listing: Listing, checked: Checked) -> FileReader:
        return FileReader(
            source,
            listing,
            self.schema,
            self._fmt,
            checked.headers,
            checked.ignored,
            checked.arrays,
        )

    def _refuse_gone(self, found: Mapping[Path, FileState]) -> None:
        if gone := gone_files(found):
            parts = [
                Part(str(self._source), name, found[self._source / name])
                for name in self._names(found)
            ]
            raise PartsGone(failed("; ".join(gone)).args[0], parts)

    def _names(self, paths: Iterable[Path]) -> tuple[str, ...]:
        return tuple(str(path.relative_to(self._source)) for path in paths)


class _FilesRead(Read):
    """The rows of files."""

    def __init__(
        self,
        spark: SparkSession,
        reader: FileReader,
        states: Mapping[str, FileState],
        unreadable: Mapping[str, str],
        rows: DataFrame | None,
        cached: list[DataFrame],
    ) -> None:
        of_batch = {name: why for name, why in unreadable.items() if name in states}
        if rows is None:
            rows = _nothing(spark, reader.schema)
        super().__init__(rows, cached, unreadable=of_batch, ignored=reader.ignored)
        self._source = reader.source
        self._states = states
        whole = [
            {
                "__file": (reader.source / name).as_uri(),
                "__block": 0,
                "__modified": states[name].time,
                "landed_from": name,
                "reason": why,
            }
            for name, why in of_batch.items()
        ]
        if whole:
            files = spark.createDataFrame(pa.Table.from_pylist(whole, WHOLE_FILE))
            self.bad = self.bad.unionByName(files, allowMissingColumns=True)

    def parts(
        self, good: Sequence[Block], bad: Sequence[Block], before: tuple[int, int]
    ) -> tuple[Part, ...]:
        """The files in the order in which their rows have numbers."""
        counts: dict[str, list[int]] = {name: [0, 0] for name in self._states}
        # Files without rows come last, and with the last numbers.
        ordered: dict[str, None] = {}
        for block in sorted([*good, *bad]):
            ordered[self._name_of(block)] = None
        for nth, blocks in enumerate((good, bad)):
            for block in blocks:
                counts[self._name_of(block)][nth] += block.rows
        events, faulty = before
        parts = []
        for name in dict.fromkeys([*ordered, *self._states]):
            landed, quarantined = counts[name]
            events, faulty = events + landed, faulty + quarantined
            parts.append(
                Part(
                    source=str(self._source),
                    name=name,
                    state=self._states[name],
                    landed=landed,
                    quarantined=quarantined,
                    arrivals=(events, faulty),
                    reason=self.unreadable.get(name),
                )
            )
        return tuple(parts)

    def _name_of(self, block: Block) -> str:
        return str(Path(path_of(block.file)).relative_to(self._source))


def _nothing(spark: SparkSession, schema: T.StructType) -> DataFrame:
    """The rows of no file; made without a Python process."""
    none = spark.range(0).withColumns(
        {
            "__file": F.lit(""),
            "__block": F.lit(0).cast("bigint"),
            "__modified": F.lit(EPOCH),
            "raw": F.lit(None).cast("string"),
            "line": F.lit(None).cast("bigint"),
            "reason": F.lit(""),
            "__row": F.lit(None).cast(stored(schema)),
        }
    )
    return shown_rows(
        none,
        landed_from=F.col("__file"),
        row=F.col("__row"),
        line=F.col("line"),
        raw=F.col("raw"),
        reason=F.col("reason"),
    )


def _listing(source: Path, fmt: FileFormat) -> Listing:
    try:
        return list_files(source, fmt)
    except OSError as error:
        raise LandingError(
            f"land: folder {error.filename}: {error.strerror}; make it readable, or name another"
        ) from error
