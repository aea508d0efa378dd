"""Where buckets begin: Spark's answer against a plain oracle in Python, zone by zone.

The zones are chosen for what they do to a clock: New York changes by an hour, Lord Howe by half
an hour, Kolkata lies half an hour off, St John's both, Casablanca goes back for Ramadan, Havana
changes at midnight, so that one day begins at one o'clock and another has midnight twice.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from tests.unit.jinja_macros import Refused, macros

DURATIONS = ["seconds", "minutes", "hours", "days", "months", "years"]
ZONES = [
    "UTC",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "America/St_Johns",
    "Africa/Casablanca",
    "America/Havana",
]
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def oracle(micros: int, duration: str, zone: ZoneInfo) -> int:
    """Unix seconds at which the bucket of an instant (Unix microseconds) begins."""
    seconds = micros // 1_000_000
    if duration == "seconds":
        return seconds
    local = (EPOCH + timedelta(seconds=seconds)).astimezone(zone)
    if duration in ("minutes", "hours"):
        passed = timedelta(minutes=local.minute * (duration == "hours"), seconds=local.second)
        return seconds - int(passed.total_seconds())
    month = 1 if duration == "years" else local.month
    day = local.day if duration == "days" else 1
    start = datetime(local.year, month, day, tzinfo=zone)
    return int((start - EPOCH).total_seconds())


def instants(zone: ZoneInfo, seed: int) -> list[int]:
    """Unix microseconds: anywhere from 1850 to 2025, leap days, and around the zone's changes."""
    chance = random.Random(seed)  # noqa: S311
    first, last = -3_786_912_000, 1_735_689_600
    found = [
        chance.randrange(first, last) * 1_000_000 + chance.randrange(1_000_000) for _ in range(800)
    ]
    for year in (1904, 1968, 2000, 2012, 2024):
        leap = int((datetime(year, 2, 29, tzinfo=timezone.utc) - EPOCH).total_seconds())
        found += [(leap + chance.randrange(-86400, 2 * 86400)) * 1_000_000 for _ in range(10)]
    step = 6 * 3600
    for begin in range(1_325_376_000, 1_483_228_800, step):  # 2012 to 2016
        offsets = {
            (EPOCH + timedelta(seconds=s)).astimezone(zone).utcoffset()
            for s in (begin, begin + step)
        }
        if len(offsets) > 1:
            found += [(begin + chance.randrange(step)) * 1_000_000 + 999_999 for _ in range(60)]
            found += [s * 1_000_000 for s in range(begin, begin + step, 1800)]
    return found


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
    found = {
        row.micros: row
        for row in spark.sql(f"select micros, {', '.join(columns)} from given").collect()
    }

    assert len(found) == len(set(given)) >= 850
    for micros in given:
        for duration in DURATIONS:
            expected = oracle(micros, duration, zone)
            assert found[micros][duration] == expected, (
                f"{name}, {duration} of {micros} (seed {seed})"
            )
            # A finer bucket never crosses a coarser one's border.
            for finer in DURATIONS[: DURATIONS.index(duration)]:
                assert oracle(oracle(micros, finer, zone) * 1_000_000, duration, zone) == expected


def test_an_hour_in_which_the_date_went_back_counts_to_the_day_it_began_in():
    """St John's, until 2011, changed its clock at one minute past midnight, back into yesterday."""
    zone = ZoneInfo("America/St_Johns")
    yesterday_again = 1_289_097_900 * 1_000_000  # 23:15 on 6 November 2010, the second time
    hour = oracle(yesterday_again, "hours", zone)
    assert oracle(yesterday_again, "days", zone) == 1_289_010_600  # 6 November, asked directly
    assert oracle(hour * 1_000_000, "days", zone) == 1_289_097_000  # 7 November, by its hour


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
    assert in_utc == (1362906000, 1362906000, 1362906000, 1362891600, 1362114000, 1357016400)


def test_an_unknown_duration_is_refused_with_the_list():
    with pytest.raises(Refused) as refused:
        macros().bucket_start("ts", "fortnight")
    assert str(refused.value) == (
        "bucket_start:\n  - `duration` is 'fortnight'; it must be one of "
        "seconds, minutes, hours, days, months, years"
    )
