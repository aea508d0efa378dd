"""`arrival_lookback`: numbers that become visible after greater ones are counted, each event once."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.engine.mutated import package_with

COLUMNS = "arrival bigint, sensor string, ts timestamp, value double"
ARGUMENTS = (
    "select={'events': 'count(*)', 'total': 'sum(value)'}, keys=['sensor'], ts='ts', every='hour, day',"
    " arrival_lookback=%s"
)
LEDGER = "{{ strandline.aggregation_ledger(shop()) }}"
TABLES = ["hours", "days", "late"]
TESTED = """
models:
  - {name: shop_ledger, data_tests: [strandline.ledger_is_complete]}
  - {name: shop_hours, data_tests: [strandline.split_invariant]}
  - {name: shop_days, data_tests: [strandline.split_invariant]}
"""


def event(arrival: int, hour: int, value: int = 5) -> str:
    return f"{arrival}, 'a', timestamp'2024-01-01 {hour:02}:10:00Z', {value}"


def ledger(small: Any) -> list[tuple]:
    return small.rows(
        "select run, arrival, received, applied, unusable, corrected from small.shop_ledger order by run"
    )


def hours(small: Any) -> list[tuple]:
    return small.rows(
        "select hour(agg_timestamp), agg_count, agg_sum_value from small.shop_hours order by 1"
    )


def totals(small: Any) -> list[tuple]:
    return small.rows("select sum(agg_count), sum(agg_sum_value) from small.shop_days")


@pytest.mark.soak
def test_lower_numbers_are_read(small: Any) -> None:
    small.define("shop", COLUMNS, TABLES, ARGUMENTS % 5)
    small.change("shop_ledger", LEDGER)
    small._write(small._folder, {"models/_tests.yml": TESTED})
    small.feed("shop", event(1, 0), event(2, 1), event(3, 2), event(6, 3))
    assert small.run()["shop_ledger"] == "4 received, 4 applied"

    # Two lower numbers, one of them in an hour that is stored, a lower one without a time, and a greater one.
    small.feed("shop", event(4, 3, 7), event(5, 5), "2, 'a', null, 1", event(7, 6))
    assert small.run()["shop_ledger"] == "4 received, 3 applied, 1 unusable"
    assert hours(small) == [(0, 1, 5), (1, 1, 5), (2, 1, 5), (3, 2, 12), (5, 1, 5), (6, 1, 5)]
    assert totals(small) == [(7, 37)]
    assert small.rows("select arrival, late_reason from small.shop_late") == [
        (2, "no event time: ts is null")
    ]
    assert ledger(small) == [(1, 6, 4, 4, 0, 0), (2, 7, 8, 7, 1, 0)]
    assert small.run(strandline_as_of="2024-01-02")["shop_ledger"] == "nothing new"

    small._dbt("test", project_dir=small._folder)

    # Only lower numbers: one equal to a stored event, and one that is not; the source has lost what it had.
    small.rows("delete from small.feed_shop where arrival < 6")
    small.feed("shop", event(6, 3), event(6, 3, 8))
    assert small.run()["shop_ledger"] == "2 received, 2 applied"
    assert hours(small)[3] == (3, 4, 25)
    assert totals(small) == [(9, 50)]

    # A number that is lower by more than the lookback is not read, and the ledger says so.
    small.feed("shop", event(2, 3))
    said = small.fails()
    assert (
        "feed_shop has 5 events up to arrival 7, and 4 of them were there when they were read: 1 became visible "
        "afterwards and are counted nowhere" in said
    )


@pytest.mark.soak
def test_a_length_of_time(small: Any) -> None:
    """The keys have names of any form, and one of our own."""
    columns = COLUMNS.replace("arrival bigint", "arrival timestamp, content string")
    arguments = (ARGUMENTS % "'10 minutes'").replace("['sensor']", "['größe', 'content']")
    small.define("shop", columns.replace("sensor", "`größe`"), ["hours", "days"], arguments)
    at = "timestamp'2024-01-01 00:{:02}:00Z', null, 'a', timestamp'2024-01-01 {:02}:10:00Z', 5"
    small.feed("shop", at.format(10, 0), at.format(20, 1))
    small.run()
    small.feed("shop", at.format(15, 0), at.format(10, 3), at.format(21, 1))
    small.run()
    assert hours(small) == [(0, 2, 10), (1, 2, 10)]  # that of 00:10 is lower by ten minutes
    assert totals(small) == [(4, 20)]


LOOKBACK = 12


def history(seed: int) -> list[list[tuple]]:
    """Batches of (arrival, sensor, hour or None, value); a number is visible up to LOOKBACK - 1 late."""
    drawn = random.Random(seed)  # noqa: S311
    events = [
        (
            number // 2,
            drawn.choice("ab"),
            None if drawn.random() < 0.1 else drawn.randrange(20 * 24),
            drawn.randrange(3),
        )
        for number in range(90)
    ]
    visible = sorted(events, key=lambda event: event[0] + drawn.random() * (LOOKBACK - 1))
    bounds = sorted(drawn.sample(range(5, len(visible)), 6))
    return [
        visible[start:end] for start, end in zip([0, *bounds], [*bounds, len(visible)], strict=True)
    ]


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1])
def test_histories(small: Any, seed: int) -> None:
    _compare(small, seed, ARGUMENTS % LOOKBACK)


@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("more", ["", ", mutability_period='3 days'"])
@pytest.mark.soak
def test_more_histories(small: Any, seed: int, more: str) -> None:
    _compare(small, seed, ARGUMENTS % LOOKBACK + more)


def _compare(small: Any, seed: int, arguments: str) -> None:
    """Without a mutability period the source loses what is too old to be read again."""
    drawn = random.Random(-seed)  # noqa: S311
    small.define("shop", COLUMNS, TABLES, arguments)
    small.change("shop_ledger", LEDGER)
    landed: list[tuple] = []
    for batch in history(seed):
        rows = [
            f"{arrival}, '{sensor}', "
            + (
                f"timestamp'2024-01-20 00:30:00Z' + interval {hour} hours"
                if hour is not None
                else "null"
            )
            + f", {value}"
            for arrival, sensor, hour, value in batch
        ]
        small.feed("shop", *rows)
        landed += batch
        small.run()
        if "mutability" not in arguments and drawn.random() < 0.5:
            least = max(arrival for arrival, *_ in landed) - drawn.randrange(LOOKBACK)
            small.rows(f"delete from small.feed_shop where arrival < {least}")
        for table, length in [("hours", 1), ("days", 24)]:
            expected: Counter = Counter()
            for _, sensor, hour, value in landed:
                if hour is not None:
                    expected[sensor, hour // length * length, "count"] += 1
                    expected[sensor, hour // length * length, "sum"] += value
            found: Counter = Counter()
            for sensor, hour, count, total in small.rows(
                "select sensor, (unix_seconds(agg_timestamp) - unix_seconds(timestamp'2024-01-20 00:00:00Z'))"
                f" div 3600, agg_count, agg_sum_value from small.shop_{table}"
            ):
                found[sensor, hour, "count"] += count
                found[sensor, hour, "sum"] += total
            assert found == expected, (seed, table)
        late = small.rows("select arrival, sensor, value from small.shop_late")
        assert Counter(late) == Counter(
            (arrival, sensor, value) for arrival, sensor, hour, value in landed if hour is None
        )
    (last,) = ledger(small)[-1:]
    unusable = sum(hour is None for _, _, hour, _ in landed)
    assert last[2:5] == (len(landed), len(landed) - unusable, unusable)


@pytest.mark.parametrize(
    ("macro", "text", "instead", "wrong"),
    [
        ("_new_or_counted", "__copy > coalesce(__count, 0)", "true", "hours"),  # counted twice
        ("_counted_state", "task.get('arrival_lookback')", "false", "hours"),  # not read
        ("_rollup_floor", "task.get('arrival_lookback')", "false", "days"),
        ("_new_or_stored_late", "__copy > coalesce(__count, 0)", "true", "late"),
    ],
)
@pytest.mark.soak
def test_a_mutation_is_caught(
    small: Any, tmp_path: Path, macro: str, text: str, instead: str, wrong: str
) -> None:
    packages = small._folder / "packages.yml"
    as_it_is = packages.read_text()
    package = package_with([(macro, text, instead)], tmp_path / "package")
    packages.write_text(f"packages:\n  - local: {package}\n")
    try:
        small._dbt("deps", project_dir=small._folder)
        small.define("shop", COLUMNS, TABLES, ARGUMENTS % 5)
        small.feed("shop", event(1, 0), event(2, 1), "5, 'a', null, 1", event(6, 3))
        small.run()
        small.feed("shop", event(4, 4), event(5, 5))
        small.run()
        found = {
            "hours": len(hours(small)) == 5 and sum(row[1] for row in hours(small)) == 5,
            "days": totals(small) == [(5, 25)],
            "late": small.rows("select count(*) from small.shop_late") == [(1,)],
        }
        assert not found[wrong]
    finally:
        packages.write_text(as_it_is)
        small._dbt("deps", project_dir=small._folder)
