"""`detect` on Spark over several runs: land rows, run, crash between two commits, resend, compare.

`Engine` does what dbt's incremental materialization does with a Python model (`create or replace`,
then `merge`), without dbt's start-up, so that thousands of streams fit in a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.sql.readwriter import DataFrameWriterV2
from tests.engine.detection.oracle import Detection
from tests.engine.detection.oracle_metrics import Row

from strandline.detection import detect

PRECISIONS = {"ms": "ms", "s": "second", "m": "minute", "ns": "ns", "DATE": "day", "MONTH": "month"}
TYPES = {"ns": "bigint", "DATE": "date", "MONTH": "date"}
TO_TIME = {  # from units, in SQL
    "ms": "timestamp_millis({0})",
    "s": "timestamp_seconds({0})",
    "m": "timestamp_seconds({0} * 60)",
    "ns": "{0}",
    "DATE": "date_from_unix_date(cast({0} as int))",
    "MONTH": "add_months(date'1970-01-01', cast({0} as int))",
}
TO_UNITS = {
    "ms": "unix_millis({0})",
    "s": "unix_seconds({0})",
    "m": "unix_seconds({0}) div 60",
    "ns": "{0}",
    "DATE": "unix_date({0})",
    "MONTH": "(year({0}) - 1970) * 12 + month({0}) - 1",
}
COLUMNS = {"temp": "double", "price": "double", "qty": "bigint"}
MERGE = """merge into {0} as kept using found on kept.detection_id = found.detection_id
when matched then update set * when not matched then insert *"""


class Killed(Exception):
    """The crash that a test wanted."""


class Engine:
    """An engine of detection in a schema of its own, over a table of events."""

    def __init__(
        self, spark: Any, schema: str, metrics: Iterable[str], precision: str,
        columns: dict[str, str] | None = None, keys: Iterable[str] = ("sym",), **windows: Any,
    ) -> None:  # fmt: skip
        self.spark, self.schema, self.precision = spark.newSession(), schema, precision
        # Few rows in each run: as many parts would only cost time.
        self.spark.conf.set("spark.sql.adaptive.coalescePartitions.initialPartitionNum", "4")
        self.columns, self.keys = columns or COLUMNS, list(keys)
        self.arguments = {
            "name": "engine1", "ts": "time", "keys": self.keys,
            "metrics": list(metrics), "precision": PRECISIONS[precision], **windows,
        }  # fmt: skip
        self.table = f"{schema}.detections"
        self.spark.sql(f"create schema {schema}")
        columns = [*((key, "string") for key in self.keys), *self.columns.items()]
        listed = ", ".join(f"{name} {kind}" for name, kind in columns)
        kind = TYPES.get(precision, "timestamp")
        spark.sql(
            f"create table {schema}.events (time {kind}, arrival bigint, {listed}) using delta"
        )

    def land(self, rows: Iterable[Row]) -> None:
        """Adds rows in one commit; the same again are a resend."""
        rows = [(row.time, row.arrival, *row.key, *self._values(row)) for row in rows]
        if rows:
            listed = [*((key, "string") for key in self.keys), *self.columns.items()]
            listed = ", ".join(f"{name} {kind}" for name, kind in listed)
            frame = self.spark.createDataFrame(rows, f"time bigint, arrival bigint, {listed}")
            time = TO_TIME[self.precision].format("time")
            frame = frame.selectExpr(f"{time} as time", "arrival", *self.keys, *self.columns)
            frame.coalesce(1).writeTo(f"{self.schema}.events").append()

    def _values(self, row: Row) -> Iterator[Any]:
        for name, kind in self.columns.items():
            value = row.values[name]
            yield float(value) if kind == "double" and value is not None else value

    def run(self, *, full_refresh: bool = False) -> None:
        """A run of dbt."""
        is_incremental = self.spark.catalog.tableExists(self.table) and not full_refresh
        this = SimpleNamespace(schema=self.schema, identifier="detections")
        dbt = SimpleNamespace(this=this, is_incremental=is_incremental)
        events = self.spark.table(f"{self.schema}.events")
        found = detect(dbt, self.spark, source=events, **self.arguments)
        if is_incremental:
            found.createOrReplaceTempView("found")
            _commit(lambda: self.spark.sql(MERGE.format(self.table)))
        else:
            found.writeTo(self.table).using("delta").createOrReplace()

    def run_killed(self, commit: int, *, before: bool, full_refresh: bool = False) -> bool:
        """A run that crashes before or after a commit, counted from 1; false when it made fewer."""
        with killing(commit, before=before) as crash, suppress(Killed):
            self.run(full_refresh=full_refresh)
        return crash.happened

    def found(self) -> list[Detection]:
        """All detections, in the order in which the source gives them."""
        units = TO_UNITS[self.precision]
        times = [f"{units.format(c)} as {c}" for c in ("time", "window_start", "window_end")]
        columns = ["arrival", "anomaly_type", *self.keys]
        sides = ["current_value", "baseline_value", "left_text", "right_text"]
        rows = self.spark.table(self.table).orderBy("arrival", "place")
        return [
            Detection(
                row.arrival, row.time, tuple(row[key] for key in self.keys), row.anomaly_type,
                row.window_start, row.window_end, _side(row.current_value, row.left_text),
                _side(row.baseline_value, row.right_text),
            )
            for row in rows.selectExpr(*columns, *times, *sides).collect()
        ]  # fmt: skip

    def late(self) -> list[tuple[str, int]]:
        rows = self.spark.table(f"{self.schema}.engine1_late").collect()
        return sorted((row.late_reason.split(":")[0], row.arrival) for row in rows)

    def versions(self) -> list[int]:
        history = "describe history {}.{} limit 1"
        tables = ("detections", "engine1_state", "engine1_late")
        return [self.spark.sql(history.format(self.schema, t)).first().version for t in tables]


def as_read(detections: Iterable[Detection]) -> list[Detection]:
    """What an oracle found, with its values as `Engine.found` reads them."""
    return [
        replace(each, left=_as_read(each.left), right=_as_read(each.right)) for each in detections
    ]


def _as_read(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    return round(float(value), 9)


def _side(number: float | None, text: str | None) -> Any:
    return text if number is None else round(number, 9)


class Crash:
    def __init__(self, commit: int, *, before: bool) -> None:
        self.commits, self.happened, self._at, self._before = 0, False, commit, before

    def around(self, write: Any) -> Any:
        if self.happened:
            raise Killed
        self.commits += 1
        self.happened = self.commits == self._at
        if self.happened and self._before:
            raise Killed
        result = write()
        if self.happened:
            raise Killed
        return result


_watching: list[Crash] = []


def _commit(write: Any) -> Any:
    return _watching[-1].around(write) if _watching else write()


@contextmanager
def killing(commit: int, *, before: bool) -> Iterator[Crash]:
    """Counts the commits of `detect` and of the merge after it, and crashes at one of them."""
    crash = Crash(commit, before=before)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("append", "overwrite", "createOrReplace"):
            patch.setattr(DataFrameWriterV2, name, _watched(getattr(DataFrameWriterV2, name)))
        _watching.append(crash)
        try:
            yield crash
        finally:
            _watching.pop()


def _watched(method: Any) -> Any:
    return lambda *args: _commit(lambda: method(*args))
