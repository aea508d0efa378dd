"""Instants as a person writes them on the command line."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import click

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
    fields = [int(field) for field in read.groups()[:6] if field is not None]
    fraction, sign, hours, minutes = read.groups()[6:]
    micros = timedelta(microseconds=int((fraction or "").ljust(6, "0")))
    ahead = timedelta(hours=int(hours), minutes=int(minutes)) if sign else timedelta(0)
    if ahead > timedelta(hours=18) or (sign and int(minutes) > 59):
        return None
    try:
        return datetime(*fields) + micros + (ahead if sign == "-" else -ahead)
    except (ValueError, OverflowError):
        return None


class Instant(click.ParamType):
    """A click type: the instant in UTC, without its zone."""

    name = "instant"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        found = value if isinstance(value, datetime) else utc_of(value)
        if found is None:
            self.fail(
                f"'{value}' is no instant; write '2014-02-15 00:00:00', with an offset such as "
                "+05:30 if it is not GMT, or a date. Seconds may have a fraction of six digits.",
                param,
                ctx,
            )
        return found
