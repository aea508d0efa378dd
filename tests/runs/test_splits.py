"""Split invariance: however the events are cut into runs, every table ends with the same rows.

Each case is a group key of its own, so that one run of dbt judges hundreds of random histories:
late, early, doubled in time, null, negative, on leap days and around both changes of the clock.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from tests.conftest import Dbt
from tests.runs.test_bucket_start import DURATIONS, oracle

SEEDS = range(8_255, 8_255 + int(os.environ.get("STRANDLINE_SEEDS", "1")))
CASES = 300
RUNS = 5
ZONE = ZoneInfo("America/New_York")
COLUMNS = (
    "arrival bigint, case_id int, symbol string, ts timestamp, price decimal(12,2), quantity int"
)

FILES = {
    "dbt_project.yml": 'name: splits\nversion: "1.0"\nprofile: splits\n',
    "profiles/profiles.yml": """
splits:
  target: local
  outputs:
    local:
      type: strandline
      method: session
      schema: splits
      home: "{{ env_var('STRANDLINE_HOME') }}"
      threads: 2
""",
    "models/_sources.yml": "sources: [{name: feed, schema: splits, tables: [{name: events}]}]",
    "macros/split_aggregation.sql": """
{% macro split_aggregation() %}
    {{ return(strandline.aggregation(
        name='split_aggregation', source=source('feed', 'events'),
        select={'avg_price': 'avg(price)', 'low': 'min(price)', 'high': 'max(price * 2)',
                'total': 'sum(quantity)', 'n': 'count(*)', 'n_priced': 'count(price)'},
        group_by=['case_id', 'symbol'], aggregate_by='ts', time_zone='America/New_York')) }}
{% endmacro %}
""",
    **{
        f"models/split_aggregation_{duration}.sql": (
            f"{{{{ strandline.aggregation_table(split_aggregation(), '{duration}') }}}}"
        )
        for duration in DURATIONS
    },
}


def histories(chance: random.Random) -> list[list[tuple]]:
    """The events of each run: (arrival, case, symbol, ts, price, quantity), arrival growing."""
    anchors = [
        datetime(2013, 3, 10, 6, 59, 50), datetime(2013, 11, 3, 5, 59, 50), datetime(2012, 2, 29, 23),
        datetime(2013, 1, 1, 4, 59, 55), datetime(1969, 12, 31, 23, 59, 58), datetime(1904, 2, 29, 1),
    ]  # fmt: skip
    runs: list[list[tuple]] = [[] for _ in range(RUNS)]
    for case in range(CASES):
        anchor = chance.choice(anchors)
        spread = chance.choice([3, 90, 4_000, 90_000, 3_000_000, 40_000_000])
        count = chance.randrange(1, 16)
        for run in sorted(chance.randrange(RUNS) for _ in range(count)):
            seconds = chance.uniform(-spread / 10, spread)
            ts = anchor + timedelta(seconds=chance.choice([seconds, round(seconds)]))
            price = chance.choice([None, Decimal(chance.randrange(-9_999, 99_999)) / 100])
            quantity = chance.choice([None, 0, chance.randrange(-50, 2_000_000_000)])
            runs[run].append((case, chance.choice(["A", "B", None]), ts, price, quantity))
    runs[2] = []  # a run without events is a run as well
    arrival = iter(range(1, 10**6))
    return [[(next(arrival), *event) for event in run] for run in runs]


def by_hand(events: list[tuple], duration: str) -> set[tuple]:
    """The rows of one table, folded event by event in plain Python."""
    buckets = defaultdict(list)
    for arrival, case, symbol, ts, price, quantity in events:
        micros = (
            ts.replace(tzinfo=timezone.utc) - datetime(1970, 1, 1, tzinfo=timezone.utc)
        ) // timedelta(microseconds=1)
        buckets[oracle(micros, duration, ZONE), case, symbol].append((arrival, price, quantity))
    rows = set()
    for (bucket, case, symbol), held in buckets.items():
        prices = [price for _, price, _ in held if price is not None]
        quantities = [quantity for _, _, quantity in held if quantity is not None]
        rows.add(
            (bucket, case, symbol, sum(prices) if prices else None, len(prices), min(prices, default=None),
             max((price * 2 for price in prices), default=None), sum(quantities) if quantities else None,
             len(held), max(arrival for arrival, _, _ in held))
        )  # fmt: skip
    return rows


@pytest.fixture
def project(spark, tmp_path, write_files):
    from tests.conftest import ROOT

    folder = write_files(tmp_path / "splits", FILES)
    write_files(folder, {"packages.yml": f"packages:\n  - local: {ROOT}\n"})
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    spark.sql("create schema splits")
    spark.sql(f"create table splits.events ({COLUMNS}) using delta")
    yield lambda *args: dbt(*args, project_dir=folder)
    spark.sql("drop schema splits cascade")


@pytest.mark.parametrize("seed", SEEDS)
def test_any_cut_into_runs_ends_with_the_same_rows(spark, project, seed):
    runs = histories(random.Random(seed))  # noqa: S311
    landed: list[tuple] = []
    for number, events in enumerate(runs):
        if events:
            spark.createDataFrame(events, COLUMNS).coalesce(1).writeTo("splits.events").append()
        landed += events
        results = project("run")
        if number and not events:
            assert {result.message for result in results} == {"nothing new"}

    def table(duration: str) -> list[tuple]:
        columns = spark.table(f"splits.split_aggregation_{duration}").columns
        high = next(column for column in columns if column.startswith("agg_max_price_2_"))
        return [
            tuple(row)
            for row in spark.sql(f"""
                select unix_seconds(agg_timestamp), case_id, symbol, agg_sum_price, agg_count_price,
                    agg_min_price, {high}, agg_sum_quantity, agg_count, agg_arrival
                from splits.split_aggregation_{duration}
            """).collect()
        ]

    incremental = {duration: table(duration) for duration in DURATIONS}
    for duration, rows in incremental.items():
        expected = by_hand(landed, duration)
        assert len(rows) == len(expected), duration
        assert set(rows) == expected, f"{duration} (seed {seed})"

    project("run", "--full-refresh")
    for duration, rows in incremental.items():
        assert sorted(map(repr, table(duration))) == sorted(map(repr, rows)), (
            f"{duration} (seed {seed})"
        )
