"""Label makers on Spark: detections, the call, and the labels of each; then random ones against the oracle."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.engine.detectors.oracle_labels import (
    DAYS,
    ColdStart,
    Detection,
    Event,
    Events,
    Limit,
    Margin,
    TimeOfWeek,
    labelled,
)
from tests.unit.jinja_macros import macros

NEW_YORK = "America/New_York"
GIVEN, EVENTS, DATA = "(select * from given)", "(select * from events)", "(select * from data)"
# Friday and Saturday, the 8th and 9th of February 2013, by New York's clock.
FRIDAY, SATURDAY = datetime(2013, 2, 8, 5), datetime(2013, 2, 9, 5)
DAY = timedelta(days=1)
TWO = [Detection("AA", FRIDAY, SATURDAY, 5.0), Detection("UA", SATURDAY, SATURDAY + DAY, 90.0)]


@pytest.fixture
def given(spark: Any) -> Callable[..., None]:
    """Views of rows: text, then times and numbers as they are."""

    def create(view: str, rows: list[tuple], columns: str) -> None:
        shown = [tuple(map(_spark, row)) for row in rows]
        frame = spark.createDataFrame(shown, columns.replace("timestamp", "bigint")).coalesce(1)
        times = [name for name, kind in map(str.split, columns.split(", ")) if kind == "timestamp"]
        for name in times:
            frame = frame.withColumn(name, frame[name].cast("timestamp"))
        frame.createOrReplaceTempView(view)

    return create


def _spark(value: Any) -> Any:
    """A time as seconds, which know no zone."""
    return int((value - datetime(1970, 1, 1)).total_seconds()) if isinstance(value, datetime) else value  # fmt: skip


def detections(given: Callable, rows: list[Detection], *, bare: bool = True) -> None:
    columns = "carrier string, starts_at timestamp, ends_at timestamp, current_value double"
    more = "" if bare else ", labels array<string>, is_ignored boolean"
    given("given", [row[: 4 if bare else 6] for row in rows], columns + more)


def labels_of(spark: Any, query: str) -> list[str]:
    """`AA: storm, weekend` or, of one to be ignored, `AA: (storm)`, in the order of the carriers."""
    rows = spark.sql(query).orderBy("carrier").collect()
    return [f"{r.carrier}: {'({})' if r.is_ignored else '{}'}".format(", ".join(r.labels)) for r in rows]  # fmt: skip


# Events


def storm(given: Callable, first: datetime, last: datetime, *more: tuple) -> None:
    columns = "name string, starts_at timestamp, ends_at timestamp, carrier string"
    given("events", [("storm", first, last, None), *more], columns)


def test_a_detection_has_the_names_of_the_events_that_it_overlaps(given, spark):
    detections(given, TWO)
    storm(given, FRIDAY + DAY / 2, SATURDAY, ("sale", FRIDAY, SATURDAY + DAY, None))
    query = macros().label_events(GIVEN, EVENTS)
    assert labels_of(spark, query) == ["AA: sale, storm", "UA: sale"]
    assert spark.sql(query).columns == [
        "carrier", "starts_at", "ends_at", "current_value", "labels", "is_ignored",
    ]  # fmt: skip


def test_margins_are_before_and_after_an_event(given, spark):
    detections(given, TWO)
    storm(given, SATURDAY + DAY, SATURDAY + 2 * DAY)
    assert labels_of(spark, macros().label_events(GIVEN, EVENTS)) == ["AA: ", "UA: "]
    assert labels_of(spark, macros().label_events(GIVEN, EVENTS, before="PT1S")) == [
        "AA: ",
        "UA: storm",
    ]
    query = macros().label_events(GIVEN, EVENTS, before="P1DT1S")
    assert labels_of(spark, query) == ["AA: storm", "UA: storm"]
    storm(given, FRIDAY - 2 * DAY, FRIDAY - DAY)
    assert labels_of(spark, macros().label_events(GIVEN, EVENTS, after="P1D")) == ["AA: ", "UA: "]
    assert labels_of(spark, macros().label_events(GIVEN, EVENTS, after="P1DT1S")) == ["AA: storm", "UA: "]  # fmt: skip


def test_an_event_without_length_is_at_its_instant(given, spark):
    detections(given, TWO)
    storm(given, SATURDAY, SATURDAY)
    assert labels_of(spark, macros().label_events(GIVEN, EVENTS)) == ["AA: ", "UA: storm"]


def test_events_of_a_key_and_a_filter_on_them(given, spark):
    detections(given, TWO)
    storm(given, FRIDAY, SATURDAY + DAY, ("strike", FRIDAY, SATURDAY + DAY, "UA"))
    query = macros().label_events(GIVEN, EVENTS, keys=["carrier"], ignore=True)
    assert labels_of(spark, query) == ["AA: ", "UA: (strike)"]
    storms = "(select * from events where name = 'storm')"
    assert labels_of(spark, macros().label_events(GIVEN, storms)) == ["AA: storm", "UA: storm"]


@pytest.mark.parametrize("wrong", [("x", FRIDAY, FRIDAY - DAY), ("x", None, FRIDAY), (None, FRIDAY, FRIDAY)])  # fmt: skip
def test_what_is_no_event_stops_the_query(given, spark, wrong):
    detections(given, TWO)
    storm(given, FRIDAY, SATURDAY, (*wrong, None))
    with pytest.raises(Exception, match="label_events: there is an event") as refused:
        spark.sql(macros().label_events(GIVEN, EVENTS)).collect()
    name, *times = ("null" if each is None else str(each) for each in wrong)
    said = f"label_events: there is an event {name} from {times[0]} to {times[1]}; an event has a"
    assert said in str(refused.value)


# Cold start, time of the week, thresholds


def test_what_begins_soon_after_the_first_data_is_labelled(given, spark):
    detections(given, TWO)
    given("data", [("AA", FRIDAY), ("UA", FRIDAY - 7 * DAY)], "carrier string, ts timestamp")
    call = {"source": DATA, "ts": "ts", "label": "new"}
    assert labels_of(spark, macros().label_cold_start(GIVEN, **call, period="P8D")) == ["AA: new", "UA: "]  # fmt: skip
    query = macros().label_cold_start(GIVEN, **call, period="P7D", keys=["carrier"])
    assert labels_of(spark, query) == ["AA: new", "UA: "]
    query = macros().label_cold_start(GIVEN, **call, period="PT193H", keys=["carrier"], ignore=True)
    assert labels_of(spark, query) == ["AA: (new)", "UA: (new)"]
    # No data at all say nothing of when they began.
    nothing = "(select * from data where false)"
    query = macros().label_cold_start(GIVEN, **call | {"source": nothing}, period="P8D")
    assert labels_of(spark, query) == ["AA: ", "UA: "]


def test_days_and_hours_are_those_of_the_zone(given, spark):
    detections(given, TWO)
    weekend = {"days": ["Saturday", "sunday"], "label": "weekend"}
    assert labels_of(spark, macros().label_time_of_week(GIVEN, **weekend)) == [
        "AA: ",
        "UA: weekend",
    ]
    query = macros().label_time_of_week(GIVEN, **weekend, time_zone="America/Los_Angeles")
    assert labels_of(spark, query) == ["AA: ", "UA: "]
    query = macros().label_time_of_week(GIVEN, hours=[0], time_zone=NEW_YORK, label="midnight")
    assert labels_of(spark, query) == ["AA: midnight", "UA: midnight"]
    some = {"saturday": [0], "friday": [1, 2]}
    query = macros().label_time_of_week(GIVEN, day_hours=some, time_zone=NEW_YORK, ignore=True)
    assert labels_of(spark, query) == ["AA: ", "UA: (time of week)"]


def test_a_value_or_that_of_another_metric_is_labelled(given, spark):
    detections(given, TWO)
    assert labels_of(spark, macros().label_threshold(GIVEN, min=5)) == ["AA: ", "UA: "]
    few = {"min": 5, "inclusive": True, "label": "few", "ignore": True}
    assert labels_of(spark, macros().label_threshold(GIVEN, **few)) == ["AA: (few)", "UA: "]
    columns = "carrier string, ts timestamp, seats int"
    given("data", [("AA", FRIDAY, 9), ("UA", SATURDAY, 11), ("UA", SATURDAY, 12)], columns)
    other = {"source": DATA, "ts": "ts", "value": "seats", "keys": ["carrier"], "label": "full"}
    assert labels_of(spark, macros().label_threshold(GIVEN, max=10, **other)) == [
        "AA: ",
        "UA: full",
    ]


def test_label_makers_follow_one_another(given, spark):
    """What is there stays; a label that is there already is not there twice."""
    one = TWO[0]._replace(labels=("z", "few"), is_ignored=True)
    detections(given, [one, TWO[1]], bare=False)
    query = macros().label_threshold(GIVEN, min=10, label="few")
    query = macros().label_time_of_week(f"({query})", days=["friday", "saturday"], label="late")
    assert labels_of(spark, query) == ["AA: (few, late, z)", "UA: late"]


# Random ones


@pytest.mark.parametrize("bare", [True, False])
def test_random_labels_are_those_of_the_oracle(given, spark, bare):
    """All four makers one after the other, over weeks with both changes of New York's clock."""
    seed = f"labels {bare}"
    chance = random.Random(seed)  # noqa: S311
    firsts = [datetime(2013, 3, 4), datetime(2013, 10, 28)]

    def some_time() -> datetime:
        return chance.choice(firsts) + timedelta(minutes=30 * chance.randrange(14 * 48))

    carriers = [None, "AA", "UA"]
    rows = []
    for _ in range(400):
        at, value = some_time(), chance.choice([None, float("nan"), 2, 3, 5, 8])
        length = timedelta(minutes=30 * chance.randrange(1, 60))
        labels = chance.choice([None, (), ("b", "a"), ("holiday 1",)])
        ignored = chance.choice([None, False, True])
        value = None if value is None else float(value)
        rows.append(Detection(chance.choice(carriers), at, at + length, value, *(() if bare else (labels, ignored))))  # fmt: skip
    events = []
    for number in range(25):
        at = some_time()
        length = timedelta(minutes=30 * chance.choice([0, 1, 8, 48, 60]))
        events.append(Event(f"holiday {number % 9}", at, at + length, chance.choice(carriers)))
    data = [(chance.choice(carriers), some_time(), chance.choice([None, 1.0, 4.0, 9.0])) for _ in range(600)]  # fmt: skip
    metric: dict = {}
    for carrier, at, value in data:
        metric.setdefault((carrier, at), []).append(value)

    before, after, period = Margin(1, 2), Margin(2), Margin(3, 1)
    some = {"sunday": [1, 2, 3], "monday": [23]}
    rules = [
        (Events(events, before, after, bare, NEW_YORK), False),
        (ColdStart([row[:2] for row in data], period, bare, NEW_YORK), True),
        (TimeOfWeek(DAYS[5:6], [4], some, NEW_YORK), False),
        (Limit(3, 8, bare), False),
        (Limit(None, 4, False, metric), True),
    ]
    expected = rows
    for rule, ignore in rules:
        expected = [labelled(one, rule, ignore=ignore) for one in expected]

    detections(given, rows, bare=bare)
    given("events", events, "name string, starts_at timestamp, ends_at timestamp, carrier string")
    given("data", data, "carrier string, ts timestamp, value double")
    keys = ["carrier"] if bare else []
    query = macros().label_events(
        GIVEN, EVENTS, before=before.text, after=after.text, keys=keys, time_zone=NEW_YORK
    )
    query = macros().label_cold_start(
        f"({query})", DATA, "ts", period.text, keys=keys, time_zone=NEW_YORK, ignore=True
    )
    query = macros().label_time_of_week(
        f"({query})", days=["SATURDAY"], hours=[4], day_hours=some, time_zone=NEW_YORK
    )
    query = macros().label_threshold(f"({query})", min=3, max=8, inclusive=bare)
    query = macros().label_threshold(
        f"({query})", max=4, source=DATA, ts="ts", value="value", keys=["carrier"], ignore=True
    )
    columns = ["carrier", "unix_seconds(starts_at)", "unix_seconds(ends_at)", "labels", "is_ignored"]  # fmt: skip
    found = [(r[0], r[1], r[2], tuple(r[3]), r[4]) for r in spark.sql(query).selectExpr(*columns).collect()]  # fmt: skip
    meant = [(one.carrier, _spark(one.starts_at), _spark(one.ends_at), one.labels, one.is_ignored) for one in expected]  # fmt: skip
    assert sorted(found, key=str) == sorted(meant, key=str), seed
    assert len({labels for *_, labels, _ in found}) > 50
    assert 50 < sum(row[-1] for row in found) < 350
