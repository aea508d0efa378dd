"""The ledger of a table of points: each received point is applied or unusable, or the run fails."""

from __future__ import annotations

from typing import Any

import pytest

COLUMNS = "arrival bigint, sensor string, ts timestamp, value double, state string"
SIGNAL = "source('feed', 'feed_signal'), keys=['sensor'], ts='ts', bucket='1 hour'"
OF_THE_KIND = {
    "time_weight": "value='value', method='locf'",
    "state_agg": "state='state'",
    "heartbeat_agg": "interval='10 minutes'",
}
LEDGER = "{{ strandline.points_ledger(source('feed', 'feed_signal'), table=ref('signal'), late=ref('signal_late')) }}"
FIGURES = "run, arrival, received, applied, unusable, purged + duplicates + late + quarantined + corrected"


def signal(small: Any, kind: str = "time_weight") -> Any:
    """A project with a table of points, its late points and its ledger."""
    arguments = f"{SIGNAL}, {OF_THE_KIND[kind]}"
    small.model("signal", COLUMNS, f"{{{{ strandline.{kind}_table({arguments}) }}}}")
    small.change("signal_late", f"{{{{ strandline.{kind}_late({arguments}) }}}}")
    small.change("signal_ledger", LEDGER)
    return small


def point(arrival: int, hour: int | None, value: str = "1") -> str:
    at = "null" if hour is None else f"timestamp'2024-01-01 {hour:02}:00:00Z'"
    return f"{arrival}, 'a', {at}, {value}, 'on'"


def figures(small: Any) -> list[tuple]:
    return small.rows(f"select {FIGURES} from small.signal_ledger order by run")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kind", "of_first", "of_second"),
    [
        ("time_weight", (1, 4, 4, 2, 2, 0), (2, 6, 6, 4, 2, 0)),
        # A state or a heartbeat of the point without a value counts.
        ("state_agg", (1, 4, 4, 3, 1, 0), (2, 6, 6, 5, 1, 0)),
        ("heartbeat_agg", (1, 4, 4, 3, 1, 0), (2, 6, 6, 5, 1, 0)),
    ],
)
def test_each_point_is_in_one_column(
    small: Any, kind: str, of_first: tuple, of_second: tuple
) -> None:
    signal(small, kind)
    small.feed("signal", point(1, 8), point(2, 9), point(3, None), point(4, 10, "null"))
    small.run()
    small.feed("signal", point(5, 8), point(6, 8))  # late, and of equal times
    assert small.run()["signal_ledger"] == "2 received, 2 applied"
    assert figures(small) == [of_first, of_second]
    assert small.run()["signal_ledger"] in ("nothing new", "unchanged")
    assert len(figures(small)) == 2


@pytest.mark.soak
def test_a_lost_bucket_fails_the_run(small: Any) -> None:
    signal(small)
    small.feed("signal", point(1, 8), point(2, 9))
    small.run()
    small.feed("signal", point(3, 12), point(4, 13), point(5, None))
    small.run("--exclude", "signal_ledger")
    small.rows("delete from small.signal where agg_timestamp = timestamp'2024-01-01 12:00:00Z'")
    before = figures(small)
    assert (
        "ledger of 'signal' does not balance:\n"
        "    - 1 of 3 new events of feed_signal are neither counted nor late\n"
        "    - rebuild the tables: `dbt build --full-refresh --select signal+`; if events were "
        "removed from the source on purpose, only this ledger: `dbt run --full-refresh --select "
        "signal_ledger`" in small.fails("--select", "signal_ledger")
    )  # fmt: skip
    assert figures(small) == before == [(1, 2, 2, 2, 0, 0)]
    small.run("--full-refresh")
    assert figures(small) == [(1, 5, 5, 4, 1, 0)]


@pytest.mark.soak
def test_it_waits_for_the_table_of_late_points(small: Any) -> None:
    signal(small)
    small.feed("signal", point(1, 8))
    small.run()
    small.feed("signal", point(2, 9))
    small.run("--select", "signal")
    assert small.run("--select", "signal_ledger")["signal_ledger"] == (
        "waits: the table of late events has not read all events of signal"
    )
    small.run()
    assert figures(small) == [(1, 1, 1, 1, 0, 0), (2, 2, 2, 2, 0, 0)]
