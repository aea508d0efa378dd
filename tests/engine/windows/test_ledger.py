"""The ledger of a window: each received event is applied, late or unusable, or the run fails."""

from __future__ import annotations

from typing import Any

import pytest

COLUMNS = "arrival bigint, ts timestamp, address string, price int"
REQUESTS = "source('feed', 'feed_recent')"
RECENT = f"{{{{ strandline.window_table({REQUESTS}, store='last 10 seconds', ts='ts', where='price > 0') }}}}"
COUNTED = (
    f"{{{{ strandline.window_table({REQUESTS}, store='last 10 seconds', ts='ts', keys=['address'], "
    "aggregates={'requests': 'count(*)'}) }}"
)
CHAINED = "{{ strandline.window_table(ref('recent'), store='last 2', where='$row_status is new') }}"
SKIPPED = (
    "{{ config(meta={'skip_unchanged': true}) }}"  # while nothing has changed, as in any project
)
FIGURES = (
    "run, arrival, received, applied, late, unusable, purged + duplicates + quarantined + corrected"
)


def ledger_of(window: str) -> str:
    return f"{SKIPPED}{{{{ strandline.window_ledger({REQUESTS}, window=ref('{window}')) }}}}"


def figures(small: Any, ledger: str) -> list[tuple]:
    return small.rows(f"select {FIGURES} from small.{ledger} order by run")


def at(second: int) -> str:
    return f"timestamp'2024-01-01 00:00:{second:02}Z'"


@pytest.mark.soak  # `make check` is at its limit of time
def test_each_event_is_in_one_column(small: Any) -> None:
    small.model("recent", COLUMNS, RECENT)
    small.change("recent_ledger", ledger_of("recent"))
    small.change("counted", COUNTED)
    small.change("counted_ledger", ledger_of("counted"))
    # The third is filtered by `where`.
    small.feed("recent", f"1, {at(1)}, 'a', 5", "2, null, 'a', 5", f"3, {at(9)}, 'b', 0")
    assert small.run()["recent_ledger"] == "3 received, 2 applied, 1 unusable"
    small.feed(
        "recent", f"4, {at(20)}, 'a', 5", f"5, {at(10)}, 'a', 5", f"6, {at(15)}, 'b', 5"
    )  # fmt: skip
    messages = small.run()
    assert messages["recent_ledger"] == messages["counted_ledger"] == (
        "3 received, 2 applied, 1 late"
    )  # fmt: skip
    expected = [(1, 3, 3, 2, 0, 1, 0), (2, 6, 6, 4, 1, 1, 0)]
    assert figures(small, "recent_ledger") == figures(small, "counted_ledger") == expected
    assert small.run()["counted_ledger"].startswith("unchanged: ")

    # A window that has not run is read no further than it has come.
    small.feed("recent", f"8, {at(25)}, 'b', 5")
    assert small.run("--select", "recent_ledger")["recent_ledger"] == "nothing new"
    small.run("--select", "recent")

    # An event whose number a window has passed is in none of its runs.
    small.feed("recent", f"7, {at(26)}, 'b', 5")
    assert (
        "ledger of 'recent' does not balance:\n"
        "    - 1 of 2 new events of feed_recent are neither counted nor late\n"
        "    - rebuild the tables: `dbt build --full-refresh --select recent+`; if events were removed "
        "from the source on purpose, only this ledger: `dbt run --full-refresh --select recent_ledger`"
        in small.fails("--select", "recent_ledger")
    )
    small.run("--select", "counted")  # it has passed none, and counts both
    assert small.run("--select", "counted_ledger")["counted_ledger"] == "2 received, 2 applied"


@pytest.mark.soak
def test_a_ledger_of_a_chained_window_is_refused(small: Any) -> None:
    small.model("recent", COLUMNS, RECENT)
    small.change("chained", CHAINED)
    small.change("chained_ledger", ledger_of("chained"))
    small.feed("recent", f"1, {at(1)}, 'a', 5")
    assert (
        "window_ledger in chained_ledger:\n"
        "  - `window` is chained, which reads another window; pass the window that reads the events"
        in small.fails().replace("    ", "  ")
    )
