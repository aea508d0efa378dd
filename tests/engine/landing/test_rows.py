"""Rows and the reasons of the faulty ones: input and answer in one view."""

from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from strandline.landing.csv_lines import OPEN
from strandline.landing.tables import quarantine_of

SCHEMA = "id INT NOT NULL, name STRING, day DATE, at TIMESTAMP, amount DECIMAL(5,2), ratio DOUBLE"
AT = "2026-01-01T12:00:00"

# line (without its number), the row or the reason
CSV = [
    ("id,name,day,at,amount,ratio", None),
    ("1,plain,2026-01-01,2026-01-01T12:00:00Z,1.25,0.5",
     (1, "plain", date(2026, 1, 1), datetime(2026, 1, 1, 12), Decimal("1.25"), 0.5)),
    ('2,"a ""quoted"", name",,2026-01-01 14:00:00.5+02:00,-7,1e3',
     (2, 'a "quoted", name', None, datetime(2026, 1, 1, 12, 0, 0, 500_000), Decimal("-7.00"), 1e3)),
    ("", None),
    (' 3 ,"",, 2026-01-01 ,1.500,',
     (3, None, None, datetime(2026, 1, 1), Decimal("1.50"), None)),
    ("abc,,,,,", "column id: 'abc' is not an INT"),
    (",x,,,,", "column id is required and is empty"),
    ("99999999999,,2026-02-30,,1.239,NaN",
     "column id: '99999999999' is not an INT; column day: '2026-02-30' is not a DATE; "
     "column amount: '1.239' is not a DECIMAL(5,2); column ratio: 'NaN' is not a DOUBLE"),
    ("1.5,,2026-01-01T10,12:30,12345.00,1e400",
     "column id: '1.5' is not an INT; column day: '2026-01-01T10' is not a DATE; "
     "column at: '12:30' is not a TIMESTAMP; column amount: '12345.00' is not a DECIMAL(5,2); "
     "column ratio: '1e400' is not a DOUBLE"),
    ("4,,now,2026-01-01T12:00:00.1234567Z,1e1,0.5d",
     "column day: 'now' is not a DATE; "
     "column at: '2026-01-01T12:00:00.1234567Z' is not a TIMESTAMP; "
     "column amount: '1e1' is not a DECIMAL(5,2); column ratio: '0.5d' is not a DOUBLE"),
    ("5,a,,,,-0.0", (5, "a", None, None, None, -0.0)),
    ("6,a,,,,1e-300", (6, "a", None, None, None, 1e-300)),
    ("7,a,,,,0e-400", (7, "a", None, None, None, 0.0)),
    ("8,a,,,,-1e-400", "column ratio: '-1e-400' is not a DOUBLE"),
    ("9,caf\udce9,,,,", "the line is not UTF-8; its bytes are in raw_bytes"),
    ("10,na\u00efve \ufffd,,,,", (10, "na\u00efve \ufffd", None, None, None, None)),
    ("5,a,b", "3 values, 6 columns expected"),
    ("6,a,,,,,", "7 values, 6 columns expected"),
    ('7,"open,,,,', OPEN),
]  # fmt: skip

JSON = [
    ('{"id": 1, "name": "x", "day": "2026-01-01", "at": "2026-01-01T12:00:00Z", "amount": 1.25}',
     (1, "x", date(2026, 1, 1), datetime(2026, 1, 1, 12), Decimal("1.25"), None)),
    ('{"ratio": 2, "id": "2", "name": {"a": [1]}}', (2, '{"a":[1]}', None, None, None, 2.0)),
    ('{"id": 3, "amount": 123.456}', "column amount: '123.456' is not a DECIMAL(5,2)"),
    ('{"id": 99999999999, "day": 5}',
     "column id: '99999999999' is not an INT; column day: '5' is not a DATE"),
    ('{"id": null, "ratio": 1e400}',
     "column id is required and is empty; column ratio: '1e400' is not a DOUBLE"),
    ('{"id": 20, "ratio": -0.0}', (20, None, None, None, None, -0.0)),
    ('{"id": 21, "ratio": -0}', (21, None, None, None, None, -0.0)),
    ('{"id": 22, "ratio": 1e-300}', (22, None, None, None, None, 1e-300)),
    ('{"id": 23, "ratio": 1e-400}', "column ratio: '1e-400' is not a DOUBLE"),
    ('{"id": 24, "amount": 1.10000000000000000000000000000000000000001}',
     "column amount: '1.10000000000000000000000000000000000000001' is not a DECIMAL(5,2)"),
    (r'{"id": 25, "name": {"a": [1e2, "3e4"], "\"5e6": "\\"}, "ratio": 7e8}',
     (25, r'{"\"5e6":"\\","a":[100.0,"3e4"]}', None, None, None, 7e8)),
    (r'{"id": 26, "name": "\\\" 1e2, \u00e9", "ratio": 1e2}', (26, '\\" 1e2, \u00e9', None, None, None, 100.0)),
    ('{"id": 27, "name": 1.10}', (27, "1.10", None, None, None, None)),
    ('{"id": 28, "name": "caf\udce9"}', "the line is not UTF-8; its bytes are in raw_bytes"),
    (r'{"id": 29, "name": "\ud83d\ude00 \\ud800"}', (29, "\U0001f600 \\ud800", None, None, None, None)),
    (r'{"id": 30, "name": "\ud83d!"}',
     r"an escape \uD800 to \uDFFF without its other half is no character"),
    (r'{"id": 31, "name": "\\\ude00"}',
     r"an escape \uD800 to \uDFFF without its other half is no character"),
    ('{"id": 4, "nick": "z"}', "fields that are no columns: nick"),
    ('{"id": 5', "not a JSON object"),
    ("[1]", "not a JSON object"),
    ('{"id": 6} {"id": 7}', "not one JSON object: a field is given twice, or more text follows"),
    ('{"id": 8}, {"id": 9}', "not one JSON object: a field is given twice, or more text follows"),
    ('{"id": 10, "id": 11}', "not one JSON object: a field is given twice, or more text follows"),
]  # fmt: skip


def check(place, cases: list[tuple], file_format: str, before: str = "") -> None:
    """Every line is a row, a reason, or nothing; and none is lost."""
    place.write("given.txt", before + "".join(line + "\n" for line, _ in cases))
    result = place.land(SCHEMA, file_format)
    good = [answer for _, answer in cases if isinstance(answer, tuple)]
    bad = [
        (number, *as_landed(line), answer)
        for number, (line, answer) in enumerate(cases, start=1)
        if isinstance(answer, str)
    ]
    columns = [name.split()[0] for name in SCHEMA.split(", ")]
    # By their texts: 0.0 and -0.0 are equal, and not the same.
    assert list(map(repr, place.rows("arrival", *columns))) == [
        repr((arrival, *row)) for arrival, row in enumerate(good, start=1)
    ]
    assert place.faulty("arrival", "line", "raw", "raw_bytes", "reason") == [
        (arrival, *row) for arrival, row in enumerate(bad, start=1)
    ]
    assert (result.landed, result.quarantined) == (len(good), len(bad))


def as_landed(line: str) -> tuple[str, bytes | None]:
    """A line as the quarantine has it: as text and, where it is not UTF-8, in its bytes."""
    given = line.encode("utf-8", "surrogateescape")
    text = given.decode("utf-8", "replace")
    return text, (None if text.encode() == given else given)


def test_csv(place) -> None:
    check(place, CSV, "csv", before="\ufeff")


def test_json(place) -> None:
    check(place, JSON, "json", before="\ufeff")


def test_formats_of_the_user_and_no_header(place) -> None:
    place.write("a.csv", "1;31.12.2026;NA;31.12.2026 10:30\n2;30.02.2026;x;2026-12-31\n")
    other = f"{place.table}_other"
    place.land(
        "id INT, day DATE, name STRING, at TIMESTAMP",
        quarantine=other,
        options={
            "header": "false",
            "sep": ";",
            "null_value": "NA",
            "date_format": "dd.MM.yyyy",
            "timestamp_format": "dd.MM.yyyy HH:mm",
        },
    )
    assert place.rows("id", "day", "name", "at") == [
        (1, date(2026, 12, 31), None, datetime(2026, 12, 31, 10, 30))
    ]
    assert quarantine_of(place.spark, place.table) == other
    assert place.spark.table(other).select("line", "reason").collect() == [
        (2, "column day: '30.02.2026' is not a DATE; column at: '2026-12-31' is not a TIMESTAMP")
    ]


def test_an_offset_as_postgresql_prints_it(place) -> None:
    place.write(
        "a.csv",
        "id,at\n1,2026-01-01 12:00:00.5+02\n2,2026-01-01 12:00:00-0330\n3,2026-01-01 12:00+2\n",
    )
    place.land("id INT, at TIMESTAMP")
    assert place.rows("id", "at") == [
        (1, datetime(2026, 1, 1, 10, 0, 0, 500_000)),
        (2, datetime(2026, 1, 1, 15, 30)),
    ]
    assert place.faulty("line", "reason") == [
        (4, "column at: '2026-01-01 12:00+2' is not a TIMESTAMP")
    ]


def test_fields_that_are_no_columns_are_kept_as_json(place) -> None:
    lines = [
        '{"id": 1, "b": {"c": [1, "x"]}, "a": null}',
        '{"id": 2}',
        '{"id": 3, "more": 7, "big": 12345678901234567890}',
        '{"id": "x", "a": 1}',
    ]
    place.write("a.json", "".join(line + "\n" for line in lines))
    place.land("id INT, more STRING", "json", options={"rest": "more"})
    assert place.rows("id", "more") == [
        (1, '{"b":{"c":[1,"x"]},"a":null}'),
        (2, None),
        (3, '{"more":7,"big":12345678901234567890}'),
    ]
    assert place.faulty("line", "reason") == [(4, "column id: 'x' is not an INT")]


def test_times_of_a_zone(place) -> None:
    """Of a time that clocks show twice it is the first; one that they skip is none."""
    lines = [
        "2026-07-01 12:00",
        "2026-07-01T12:00:00Z",
        "2026-10-25 02:30",
        "2026-03-29 02:30",
        "2026-01-01",
    ]
    place.write("a.csv", "at,day\n" + "".join(f"{line},2026-01-01\n" for line in lines))
    place.land("at TIMESTAMP, day DATE", options={"time_zone": "Europe/Berlin"})
    assert place.rows("at") == [
        (datetime(2026, 7, 1, 10),),
        (datetime(2026, 7, 1, 12),),
        (datetime(2026, 10, 25, 0, 30),),
        (datetime(2025, 12, 31, 23),),
    ]
    assert place.faulty("line", "reason") == [
        (5, "column at: '2026-03-29 02:30' is not a TIMESTAMP in Europe/Berlin")
    ]


def test_times_as_numbers_since_1970(place) -> None:
    lines = [
        ("1767268800", "1767268800123", "1767268800123456"),
        ("1767268800.25", "1767268800123.5", "-1"),
        ("-62135596800", "0", "253402300799999999"),
        ("1767268800.1234567", "1e12", "1.5"),
        ("-62135596801", "x", "253402300800000000"),
        ("99999999999999999999", "2026-01-01", ""),
    ]
    place.write("a.csv", "s,ms,us\n" + "".join(",".join(line) + "\n" for line in lines))
    place.land("s EPOCH_SECONDS, ms epoch_millis, us EPOCH_MICROS NOT NULL")
    texts = [f"string({name})" for name in ("s", "ms", "us")]  # Python has no year 1 in each zone
    assert list(map(tuple, place.spark.table(place.table).selectExpr(*texts).collect())) == [
        ("2026-01-01 12:00:00", "2026-01-01 12:00:00.123", "2026-01-01 12:00:00.123456"),
        ("2026-01-01 12:00:00.25", "2026-01-01 12:00:00.1235", "1969-12-31 23:59:59.999999"),
        ("0001-01-01 00:00:00", "1970-01-01 00:00:00", "9999-12-31 23:59:59.999999"),
    ]
    assert place.faulty("line", "reason") == [
        (5, "column s: '1767268800.1234567' is not an EPOCH_SECONDS; column ms: '1e12' is not an EPOCH_MILLIS; "
            "column us: '1.5' is not an EPOCH_MICROS"),
        (6, "column s: '-62135596801' is not an EPOCH_SECONDS; column ms: 'x' is not an EPOCH_MILLIS; "
            "column us: '253402300800000000' is not an EPOCH_MICROS"),
        (7, "column s: '99999999999999999999' is not an EPOCH_SECONDS; column ms: '2026-01-01' is not an EPOCH_MILLIS; "
            "column us is required and is empty"),
    ]  # fmt: skip
    assert place.spark.table(place.table).schema["s"].dataType.simpleString() == "timestamp"


def test_parquet_rows_keep_their_types_and_required_values_are_checked(place) -> None:
    latin = pa.array([b"x", b"y", None, b"caf\xe9", b"z"]).view(pa.string())
    tags = pa.array([[b"a"], [b"b"], None, [b"c"], [b"\xe9"]])
    table = pa.table(
        {
            "id": pa.array([1, None, 3, 4, 5], pa.int32()),
            "name": latin,
            "tags": pa.ListArray.from_arrays(
                tags.offsets, tags.values.view(pa.string()), mask=pc.is_null(tags)
            ),
        }
    )
    pq.write_table(table, place.source / "a.parquet")
    result = place.land("id INT NOT NULL, name STRING, tags ARRAY<STRING>", "parquet")
    assert place.rows("arrival", "id", "name", "tags", "landed_from") == [
        (1, 1, "x", ["a"], "a.parquet"),
        (2, 3, None, None, "a.parquet"),
    ]
    assert place.faulty("line", "raw", "reason") == [
        (2, '{"name":"y","tags":["b"]}', "column id is required and is empty"),
        (4, '{"id":4,"name":"caf\ufffd","tags":["c"]}', "column name is not UTF-8: x'636166E9'"),
        (5, '{"id":5,"name":"z","tags":["\ufffd"]}', "column tags is not UTF-8"),
    ]
    assert (result.landed, result.quarantined) == (2, 3)


def test_texts_of_a_length(place) -> None:
    """A VARCHAR or CHAR is a STRING of the table: longer is a fault, shorter is not padded."""
    place.write("a.csv", "id,x,y\n1,12345,1234\n2,123456,a\n3,😀😀😀😀😀,ab\n4,,12345\n,a ,b \n")
    schema = "id INT, x VARCHAR(5), y CHAR(4) NOT NULL"
    assert place.land(schema).landed == 3
    assert place.rows("id", "x", "y") == [
        (1, "12345", "1234"),
        (3, "😀" * 5, "ab"),
        (None, "a ", "b "),
    ]
    assert place.faulty("line", "reason") == [
        (3, "column x: '123456' has 6 characters, VARCHAR(5) allows 5"),
        (5, "column y: '12345' has 5 characters, CHAR(4) allows 4"),
    ]
    values = pa.table({"id": pa.array([4, 5], pa.int32()), "x": ["123456", "b"], "y": ["c", None]})
    pq.write_table(values, place.source / "b.parquet")
    (place.source / "a.csv").unlink()
    place.land(schema, "parquet")
    assert place.faulty("line", "reason")[2:] == [
        (1, "column x: '123456' has 6 characters, VARCHAR(5) allows 5"),
        (2, "column y is required and is empty"),
    ]
    assert place.spark.table(place.table).schema.simpleString() == (
        "struct<id:int,x:string,y:string,arrival:bigint,landed_from:string>"
    )


def test_columns_of_any_name(place) -> None:
    """Also those that the landing has for itself."""
    names = [
        "_line", "file", "value", "raw", "reason", "row", "line", "modified", "block", "position", "nth",
        "shift", "bytes", "texts", "shape", "select", "größe", "a.b", "`", "UPPER", "_metadata", "opens", "item qty",
        "x (a; b) = c", "key",
    ]  # fmt: skip
    schema = ", ".join(f"`{name.replace('`', '``')}` INT NOT NULL" for name in names)
    header, values = ",".join(names), ",".join(map(str, range(len(names))))
    place.write("a.csv", f"{header}\n{values}\n{values}0x\n")
    assert place.land(schema).landed == 1
    given = {name: pa.array([nth], pa.int32()) for nth, name in enumerate(names)}
    pq.write_table(pa.table(given), place.source / "b.parquet")
    (place.source / "a.csv").unlink()
    assert place.land(schema, "parquet").landed == 1
    columns = [f"`{name.replace('`', '``')}`" for name in names]
    assert place.rows("arrival", *columns, "landed_from") == [
        (1, *range(len(names)), "a.csv"),
        (2, *range(len(names)), "b.parquet"),
    ]
    assert place.faulty("reason") == [("column key: '240x' is not an INT",)]
