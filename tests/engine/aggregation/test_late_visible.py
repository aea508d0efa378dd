"""Events that become visible at or below an arrival that was read: every ledger finds them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.mutated import package_with

COLUMNS = "arrival bigint, sensor string, ts timestamp, value double"
FEED = "source('feed', 'feed_shop')"
ARGUMENTS = "select={'events': 'count(*)'}, keys=['sensor'], ts='ts', every='hour, day'"
DETECTIONS = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(dbt, session, name="hot", source=dbt.source("feed", "feed_shop"), ts="ts",
                  metrics=["value > 60"])
"""
POINTS = f"{FEED}, keys=['sensor'], ts='ts', bucket='1 hour', value='value', method='locf'"
MODELS = {
    "shop_ledger": "strandline.aggregation_ledger(shop())",
    "recent": f"strandline.window_table({FEED}, store='last 10', ts='ts')",
    "recent_ledger": f"strandline.window_ledger({FEED}, window=ref('recent'))",
    "signal": f"strandline.time_weight_table({POINTS})",
    "signal_late": f"strandline.time_weight_late({POINTS})",
    "signal_ledger": f"strandline.points_ledger({FEED}, table=ref('signal'), late=ref('signal_late'))",
    "hot_late_rows": "strandline.detection_late(ref('detections'), name='hot')",
    "hot_engine": "strandline.detection_status(ref('detections'), name='hot')",
    "hot_ledger": f"strandline.detection_ledger({FEED}, status=ref('hot_engine'), late=ref('hot_late_rows'))",
}


def event(arrival: int, hour: int) -> str:
    return f"{arrival}, 'a', timestamp'2024-01-01 {hour:02}:10:00Z', 5"


@pytest.fixture
def shop(small: Any) -> Callable[..., Any]:
    """The aggregation `shop` with its ledger; `all_parts`: every other part that has a ledger, too."""

    def make(all_parts: bool = False) -> Any:
        small.define("shop", COLUMNS, ["hours", "days", "late"], ARGUMENTS)
        for name, call in MODELS.items() if all_parts else [*MODELS.items()][:1]:
            small.change(name, f"{{{{ {call} }}}}")
        if all_parts:
            small.change("detections.py", DETECTIONS)
        return small

    return make


def ledger(small: Any, name: str = "shop_ledger") -> list[tuple]:
    return small.rows(
        f"select run, arrival, received, applied, corrected from small.{name} order by run"
    )


@pytest.mark.soak
def test_every_ledger_finds_events_that_became_visible_later(shop: Any) -> None:
    small = shop(all_parts=True)
    small.feed("shop", event(1, 0), event(2, 1), event(3, 2), event(6, 3))
    messages = small.run()
    ledgers = ["shop_ledger", "recent_ledger", "signal_ledger", "hot_ledger"]
    assert {messages[name] for name in ledgers} == {"4 received, 4 applied"}

    small.feed("shop", event(4, 4), event(5, 5), event(7, 6))
    said = small.fails()
    lost = (
        "feed_shop has 6 events up to arrival 6, and 4 of them were there when they were read: 2 became visible "
        "afterwards and are counted nowhere, because arrivals must only grow"
    )
    assert said.count(lost) == 4
    assert (
        lost
        + "; to count them, recompute the range of their times, such as `strandline run --from 2026-01-01 "
        "--to 2026-01-02`" in said
    )
    for name in ledgers:
        assert [row[:4] for row in ledger(small, name)] == [(1, 6, 4, 4)]

    # The way out of the message: the range is recomputed, and the ledger counts what it found.
    settings = {
        "strandline_from": "2024-01-01 00:00:00",
        "strandline_to": "2024-01-02 00:00:00",
    }
    small._dbt(
        "run", "--select", "shop_hours", "shop_days", "shop_late", "shop_ledger",
        project_dir=small._folder, settings=settings,
    )  # fmt: skip
    assert ledger(small)[-1] == (2, 7, 5, 7, 2)
    assert small.rows("select sum(agg_count) from small.shop_hours") == [(7,)]
    assert small.run("--select", "shop_ledger")["shop_ledger"] == "nothing new"


@pytest.mark.soak  # a minute
def test_a_source_that_is_pruned_may_have_fewer_and_hides_nothing(shop: Any) -> None:
    small = shop()
    small.feed("shop", *(event(arrival, arrival) for arrival in (1, 2, 3, 6)))
    small.run()
    small.rows("delete from small.feed_shop where arrival <= 2")
    assert small.run()["shop_ledger"] == "nothing new"
    small.rows("optimize small.feed_shop")
    small.feed("shop", event(7, 7))
    assert small.run()["shop_ledger"] == "1 received, 1 applied"
    assert ledger(small)[-1] == (2, 7, 5, 5, 0)
    # The newest event may be removed as well: nothing was written since then.
    small.rows("delete from small.feed_shop where arrival = 7")
    assert small.run()["shop_ledger"] == "nothing new"
    # The source has fewer events than were read, and still one too many.
    small.feed("shop", event(5, 5))
    assert (
        "feed_shop has 3 events up to arrival 7, and 2 of them were there when they were read"
        in small.fails()
    )


def test_a_source_that_is_loaded_again_with_lower_arrivals_fails(shop: Any) -> None:
    small = shop()
    small.feed("shop", *(event(arrival, arrival) for arrival in (1, 2, 3, 4)))
    small.run()
    small.rows(
        f"insert overwrite small.feed_shop values ({event(1, 8)}), ({event(2, 9)}), ({event(3, 10)})"
    )
    assert (
        "the greatest arrival of feed_shop is 3, and events up to 4 were read: it was loaded again with lower "
        "arrivals, which count as read (version 2, WRITE); load it with arrivals that go on"
        in small.fails()
    )
    small.rows("truncate table small.feed_shop")  # an empty source is none that was loaded again
    assert small.run()["shop_ledger"] == "nothing new"


TESTED = """
models:
  - name: shop_ledger
    data_tests:
      - strandline.ledger_is_complete: {name: all_runs, config: {store_failures: true}}
      - strandline.ledger_is_complete: {name: second_run, config: {where: run = 2}}
      - strandline.ledger_is_complete: {name: other_runs, config: {where: run <> 2}}
"""


@pytest.mark.soak  # a minute
def test_the_data_test_finds_events_where_as_many_others_were_removed(shop: Any) -> None:
    """The ledger counts as many events as were read; the test counts those of each run."""
    small = shop()
    small._write(small._folder, {"models/_tests.yml": TESTED})
    small.feed("shop", event(1, 0), event(2, 1))
    small.run()
    small.feed("shop", event(3, 2), event(6, 3))
    small.run()
    small._dbt("test", project_dir=small._folder)
    small.rows("delete from small.feed_shop where arrival <= 2")
    small.feed("shop", event(4, 4), event(5, 5), event(7, 6))
    assert small.run()["shop_ledger"] == "1 received, 1 applied"
    try:
        results = small._dbt.invoke("test", project_dir=small._folder).result.results
        assert {one.node.name: (str(one.status), one.message) for one in results} == {
            "all_runs": ("fail", "Got 1 result, configured to fail if != 0"),
            "second_run": ("fail", "Got 1 result, configured to fail if != 0"),
            "other_runs": ("pass", None),
        }
        assert small.spark.table("small_dbt_test__audit.all_runs").collect() == [
            # run, above_arrival, up_to_arrival, events_read, events_present
            (2, 2, 6, 2, 4)
        ]
    finally:
        drop_schema(small.spark, "small_dbt_test__audit")


@pytest.mark.soak
def test_a_mutation_is_caught(shop: Any, tmp_path: Path) -> None:
    """Without the count of what the source has, the ledger balances and two events are nowhere."""
    small = shop()
    packages = small._folder / "packages.yml"
    as_it_is = packages.read_text()
    change = ("_ledger_unread", "if not last.arrival", "if true")
    packages.write_text(f"packages:\n  - local: {package_with([change], tmp_path / 'package')}\n")
    try:
        small._dbt("deps", project_dir=small._folder)
        small.feed("shop", event(1, 0), event(2, 1), event(3, 2), event(6, 3))
        small.run()
        small.feed("shop", event(4, 4), event(5, 5), event(7, 6))
        assert small.run()["shop_ledger"] == "1 received, 1 applied"
    finally:
        packages.write_text(as_it_is)
        small._dbt("deps", project_dir=small._folder)
