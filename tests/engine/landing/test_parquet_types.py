"""Parquet files of other types than the schema are refused; no value is changed on its way."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from strandline.landing import LandingError, LandingResult

NANOSECONDS = (
    "has times in nanoseconds; write microseconds "
    "(in Spark: spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS)"
)
NANOS, MICROS = pa.timestamp("ns", "UTC"), pa.timestamp("us", "UTC")

# type in the schema, values in the file, what they are
OTHERS = [
    ("BIGINT", pa.array([1], pa.int32()), "INT"),
    ("INT", pa.array([1 << 40], pa.int64()), "BIGINT"),
    ("INT", pa.array(["1"]), "STRING"),
    ("STRING", pa.array([1], pa.int32()), "INT"),
    ("STRING", pa.array([b"x"]), "BINARY"),
    ("DOUBLE", pa.array([1.5], pa.float32()), "FLOAT"),
    ("DECIMAL(5,2)", pa.array([Decimal("1.234")]), "DECIMAL(4,3)"),
    ("DECIMAL(5,2)", pa.array([1], pa.decimal128(5, 1)), "DECIMAL(5,1)"),
    ("DATE", pa.array([0], MICROS), "TIMESTAMP"),
    ("TIMESTAMP", pa.array([0], pa.timestamp("us")), "TIMESTAMP_NTZ"),
    ("STRUCT<B:INT>", pa.array([{"b": 1, "c": 2}]), "STRUCT<B:BIGINT,C:BIGINT>"),
]


def write(path: Path, columns: Mapping[str, pa.Array], **options: object) -> None:
    pq.write_table(pa.table(dict(columns)), path, **options)


def test_other_types_are_refused_before_anything_is_consumed(place) -> None:
    names = [f"c{number}" for number in range(len(OTHERS))]
    schema = ", ".join(f"{name} {kind}" for name, (kind, _, _) in zip(names, OTHERS, strict=True))
    write(
        place.source / "a.parquet",
        dict(zip(names, (values for _, values, _ in OTHERS), strict=True)),
    )
    with pytest.raises(LandingError) as refused:
        place.land(schema, "parquet")
    shown = f"given {', '.join(names)}; expected {', '.join(names)}"
    assert str(refused.value).splitlines() == [
        "land:",
        *(
            f"- file a.parquet: column {name} is {given}, {kind} was expected; {shown}"
            for name, (kind, _, given) in zip(names, OTHERS, strict=True)
        ),
    ]
    assert not place.has_begun


def test_times_in_nanoseconds_and_unknown_types_are_refused(place) -> None:
    """Spark would cut nanoseconds, or fail when the file is consumed."""
    times = pa.array([1_000_000_000], NANOS)
    write(place.source / "a.parquet", {"at": times})
    write(place.source / "b.parquet", {"at": times}, use_deprecated_int96_timestamps=True)
    write(place.source / "c.parquet", {"at": pa.array([[0]], pa.list_(NANOS))})
    write(place.source / "d.parquet", {"at": pa.array([0], pa.uint32())})
    with pytest.raises(LandingError) as refused:
        place.land("at TIMESTAMP", "parquet")
    assert str(refused.value).splitlines() == [
        "land:",
        f"- file a.parquet: column at {NANOSECONDS}",
        f"- file b.parquet: column at {NANOSECONDS}",
        f"- file c.parquet: column at.list.element {NANOSECONDS}",
        "- file d.parquet: it has a type that Spark does not know: "
        "[UNSUPPORTED_DATA_TYPE_FOR_ARROW_CONVERSION] uint32 is not supported in conversion to Arrow.",
    ]
    assert not place.has_begun
    for name in "abcd":
        write(place.source / f"{name}.parquet", {"at": times.cast(MICROS)})
    assert place.land("at TIMESTAMP", "parquet") == LandingResult(4, 0, 1, 1, 4)


def test_other_columns_are_refused(place) -> None:
    one, two = pa.array([1], pa.int64()), pa.array([2], pa.int64())
    write(place.source / "a_missing.parquet", {"id": one})
    write(place.source / "b_extra.parquet", {"id": one, "n": two, "x": two})
    write(place.source / "c_case.parquet", {"ID": one, "n": two})
    twice = pa.Table.from_arrays([one, two, two], ["id", "n", "n"])
    pq.write_table(twice, place.source / "d_twice.parquet")
    with pytest.raises(LandingError) as refused:
        place.land("id BIGINT, n BIGINT", "parquet")
    assert str(refused.value).splitlines() == [
        "land:",
        "- file a_missing.parquet: column n BIGINT is missing; given id; expected id, n",
        "- file b_extra.parquet: column x BIGINT is unknown; given id, n, x; expected id, n",
        "- file c_case.parquet: column id BIGINT is missing; given ID, n; expected id, n",
        "- file c_case.parquet: column ID BIGINT is unknown; given ID, n; expected id, n",
        "- file d_twice.parquet: column n is in the file twice; write it once",
    ]
    assert not place.has_begun


def test_what_is_written_in_other_ways_lands_with_its_own_values(place) -> None:
    """Coarser times, other encodings of text, an order of columns of the file's own."""
    millis, micros = pa.timestamp("ms", "UTC"), pa.timestamp("us", "Europe/Berlin")
    name = pa.array(["x", "y"]).dictionary_encode()
    for number, (file, times) in enumerate({"a": millis, "b": micros}.items()):
        at = pa.array([1_001, -1 - number], times)
        amount = pa.array([Decimal("1.20"), Decimal("-999.99")], pa.decimal128(5, 2))
        write(place.source / f"{file}.parquet", {"amount": amount, "at": at, "name": name})
    schema = "at TIMESTAMP, name STRING, amount DECIMAL(5,2)"
    assert place.land(schema, "parquet") == LandingResult(4, 0, 1, 1, 4)
    at = "unix_micros(at) AS at"
    found = place.spark.sql(
        f"SELECT landed_from, {at}, name, amount FROM {place.table} ORDER BY 1, 2"
    )
    assert [tuple(row) for row in found.collect()] == [
        ("a.parquet", -1_000, "y", Decimal("-999.99")),
        ("a.parquet", 1_001_000, "x", Decimal("1.20")),
        ("b.parquet", -2, "y", Decimal("-999.99")),
        ("b.parquet", 1_001, "x", Decimal("1.20")),
    ]
