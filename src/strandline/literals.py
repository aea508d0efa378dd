"""Values for Spark, from it, and for people: SQL constants, instants, lengths of time, sizes."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from strandline.generated import NANOSECONDS


def text_sql(text: str) -> str:
    """A text as a constant that Spark reads the same under all its settings.

    A text with a quote, a backslash, a `$` or a control character is written as bytes: Spark puts
    the value of a variable for `${env:HOME}` in the text of a query, in quotes too, and whether a
    backslash escapes is a setting.
    """
    if text.isprintable() and not any(character in text for character in "'\\$"):
        return f"'{text}'"
    return f"cast(X'{text.encode(errors='replace').hex()}' as string)"


def name_sql(name: str) -> str:
    """A quoted name, for any characters in it."""
    return "`" + name.replace("`", "``") + "`"


EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def instant_of(micros: int) -> datetime:
    """The instant, in UTC, of so many microseconds."""
    return EPOCH + timedelta(microseconds=micros)


def micros_of(instant: datetime) -> int:
    """The microseconds of an instant that has a zone."""
    return (instant - EPOCH) // timedelta(microseconds=1)


_UNITS = ("day", "hour", "minute", "second")


def length_text(micros: int) -> str:
    """A length of time in its largest whole unit: 1 day, 25 hours, 0.5 seconds."""
    for unit in _UNITS:
        number, rest = divmod(micros, NANOSECONDS[unit] // 1_000)
        if not rest:
            return f"{number:,} {unit}{'' if number == 1 else 's'}"
    return f"{micros / 1e6:g} seconds"


_SIZES = ("KiB", "MiB", "GiB", "TiB")


def size_text(count: int) -> str:
    """Bytes in the unit in which they have fewest digits: 1,536 are 1.5 KiB."""
    if count < 1_024:
        return f"{count} B"
    place = min((count.bit_length() - 1) // 10, len(_SIZES))
    return f"{count / 1_024**place:,.1f} {_SIZES[place - 1]}"
