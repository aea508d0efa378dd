"""Instants, lengths of time and time zones as a person writes them on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import click

from strandline.errors import nearest_name

FORM = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?: ?(?:Z|([+-])(\d\d):(\d\d)))?)?",
    re.ASCII,
)


def utc_of(text: str) -> datetime | None:
    """The instant in UTC, without its zone; None when the text is none.

    A date is its first instant; without an offset the time is GMT. Seconds may have up to six
    digits after the point, as Spark's timestamps have.
    """
    read = FORM.fullmatch(text.strip())
    if read is None:
        return None
    year, month, day, hour, minute, second = (int(field or 0) for field in read.groups()[:6])
    fraction, sign, hours, minutes = read.groups()[6:]
    micros = timedelta(microseconds=int((fraction or "").ljust(6, "0")))
    ahead = timedelta(hours=int(hours), minutes=int(minutes)) if sign else timedelta(0)
    if ahead > timedelta(hours=18) or (sign and int(minutes) > 59):
        return None
    try:
        local = datetime(year, month, day, hour, minute, second) + micros
        return local + ahead if sign == "-" else local - ahead
    except (ValueError, OverflowError):
        return None


def instant(text: str) -> datetime:
    """The type of an option: the instant in UTC, without its zone."""
    found = utc_of(text)
    if found is None:
        raise click.BadParameter(
            f"'{text}' is no instant; write '2014-02-15 00:00:00', with an offset such as "
            "+05:30 if it is not GMT, or a date. Seconds may have a fraction of six digits."
        )
    return found


def length(text: str) -> timedelta:
    """The type of an option: a length of time, as every argument of the package reads it."""
    from strandline.lengths import units_of

    try:
        return timedelta(seconds=units_of(text, "", "second"))
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"'{text}' is no length of time; write whole seconds, more than none, such as"
            " '12 hours', P1D or PT12H (months and years have no fixed length)."
        ) from None


def zone_option(help_text: str) -> Callable[[Any], Any]:
    """`--time-zone`, UTC by default."""
    return click.option(
        "--time-zone",
        "zone",
        type=time_zone,
        default="UTC",
        show_default=True,
        metavar="NAME",
        help=help_text,
    )


def time_zone(name: str) -> tzinfo:
    """The type of an option: the name of a time zone."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        zones = sorted(available_timezones())
        # A place without its continent, `New_York`, is found as well.
        known = {zone: zone for zone in zones} | {zone.rpartition("/")[2]: zone for zone in zones}
        near = nearest_name(name, known)
        hint = f"; did you mean {known[near]}?" if near else "."
        raise click.BadParameter(
            f"{name!r} is no time zone: write a name such as America/New_York or UTC{hint}"
        ) from None
