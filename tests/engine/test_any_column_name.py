"""Every public macro over a source whose columns have any name: keywords, blanks, dots, umlauts, our own words."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from tests.conftest import ROOT
from tests.engine.aggregation.conftest import small, small_project

from strandline.report.found import Window
from strandline.report.windows import read_window

pytestmark = pytest.mark.first

__all__ = ["small", "small_project"]

# Names that Spark, Delta or a macro could mistake for something else; none of them is read.
UNUSED = (
    "from", "table", "order", "Upper Case", "größe", "a.b", "it's", "a`b", "x;y(z)={,}", "events", "newest", "tick",
    "trigger", "accepted", "before", "former", "place", "cycle", "stream", "streams", "life", "upstream", "stored",
    "rebuilt", "fresh", "kind", "reason", "row", "part", "found", "engine", "given", "bucket", "buckets", "classified",
    "point", "points", "event", "calendar", "other", "run", "received", "is_counted", "run_id", "window_open", "value_at",
    "own", "prev", "summary", "h", "i", "x", "at", "family", "leaf", "old", "name", "island", "is_ignored", "detected",
    "notification", "feedback", "to",
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


SUMMARY = f"{FEED}, ts={TS!r}, keys={KEYS!r}, arrival={ARRIVAL!r}, bucket='1 hour'"
WEIGHT, STATE, BEAT = (
    f"value={VALUE!r}, method='locf'",
    f"state={ODD_KEY!r}",
    "interval='20 minutes'",
)
# The columns `h` and `x` of a table of summaries are the summary and the start of its bucket.
BUCKETS = (
    "select *, summary as `h`, agg_timestamp as `x`, "
    f"lag(summary) over (partition by `{KEY}` order by agg_timestamp) as `own`, "
    f"lead(summary) over (partition by `{KEY}` order by agg_timestamp) as `i` from {{{{ ref('%s') }}}}"
)
LINE, BEFORE = "'`h`', '`x`', length='1 hour', prev='`own`'", "'`h`', '`own`'"
# `reason` is a column of every window.
WINDOW = f"ref('without_reason'), ts={TS!r}, arrival={ARRIVAL!r}, keys={KEYS!r}"
# The keys of the anomalies: odd ones, and words of their own statements.
SERIES = [
    KEY, ODD_KEY, "from", "Upper Case", "größe", "a.b", "it's", "a`b", "x;y(z)={,}", "events", "newest", "row", "found",
    "classified", "run", "at", "family", "leaf", "old", "name", "island", "detected", "notification", "to", "x",
]  # fmt: skip


def accessors(table: str, **calls: str) -> str:
    """A query of expressions over the summaries of a table."""
    columns = ", ".join(f"{{{{ strandline.{call} }}}} as `{name}`" for name, call in calls.items())
    return f"select `{KEY}`, `x` as `from`, {columns} from ({BUCKETS % table})"


def found(at: str, value: str, key: str) -> str:
    """Detections of any names, with the same value in all columns but one key."""
    others = ", ".join(f"7 as `{name.replace('`', '``')}`" for name in SERIES[2:])
    return (
        f"select {key} as `{KEY}`, 'ß' as `{ODD_KEY}`, {others}, {at} as `the start`, {at} + interval 1 hour as `the end`, "
        f"{value} as `{VALUE}`, 0.0D as `base.line`, 'P1' as `how bad`, array('x y') as `all labels`, `kind` > 90 as `is it`, "
        f"`{ARRIVAL}` as `{ARRIVAL}`, timestamp'2024-01-01 08:00:00Z' as `not after`, 'seen' as `late_reason` "
    )


# What a run builds, by the name of a model; a call, or a query with calls.
AGGREGATIONS = {
    "odd_hours": "aggregation_table(odd(), 'hours')",
    "odd_days": "aggregation_table(odd(), 'days')",
    "odd_late": "aggregation_late(odd())",
    "odd_ledger": "aggregation_ledger(odd())",
    "within": "select * from {{ strandline.aggregation_within(odd(), "
    f"{WITHIN}, per='hours', on=\"`{KEY}` = 'a' and `{ODD_KEY}` = 'ß'\") }}}}",
    "requests": "select 'a' as `who?`, '2024-01-01 00:00:00' as `from when`, '2024-01-03 00:00:00' as `to`, "
    "'hours' as `per hour`",
    "joined": "aggregation_join(odd(), ref('requests'), within=['b.`from when`', 'b.`to`'], per='b.`per hour`', "
    f"select=['b.`who?`', 'a.`{ODD_KEY}`', 'a.total as `total °C`'], on='a.`{KEY}` = b.`who?`')",
    "starts": f"select `{ARRIVAL}`, {{{{ strandline.bucket_start('`{TS}`', 'hours') }}}} as `from`, "
    f"{{{{ strandline.window_start('unix_millis(`{TS}`)', '1 day', '1 hour') }}}} as `to` from {{{{ {FEED} }}}}",
}
DETECTED = {
    "hot_late_rows": "detection_late(ref('detections'), name='hot')",
    "hot_engine": "detection_status(ref('detections'), name='hot')",
    "hot_ledger": f"detection_ledger({FEED}, status=ref('hot_engine'), late=ref('hot_late_rows'), arrival={ARRIVAL!r})",
}
POINTS = {
    "weights": f"time_weight_table({SUMMARY}, {WEIGHT})",
    "weights_late": f"time_weight_late({SUMMARY}, {WEIGHT}, table=ref('weights'))",
    "weights_ledger": f"points_ledger({FEED}, ref('weights'), ref('weights_late'), arrival={ARRIVAL!r})",
    "meters": f"counter_agg_table({SUMMARY}, value={VALUE!r})",
    "meters_late": f"counter_agg_late({SUMMARY}, value={VALUE!r}, table=ref('meters'))",
    "of_meters": accessors(
        "meters",
        own="delta('`h`')", h="rate('`h`', 'hour')", i="num_resets('`h`')", s="num_changes('`h`')",
        x="interpolated_delta(" + LINE + ", next='`i`')", at="interpolated_rate(" + LINE + ", next='`i`')",
    ),
    "states": f"state_agg_table({SUMMARY}, {STATE})",
    "states_late": f"state_agg_late({SUMMARY}, {STATE}, table=ref('states'))",
    "beats": f"heartbeat_agg_table({SUMMARY}, {BEAT})",
    "beats_late": f"heartbeat_agg_late({SUMMARY}, {BEAT}, table=ref('beats'))",
    "of_weights": accessors(
        "weights",
        average="average('`h`')", integral="integral('`h`')", elapsed="elapsed_time('`h`')", gap="gap_time('`h`')",
        gaps="num_gaps('`h`')", first="first_time('`h`')", **{"first val": "first_val('`h`')"}, last="last_time('`h`')",
        **{"last val": "last_val('`h`')"}, i="interpolated_average(" + LINE + ", next='`i`')",
        x="interpolated_integral(" + LINE + ", next='`i`')", s="interpolated_elapsed_time(" + LINE + ", next='`i`')",
    ),
    "of_states": accessors(
        "states",
        own="duration_in('`h`', 'ß')", h="interpolated_duration_in('`h`', 'ß', '`x`', length='1 hour', prev='`own`')",
        i="interpolated_state_timeline(" + LINE + ")", s="state_timeline('`h`')", x="state_periods('`h`', 'ß')",
        at="state_at('`h`', '`x`')", to="into_values('`h`')",
        next="interpolated_state_periods('`h`', 'ß', '`x`', length='1 hour', prev='`own`')",
    ),
    "of_beats": accessors(
        "beats",
        own="live_ranges('`h`')", h="dead_ranges('`h`')", i="uptime('`h`')", s="downtime('`h`')", x="live_at('`h`', '`x`')",
        at=f"interpolated_uptime({BEFORE})", to=f"interpolated_downtime({BEFORE})", prev=f"interpolate({BEFORE})",
        next="trim_to('`h`', '`x`', length='30 minutes')",
    ),
    "of_points": f"select `{KEY}`, {{{{ strandline.time_weight('`{TS}`', '`{VALUE}`', 'locf') }}}} as `own`, "
    f"{{{{ strandline.counter_agg('`{TS}`', '`{VALUE}`') }}}} as `s`, "
    f"{{{{ strandline.state_agg('`{TS}`', '`{ODD_KEY}`') }}}} as `h`, "
    f"{{{{ strandline.heartbeat_agg('`{TS}`', \"timestamp'2024-01-01 00:00:00Z'\", '1 day', '20 minutes') }}}} as `x` "
    f"from {{{{ {FEED} }}}} where `{TS}` is not null group by `{KEY}`",
    **{
        f"all_{table}": f"select `{KEY}`, count(*) as `n`, {{{{ strandline.rollup('summary', of='{of}') }}}} as `own` from "
        f"{{{{ strandline.interpolated_table(ref('{table}'), '1 hour', {WITHIN[7:]}, keys={KEYS!r}, of='{of}') }}}} "
        f"group by `{KEY}`"
        for table, of in (("weights", "time_weight"), ("states", "state_agg"), ("beats", "heartbeat_agg"))
    },
}  # fmt: skip
AGGREGATES = {
    "größe m²": "count(*)", "total °C": f"sum(`{VALUE}`)", "it's": "min(x)", "a`b": f"max(`{VALUE}`) entrance only",
    "a.b": "avg(events) entrance only diff", "in, out": f"median(`{VALUE}`)", "Own": ["count(distinct `order`)", "0"],
    "d x": f"variance(`{VALUE}`)", "f (x)": "skewness(x) entrance only",
}  # fmt: skip
WINDOWS = {
    "without_reason": f"select * except (`reason`) from {{{{ {FEED} }}}}",
    "newest_two": f"window_table({WINDOW}, store='last 2')",
    "counted": f"window_table({WINDOW}, store='last 2', aggregates={AGGREGATES!r})",
    "chained": f"window_table(ref('counted'), store='last 3', keys={KEYS!r}, "
    "where='$row_status is new and `größe m²` > 0', aggregates={'größe m²': 'sum(`größe m²`)'})",
    "newest_ledger": f"window_ledger(ref('without_reason'), ref('newest_two'), arrival={ARRIVAL!r})",
    "both": f"correlation_table({{'one': {{'window': ref('newest_two'), 'on': {KEY!r}}}, "
    f"'two': {{'window': ref('counted'), 'on': {KEY!r}}}}}, when=['one and two'], "
    f"select={{'größe m²': 'two.`größe m²`', 'of x': 'one.`x` + two.`total °C`'}})",
    "inside": "select * from {{ strandline.row_status(ref('newest_two'), 'not dead') }}",
    "beside": f"select a.`größe m²`, b.`x` as `before` from {{{{ strandline.row_status(ref('counted'), 'new') }}}} as a "
    f"inner join {{{{ strandline.row_status_at(ref('newest_two'), 'a.entered') }}}} as b on a.`{KEY}` = b.`{KEY}`",
}
ANOMALIES = {
    "found": found(f"`{TS}`", f"max_by(`{VALUE}`, `{ARRIVAL}`)", f"`{KEY}`")
    .replace(f"`{ARRIVAL}` as", f"max(`{ARRIVAL}`) as")
    .replace("`kind` > 90", "max(`kind`) > 90")
    + f"from {{{{ {FEED} }}}} where `{TS}` is not null group by `{KEY}`, `{TS}` union all "
    + found("timestamp'2024-01-01 09:00:00Z'", "1.0D", "'future'")
    .replace(f"`{ARRIVAL}` as", "1L as")
    .replace("`kind` >", "1 >"),
    "notes": "select 'none' as anomaly_id, 1 as `from`, 'a note' as `the note`",
    "odd_anomalies": f"anomalies(ref('found'), {SERIES!r}, start='the start', end='the end', current={VALUE!r}, "
    f"baseline='base.line', severity='how bad', labels='all labels', ignored='is it', arrival={ARRIVAL!r}, "
    "granularity='PT1H', mutability_period='P2D', re_notify_percentage_threshold=0, re_notify_absolute_threshold=0, "
    "completed=true, notify_look_back=none, feedback=ref('notes'), not_after='`not after`')",
    "odd_anomalies_late": "anomaly_late(ref('odd_anomalies'))",
    "odd_anomalies_ledger": "anomaly_ledger(ref('odd_anomalies'))",
    "outbox": "anomaly_notifications(ref('odd_anomalies'), unit='°C')",
    "remarks": f"select anomaly_id, 'checked' as `the note`, 1 as `from` from {{{{ ref('odd_anomalies') }}}} where `{KEY}` = 'b'",
    "active": "anomalies_active(ref('odd_anomalies'), feedback=ref('remarks'), order_by='from')",
    "history": "select *, 'x' as dbt_scd_id, changed_run_at as dbt_updated_at, timestamp'2024-01-01' as dbt_valid_from, "
    "cast(null as timestamp) as dbt_valid_to from {{ ref('odd_anomalies') }}",
    "as_of": "anomalies_as_of('2024-02-01 00:00:00', history=ref('history'))",
}
BUCKETED = (
    f"{FEED}, ts={TS!r}, value={VALUE!r}, keys={KEYS!r}, arrival={ARRIVAL!r}, granularity='1 hour'"
)
DETECTORS = {
    "too_hot": f"threshold_detector({BUCKETED}, max=60, missing='zero')",
    "other_change": f"absolute_change_detector({BUCKETED}, offset='1 hour', change=10)",
    "other_percentage": f"percentage_change_detector({BUCKETED}, offset='1 hour', percentage=50)",
    "other_variance": f"mean_variance_detector({BUCKETED}, lookback='3 hours')",
    "other_flat": f"flat_line_detector({BUCKETED}, duration='2 hours', tolerance=100)",
    "other_missing": f"missing_data_detector({BUCKETED}, sla='2 hours')",
    "other_rhythm": f"missing_data_detector({BUCKETED}, lookback='1 day', min_values=3)",
    "other_peer": f"peer_detector({BUCKETED}, min_peers=2)",
    "other_quantile": f"quantile_detector({BUCKETED}, lookback='3 hours', upper=1, min_values=2)",
    "other_median": f"median_detector({BUCKETED}, lookback='3 hours', min_values=2)",
    "expected": f"seasonal_table({BUCKETED}, seasonality='2 hours')",
    "other_season": f"seasonal_detector(ref('expected'), ts='agg_timestamp', value={VALUE!r}, keys={KEYS!r}, "
    "granularity='1 hour')",
    "next_hours": f"forecast_table(ref('expected'), granularity='1 hour', seasonality='2 hours', keys={KEYS!r})",
    "made_by": f"change_contribution(ref('too_hot'), {FEED}, ts={TS!r}, value={VALUE!r}, granularity='1 hour', "
    f"offset='1 hour', by=['order', 'größe'], keys={KEYS!r})",
    "cold": f"label_cold_start(ref('too_hot'), {FEED}, ts={TS!r}, period='1 day', keys={KEYS!r})",
    "below": f"label_threshold(ref('cold'), max=50, value={VALUE!r}, source={FEED}, ts={TS!r}, keys={KEYS!r})",
    "days_off": f"select 'a' as `{KEY}`, 'ß' as `{ODD_KEY}`, 'holiday' as `the name`, timestamp'2024-01-01 00:00:00Z' as "
    "`from`, timestamp'2024-01-02 00:00:00Z' as `to`",
    "named": f"label_events(ref('below'), ref('days_off'), name='the name', start='from', end='to', keys={KEYS!r})",
    "weekly": "label_time_of_week(ref('named'), days=['monday'])",
}
TESTS = f"""
models:
  - {{name: odd_hours, data_tests: [strandline.split_invariant]}}
  - {{name: odd_days, data_tests: [strandline.split_invariant]}}
  - {{name: odd_ledger, data_tests: [strandline.ledger_is_complete]}}
  - {{name: weights_ledger, data_tests: [strandline.ledger_is_complete]}}
  - {{name: newest_ledger, data_tests: [strandline.ledger_is_complete]}}
  - {{name: hot_ledger, data_tests: [strandline.ledger_is_complete]}}
  - name: within
    data_tests:
      - strandline.reconciles_with:
          arguments: {{source: ref('within'), compare: {{sum(total): sum(total)}}, by: [{KEY}, {ODD_KEY}]}}
  - name: inside
    data_tests:
      - strandline.unique_key: {{arguments: {{columns: [{KEY}, "{ARRIVAL}", a`b], not_null: [{VALUE}]}}}}
      - strandline.no_gap_longer_than: {{arguments: {{ts: {TS}, gap: 3 hours, keys: [{KEY}, {ODD_KEY}]}}}}
  - name: found
    data_tests:
      - strandline.no_late_rows_above: {{arguments: {{at_most: 9, reason: "how bad"}}}}
"""
# Public macros without a model here, and why.
WITHOUT_A_MODEL = {
    "aggregation": "the definition of the aggregations above: `DEFINITION`",
    "alignment_size": "returns a length of time, and reads no column",
    "flight_aggregation": "a definition of the demo",
    "weather_aggregation": "a definition of the demo",
}
ALL = AGGREGATIONS | DETECTED | POINTS | WINDOWS | ANOMALIES | DETECTORS


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


def models(small: Any, bodies: dict[str, str]) -> None:
    for name, body in bodies.items():
        is_query = body.startswith("select ")
        small.change(name, body if is_query else f"{{{{ strandline.{body} }}}}")


def test_no_public_macro_is_forgotten() -> None:
    public = {
        macro["name"]
        for path in (ROOT / "macros").rglob("_macros.yml")
        for macro in yaml.safe_load(path.read_text())["macros"]
    }
    called = {
        name
        for body in ALL.values()
        for name in re.findall(r"(?:strandline[.]|^)([a-z]\w*)\(", body)
    }
    assert public - called == set(WITHOUT_A_MODEL)
    generic = {path.stem for path in (ROOT / "tests" / "generic").glob("*.sql")}
    assert generic == set(re.findall(r"strandline[.](\w+)", TESTS))


@pytest.mark.soak  # five minutes
def test_tables_that_grow(odd: Any) -> None:
    small = odd
    models(small, AGGREGATIONS | DETECTED | POINTS | WINDOWS | ANOMALIES)
    small.change("detections.py", DETECTIONS)
    small._write(small._folder, {"models/_tests.yml": TESTS})

    small.feed("odd", event(1, 0, 5), event(2, None, 5), event(3, 1, 70))
    small.run()
    small.feed("odd", event(4, 1, 50), event(5, 2, 65, "b"), event(6, 0, 1))
    messages = small.run()
    small._dbt("test", project_dir=small._folder)
    for name in ("odd_ledger", "hot_ledger", "weights_ledger", "newest_ledger"):
        assert messages[name] == "3 received, 3 applied"
    assert messages["odd_anomalies_ledger"] == "3 received, 3 classified"
    aggregations_and_detections(small)
    points(small)
    windows(small)
    anomalies(small)


def aggregations_and_detections(small: Any) -> None:
    # Group, time, count, sum.
    assert small.rows(
        f"select `{KEY}`, `{ODD_KEY}`, unix_seconds(agg_timestamp) % 86400, agg_count, agg_sum_air_temp_{_hash()} "
        "from small.odd_hours order by 3, 1"
    ) == [("a", "ß", 0, 2, 6.0), ("a", "ß", 3600, 2, 120.0), ("b", "ß", 7200, 1, 65.0)]
    assert refused(small, "odd_late") == [(2, 2, "no event time: event time is null")]
    late = small.spark.table("small.odd_late")
    assert {name.lower() for name in late.columns} == {
        name.lower() for name in (ARRIVAL, *KEYS, TS, ID, VALUE, *UNUSED, "late_reason")
    }
    assert small.rows("select n, total, now, ordered from small.within order by agg_timestamp") == [
        (2, 6.0, 1.0, 2), (2, 120.0, 50.0, 2),
    ]  # fmt: skip
    assert small.rows("select `who?`, `Straße 1`, `total °C`, request_error from small.joined order by 3") == [
        ("a", "ß", 6.0, None), ("a", "ß", 120.0, None),
    ]  # fmt: skip
    # The first window ends one step after the hour of the row.
    assert small.rows(
        f"select hour(`from`), `to` - unix_millis(`from`) from small.starts where `{ARRIVAL}` = 3"
    ) == [(1, -23 * 3_600_000)]
    assert small.rows(
        f"select `{KEY}`, `{ODD_KEY}`, anomaly_type, arrival from small.detections where anomaly_type = 0 order by arrival"
    ) == [("a", "ß", 0, 3), ("b", "ß", 0, 5)]
    assert set(UNUSED) < set(small.spark.table("small.hot_late_rows").columns)
    assert refused(small, "hot_late_rows") == [(2, 2, "no time: its time is null")]


def points(small: Any) -> None:
    for table in ("weights_late", "states_late", "beats_late"):
        assert refused(small, table) == [(2, 2, "no time: event time is null")]
    assert small.rows(
        f"select `{KEY}`, hour(`from`), average, gaps, `first val`, i, x, s from small.of_weights order by 2"
    ) == [
        ("a", 0, None, 0, 5.0, 5.0, 18000.0, 3600.0),
        ("a", 1, None, 0, 70.0, 70.0, 252000.0, 3600.0),
        ("b", 2, None, 0, 65.0, 65.0, 234000.0, 3600.0),
    ]
    assert small.rows(
        "select own, h, i[0].state, size(s), size(x), at, to[0].state, unix_seconds(next[0].end) % 86400 "
        "from small.of_states order by `from`"
    ) == [(0.0, 3600.0, "ß", 1, 1, "ß", "ß", 3600 * hour) for hour in (1, 2, 3)]
    assert small.rows(
        "select size(own), size(h), i, s, x, at, to, size(prev.ranges), unix_seconds(next.end - interval 30 minutes) % 86400 "
        "from small.of_beats order by `from`"
    ) == [(1, 1, 1200.0, 2400.0, True, 1200.0, 2400.0, 1, 3600 * hour) for hour in (0, 1, 2)]
    for table in ("weights", "states", "beats"):
        assert small.rows(f"select `{KEY}`, n, hour(own.last_time) from small.all_{table} order by 1") == [
            ("a", 48, 1), ("b", 48, 2),
        ]  # fmt: skip
    assert small.rows(
        f"select `{KEY}`, own.last_value, h.last_state, size(x.ranges) from small.of_points order by 1"
    ) == [("a", 50.0, "ß", 2), ("b", 65.0, "ß", 1)]


def windows(small: Any) -> None:
    # What is inside of the rows of a and b: the arrivals 1, 1 2, 2 3, 3 4, 4 6, and 5.
    names = ", ".join(f"`{name.replace('`', '``')}`" for name in AGGREGATES)
    assert small.rows(
        f"select {names} from small.counted where row_kind = 'row' order by `{KEY}`, `it's`, `größe m²`"
    ) == [
        # count, sum, min(x), greatest entered, change of the average arrival, median, count of x, variance, skewness of x
        (1, 5.0, 1, 5.0, 1.0, 5.0, 1, None, None),
        (2, 10.0, 1, 5.0, 0.5, 5.0, 2, 0.0, None),
        (2, 75.0, 2, 70.0, 0.5, 37.5, 2, 2112.5, 0.0),
        (2, 120.0, 3, 70.0, 0.5, 60.0, 2, 200.0, 0.0),
        (2, 51.0, 4, 70.0, pytest.approx(0.7), 25.5, 2, 1200.5, pytest.approx(0.59012866)),
        (1, 65.0, 5, 65.0, 5.0, 65.0, 1, None, None),
    ]
    assert small.rows(
        f"select `{KEY}`, `größe m²` from small.chained where row_kind = 'row' order by 1, 2"
    ) == [("a", 1), ("a", 3), ("a", 5), ("a", 6), ("b", 1)]
    assert small.rows(
        "select correlation_id, `größe m²`, `of x` from small.both where row_kind = 'row' order by 1"
    ) == [("a", 1, 6.0), ("b", 1, 70.0)]
    assert small.rows("select * from small.beside order by all") == [
        (1, 1), (1, 5), *[(2, arrival) for arrival in (1, 2, 2, 3, 3, 4, 4, 6)],
    ]  # fmt: skip
    assert small.rows(f"select `{ARRIVAL}`, `cycle`, `place` from small.inside order by 1") == [
        (4, 4, 4), (5, 5, 5), (6, 6, 6),
    ]  # fmt: skip
    shown = read_window(
        small.spark, Window("newest_two", "small.newest_two", tuple(KEYS), "last 2", "small.inside")
    )
    assert set(shown["columns"]) == {
        name.lower() for name in (ARRIVAL, *KEYS, TS, ID, VALUE, *UNUSED) if name != "reason"
    }
    place = shown["columns"].index("place")
    assert (shown["total"], [row[place] for row in shown["rows"]]) == (3, ["6", "5", "4"])


def anomalies(small: Any) -> None:
    """The first run stores 5 and 70 with their parent; the second finds 1 and 50 instead, and another key."""
    assert small.rows(
        f"select `{KEY}`, hour(starts_at), current_value, generation, is_parent, status, severity, labels "
        "from small.odd_anomalies order by all"
    ) == [
        ("a", 0, 1.0, 1, False, "new", "P1", ["x y"]),
        ("a", 0, 5.0, 0, False, "outdated", "P1", ["x y"]),
        ("a", 0, 50.0, 0, True, "new", "P1", ["x y"]),
        ("a", 0, 70.0, 0, True, "outdated", "P1", ["x y"]),
        ("a", 1, 50.0, 1, False, "new", "P1", ["x y"]),
        ("a", 1, 70.0, 0, False, "outdated", "P1", ["x y"]),
        ("b", 2, 65.0, 0, False, "new", "P1", ["x y"]),
    ]
    table = small.spark.table("small.odd_anomalies")
    assert table.columns[1 : len(SERIES) + 1] == [name.lower() for name in SERIES]
    assert set(
        table.select(*(f"`{name.replace('`', '``')}`" for name in SERIES[2:])).collect()
    ) == {(7,) * (len(SERIES) - 2)}
    assert small.rows(f"select kind, `{KEY}`, current_value, members, unit, `a``b` from small.outbox order by all") == [
        ("completed", "a", 50.0, 2, "°C", 7), ("new", "a", 50.0, 2, "°C", 7),
        ("new", "a", 70.0, 0, "°C", 7), ("new", "b", 65.0, 1, "°C", 7),
    ]  # fmt: skip
    assert small.rows("select late_reason, `select`, current_value, `family`, is_ignored from small.odd_anomalies_late") == [
        ("future: it ends after `not after`", "future", 1.0, 7, False)
    ]  # fmt: skip
    assert small.rows("select run, received, classified, future, written from small.odd_anomalies_ledger order by 1") == [
        (1, 3, 2, 1, 3), (2, 3, 3, 0, 7),
    ]  # fmt: skip
    assert small.rows(f"select `{KEY}`, current_value, feedback from small.active order by all") == [
        ("a", 1.0, []), ("a", 50.0, []), ("a", 50.0, []), ("b", 65.0, [(1, "checked")]),
    ]  # fmt: skip
    assert small.rows("select count(*) from small.as_of") == [(7,)]


def refused(small: Any, table: str) -> list[tuple]:
    """The rows of a late table: the arrival, a column that nothing reads, and the reason."""
    return small.rows(f"select `{ARRIVAL}`, `a``b`, late_reason from small.{table} order by 1")


def test_detectors_and_labels(odd: Any) -> None:
    small = odd
    models(small, DETECTORS)
    small.feed("odd", event(1, 0, 5), event(2, 1, 70), event(3, 2, 71))
    small.run()
    hits = f"select `{KEY}`, `{ODD_KEY}`, hour(starts_at), current_value, arrival"
    assert small.rows(f"{hits} from small.too_hot order by 3") == [
        ("a", "ß", 1, 70.0, 2), ("a", "ß", 2, 71.0, 3),
    ]  # fmt: skip
    for detector in ("other_change", "other_percentage"):
        assert small.rows(f"{hits} from small.{detector}") == [("a", "ß", 1, 70.0, 2)]
    assert small.rows(f"{hits} from small.other_variance") == []
    assert small.rows("select distinct labels from small.weekly") == [
        (["cold start", "holiday", "threshold", "time of week"],)
    ]
    small.feed("odd", event(4, 3, 70), event(5, 4, 5))
    small.run("--select", "expected")
    # Two seasons of two hours are learned; the fifth hour is the first of which something is expected.
    assert small.rows(
        f"select hour(agg_timestamp), `{ODD_KEY}`, `{VALUE}`, expected is null from small.expected order by 1"
    ) == [
        (0, "ß", 5.0, True),
        (1, "ß", 70.0, True),
        (2, "ß", 71.0, True),
        (3, "ß", 70.0, True),
        (4, "ß", 5.0, False),
    ]
    assert small.rows(f"select `{KEY}`, hour(starts_at), ahead from small.next_hours order by 2") == [
        ("a", 5, 1), ("a", 6, 2),
    ]  # fmt: skip
    assert small.rows(f"select `{KEY}`, `order`, `größe`, rank, contribution from small.made_by order by starts_at, rank")[0] == (
        "a", 2, 2, 1, "2, 2: 70, before 0 (108 % of the change)"
    )  # fmt: skip


def _hash() -> str:
    """The end of the name of a part over an expression: see `_part_column`."""
    import hashlib

    return hashlib.md5(f"`{VALUE}`".encode()).hexdigest()[:6]  # noqa: S324
