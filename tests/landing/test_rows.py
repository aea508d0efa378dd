"""Rows and the reasons of the faulty ones: input and answer in one view."""

from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

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
    ("5,a,b", "3 values, 6 columns expected"),
    ("6,a,,,,,", "7 values, 6 columns expected"),
    ('7,"open,,,,', "a quote is opened and not closed on the line"),
]  # fmt: skip

JSON = [
    ('{"id": 1, "name": "x", "day": "2026-01-01", "at": "2026-01-01T12:00:00Z", "amount": 1.25}',
     (1, "x", date(2026, 1, 1), datetime(2026, 1, 1, 12), Decimal("1.25"), None)),
    ('{"ratio": 2, "id": "2", "name": {"a": [1]}}', (2, '{"a":[1]}', None, None, None, 2.0)),
    ('{"id": 3, "amount": 123.456}', "column amount: '123.456' is not a DECIMAL(5,2)"),
    ('{"id": 99999999999, "day": 5}',
     "column id: '99999999999' is not an INT; column day: '5' is not a DATE"),
    ('{"id": null, "ratio": 1e400}',
     "column id is required and is empty; column ratio: 'Infinity' is not a DOUBLE"),
    ('{"id": 4, "nick": "z"}', "fields that are no columns: nick"),
    ('{"id": 5', "not a JSON object"),
    ("[1]", "not a JSON object"),
    ('{"id": 6} {"id": 7}', "not one JSON object: a field is given twice, or more text follows"),
    ('{"id": 8}, {"id": 9}', "not one JSON object: a field is given twice, or more text follows"),
    ('{"id": 10, "id": 11}', "not one JSON object: a field is given twice, or more text follows"),
]  # fmt: skip


def check(place, cases: list[tuple], file_format: str) -> None:
    """Every line is a row, a reason, or nothing; and none is lost."""
    place.write("given.txt", "".join(line + "\n" for line, _ in cases))
    result = place.land(SCHEMA, file_format)
    good = [answer for _, answer in cases if isinstance(answer, tuple)]
    bad = [
        (number, line, answer)
        for number, (line, answer) in enumerate(cases, start=1)
        if isinstance(answer, str)
    ]
    columns = [name.split()[0] for name in SCHEMA.split(", ")]
    assert place.rows("arrival", *columns) == [
        (arrival, *row) for arrival, row in enumerate(good, start=1)
    ]
    assert place.faulty("arrival", "line", "raw", "reason") == [
        (arrival, *row) for arrival, row in enumerate(bad, start=1)
    ]
    assert (result.landed, result.quarantined) == (len(good), len(bad))


def test_csv(place) -> None:
    check(place, CSV, "csv")


def test_json(place) -> None:
    check(place, JSON, "json")


def test_formats_of_the_user_and_no_header(place) -> None:
    place.write("a.csv", "1;31.12.2026;NA;31.12.2026 10:30\n2;30.02.2026;x;2026-12-31\n")
    place.land(
        "id INT, day DATE, name STRING, at TIMESTAMP",
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
    assert place.faulty("line", "reason") == [
        (2, "column day: '30.02.2026' is not a DATE; column at: '2026-12-31' is not a TIMESTAMP")
    ]


def test_parquet_rows_keep_their_types_and_required_values_are_checked(place) -> None:
    values = {"id": [1, None, 3], "tags": [["a"], ["b"], None]}
    schema = pa.schema([("id", pa.int32()), ("tags", pa.list_(pa.string()))])
    pq.write_table(pa.table(values, schema=schema), place.source / "a.parquet")
    result = place.land("id INT NOT NULL, tags ARRAY<STRING>", "parquet")
    assert place.rows("arrival", "id", "tags", "landed_from") == [
        (1, 1, ["a"], "a.parquet"),
        (2, 3, None, "a.parquet"),
    ]
    assert place.faulty("line", "raw", "reason") == [
        (2, '{"tags":["b"]}', "column id is required and is empty")
    ]
    assert (result.landed, result.quarantined) == (2, 1)
