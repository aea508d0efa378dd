"""Hostile texts in the arguments of macros: a literal of the same text, or a refusal by name."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from tests.hostile import TEXTS
from tests.unit.jinja_macros import Refused, macros_with

GIVEN: dict[str, str] = {}  # the vars of the run


@functools.cache
def macros() -> SimpleNamespace:
    return macros_with(
        var=lambda name, default=None: GIVEN.get(name, default),
        model=SimpleNamespace(name="trades"),
        config=lambda **_: "",
    )


TOKEN = re.compile(r"'([^'\\]*)'|char\((\d+)\)")


def value_of(sql: str) -> str:
    """The text of an expression of `_literal`: `'it'`, `char(39)`, or `concat` of such."""
    inner = sql[len("concat(") : -1] if sql.startswith("concat(") else sql
    assert TOKEN.sub("x", inner).replace("x, ", "") == "x", sql
    return "".join(
        text or chr(int(code or 0)) if code else text for text, code in TOKEN.findall(inner)
    )


def unescaped(token: str) -> str:
    """The text of a quoted literal by Spark's rules for the escapes that it has."""
    assert re.fullmatch(r"'([^'\\]|\\.)*'", token, re.DOTALL), token
    return re.sub(
        r"\\(u0024|.)",
        lambda read: "$" if read[1] == "u0024" else read[1],
        token[1:-1],
        flags=re.DOTALL,
    )


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_literal_is_the_text(text: str) -> None:
    literal = macros()._literal(text)
    assert value_of(literal) == text
    assert "${" not in literal
    assert "${" not in macros()._quoted_literal(text)
    assert unescaped(macros()._quoted_literal(text)) == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_task_of_a_model_keeps_it_on_one_line(text: str) -> None:
    task = {"select": text, "keys": [text], text: 1}
    line = macros()._task_line(task)
    assert len(line.splitlines()) == 1
    assert "${" not in line
    assert macros()._read_task(f"{line}\nselect 1") == task
    assert json.loads(macros()._property_json(task)) == task


# Where a text becomes SQL: by name a call that gives a literal of it among other SQL.
LITERALS = {
    "state": lambda text: macros().duration_in("summary", text),
    "unit": lambda text: macros().anomaly_notifications(SimpleNamespace(identifier="a"), unit=text),
    "unit by detector": lambda text: macros()._counted_words(
        "unit", {text: text}, "departures", []
    ),
    "detector": lambda text: macros().threshold_detector(**DETECTOR | {"detector": text}),
    "description": lambda text: macros().threshold_detector(**DETECTOR | {"description": text}),
    "severity": lambda text: macros().threshold_detector(**DETECTOR | {"severity": text}),
    "label": lambda text: macros().label_threshold("(select 1)", min=5, label=text),
}
DETECTOR: dict[str, Any] = {
    "source": "(select 1)", "keys": ["carrier"], "ts": "day_start", "value": "flights",
    "granularity": "P1D", "min": 5,
}  # fmt: skip


@pytest.mark.parametrize("place", LITERALS)
def test_a_text_of_the_output_is_a_literal_or_refused(place: str) -> None:
    for text in TEXTS.values():
        try:
            sql = LITERALS[place](text)
        except Refused:
            assert not text.strip(), text  # an empty one
            continue
        assert macros()._literal(text) in sql
        assert text == "" or "${" not in sql


def of_a_run(name: str) -> Callable[[str], None]:
    """Reads a var of a run, with another one beside it that is right."""

    def read(text: str) -> None:
        GIVEN.clear()
        GIVEN.update({"strandline_from": TIME, "strandline_to": TIME, name: text})
        if name == "strandline_as_of":
            macros()._as_of()
        else:
            macros()._backfill_range([macros()._run_setting(each) for each in list(GIVEN)[:2]])

    return read


TIME = "2014-01-01 00:00:00"
SOURCE = SimpleNamespace(identifier="requests")
DEFINITION: dict[str, Any] = {
    "name": "trade_aggregation", "source": SOURCE, "select": {"total": "sum(n)"},
    "keys": ["symbol"], "ts": "ts", "every": "hour...day",
}  # fmt: skip
STREAMS = {
    alias: {"window": SimpleNamespace(identifier=alias), "on": "id"} for alias in ("one", "two")
}
PATTERN: dict[str, Any] = {
    "streams": STREAMS, "when": ["one and two"], "select": {"id": "one.id"}
}  # fmt: skip
ANOMALIES: dict[str, Any] = {"detections": SOURCE, "keys": ["detector"]}
POINTS: dict[str, Any] = {"source": SOURCE, "ts": "ts", "bucket": "1 hour"}


def aggregation(**changes: Any) -> None:
    macros().aggregation(**DEFINITION | changes)


def join(**changes: Any) -> None:
    arguments = {
        "requests": SOURCE,
        "within": ["b.start", "b.end"],
        "per": "b.per",
        "select": ["a.total"],
    }
    macros().aggregation_join(macros().aggregation(**DEFINITION), **arguments | changes)


def within(text: Any) -> None:
    macros().aggregation_within(macros().aggregation(**DEFINITION), per="hours", within=text)


# Where a text must be a name, a time, a length or a pattern: none of the hostile ones is.
REFUSED = {
    "strandline_as_of": of_a_run("strandline_as_of"),
    "strandline_from": of_a_run("strandline_from"),
    "strandline_to": of_a_run("strandline_to"),
    "name": lambda text: aggregation(name=text),
    "every": lambda text: aggregation(every=text),
    "time_zone": lambda text: aggregation(time_zone=text),
    "mutability_period": lambda text: aggregation(mutability_period=text),
    "buffer_size": lambda text: aggregation(buffer_size=text),
    "retention": lambda text: aggregation(retention={"hours": text}),
    "a name of select": lambda text: aggregation(select={text: "sum(n)"}),
    "duration": lambda text: macros().bucket_start("ts", text),
    "within": within,
    "a start of within": lambda text: within([text, TIME]),
    "per of a join": lambda text: join(per=text),
    "within of a join": lambda text: join(within=text),
    "an end of a join": lambda text: join(within=["b.start", text]),
    "select of a join": lambda text: join(select=[text]),
    "when": lambda text: macros().correlation_table(**PATTERN | {"when": [text]}),
    "an alias": lambda text: macros().correlation_table(**PATTERN | {"streams": {text: STREAMS["one"]}}),
    "on": lambda text: macros().correlation_table(**PATTERN | {"streams": {"one": STREAMS["one"] | {"on": text}}}),
    "granularity": lambda text: macros().anomalies(**ANOMALIES, granularity=text),
    "feedback": lambda text: macros().anomalies(**ANOMALIES, feedback=text),
    "source of a detector": lambda text: macros().threshold_detector(**DETECTOR | {"source": text}),
    "missing of a detector": lambda text: macros().threshold_detector(**DETECTOR, missing=text),
    "bucket": lambda text: macros().state_agg_table(**POINTS | {"bucket": text}, state="s"),
}  # fmt: skip

# Names and numbers that the list has because others take them for something else.
PLAIN_NAMES = {"null", "None"}


@pytest.mark.parametrize("place", REFUSED)
def test_a_text_that_is_no_name_time_or_pattern_is_refused(place: str) -> None:
    passed = []
    for text in [*TEXTS.values(), "name\n", "ts\n"]:
        try:
            REFUSED[place](text)
        except Refused:
            continue
        passed.append(text)
    assert set(passed) <= PLAIN_NAMES


# Where a text names a column.
COLUMNS = {
    "a name of select": lambda text: macros().correlation_table(**PATTERN | {"select": {text: "one.id"}}),
    "an id": lambda text: macros().correlation_table(
        **PATTERN | {"streams": {alias: each | {"on": text} for alias, each in STREAMS.items()}}),
    "keys of anomalies": lambda text: macros().anomalies(**ANOMALIES | {"keys": [text]}),
    "start of anomalies": lambda text: macros().anomalies(**ANOMALIES, start=text),
    "ignored": lambda text: macros().anomalies(**ANOMALIES, ignored=text),
}  # fmt: skip


@pytest.mark.parametrize("place", COLUMNS)
def test_the_name_of_a_column_is_one_or_refused(place: str) -> None:
    """What is accepted stands between backticks, in one line, and Spark substitutes nothing."""
    accepted = []
    for text in [*TEXTS.values(), "name\n", "ts\n"]:
        try:
            COLUMNS[place](text)
        except Refused:
            continue
        accepted.append(text)
    assert accepted
    for text in accepted:
        column = macros()._quoted(text)
        assert re.fullmatch(r"`([^`]|``)+`", column) is not None
        assert column[1:-1].replace("``", "`") == text
        assert len(column.splitlines()) == 1
        assert "${" not in column


def test_a_column_is_no_name_with_a_line_behind_it() -> None:
    assert macros()._is_identifier("ts")
    assert not macros()._is_identifier("ts\n")


@pytest.mark.parametrize("text", TEXTS.values())
def test_a_name_of_a_column_is_quoted_or_refused(text: str) -> None:
    if "${" in text:
        with pytest.raises(Refused, match="Spark would replace the variable in it"):
            macros()._quoted(text)
        return
    quoted = macros()._quoted(text)
    assert (quoted[0], quoted[-1]) == ("`", "`")
    assert quoted[1:-1].replace("``", "").count("`") == 0
    assert quoted[1:-1].replace("``", "`") == text
