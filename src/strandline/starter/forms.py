"""How the texts of a column are written, where Spark's own types do not read them.

A form finds out whether it fits, reads the texts with pandas for a look at the history, and gives
what does it in the project: an option or a type of `strandline land`, or SQL of a staging model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import pandas

from strandline.literals import text_sql

Texts: TypeAlias = "pandas.Series[str]"

# What stands for no value.
MARKERS = ("NA", "N/A", "n/a", "na", "NULL", "null", "None", "-", "--", "?", "#N/A")
SPACES = " \u00a0\u202f'"  # between thousands

_ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_ISO_OFFSET = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d(:?\d\d)?)")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
CLOCK = re.compile(r"\d{1,2}:\d\d(:\d\d)?( [AaPp][Mm])?")
_DATED = re.compile(
    r"(?P<a>\d{1,4})(?P<sep>[./-])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{4}|\d{1,2})"
    r"(?:(?P<gap>[T ])(?P<time>\d{1,2}:\d\d(?P<seconds>:\d\d)?(?P<half> [AaPp][Mm])?))?"
)
_MEASURED = re.compile(
    r"(?P<prefix>(?:[$€£¥]\s?)?)(?P<number>[-+]?\d[\d.,' \u00a0\u202f]*?)"
    r"(?P<suffix>(?:\s?[^\d\s.,'{}][^\d{}]{0,7})?)"
)
EPOCHS = {"EPOCH_SECONDS": 10, "EPOCH_MILLIS": 13, "EPOCH_MICROS": 16}
_EPOCH_NAME = re.compile(r"(?i)(.*[_a-z0-9])?(ts|time|timestamp|epoch|date|datetime|at|when|unix)")
_EPOCH = re.compile(r"1\d{9}(\d{3}|\d{6})?(\.\d{1,6})?")
_UNITS = {"EPOCH_SECONDS": 1e9, "EPOCH_MILLIS": 1e6, "EPOCH_MICROS": 1e3}  # nanoseconds


@dataclass(frozen=True)
class Ambiguous:
    """Texts that can be read in two ways: what is asked, and the option that says it."""

    question: str
    option: str
    is_of_days: bool = False


@dataclass(frozen=True)
class Time:
    """Times.

    Attributes:
        pattern: Spark's; None for ISO 8601.
        has_clock: not only a date.
        has_offset: each text has an offset from UTC.
        epoch: the type of a number since 1970, else None.
    """

    pattern: str | None = None
    has_clock: bool = True
    has_offset: bool = False
    epoch: str | None = None

    def read(self, texts: Texts, zone: str | None = None) -> pandas.Series[pandas.Timestamp]:
        """Instants; NaT for what is none."""
        if self.epoch:
            numbers = pandas.to_numeric(texts, errors="coerce") * _UNITS[self.epoch]
            return pandas.to_datetime(numbers, unit="ns", utc=True, errors="coerce")
        instants = _instants(texts, self.pattern)
        if self.has_offset or zone is None:
            return instants
        local = instants.dt.tz_localize(None).dt.tz_localize(
            zone, ambiguous="NaT", nonexistent="NaT"
        )
        is_local = ~texts.str.fullmatch(_ISO_OFFSET.pattern).fillna(False).astype(bool)
        return instants.mask(is_local, local.dt.tz_convert("UTC"))


def _instants(texts: Texts, pattern: str | None) -> pandas.Series[pandas.Timestamp]:
    """Those of times without an offset as if they were in UTC."""
    if pattern is None:
        return pandas.to_datetime(texts, format="ISO8601", utc=True, errors="coerce")
    found = None
    for each in _variants(pattern):
        read = pandas.to_datetime(texts, format=each, utc=True, errors="coerce")
        found = read if found is None else found.fillna(read)
    assert found is not None
    return found


def _variants(pattern: str) -> list[str]:
    """The formats of Python for a pattern of Spark, with and without what may be missing."""
    given = [pattern.replace("[:ss]", ":ss"), pattern.replace("[:ss]", "")]
    letters = {"yyyy": "%Y", "yy": "%y", "M": "%m", "d": "%d", "H": "%H", "h": "%I", "mm": "%M",
               "m": "%M", "ss": "%S", "s": "%S", "a": "%p", "'T'": "T"}  # fmt: skip
    token = re.compile("yyyy|yy|mm|ss|'T'|[MdHhmsa]")
    return list(dict.fromkeys(token.sub(lambda found: letters[found[0]], each) for each in given))


def time_of(name: str, texts: Sequence[str], day_first: bool | None) -> Time | Ambiguous | None:
    """The form of different texts that are times, all of them; None if they are not."""
    if all(_ISO.fullmatch(text) for text in texts):
        form = Time(
            has_clock=not all(_ISO_DAY.fullmatch(text) for text in texts),
            has_offset=all(_ISO_OFFSET.fullmatch(text) for text in texts),
        )
        return form if form.read(pandas.Series(texts)).notna().all() else None
    if _EPOCH_NAME.fullmatch(name) and all(_EPOCH.fullmatch(text) for text in texts):
        digits = {len(text.partition(".")[0]) for text in texts}
        for epoch, count in EPOCHS.items():
            if digits == {count}:
                return Time(epoch=epoch, has_offset=True)
        return None
    return _dated(texts, day_first)


def _dated(texts: Sequence[str], day_first: bool | None) -> Time | Ambiguous | None:
    found = [_DATED.fullmatch(text) for text in texts]
    parts = [each for each in found if each]
    if len(parts) < len(texts):
        return None
    first, *_ = parts
    shapes = {
        (each["sep"], len(each["a"]) == 4, len(each["c"]), each["gap"], bool(each["half"]))
        for each in parts
    }
    if len(shapes) > 1:
        return None
    sep, is_year_first, last, gap, _ = shapes.pop()
    if is_year_first:
        date = f"yyyy{sep}M{sep}d"
    else:
        year = "yyyy" if last == 4 else "yy"
        is_day, is_month = (any(int(each[part]) > 12 for each in parts) for part in "ab")
        if is_day and is_month:
            return None
        if not is_day and not is_month and sep != "." and day_first is None:
            return Ambiguous(
                f"{first[0]} has the day first, or the month", "--day-first or --month-first", True
            )
        is_day = is_day or (not is_month and (sep == "." or day_first is True))
        date = f"d{sep}M{sep}{year}" if is_day else f"M{sep}d{sep}{year}"
    pattern = (
        date
        if gap is None
        else f"{date}{_GAPS[gap]}{clock_pattern([each['time'] for each in parts])}"
    )
    form = Time(pattern, has_clock=gap is not None)
    return form if form.read(pandas.Series(texts)).notna().all() else None


_GAPS = {" ": " ", "T": "'T'"}


def clock_pattern(texts: Sequence[str]) -> str:
    """Spark's pattern of times of day, all of them of 24 hours or with AM and PM."""
    have_seconds = [text.count(":") == 2 for text in texts]
    end = ":ss" if all(have_seconds) else "[:ss]" if any(have_seconds) else ""
    return f"h:mm{end} a" if texts[0][-1] in "mM" else f"H:mm{end}"


@dataclass(frozen=True)
class Number:
    """Numbers.

    Attributes:
        decimal: the character before the fraction.
        thousands: the characters between groups of digits, each once.
        prefix, suffix: texts that stand around each number, such as a unit.
        markers: texts that stand for no number.
    """

    decimal: str = "."
    thousands: str = ""
    prefix: str = ""
    suffix: str = ""
    markers: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether Spark reads such a number by itself."""
        return (self.decimal, self.thousands, self.prefix, self.suffix) == (".", "", "", "")

    def read(self, texts: Texts) -> pandas.Series[float]:
        """Doubles; NaN for what is none."""
        bare = texts.str.removeprefix(self.prefix).str.removesuffix(self.suffix).str.strip()
        for character in self.thousands:
            bare = bare.str.replace(character, "", regex=False)
        return pandas.to_numeric(bare.str.replace(self.decimal, ".", regex=False), errors="coerce")

    def sql(self, column: str) -> str:
        """The number of a column of texts; null for what is none."""
        bare = f"trim({column})"
        for pattern in (f"^{re.escape(self.prefix)}", f"{re.escape(self.suffix)}$"):
            if pattern not in ("^", "$"):
                bare = f"regexp_replace({bare}, {text_sql(pattern)}, '')"
        given, wanted = self.thousands, ""
        if self.decimal != ".":
            given, wanted = self.decimal + given, "."
        if given:
            bare = f"translate({bare}, {text_sql(given)}, '{wanted}')"
        return f"try_cast(trim({bare}) as double)"


def number_of(texts: Sequence[str], decimal: str | None) -> Number | Ambiguous | None:
    """The form of different texts that are numbers, which Spark reads as texts; else None."""
    found = [_MEASURED.fullmatch(text) for text in texts]
    if not texts or not all(found):
        return None
    prefixes, suffixes = ({each[part] for each in found if each} for part in ("prefix", "suffix"))
    if len(prefixes) > 1 or len(suffixes) > 1:
        return None
    numbers = [each["number"].lstrip("+-") for each in found if each]
    if any(re.match(r"0\d", number) or len(number) > _MOST_DIGITS for number in numbers):
        return None  # its zeros would be lost, or its last digits
    form = _grouped(numbers, decimal)
    if isinstance(form, Number):
        form = replace(form, prefix=prefixes.pop(), suffix=suffixes.pop())
    return None if form is None or form == Number() else form


_MOST_DIGITS = 15  # that a double keeps
_BLANKS = f"[{SPACES}]"
_POINT = re.compile(rf"\d{{1,3}}((,|{_BLANKS})\d{{3}})*(\.\d+)?|\d+(\.\d+)?")
_COMMA = re.compile(rf"\d{{1,3}}((\.|{_BLANKS})\d{{3}})*(,\d+)?|\d+(,\d+)?")


def _grouped(numbers: Sequence[str], decimal: str | None) -> Number | Ambiguous | None:
    by_point = all(_POINT.fullmatch(number) for number in numbers)
    by_comma = all(_COMMA.fullmatch(number) for number in numbers)
    characters = set("".join(numbers))
    blanks = "".join(sorted(characters & set(SPACES)))
    if by_point and by_comma and characters & {",", "."}:
        if decimal is None:
            shown = next(each for each in numbers if set(each) & {",", "."})
            return Ambiguous(
                f"{shown} has thousands, or a fraction", "--decimal comma or --decimal point"
            )
        by_point, by_comma = decimal == "point", decimal == "comma"
    if by_point:
        return Number(".", blanks + ("," if "," in characters else ""))
    if by_comma:
        return Number(",", blanks + ("." if "." in characters else ""))
    return None
