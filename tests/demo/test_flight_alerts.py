"""The demo's alerts over January and February: who was told what, when, and what of it holds.

American's flights of 8 February come with the 28th; when the first build is, at midnight, some
flights of the 27th are waiting. The demo ran in a process of its own; its tables are read here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.unit.jinja_macros import macros

from strandline.flights import flight_events

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import SparkSession
    from tests.demo.conftest import Demonstrated

# The two builds at midnight, and the run by hand; in UTC, as all times of a run.
FIRST, SECOND, BY_HAND = "2013-02-28 05:00:00", "2013-03-01 05:00:00", "2013-03-01 06:00:00"
AMERICAN = "carrier = 'AA'"
JETBLUE = "carrier = 'B6'"
LATE_EVENING = "origin = 'JFK' and starts_at = timestamp'2013-02-28 03:45:00'"  # 22:45 of the 27th
# Days and quarters of an hour in New York, parents with a plus: 8 Feb 00:00+
SPOT = (
    "date_format(from_utc_timestamp(starts_at, 'America/New_York'), 'd MMM HH:mm')"
    " || if(is_parent, '+', '')"
)


@dataclass(frozen=True)
class Table:
    """A table of the demo, as a macro is given one."""

    folder: str
    identifier: str

    def __str__(self) -> str:
        return f"delta.`{self.folder}`"


@dataclass(frozen=True)
class Expression:
    """A query in the place of a table."""

    sql: str

    def __str__(self) -> str:
        return self.sql


class Alerts:
    """What the demo knows of its alerts, as lines of text."""

    def __init__(self, spark: SparkSession, demo: Demonstrated) -> None:
        self.spark = spark
        self.anomalies, self.history, self.feedback = (
            Table(str(demo.clone.log_of(f"strandline.{name}").parent), name)
            for name in ("flight_anomalies", "anomaly_history", "anomaly_feedback")
        )

    def told(self, where: str) -> list[str]:
        """Run, what, of what to what, and what it is now."""
        query = macros().anomaly_notifications(self.anomalies)
        return self._lines(query, where, ["told_at", SPOT, "current_value", "baseline_value", "status"])  # fmt: skip

    def stored(self, where: str) -> list[str]:
        return self._lines(f"select * from {self.anomalies}", where, self._version)

    def believed(self, at: str, where: str) -> list[str]:
        return self._lines(macros().anomalies_as_of(at, self.history), where, self._version)

    def active(self, where: str, anomalies: object = None) -> list[str]:
        """Each with its notes, in their order."""
        query = macros().anomalies_active(
            anomalies or self.anomalies, feedback=self.feedback, order_by="noted_at"
        )
        notes = "concat_ws(', ', transform(feedback, each -> each.noted_by))"
        return self._lines(query, where, [SPOT, "current_value", "status", notes])

    _version = (SPOT, "generation", "current_value", "status")

    def _lines(self, query: str, where: str, columns: Iterable[str]) -> list[str]:
        rows = self.spark.sql(f"select {', '.join(columns)} from ({query}) where {where}").collect()
        cells = [[f"{it:g}" if isinstance(it, float) else str(it) for it in row] for row in rows]
        return sorted(" ".join(each).strip() for each in cells)


@pytest.fixture(scope="module")
def alerts(spark: SparkSession, unbroken: Demonstrated) -> Alerts:
    return Alerts(spark, unbroken)


# Use case 1: a carrier's day is missing, and is loaded again.


def test_the_false_alarm_is_outdated_and_what_stays_is_told(alerts: Alerts) -> None:
    """On the 9th American flew 24 of 76, so the two days are one incident, told by its worst day."""
    assert alerts.told(AMERICAN) == [
        f"{FIRST} 8 Feb 00:00+ 0 92 outdated",
        f"{BY_HAND} 8 Feb 00:00+ 24 76 new",
    ]
    assert alerts.stored(AMERICAN) == [
        "8 Feb 00:00 0 0 outdated",
        "8 Feb 00:00 1 58 new",
        "8 Feb 00:00+ 0 0 outdated",
        "8 Feb 00:00+ 0 24 new",
        "9 Feb 00:00 0 24 new",
    ]


@pytest.mark.parametrize(
    ("at", "believed"),
    [
        ("2013-02-28 04:59:59", []),
        (FIRST, ["8 Feb 00:00 0 0 new", "8 Feb 00:00+ 0 0 new", "9 Feb 00:00 0 24 new"]),
        # The second build looks two days back.
        (SECOND, ["8 Feb 00:00 0 0 new", "8 Feb 00:00+ 0 0 new", "9 Feb 00:00 0 24 new"]),
        (
            BY_HAND,
            [
                "8 Feb 00:00 0 0 outdated",
                "8 Feb 00:00 1 58 new",
                "8 Feb 00:00+ 0 0 outdated",
                "8 Feb 00:00+ 0 24 new",
                "9 Feb 00:00 0 24 new",
            ],
        ),
    ],
)
def test_what_was_believed_of_american(alerts: Alerts, at: str, believed: list[str]) -> None:
    assert alerts.believed(at, AMERICAN) == believed


def test_only_what_holds_is_active_with_its_notes(alerts: Alerts) -> None:
    assert alerts.active(AMERICAN) == [
        "8 Feb 00:00 58 new",
        "8 Feb 00:00+ 24 new",
        "9 Feb 00:00 24 new",
    ]
    assert alerts.active(JETBLUE) == [
        "8 Feb 00:00 93 new desk, operations",
        "8 Feb 00:00+ 56 new",
        "9 Feb 00:00 56 new",
    ]


def test_notes_of_an_outdated_anomaly_wait_until_it_is_found_again(alerts: Alerts) -> None:
    found_again = f"(select * except (status), 'updated' as status from {alerts.anomalies})"
    assert "8 Feb 00:00 0 updated desk, loading" in alerts.active(
        AMERICAN, anomalies=Expression(found_again)
    )


# Use case 2: rows that change up to two days back, P2D.


def test_flights_that_left_after_the_build_are_not_stranded(alerts: Alerts) -> None:
    assert alerts.told(LATE_EVENING) == [f"{FIRST} 27 Feb 22:45 3 2 outdated"]
    assert alerts.believed(FIRST, LATE_EVENING) == ["27 Feb 22:45 0 3 new"]
    assert alerts.believed(SECOND, LATE_EVENING) == ["27 Feb 22:45 0 3 outdated"]
    assert alerts.active(LATE_EVENING) == []


# Both: in the end the table holds what one look at all flights finds.


def test_what_holds_is_what_all_flights_say(alerts: Alerts) -> None:
    days, quarters = expected()
    leaves = "not is_parent and detector = '{}'"
    active = macros().anomalies_active(alerts.anomalies)
    found = {
        detector: {
            (row[0], row[1]): row[2]
            for row in alerts.spark.sql(
                f"select {key}, {start}, int(current_value) from ({active}) where {leaves.format(detector)}"
            ).collect()
        }
        for detector, key, start in (
            (
                "carrier_day",
                "carrier",
                "string(date(from_utc_timestamp(starts_at, 'America/New_York')))",
            ),
            ("quarter_hour", "origin", "unix_seconds(starts_at)"),
        )
    }
    assert found == {"carrier_day": days, "quarter_hour": quarters}
    assert (len(days), len(quarters)) == (21, 164)


def expected() -> tuple[dict, dict]:
    """By carrier and day, and by airport and quarter of an hour: straight from the source."""
    first, after = pd.Timestamp("2013-01-01"), pd.Timestamp("2013-03-01")
    events = flight_events(first.date(), after.date())
    events["carrier"] = events["carrier"].astype(str)
    departed = events[events["event"] == "departed"]
    day = departed["event_at"].dt.tz_convert("America/New_York").dt.tz_localize(None).dt.normalize()
    counts = departed.groupby(["carrier", day]).size().unstack(0, fill_value=0)
    counts = counts.reindex(pd.date_range(first, after, inclusive="left"), fill_value=0)
    usual = counts.shift(7)
    is_fall = (counts < usual * 0.7) & (usual >= 20)
    days = {
        (carrier, str(at.date())): int(counts.loc[at, carrier])
        for at, row in is_fall.iterrows()
        for carrier in row.index[row]
    }
    scheduled = events[events["event"] == "scheduled"]
    waiting = scheduled[~scheduled["flight_id"].isin(departed["flight_id"])]
    quarter = waiting["scheduled_at"].dt.floor("15min")
    sizes = waiting.groupby([waiting["origin"], quarter]).size()
    quarters = {
        (origin, int(at.timestamp())): int(size) for (origin, at), size in sizes.items() if size > 2
    }
    return days, quarters
