"""The ledger: each received event is applied, purged, a duplicate, late or unusable, or the run fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

COLUMNS = "arrival bigint, id string, ts timestamp, n int"
ARGUMENTS = """select={'events': 'count(*)', 'total': 'sum(n)'}, ts='ts', every='hour, day', event_id='id',
    buffer_size=1, ignore_events_older_than_buffer=true"""
FIGURES = (
    "run, arrival, received, applied, purged, duplicates, late, unusable, quarantined, corrected"
)


@pytest.fixture
def shop(small: Any) -> Callable[..., Any]:
    """A project with the aggregation `shop` and its ledger."""

    def make(arguments: str = ARGUMENTS, ledger: str = "") -> Any:
        small.define("shop", COLUMNS, ["hours", "days", "late"], arguments)
        small.change("shop_ledger", f"{{{{ strandline.aggregation_ledger(shop(){ledger}) }}}}")
        return small

    return make


def figures(small: Any) -> list[tuple]:
    return small.rows(f"select {FIGURES} from small.shop_ledger order by run")


def event(arrival: int, name: str, hour: int | None, day: int = 1) -> str:
    at = "null" if hour is None else f"timestamp'2024-01-{day:02} {hour:02}:00:00Z'"
    return f"{arrival}, '{name}', {at}, 1"


@pytest.mark.soak
def test_each_event_is_in_one_column(shop: Any) -> None:
    small = shop()
    small.feed("shop", event(1, "a", 8), event(2, "b", 9), event(3, "a", 9), event(4, "c", None))
    assert small.run()["shop_ledger"] == "4 received, 2 applied, 1 duplicates, 1 unusable"
    small.feed("shop", event(5, "d", 12), event(6, "e", 8), event(7, "f", 11))
    assert small.run()["shop_ledger"] == "3 received, 2 applied, 1 late"
    small.feed("shop", event(8, "g", 1), event(9, "b", 2))  # all late: no table has a new arrival
    assert small.run()["shop_ledger"] == "2 received, 1 duplicates, 1 late"
    assert figures(small) == [
        # run, arrival, received, applied, purged, duplicates, late, unusable, quarantined, corrected
        (1, 4, 4, 2, 0, 1, 0, 1, 0, 0),
        (2, 7, 7, 4, 0, 1, 1, 1, 0, 0),
        (3, 9, 9, 4, 0, 2, 2, 1, 0, 0),
    ]
    version = small.rows("describe history small.shop_ledger limit 1")[0][0]
    assert small.run("--full-refresh", "--select", "shop_late")["shop_late"]
    assert small.run()["shop_ledger"] == "nothing new"
    assert small.rows("describe history small.shop_ledger limit 1")[0][0] == version


@pytest.mark.soak
def test_an_empty_source_and_a_first_event(shop: Any) -> None:
    small = shop()
    assert small.run()["shop_ledger"] == "nothing new"
    assert figures(small) == []
    small.feed("shop", event(1, "a", 8))
    small.run()
    assert figures(small) == [(1, 1, 1, 1, 0, 0, 0, 0, 0, 0)]


@pytest.mark.soak
def test_it_waits_for_a_table_that_is_behind(shop: Any) -> None:
    small = shop()
    small.feed("shop", event(1, "a", 8))
    small.run()
    small.feed("shop", event(2, "b", 9))
    small.run("--select", "shop_hours")
    said = small.run("--select", "shop_ledger")["shop_ledger"]
    assert said == "waits: shop_days has not read all rows of shop_hours"
    small.run("--select", "shop_days")
    said = small.run("--select", "shop_ledger")["shop_ledger"]
    assert said == "waits: the table of late events has not read all events of shop_hours"
    small.run()
    assert [row[:4] for row in figures(small)] == [(1, 1, 1, 1), (2, 2, 2, 2)]


@pytest.mark.soak
def test_a_lost_event_fails_the_run(shop: Any) -> None:
    """In both tables a row is missing: they agree, and the source has more."""
    small = shop()
    small.feed("shop", event(1, "a", 8), event(2, "b", 9))
    small.run()
    small.feed("shop", event(3, "c", 8, day=2), event(4, "d", 8, day=3))
    small.run("--exclude", "shop_ledger")
    for table in ("shop_hours", "shop_days"):
        small.rows(f"delete from small.{table} where agg_timestamp < timestamp'2024-01-03 00:00:00Z' "
                   "and agg_timestamp >= timestamp'2024-01-02 00:00:00Z'")  # fmt: skip
    before = figures(small)
    assert (
        "ledger of 'shop' does not balance:\n"
        "    - 1 of 2 new events of feed_shop are neither counted nor late\n"
        "    - rebuild the tables: `dbt build --full-refresh --select shop_hours+`; if events were "
        "removed from the source on purpose, only this ledger: `dbt run --full-refresh --select "
        "shop_ledger`" in small.fails("--select", "shop_ledger")
    )  # fmt: skip
    assert figures(small) == before
    small.run("--full-refresh")
    assert figures(small) == [(1, 4, 4, 4, 0, 0, 0, 0, 0, 0)]


@pytest.mark.soak
def test_an_event_that_is_counted_twice_fails_the_run(shop: Any) -> None:
    small = shop()
    small.feed("shop", event(1, "a", 8))
    small.run("--exclude", "shop_ledger")
    for table in ("shop_hours", "shop_days"):
        small.rows(f"update small.{table} set agg_count = 2")
    assert "1 of 1 new events of feed_shop are counted more often than they are there" in (
        small.fails("--select", "shop_ledger")
    )


@pytest.mark.soak
def test_tables_that_disagree_fail_the_run(shop: Any) -> None:
    small = shop()
    small.feed("shop", event(1, "a", 8), event(2, "b", 9))
    small.run("--exclude", "shop_ledger")
    small.rows("update small.shop_hours set agg_count = 0 where agg_arrival = 1")
    assert "shop_hours counts 1 events, and shop_days 2" in small.fails("--select", "shop_ledger")


@pytest.mark.soak
def test_purged_events_stay_in_the_longer_table(shop: Any) -> None:
    small = shop(
        "select={'events': 'count(*)'}, ts='ts', every='hour, day', retention={'hour': '2 days'}"
    )
    small.feed("shop", event(1, "a", 8), event(2, "b", 8, day=9))
    small.run()
    small.rows("delete from small.shop_hours where agg_arrival = 1")  # as `strandline purge` does
    small.feed("shop", event(3, "c", 9, day=9))
    assert small.run()["shop_ledger"] == "1 received, 1 purged"
    assert figures(small)[-1] == (2, 3, 3, 2, 1, 0, 0, 0, 0, 0)


@pytest.mark.soak
def test_quarantined_rows_are_received(shop: Any) -> None:
    small = shop(ledger=", quarantine=ref('rejected')")
    small.change("rejected", "select explode(array('no number', 'no time')) as reason")
    small.feed("shop", event(1, "a", 8))
    small.run()
    assert figures(small) == [(1, 1, 3, 1, 0, 0, 0, 0, 2, 0)]


@pytest.mark.soak
def test_corrections_of_a_source_that_changes(shop: Any) -> None:
    small = shop(
        "select={'events': 'count(*)'}, ts='ts', every='hour, day', mutability_period='2 days'"
    )
    small.feed("shop", event(1, "a", 8), event(2, "b", 9))
    small.run()
    small.rows("delete from small.feed_shop where id = 'a'")
    small.feed("shop", event(3, "c", 10))
    small.run()
    assert figures(small)[-1] == (2, 3, 3, 2, 0, 0, 0, 0, 0, -1)
