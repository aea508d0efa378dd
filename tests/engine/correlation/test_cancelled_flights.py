"""Every flight of 2013: scheduled and not departed within a day is cancelled, which is known of 8,255."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from strandline_demo.flights import read_flights
from strandline_demo.flights.clock import scheduled_instants

DAY = pd.Timedelta(days=1)
STREAM = "source=source('feed', 'events'), ts='ts', store='last 1 day', where=\"event = '{}'\""
CANCELLED = """{{ strandline.correlation_table(
    streams={'planned': {'window': ref('scheduled'), 'on': 'flight'},
        'left': {'window': ref('departed'), 'on': 'flight'}},
    when=['planned and not left', 'planned and left'],
    select={'flight': 'planned.flight', 'carrier': 'planned.carrier', 'departed_at': 'left.ts'}) }}"""


@pytest.mark.soak
def test_the_cancelled_flights_of_the_year(windows: Any, tmp_path: Path) -> None:
    """In two runs; each is known at the moment when its window ends, a day after its time."""
    flights = read_flights().reset_index(drop=True)
    flights["scheduled"] = scheduled_instants(flights).dt.tz_localize(None)
    flights["flight"] = flights.index
    flights["departed"] = flights.scheduled + pd.to_timedelta(flights.dep_delay, unit="min")
    assert flights.departed.isna().sum() == 8_255
    windows.events("event string, flight bigint, carrier string")
    windows.models(
        scheduled=STREAM.format("scheduled"),
        departed=STREAM.format("departed"),
        cancelled=CANCELLED,
    )
    events = events_of(flights)
    for number, part in enumerate((events[:300_000], events[300_000:])):
        path = tmp_path / f"events_{number}.parquet"
        part.to_parquet(path, coerce_timestamps="us")
        names = windows.spark.table(f"{windows.schema}.events").columns
        frame = windows.spark.read.parquet(str(path)).selectExpr(
            *(f"cast({name} as timestamp) as {name}" if name == "ts" else name for name in names)
        )
        frame.writeTo(f"{windows.schema}.events").append()
        windows.run(as_of="2014-01-03 00:00:00" if number else None)

    found = windows.spark.sql(
        "select flight, entered.at as at from windowed.cancelled "
        "where row_kind = 'row' and pattern = 'planned and not left'"
    ).toPandas()
    meant = flights[flights.departed.isna()]
    assert len(found) == 8_255
    assert dict(zip(found.flight, found["at"], strict=True)) == dict(
        zip(meant.flight, meant.scheduled + DAY, strict=True)
    )
    others = windows.spark.sql(
        "select count(*) as n, count(departed_at) as departed from windowed.cancelled "
        "where row_kind = 'row' and pattern = 'planned and left'"
    ).first()
    assert tuple(others) == (len(flights) - 8_255,) * 2


def events_of(flights: pd.DataFrame) -> pd.DataFrame:
    """A flight is scheduled, and departs: before its time, or after it, or never."""
    columns = ["flight", "carrier"]
    both = [
        flights[[*columns, event]].rename(columns={event: "ts"}).assign(event=event)
        for event in ("scheduled", "departed")
    ]
    events = pd.concat(both).dropna(subset="ts").sort_values(["ts", "event", "flight"])
    return events.assign(arrival=range(1, len(events) + 1))
