"""Every public macro over a source whose columns have any name: keywords, blanks, dots, umlauts, our own words."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.aggregation.conftest import small, small_project

__all__ = ["small", "small_project"]

# Names that Spark, Delta or a macro could mistake for something else; none of them is read.
UNUSED = (
    "from", "table", "order", "Upper Case", "größe", "a.b", "it's", "a`b", "x;y(z)={,}", "events", "newest", "tick",
    "trigger", "accepted", "before", "former", "place", "cycle", "stream", "streams", "life", "upstream", "stored",
    "rebuilt", "fresh", "kind", "reason", "row", "part", "found", "engine", "given", "bucket", "buckets", "classified",
    "point", "points", "event", "calendar", "other", "run", "received", "is_counted", "run_id", "window_open", "value_at",
)  # fmt: skip
# Those that the macros read.
KEY, TS, ARRIVAL, ID, VALUE = "select", "event time", "arrival.no", "group", "air temp"
ODD_KEY = "Straße 1"
COLUMNS = ", ".join([
    f"`{ARRIVAL}` bigint", f"`{KEY}` string", f"`{ODD_KEY}` string", f"`{TS}` timestamp", f"`{ID}` string",
    f"`{VALUE}` double", *(f"`{name.replace('`', '``')}` int" for name in UNUSED),
])  # fmt: skip
FEED = "source('feed', 'feed_odd')"
KEYS = [KEY, ODD_KEY]
DEFINITION = (
    f"select={{'n': 'count(*)', 'total': 'sum(`{VALUE}`)', 'now': '`{VALUE}`', 'ordered': 'count(`order`)'}}, "
) + f"keys={KEYS!r}, ts={TS!r}, arrival={ARRIVAL!r}, event_id={ID!r}, every='hour, day'"
DETECTIONS = f"""
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(dbt, session, name="hot", source=dbt.source("feed", "feed_odd"), ts={TS!r}, keys={KEYS!r},
                  arrival={ARRIVAL!r}, metrics=["`{VALUE}` > 60", "`order` > prev(`order`)", "`kind` = `reason` + 100"])
"""
WITHIN = "within=['2024-01-01 00:00:00', '2024-01-03 00:00:00']"


def event(arrival: int, hour: int | None, value: float, key: str = "a") -> str:
    at = "null" if hour is None else f"timestamp'2024-01-01 {hour:02}:00:00Z'"
    return f"{arrival}, '{key}', 'ß', {at}, 'id{arrival}', {value}, " + ", ".join(
        str(arrival) for _ in UNUSED
    )


@pytest.fixture
def odd(small: Any) -> Any:
    small.spark.sql(
        f"create table small.feed_odd ({COLUMNS}) using delta tblproperties ('delta.columnMapping.mode' = 'name')"
    )
    small.redefine("odd", DEFINITION)
    small._write(
        small._folder,
        {"models/_sources.yml": "sources: [{name: feed, schema: small, tables: [{name: feed_odd}]}]"},
    )  # fmt: skip
    return small


def models(small: Any, **calls: str) -> None:
    for name, call in calls.items():
        small.change(name, f"{{{{ strandline.{call} }}}}")


def test_aggregation_and_detect(odd: Any) -> None:
    small = odd
    models(
        small,
        odd_hours="aggregation_table(odd(), 'hours')",
        odd_days="aggregation_table(odd(), 'days')",
        odd_late="aggregation_late(odd())",
        odd_ledger="aggregation_ledger(odd())",
        hot_late_rows="detection_late(ref('detections'), name='hot')",
        hot_engine="detection_status(ref('detections'), name='hot')",
        hot_ledger=f"detection_ledger({FEED}, status=ref('hot_engine'), late=ref('hot_late_rows'), arrival={ARRIVAL!r})",
    )
    small.change("detections.py", DETECTIONS)
    small.change(
        "within", f"select * from {{{{ strandline.aggregation_within(odd(), {WITHIN}, per='hours', "
        f"on=\"`{KEY}` = 'a' and `{ODD_KEY}` = 'ß'\") }}}}"
    )  # fmt: skip
    small.change(
        "requests",
        "select 'a' as `who?`, '2024-01-01 00:00:00' as `from when`, '2024-01-03 00:00:00' as `to`, "
        "'hours' as `per hour`",
    )
    models(
        small,
        joined="aggregation_join(odd(), ref('requests'), within=['b.`from when`', 'b.`to`'], per='b.`per hour`', "
        f"select=['b.`who?`', 'a.`{ODD_KEY}`', 'a.total as `total °C`'], on='a.`{KEY}` = b.`who?`')",
    )
    tests = "\n".join(
        [
            "models:",
            "  - {name: odd_hours, data_tests: [strandline.split_invariant]}",
            "  - {name: odd_days, data_tests: [strandline.split_invariant]}",
            "  - {name: odd_ledger, data_tests: [strandline.ledger_is_complete]}",
        ]
    )
    small._write(small._folder, {"models/_tests.yml": tests})

    small.feed("odd", event(1, 0, 5), event(2, None, 5), event(3, 1, 70))
    small.run()
    small.feed("odd", event(4, 1, 50), event(5, 2, 65, "b"), event(6, 0, 1))
    messages = small.run()
    assert messages["odd_ledger"] == "3 received, 3 applied"
    assert messages["hot_ledger"] == "3 received, 3 applied"
    # Group, time, count, sum.
    assert small.rows(
        f"select `{KEY}`, `{ODD_KEY}`, unix_seconds(agg_timestamp) % 86400, agg_count, agg_sum_air_temp_{_hash()} "
        "from small.odd_hours order by 3, 1"
    ) == [("a", "ß", 0, 2, 6.0), ("a", "ß", 3600, 2, 120.0), ("b", "ß", 7200, 1, 65.0)]
    late = small.spark.table("small.odd_late")
    assert {name.lower() for name in late.columns} == {
        name.lower() for name in (ARRIVAL, *KEYS, TS, ID, VALUE, *UNUSED, "late_reason")
    }
    assert [(row[ARRIVAL], row["a`b"], row.late_reason) for row in late.collect()] == [
        (2, 2, "no event time: event time is null")
    ]
    assert small.rows("select n, total, now, ordered from small.within order by agg_timestamp") == [
        (2, 6.0, 1.0, 2), (2, 120.0, 50.0, 2),
    ]  # fmt: skip
    assert small.rows("select `who?`, `Straße 1`, `total °C`, request_error from small.joined order by 3") == [
        ("a", "ß", 6.0, None), ("a", "ß", 120.0, None),
    ]  # fmt: skip
    assert small.rows(
        f"select `{KEY}`, `{ODD_KEY}`, anomaly_type, arrival from small.detections where anomaly_type = 0 order by arrival"
    ) == [("a", "ß", 0, 3), ("b", "ß", 0, 5)]
    late = small.spark.table("small.hot_late_rows")
    assert set(UNUSED) < set(late.columns)
    assert [(row[ARRIVAL], row.late_reason) for row in late.collect()] == [
        (2, "no time: its time is null")
    ]
    small._dbt("test", project_dir=small._folder)


def test_detectors_and_labels(odd: Any) -> None:
    small = odd
    key, ts = (
        KEYS,
        f"ts={TS!r}, value={VALUE!r}, keys={KEYS!r}, arrival={ARRIVAL!r}, granularity='1 hour'",
    )
    models(
        small,
        too_hot=f"threshold_detector({FEED}, {ts}, max=60, missing='zero')",
        other_change=f"absolute_change_detector({FEED}, {ts}, offset='1 hour', change=10)",
        other_percentage=f"percentage_change_detector({FEED}, {ts}, offset='1 hour', percentage=50)",
        other_variance=f"mean_variance_detector({FEED}, {ts}, lookback='3 hours')",
        cold=f"label_cold_start(ref('too_hot'), {FEED}, ts={TS!r}, period='1 day', keys={key!r})",
        below=f"label_threshold(ref('cold'), max=50, value={VALUE!r}, source={FEED}, ts={TS!r}, keys={key!r})",
        named=f"label_events(ref('below'), ref('days_off'), name='the name', start='from', "
        f"end='to', keys={key!r})",
    )
    small.change(
        "days_off",
        f"select 'a' as `{KEY}`, 'ß' as `{ODD_KEY}`, 'holiday' as `the name`, timestamp'2024-01-01 00:00:00Z' as `from`, "
        "timestamp'2024-01-02 00:00:00Z' as `to`",
    )
    small.feed("odd", event(1, 0, 5), event(2, 1, 70), event(3, 2, 71))
    small.run()
    found = f"select `{KEY}`, `{ODD_KEY}`, hour(starts_at), current_value, arrival"
    assert small.rows(f"{found} from small.too_hot order by 3") == [
        ("a", "ß", 1, 70.0, 2), ("a", "ß", 2, 71.0, 3),
    ]  # fmt: skip
    for detector in ("other_change", "other_percentage"):
        assert small.rows(f"{found} from small.{detector}") == [("a", "ß", 1, 70.0, 2)]
    assert small.rows(f"{found} from small.other_variance") == []
    assert small.rows("select distinct labels from small.named") == [
        (["cold start", "holiday", "threshold"],)
    ]


def _hash() -> str:
    """The end of the name of a part over an expression: see `_part_column`."""
    import hashlib

    return hashlib.md5(f"`{VALUE}`".encode()).hexdigest()[:6]  # noqa: S324
