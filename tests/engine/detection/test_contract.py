"""The contract of detections: `detect` and the SQL detectors yield the same columns."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.unit.jinja_macros import Refused, macros, macros_with

from strandline.detection import detect
from strandline.detection.arguments import CONTRACT, OWN

COLUMNS = ["detection_id", "detector", "sym", *CONTRACT[2:]]


@pytest.fixture
def detected(spark: Any) -> Callable[..., list]:
    """The detections of a first run over rows of (time, temp), as texts."""
    spark.sql("create schema contract")
    this = SimpleNamespace(schema="contract", identifier="detections")
    dbt = SimpleNamespace(this=this, is_incremental=False)

    def run(times: list[str], columns: str, metrics: list[str], **more: Any) -> list[list[str]]:
        rows = ", ".join(
            f"({number}L, 'boiler', {time}, {50 + number * 10}.0D)"
            for number, time in enumerate(times, 1)
        )
        events = spark.sql(f"select * from values {rows} as given(arrival, sym, at, temp)")
        found = detect(
            dbt, spark, name="e", source=events, ts="at", keys=["sym"], metrics=metrics, **more
        )
        assert found.columns == [*COLUMNS, "at", *OWN]
        query = found.orderBy("arrival", "place").selectExpr(columns)
        return [row[0] for row in query.collect()]

    yield run
    drop_schema(spark, "contract")


INTERVAL = "concat(starts_at, ' to ', ends_at)"


@pytest.mark.parametrize(
    ("precision", "expected"),
    [
        ("ms", {"timestamp'2024-02-29 23:59:59.9995'": "2024-02-29 23:59:59.9995 to 2024-03-01 00:00:00"}),
        ("second", {"timestamp'2024-02-29 23:59:58'": "2024-02-29 23:59:58 to 2024-02-29 23:59:59"}),
        ("minute", {"timestamp'2024-02-29 23:58:30'": "2024-02-29 23:58:30 to 2024-02-29 23:59:00"}),
        ("minute", {"timestamp_ntz'2024-02-29 23:58:30'": "2024-02-29 23:58:30 to 2024-02-29 23:59:00"}),
        ("day", {"date'2024-02-29'": "2024-02-29 00:00:00 to 2024-03-01 00:00:00"}),
        ("month", {"date'2024-02-29'": "2024-02-01 00:00:00 to 2024-03-01 00:00:00"}),
        ("month", {
            "-1L": "1969-12-01 00:00:00 to 1970-01-01 00:00:00",
            f"{2**40}L": None,
        }),
        ("second", {"-1L": "1969-12-31 23:59:59 to 1970-01-01 00:00:00"}),
        ("ms", {
            "1L": "1970-01-01 00:00:00.001 to 1970-01-01 00:00:00.002",
            f"{2**62}L": None,
            # The last number has no next one, and stops no run.
            f"{2**63 - 1}L": None,
        }),
        ("ns", {
            f"{-(2**63) + 1}L": "1677-09-21 00:12:43.145224 to 1677-09-21 00:12:43.145225",
            # A TIMESTAMP has no nanoseconds: their microsecond, or the two that they are in.
            "-1L": "1969-12-31 23:59:59.999999 to 1970-01-01 00:00:00",
            "1500L": "1970-01-01 00:00:00.000001 to 1970-01-01 00:00:00.000002",
            f"{2**63 - 1}L": None,
        }),
    ],
)  # fmt: skip
def test_a_row_lasts_until_the_next_unit(
    detected: Callable[..., list], precision: str, expected: dict[str, str | None]
) -> None:
    found = detected([*expected], INTERVAL, ["temp > 50"], precision=precision)
    assert found == [*expected.values()]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        # The window [0, 6) is closed by the row at 6.
        ("avg(temp) > 50", "1970-01-01 00:00:00 to 1970-01-01 00:00:06"),
        ("temp > max(temp)", "1970-01-01 00:00:06 to 1970-01-01 00:00:07"),
    ],
)
def test_a_window_and_a_row_against_a_window(
    detected: Callable[..., list], metric: str, expected: str
) -> None:
    times = [f"timestamp'1970-01-01 00:00:0{second}'" for second in (0, 3, 6)]
    more = {"window_size": "6 seconds", "step": "6 seconds", "precision": "second"}
    assert detected(times, INTERVAL, [metric], **more) == [expected]


def test_the_texts_of_a_metric(detected: Callable[..., list]) -> None:
    texts = "concat_ws(' | ', detection_id, detector, sym, severity, description, arrival)"
    metrics = ["temp > 50", "temp > 55"]
    given = {
        "detectors": ["warm", "it's hot"],
        "anomaly_description": ["more than 50", "more than 55"],
        "severities": [None, "high"],
    }
    assert detected(["1L"], texts, metrics, **given) == [
        "e-1-2 | warm | boiler | more than 50 | 1",
        "e-1-3 | it's hot | boiler | high | more than 55 | 1",
    ]
    assert detected(["1L"], texts, metrics) == [
        "e-1-2 | e_0 | boiler | temp > 50 | 1",
        "e-1-3 | e_1 | boiler | temp > 55 | 1",
    ]


def test_a_compound_has_no_values(detected: Callable[..., list]) -> None:
    values = "struct(current_value, baseline_value, left_text)"
    [row] = detected(["1L"], values, ["temp > 50 and temp < 70"])
    assert tuple(row) == (None, None, None)


BUCKETS = "(select * from values ('boiler', timestamp'2024-01-01', 70, 5L), ('boiler', timestamp'2024-01-02', 91.25, 7L) as b(sym, day, temp, landed))"


def test_a_detector_in_sql_has_the_same_columns(spark: Any) -> None:
    given = {
        "source": BUCKETS, "keys": ["sym"], "ts": "day", "value": "temp", "granularity": "P1D",
    }  # fmt: skip
    calls = {
        "threshold_detector": {"max": 80},
        "absolute_change_detector": {"offset": "P1D", "change": 10},
        "percentage_change_detector": {"offset": "P1D", "percentage": 10},
    }
    for macro, own in calls.items():
        [row] = spark.sql(getattr(macros(), macro)(**given, **own, arrival="landed")).collect()
        assert list(row.asDict()) == [*COLUMNS, "lower_bound", "upper_bound"]
        bound = 80 if macro == "threshold_detector" else {"a": 80, "p": 77}[macro[0]]
        assert (row.severity, row.description, row.arrival) == (None, f"temp is 91.25, above {bound}", 7)  # fmt: skip
        texts = {"severity": "high", "description": "it's hot"}
        [row] = spark.sql(getattr(macros(), macro)(**given, **own, **texts)).collect()
        assert (row.severity, row.description, row.arrival) == ("high", "it's hot", None)


def test_the_id_of_a_bucket_is_its_own_and_always_the_same(spark: Any) -> None:
    buckets = "(select * from values (null, timestamp'2024-01-01', 1), ('null', timestamp'2024-01-01', 1), ('a', timestamp'2024-01-01', 1), ('a', timestamp'2024-01-02', 1) as b(sym, day, temp))"
    call = {
        "source": buckets, "keys": ["sym"], "ts": "day", "value": "temp", "granularity": "P1D", "max": 0,
    }  # fmt: skip

    def ids(**more: Any) -> set[str]:
        sql = macros().threshold_detector(**call, **more)
        return {row.detection_id for row in spark.sql(sql).collect()}

    assert len(ids()) == 4
    assert ids() == ids(missing="zero") == ids(severity="high")
    assert not ids() & ids(detector="other")


def test_macros_and_python_name_the_same_columns() -> None:
    assert macros()._detection_columns() == list(CONTRACT)


def test_the_text_says_which_bound_and_whether_it_may_be_equal(spark: Any) -> None:
    hours = "(select timestamp_seconds(n * 3600) as at, temp from values (1, 5), (2, 5.12345), (3, -1e9), (4, double('Infinity')) as b(n, temp))"
    query = macros().threshold_detector(
        source=hours, ts="at", value="temp", granularity="PT1H", min=5, max=5.1, inclusive=True
    )
    assert [row.description for row in spark.sql(query).orderBy("starts_at").collect()] == [
        "temp is 5, at or below 5",
        "temp is 5.123, at or above 5.1",
        "temp is -1.0E9, at or below 5",
        "temp is Infinity, at or above 5.1",
    ]


# The tables beside a model, as models.


def refusal(macro: str, tables: dict[str, dict[str, str]], **given: Any) -> str:
    api = SimpleNamespace(Relation=SimpleNamespace(create=lambda **parts: _relation(**parts)))
    dbt = {
        "load_cached_relation": lambda relation: (
            relation if relation.identifier in tables else None
        ),
        "_types_of": lambda relation: tables.get(relation.identifier, {}),
    }
    package = macros_with(execute=True, api=api, **dbt)
    with pytest.raises(Refused) as refused:
        getattr(package, macro)(**given)
    return str(refused.value)


def _relation(database: Any = None, schema: str = "plant", identifier: str = "") -> Any:
    class Relation(SimpleNamespace):
        def __str__(self) -> str:
            return f"{self.schema}.{self.identifier}"

    return Relation(database=database, schema=schema, identifier=identifier)


@pytest.mark.parametrize("macro", ["detection_late", "detection_status"])
@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ({"source": "hot", "name": "e"}, ["`source` is 'hot'; pass the model that calls detect: ref('hot')"]),
        ({"source": None, "name": "a b"}, ["`source` is none; pass the model that calls detect: ref(…)",
                                           "`name` is 'a b'; write the `name` of its detect(...), such as 'flight_delays'"]),
        ({"source": _relation(identifier="hot"), "name": "e"},
         ["there is no engine 'e' beside hot, because plant.e{} does not exist; write the `name` of its detect(...)"]),
    ],
)  # fmt: skip
def test_a_table_that_is_none_is_refused(macro: str, given: dict, lines: list[str]) -> None:
    found = refusal(macro, {"hot": {"arrival": "bigint"}}, **given)
    ending = macro.removeprefix("detection")
    assert found == "\n  - ".join([f"{macro}:", *(line.format(ending) for line in lines)])
