"""The three worked traces of the source, written out: the events, the call, the expected rows."""

from __future__ import annotations

import pytest
from tests.engine.runs.definition import Definition, simple

DAY = 1_515_110_400  # 2018-01-05 00:00:00 UTC, as the source says
SECOND = 1_000_000
COUNTED = Definition(
    "counted",
    {"arrival": "bigint", "ts": "timestamp", "event": "int"},
    simple(n="count(*)", total="sum(event)"),
    every=("seconds", "minutes"),
)


def totals(project, name, duration):
    """(second of the bucket, how many events, the sum of their numbers), by time."""
    rows = project.read(name, duration)
    return sorted((row["agg_timestamp"], row["n"], row["total"]) for row in rows)


@pytest.mark.parametrize(
    "sizes", [[8], *(pytest.param(sizes, marks=pytest.mark.soak) for sizes in ([7, 1], [4, 1, 3]))]
)
def test_the_buffer_of_three(runs, sizes):
    """50 → 51 → 52 → 53 → 51 → 53 → 54 → 50: event 8 goes to 51, or is late."""
    keeping = COUNTED.but(name="keeping", buffer_size=3)
    dropping = COUNTED.but(name="dropping", buffer_size=3, drops=True)
    project = runs("trace_buffer", keeping, dropping)
    events = [
        {"arrival": number, "ts": (DAY + second) * SECOND, "event": number}
        for number, second in enumerate([50, 51, 52, 53, 51, 53, 54, 50], start=1)
    ]
    rest = iter(events)
    for size in sizes:
        taken = [next(rest) for _ in range(size)]
        project.land("keeping", taken)
        project.land("dropping", taken)
        project.run()

    assert totals(project, "keeping", "seconds") == [
        (DAY + 50, 1, 1),
        (DAY + 51, 3, 2 + 5 + 8),
        (DAY + 52, 1, 3),
        (DAY + 53, 2, 4 + 6),
        (DAY + 54, 1, 7),
    ]
    assert totals(project, "keeping", "minutes") == [(DAY, 8, 36)]
    assert project.read_late("keeping") == []

    assert totals(project, "dropping", "seconds") == [
        (DAY + 50, 1, 1),
        (DAY + 51, 2, 2 + 5),
        (DAY + 52, 1, 3),
        (DAY + 53, 2, 4 + 6),
        (DAY + 54, 1, 7),
    ]
    assert totals(project, "dropping", "minutes") == [(DAY, 7, 28)]
    assert project.read_late("dropping") == [("late", 8, (DAY + 50) * SECOND, 8)]
    project.compare()  # the oracle says the same of both


@pytest.mark.soak
def test_the_day_of_the_fifth_of_january(runs, spark):
    """AGG_TIMESTAMP = 1515110400000 reflects the 5th of January 2018."""
    daily = COUNTED.but(name="daily", columns=COUNTED.columns | {"ts": "bigint"}, every=("days",))
    project = runs("trace_day", daily)
    # The first and the last millisecond of the day, and both neighbours; here `ts` is in ms.
    events = [DAY * 1000, DAY * 1000 + 86_399_999, DAY * 1000 - 1, DAY * 1000 + 86_400_000]
    for number, millis in enumerate(events, start=1):
        project.land("daily", [{"arrival": number, "ts": millis, "event": number}])
    project.run()
    assert totals(project, "daily", "days") == [
        (DAY - 86_400, 1, 3),
        (DAY, 2, 3),
        (DAY + 86_400, 1, 4),
    ]
    days = spark.sql(
        "select date_format(agg_timestamp, 'yyyy-MM-dd HH:mm:ss')"
        f" from {project.schema}.daily_days order by 1"
    )
    assert [row[0] for row in days.collect()] == [
        "2018-01-04 00:00:00", "2018-01-05 00:00:00", "2018-01-06 00:00:00",
    ]  # fmt: skip


START = DAY - 4 * 86_400  # 2018-01-01 00:00:00 UTC


SURVIVED = {
    "nothing": [],
    "one": ["seconds"],
    "two": ["seconds", "minutes"],
    "all": ["seconds", "minutes", "hours", "late"],
}


@pytest.mark.soak
def test_a_crash_and_a_resend(runs):
    """Events 0 to 5, a crash, 1 to 5 again: as if nothing had happened, and event 5 is not lost."""
    # One aggregation for each place at which the run may have crashed: what it had committed by then.
    crashing = {
        name: COUNTED.but(
            name=name,
            columns={"arrival": "bigint", "id": "string", "ts": "timestamp", "event": "int"},
            every=("seconds", "minutes", "hours"),
            event_id="id",
        )
        for name in SURVIVED
    }
    project = runs("trace_crash", *crashing.values())
    at = ["05:59:58", "05:59:58", "05:59:59", "06:00:00", "06:00:01", "06:00:02"]
    events = []
    for number, clock in enumerate(at):
        hours, minutes, seconds = map(int, clock.split(":"))
        instant = START + hours * 3600 + minutes * 60 + seconds
        events.append(
            {"arrival": number, "id": f"e{number}", "ts": instant * SECOND, "event": number}
        )
    again = [event | {"arrival": event["arrival"] + 10} for event in events[1:]]

    for name in SURVIVED:
        project.land(name, events)
    project.run_only(*(f"{name}_{table}" for name, tables in SURVIVED.items() for table in tables))
    for name in SURVIVED:
        project.land(name, again)
    project.run()

    for name in SURVIVED:
        assert totals(project, name, "seconds") == [
            (START + 21_598, 2, 0 + 1),
            (START + 21_599, 1, 2),
            (START + 21_600, 1, 3),
            (START + 21_601, 1, 4),
            (START + 21_602, 1, 5),
        ], name
        assert totals(project, name, "minutes") == [
            (START + 21_540, 3, 3),
            (START + 21_600, 3, 12),
        ], name
        assert totals(project, name, "hours") == [
            (START + 18_000, 3, 3),
            (START + 21_600, 3, 12),
        ], name
        assert sorted(row[:3] for row in project.read_late(name)) == [
            ("duplicate", number + 10, f"e{number}") for number in range(1, 6)
        ], name
    project.compare()  # the oracle says the same
