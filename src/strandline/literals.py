"""Values for Spark and from it: texts as SQL constants, instants as microseconds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone


def text_sql(text: str) -> str:
    """A text as a constant that Spark reads the same under all its settings.

    A text with a quote, a backslash, a `$` or a control character is written as bytes: Spark puts
    the value of a variable for `${env:HOME}` in the text of a query, in quotes too, and whether a
    backslash escapes is a setting.
    """
    if text.isprintable() and not any(character in text for character in "'\\$"):
        return f"'{text}'"
    return f"cast(X'{text.encode(errors='replace').hex()}' as string)"


EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def instant_of(micros: int) -> datetime:
    """The instant, in UTC, of so many microseconds."""
    return EPOCH + timedelta(microseconds=micros)


def micros_of(instant: datetime) -> int:
    """The microseconds of an instant that has a zone."""
    return (instant - EPOCH) // timedelta(microseconds=1)
