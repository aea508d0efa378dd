"""What `detect` refuses beside the metrics: the events' columns, names, sizes. All at once."""

import re

import pytest

from strandline.detection.definition import Definition, define
from strandline.detection.errors import DetectionError

TYPES = {
    "time": "timestamp", "day": "date", "ns": "bigint", "sym": "string", "temp": "double",
    "tags": "map<string,string>", "arrival": "bigint", "place": "string",
    "Severity": "int",
}  # fmt: skip
SENSOR = {
    "name": "engine1", "ts": "time", "keys": ["sym"], "metrics": ["temp > 65"],
    "texts": {}, "window_size": "6 ms", "step": "3 ms", "round_time": True,
    "precision": "ms", "garbage_size": 2000, "arrival": "arrival",
}  # fmt: skip


def defined(**changed: object) -> Definition:
    return define(TYPES, **{**SENSOR, **changed})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": "engine 1"}, "`name` is 'engine 1'; it names tables (<name>_state, <name>_late): a letter, then letters, digits and _"),
        ({"ts": "tiem"}, "`ts` is 'tiem', no column of the events; did you mean `time`? (columns: Severity, arrival, day, ns, place, sym, tags, temp, time)"),
        ({"keys": ["symb"]}, "`keys[0]` is 'symb', no column of the events; did you mean `sym`?"),
        ({"arrival": "arrived"}, "`arrival` is 'arrived', no column of the events; did you mean `arrival`?"),
        ({"arrival": "time"}, "`arrival` `time` is a timestamp; give a whole number that only grows, one for each event"),
        ({"ts": "temp"}, "`ts` `temp` is a double, and the precision is ms; give a timestamp, a date or a bigint of ms"),
        ({"ts": "day"}, "`ts` `day` is a date, and the precision is ms; a date has days or months"),
        ({"precision": "ns"}, "`ts` `time` is a timestamp, and the precision is ns; give nanoseconds since 1970 as a bigint"),
        ({"precision": "month", "window_size": "6 months", "step": "3 months"}, "`ts` `time` is a timestamp, and the precision is month; give the date in the zone you mean: `cast(time as date)`"),
        ({"keys": ["tags"]}, "key column `tags` is a map<string,string>, which is no key; give plain columns"),
        ({"keys": ["sym", "SYM"]}, "key column `sym` is given twice, or is the time column; give each once"),
        ({"keys": ["sym", "sym"]}, "key column `sym` is given twice, or is the time column; give each once"),
        ({"keys": ["time"]}, "key column `time` is given twice, or is the time column; give each once"),
        ({"keys": ["Severity"]}, "`Severity` is the name of a column that detections have of their own; rename it in the events"),
        ({"keys": ["place"]}, "`place` is the name of a column that detections have of their own; rename it in the events"),
        ({"round_time": "no"}, "`round_time` is 'no'; write True or False"),
        ({"garbage_size": 0}, "`garbage_size` is 0; write a number of rows, 1 or more"),
        ({"file_format": "parquet"}, "`file_format` is 'parquet', and the table of `detect` can only be a Delta table; write dbt.config(..., file_format='delta'). What it reads may have any format"),
        ({"garbage_size": True}, "`garbage_size` is True; write a number of rows, 1 or more"),
    ],
)  # fmt: skip
def test_refused(changed: dict, message: str) -> None:
    with pytest.raises(DetectionError, match=re.escape(message)):
        defined(**changed)


@pytest.mark.parametrize("column", ["__arrival", "late_reason", "Late_Reason"])
def test_a_source_with_a_reserved_name_is_refused(column: str) -> None:
    with pytest.raises(DetectionError) as refused:
        define({**TYPES, column: "int"}, **SENSOR)
    assert str(refused.value) == (
        f"detect 'engine1':\n- `{column}` is a reserved name (`late_reason`, and all that begin with `__`); rename "
        "the column in a staging model"
    )


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(DetectionError) as message:
        defined(ts="tiem", garbage_size=0, metrics=["temp >", "tmp > 1"], step="4 ms")
    for part in ("detect 'engine1':", "tiem", "garbage_size", "metrics[0]", "`tmp`", "no multiple"):
        assert part in str(message.value)


@pytest.mark.parametrize(
    "changed",
    [
        {"keys": []},
        {"keys": "sym"},
        {"ts": "ns", "precision": "ns"},
        {"ts": "day", "precision": "day", "window_size": "6 days", "step": "3 days"},
        {"ts": "day", "precision": "month", "window_size": "1 year", "step": "1 month"},
    ],
)
def test_taken(changed: dict) -> None:
    assert defined(**changed).name == "engine1"


def test_columns_are_found_in_any_case_as_in_metrics() -> None:
    types = {"Time": "timestamp", "Arrival": "bigint", "SYM": "string", "Temp": "double"}
    definition = define(types, **SENSOR)
    named = (definition.ts, definition.arrival, definition.keys)
    assert named == ("Time", "Arrival", ("SYM",))
    assert definition.meaning() == define(types, **{**SENSOR, "ts": "Time"}).meaning()


def test_a_column_in_two_spellings_must_be_written_exactly() -> None:
    with pytest.raises(DetectionError) as message:
        define({**TYPES, "SYM": "string", "Sym": "string"}, **{**SENSOR, "keys": ["sYM"]})
    assert str(message.value) == (
        "detect 'engine1':\n"
        "- `keys[0]` is 'sYM', which may be any of sym, SYM, Sym; write it exactly"
    )


def test_the_meaning_has_what_gives_stored_rows_theirs_and_no_more() -> None:
    windowed = {"metrics": ["avg(temp) > 1"]}
    same = [
        {"garbage_size": 1}, {"window_size": "6000 us"},
        {"texts": {"detectors": ["engine1_0"], "severities": [None]}},
    ]  # fmt: skip
    other = [
        {"step": "2 ms"}, {"name": "engine2"}, {"keys": []}, {"metrics": ["avg(temp) > 2"]},
        {"texts": {"anomaly_description": ["hot"]}}, {"texts": {"detectors": ["heat"]}},
        {"texts": {"severities": ["high"]}}, {"window_size": "9 ms"}, {"ts": "ns"},
    ]  # fmt: skip
    for changed in same:
        assert defined(**windowed, **changed).meaning() == defined(**windowed).meaning()
    for changed in other:
        assert defined(**{**windowed, **changed}).meaning() != defined(**windowed).meaning()
