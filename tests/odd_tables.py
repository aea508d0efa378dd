"""Small JSON and Parquet files of the kinds that people have, and what `strandline init` makes of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

TWO = ("2026-01-05 06:00:00 61.5", "2026-01-05 06:05:00 62.25")
SUMMER = ("2026-07-05 06:00:00 61.5", "2026-07-05 06:05:00 62.25")


@dataclass(frozen=True)
class Table:
    """A file.

    Attributes:
        text: of a JSON file; else `columns` are those of a Parquet file.
        schema: the columns that are landed, with their types.
        rows: `time value` of each row, as the aggregation reads them; a dot is no value.
        says: options of `strandline init`.
        refusal: what it says instead.
        notes: what the table that it shows says.
        value: the column of `rows`.
    """

    text: str = ""
    columns: dict[str, Any] = field(default_factory=dict)
    schema: str = ""
    rows: tuple[str, ...] = TWO
    says: tuple[str, ...] = ()
    refusal: str = ""
    notes: tuple[str, ...] = ()
    value: str = "v"

    @property
    def file_format(self) -> str:
        return "parquet" if self.columns else "json"

    def write(self, folder: Path) -> Path:
        file = folder / f"events.{self.file_format}"
        if self.columns:
            parquet.write_table(pa.table(self.columns), file)
        else:
            file.write_text(self.text, encoding="utf-8")
        return file


def utc(minute: int) -> datetime:
    return datetime(2026, 1, 5, 6, minute, tzinfo=timezone.utc)


MICROS, LOCAL = pa.timestamp("us", "UTC"), pa.timestamp("us")
PLAIN = "ts TIMESTAMP NOT NULL, key STRING, v DOUBLE"
BERLIN = ("--time-zone", "Europe/Berlin")
V = pa.array([61.5, 62.25])
# fmt: off
FILES = {
    "lines of JSON": Table('{"ts":"2026-01-05T06:00:00Z","key":"a","v":61.5}\n{"ts":"2026-01-05T06:05:00Z","key":"a","v":62.25}\n', schema=PLAIN),
    "a list of objects": Table('[{"ts": "2026-01-05T06:00:00Z", "key": "a", "v": 61.5},\n {"ts": "2026-01-05T06:05:00Z", "key": "a", "v": 62.25}]\n', schema=PLAIN),
    "keys that are missing, and blank lines": Table('{"ts":"2026-01-05T06:00:00Z","v":61.5}\n\n{"key":"a","ts":"2026-01-05T06:05:00Z","v":null}\n', schema="ts TIMESTAMP NOT NULL, v DOUBLE, key STRING", rows=(TWO[0], "2026-01-05 06:05:00 .")),
    "numbers in quotes": Table('{"ts":"2026-01-05T06:00:00Z","key":"a","v":"61.5"}\n{"ts":"2026-01-05T06:05:00Z","key":"a","v":"62.25"}\n', schema="ts TIMESTAMP NOT NULL, key STRING, v STRING", notes=("in quotes",)),
    "decimal commas": Table('{"ts":"2026-01-05T06:00:00Z","key":"a","v":"61,5"}\n{"ts":"2026-01-05T06:05:00Z","key":"a","v":"62,25"}\n', schema="ts TIMESTAMP NOT NULL, key STRING, v STRING", notes=("a comma before the fraction",)),
    "German dates in JSON": Table('{"ts":"05.01.2026 06:00:00","key":"a","v":61.5}\n{"ts":"05.01.2026 06:05:00","key":"a","v":62.25}\n', schema=PLAIN),
    "epoch seconds in JSON": Table('{"time":1767592800,"key":"a","v":61.5}\n{"time":1767593100,"key":"a","v":62.25}\n', schema="time EPOCH_SECONDS NOT NULL, key STRING, v DOUBLE"),
    "local times in JSON": Table('{"ts":"2026-07-05 08:00:00","key":"a","v":61.5}\n{"ts":"2026-07-05 08:05:00","key":"a","v":62.25}\n', schema=PLAIN, rows=SUMMER, says=BERLIN),
    "objects in JSON": Table('{"ts":"2026-01-05T06:00:00Z","at":{"x":1,"y":[2]},"v":61.5}\n{"ts":"2026-01-05T06:05:00Z","at":null,"v":62.25}\n', schema="ts TIMESTAMP NOT NULL, at STRING, v DOUBLE", notes=("objects or lists: landed as JSON",)),
    "a text for no value in JSON": Table('{"ts":"2026-01-05T06:00:00Z","key":"a","v":61.5}\n{"ts":"2026-01-05T06:05:00Z","key":"a","v":"n/a"}\n', schema="ts TIMESTAMP NOT NULL, key STRING, v STRING", rows=(TWO[0], "2026-01-05 06:05:00 ."), notes=("'n/a' for no value",)),
    "truth values and ids": Table('{"ts":"2026-01-05T06:00:00Z","order_id":7,"ok":true,"v":61.5}\n{"ts":"2026-01-05T06:05:00Z","order_id":8,"ok":false,"v":62.25}\n', schema="ts TIMESTAMP NOT NULL, order_id BIGINT, ok BOOLEAN, v DOUBLE"),
    "no JSON": Table('{"ts":"2026-01-05T06:00:00Z","v":61.5}\n{"ts":\n', refusal="events.json cannot be read as JSON: line 2: Expecting value"),
    "no objects": Table("[1, 2]\n", refusal="events.json cannot be read as JSON: 1 is no object"),
    "empty JSON": Table("\n", refusal="events.json cannot be read as JSON: it is empty"),
    "keys that SQL cannot have": Table('{"ts":"2026-01-05T06:00:00Z","the value":61.5,"V":1,"v":2,"arrival":3}\n', refusal="'the value' is no plain name: rename it where the file is made, or land it with names of your own and begin with --model - 'V' is there twice"),
    "Parquet": Table(columns={"ts": pa.array([utc(0), utc(5)], MICROS), "key": ["a", "a"], "v": V}, schema=PLAIN),
    "Parquet of pandas": Table(columns={"ts": pa.array([utc(0), utc(5)], LOCAL), "key": pa.array(["a", "a"]).dictionary_encode(), "v": pa.array([61.5, 62.25], pa.float32()), "n": pa.array([1, 2], pa.int32())}, schema="ts TIMESTAMP_NTZ NOT NULL, key STRING, v FLOAT, n INT", notes=("TIMESTAMP_NTZ in the file",)),
    "local times in Parquet": Table(columns={"ts": pa.array([datetime(2026, 7, 5, 8, 0), datetime(2026, 7, 5, 8, 5)], LOCAL), "v": V}, schema="ts TIMESTAMP_NTZ NOT NULL, v DOUBLE", rows=SUMMER, says=BERLIN),
    "epoch milliseconds in Parquet": Table(columns={"time": pa.array([1767592800000, 1767593100000]), "v": V}, schema="time BIGINT NOT NULL, v DOUBLE", notes=("times as EPOCH_MILLIS",)),
    "times as texts in Parquet": Table(columns={"ts": ["05.01.2026 06:00", "05.01.2026 06:05"], "v": ["61,5", "62,25"]}, schema="ts STRING NOT NULL, v STRING", notes=("times as d.M.yyyy H:mm", "a comma before the fraction")),
    "ISO texts in Parquet": Table(columns={"ts": ["2026-01-05T07:00:00+01:00", "2026-01-05T06:05:00Z"], "v": V}, schema="ts STRING NOT NULL, v DOUBLE"),
    "decimals and days": Table(columns={"day": pa.array([date(2026, 1, 5), date(2026, 1, 6)]), "v": pa.array([Decimal("61.50"), None], pa.decimal128(5, 2))}, schema="day DATE NOT NULL, v DECIMAL(5,2)", rows=("2026-01-05 00:00:00 61.5", "2026-01-06 00:00:00 ."), notes=("DATE in the file",)),
    "lists in Parquet": Table(columns={"ts": pa.array([utc(0), utc(5)], MICROS), "tags": [["x"], []], "v": V}, schema="ts TIMESTAMP NOT NULL, v DOUBLE", notes=("tags (list<", "is left out")),
    "nanoseconds": Table(columns={"ts": pa.array([1], pa.timestamp("ns", "UTC")), "v": [1.0]}, refusal="ts has times in nanoseconds, which are not landed; write microseconds"),
    "empty Parquet": Table(columns={"ts": pa.array([], MICROS), "v": pa.array([], pa.float64())}, refusal="events.parquet cannot be read as Parquet: it has no row"),
}
# fmt: on
