"""Where buckets begin: Spark's answer against the rule of `clock.py`, zone by zone.

The zones are chosen for what they do to a clock: New York changes by an hour, Lord Howe by half
an hour, Kolkata is half an hour off, St John's both, Casablanca goes back for Ramadan, Havana
changes at midnight, so that one day begins at one o'clock and another has midnight twice. Troll
changes by two hours, Kathmandu went on by a quarter. Apia and Kwajalein left out a day, and
Kwajalein had one of 47 hours. Monrovia and Dublin had offsets with odd seconds, Athens
changed inside an hour, and Toronto once skipped midnight at half past eleven.
"""

from __future__ import annotations

import random
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest
from tests.engine.runs.clock import bucket_start, changes
from tests.unit.jinja_macros import Refused, macros

DURATIONS = ["seconds", "minutes", "hours", "days", "months", "quarters", "years"]
# The same with several minutes and hours, and with days and weeks that begin at six o'clock.
CHOSEN = ["5minutes", "15minutes", "hours", "6hours", "days", "weeks"]
SIX = 6 * 3_600
ZONES = [
    "UTC",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "America/St_Johns",
    "Africa/Casablanca",
    "America/Havana",
    "Antarctica/Troll",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Pacific/Kwajalein",
    "Africa/Monrovia",
    "Europe/Dublin",
    "Europe/Athens",
    "America/Toronto",
]
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MINUTE, HOUR, DAY = 60, 3_600, 86_400


def unix(text: str) -> int:
    return int((datetime.fromisoformat(text) - EPOCH).total_seconds())


def instants(zone: ZoneInfo, seed: int) -> list[int]:
    """Unix microseconds: anywhere from 1850 to 2025, leap days, and around all of the zone's changes."""
    chance = random.Random(seed)  # noqa: S311
    first, last = unix("1850-01-01T00:00:00+00:00"), unix("2025-01-01T00:00:00+00:00")
    found = [
        chance.randrange(first, last) * 1_000_000 + chance.randrange(1_000_000) for _ in range(300)
    ]
    for year in (1904, 1968, 2000, 2012, 2024):
        leap = unix(f"{year}-02-29T00:00:00+00:00")
        found += [(leap + chance.randrange(-DAY, 2 * DAY)) * 1_000_000 for _ in range(10)]
    for change in changes(zone):
        near = [
            0,
            -1,
            1,
            30 * MINUTE,
            -30 * MINUTE,
            HOUR,
            -HOUR,
            chance.randrange(-2 * DAY, 2 * DAY),
        ]
        near += [chance.randrange(-HOUR, HOUR) for _ in range(4)]
        found += [(change + away) * 1_000_000 for away in near]
        found += [(change + chance.randrange(-HOUR, HOUR)) * 1_000_000 + 999_999]
    return sorted(set(found))


@pytest.mark.parametrize("name", ZONES)
def test_buckets_begin_where_the_zones_clock_says(spark, name):
    zone = ZoneInfo(name)
    seed = 20130310
    given = instants(zone, seed)
    spark.createDataFrame([(m,) for m in given], "micros bigint").createOrReplaceTempView("given")

    columns = [
        f"unix_seconds({macros().bucket_start('timestamp_micros(micros)', duration, name)}) as {duration}"
        for duration in DURATIONS
    ]
    columns += [
        f"unix_seconds({macros().bucket_start('timestamp_micros(micros)', duration, name, 'PT6H')}) as six_{duration}"
        for duration in CHOSEN
    ]
    found = {
        row.micros: row
        for row in spark.sql(f"select micros, {', '.join(columns)} from given").collect()
    }

    assert len(found) == len(given) >= 350
    for micros in given:
        for duration in DURATIONS:
            expected = bucket_start(micros, duration, zone)
            assert found[micros][duration] == expected, (
                f"{name}, {duration} of {micros} (seed {seed})"
            )
        for duration in CHOSEN:
            expected = bucket_start(micros, duration, zone, SIX)
            assert found[micros][f"six_{duration}"] == expected, (
                f"{name}, {duration} from six o'clock of {micros} (seed {seed})"
            )


@pytest.mark.parametrize("name", ZONES)
def test_a_start_is_in_its_own_bucket_and_shorter_buckets_in_longer_ones(name):
    """The rule's invariant: no bucket is in two longer ones."""
    zone = ZoneInfo(name)
    for durations, day_start in ((DURATIONS, 0), (CHOSEN, SIX)):
        for micros in instants(zone, 8_255):
            starts = [bucket_start(micros, duration, zone, day_start) for duration in durations]
            assert starts == sorted(starts, reverse=True)
            assert starts[0] <= micros // 1_000_000
            for duration, start in zip(durations, starts, strict=True):
                for shorter in starts[: durations.index(duration) + 1]:
                    assert bucket_start(shorter * 1_000_000, duration, zone, day_start) == start


@pytest.mark.parametrize(
    ("name", "duration", "instant", "start"),
    [
        # Half an hour back, at 02:00 on the clock, which was 15:00Z: 01:30 comes again.
        ("Australia/Lord_Howe", "hours", "2013-04-06T14:59:59+00:00", "2013-04-06T14:00:00+00:00"),
        ("Australia/Lord_Howe", "hours", "2013-04-06T15:10:00+00:00", "2013-04-06T15:00:00+00:00"),
        ("Australia/Lord_Howe", "hours", "2013-04-06T15:30:00+00:00", "2013-04-06T15:30:00+00:00"),
        # Half an hour on, at 15:30Z: after 01:59:59 it is 02:30.
        ("Australia/Lord_Howe", "hours", "2013-10-05T15:40:00+00:00", "2013-10-05T15:30:00+00:00"),
        ("Australia/Lord_Howe", "hours", "2013-10-05T16:00:00+00:00", "2013-10-05T16:00:00+00:00"),
        # A minute past midnight the clock went on by 25 minutes and 8 seconds: that hour lasts to one o'clock.
        ("Europe/Athens", "hours", "1916-07-27T22:50:00+00:00", "1916-07-27T22:25:08+00:00"),
        ("Europe/Athens", "hours", "1916-07-27T23:00:00+00:00", "1916-07-27T23:00:00+00:00"),
        # After 23:29:59 it was 00:30: that hour continues, and the new day begins at one o'clock.
        ("America/Toronto", "hours", "1919-03-31T04:59:59+00:00", "1919-03-31T04:00:00+00:00"),
        ("America/Toronto", "days", "1919-03-31T04:59:59+00:00", "1919-03-30T05:00:00+00:00"),
        ("America/Toronto", "days", "1919-03-31T05:00:00+00:00", "1919-03-31T05:00:00+00:00"),
        # A minute past midnight, until 2011, the clock went back into yesterday: today continues.
        ("America/St_Johns", "hours", "2010-11-07T03:15:00+00:00", "2010-11-07T02:30:00+00:00"),
        ("America/St_Johns", "days", "2010-11-07T02:45:00+00:00", "2010-11-07T02:30:00+00:00"),
    ],
)
def test_buckets_around_a_change(name, duration, instant, start):
    assert bucket_start(unix(instant) * 1_000_000, duration, ZoneInfo(name)) == unix(start)


def test_the_sessions_own_zone_has_no_say(spark):
    sql = ", ".join(
        f"unix_seconds({macros().bucket_start('timestamp_seconds(1362906000)', duration, 'America/New_York')})"
        for duration in DURATIONS
    )
    in_utc = tuple(spark.sql(f"select {sql}").first())
    try:
        spark.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
        assert tuple(spark.sql(f"select {sql}").first()) == in_utc
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    # 10 March 2013, 05:00 on the clock of New York, which had skipped an hour at two.
    assert in_utc == (
        1362906000,
        1362906000,
        1362906000,
        1362891600,
        1362114000,
        1357016400,
        1357016400,
    )


def test_an_unknown_duration_is_refused_with_the_list():
    with pytest.raises(Refused) as refused:
        macros().bucket_start("ts", "fortnight")
    assert str(refused.value) == (
        "bucket_start:\n  - `duration` is 'fortnight'; write one of "
        "seconds, minutes, hours, days, weeks, months, quarters, years, or several seconds, minutes or hours of which the next one is a multiple, such as '15 minutes'"
    )
