"""The columns of a file, with the types that Spark will read them as."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise, takewhile
from pathlib import Path

import pandas

from strandline.starter.csv_text import read_csv
from strandline.starter.forms import (
    CLOCK,
    MARKERS,
    Ambiguous,
    Number,
    Time,
    clock_pattern,
    number_of,
    time_of,
)
from strandline.starter.records import Texts, read_json, read_parquet

# Rows that are read to choose the types. A later row that does not fit goes to quarantine.
ROWS_READ = 100_000
MOST_SERIES = 1_000
WHOLE = ("TINYINT", "SMALLINT", "INT", "BIGINT")

# 007 is a name and no number: its zeros would be lost.
_PADDED = re.compile(r"[-+]?0\d")
_INTEGER = re.compile(r"[-+]?\d+", re.ASCII)
_DECIMAL = re.compile(r"[-+]?(\d*)\.?(\d*)", re.ASCII)
_BIGINT = 2**63
_DECIMAL_DIGITS = 38  # the most that Spark's DECIMAL has
# Columns whose name says that their numbers are names: device_id, orderNumber, zip_code.
_ID_WORDS = (
    "id|ids|uuid|guid|key|code|number|num|no|nr|serial|zip|zipcode|postcode|phone|imei|imsi|iccid"
    "|iban|sku|ean|isbn|mac"
)
_ID_NAME = re.compile(
    rf"(?i:(?:.*_)?(?:{_ID_WORDS})|(?:device|machine|sensor|user|customer|order|trace|station)id)"
    rf"|.*[a-z0-9](?:{'|'.join(word.capitalize() for word in _ID_WORDS.split('|'))}|ID)"
)
# Numbers that are no measures: places, and parts of a date.
_PLACE_NAME = re.compile(
    r"(?i)(.*_)?(lat|lon|lng|latitude|longitude|easting|northing)|([xyz]_)?coordinates?(_.*)?"
)
# The parts of a time in columns of their own, from the year on, and what is before each.
CALENDAR = (("year",), ("month",), ("day",), ("hour", "hr"), ("minute", "min"), ("second", "sec"))
_GLUE, _PATTERNS = ("-", "-", " ", ":", ":"), ("yyyy", "-M", "-d", " H", ":m", ":s")
_DATE_PARTS = 3
# Rows from which on numbers that count them, 1, 2, 3, are ids; columns of which each combination
# has fewer rows are too many to tell series apart.
_COUNTED_FROM, _ROWS_OF_SERIES = 20, 20
_UNIQUE = 0.98  # of the rows: then columns and the time identify them
_SHARED = 0.5  # of the rows have a time of their own, or less: several series have it
_EQUAL = 0.9  # of the steps between times
_ALIKE = 0.2  # of the rows of the longest series: the shortest has as many, or more
_MOST_KEYS = 3
# Whole numbers of at least so many digits, all of one length, are ids if none comes twice; those
# that a double cannot keep are ids in any case.
_ID_DIGITS, _DOUBLE_DIGITS = 10, 16


@dataclass(frozen=True)
class Column:
    """A column, as the project has it.

    Attributes:
        name: in letters, digits and _.
        type: its type in Spark's DDL, once it is read.
        values: how many different values the sample has.
        is_id: its values are names, though they may be numbers.
        header: its name in the file.
        example: the first text of it.
        form: how its texts are written, if Spark's own types need to know more.
        stored: its type in a Parquet file, in which it is landed.
        parts: the columns that it is made of, such as a date and a time of day; the file has it
            not.
        glue: what is between them.
        sql: what makes it of them in the staging model, if that is no instant.
        markers: texts of it that stand for no value.
        notes: what is odd about it, in words.
    """

    name: str
    type: str
    values: int
    is_id: bool = False
    header: str = ""
    example: str = ""
    form: Time | Number | None = None
    stored: str | None = None
    parts: tuple[str, ...] = ()
    glue: tuple[str, ...] = (" ",)
    sql: str = ""
    markers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def has_id_name(self) -> bool:
        return _ID_NAME.fullmatch(self.name) is not None

    def texts_of(self, rows: pandas.DataFrame) -> pandas.Series[str]:
        """Its texts in rows of the file: those of its parts, with the glue between them."""
        first, *others = self.parts or (self.name,)
        found = rows[first]
        for sep, name in zip(self.glue, others, strict=False):
            found = found + sep + rows[name]
        return found

    @property
    def is_local(self) -> bool:
        """Whether its times have no offset."""
        return isinstance(self.form, Time) and not self.form.has_offset

    @property
    def is_number(self) -> bool:
        return self.is_whole or self.type in ("FLOAT", "DOUBLE") or self.type.startswith("DECIMAL")

    @property
    def is_whole(self) -> bool:
        """Whether its numbers have no fraction."""
        return self.type in WHOLE

    @property
    def is_measure(self) -> bool:
        """Whether its numbers can be averaged: no ids, no places, no parts of a date."""
        calendar = {name for names in CALENDAR for name in names}
        is_other = _PLACE_NAME.fullmatch(self.name) or self.name.lower() in calendar
        return self.is_number and not self.is_id and not is_other

    @property
    def described(self) -> str:
        """For the source's documentation, which dbt renders as Jinja."""
        if self.header in ("", self.name) or "{" in self.header:
            return "As in the file."
        return f"'{self.header}' in the file."

    @property
    def landed_type(self) -> str:
        """Its type in the table that the files are landed in."""
        if self.stored:
            return self.stored
        if isinstance(self.form, Number):
            return "STRING"
        return self.form.epoch if self.form and self.form.epoch else self.type


@dataclass(frozen=True)
class Sample:
    """The columns of a file, and how it is written.

    Attributes:
        rows: the number of rows that were read.
        options: of `strandline land`.
        questions: what can be read in two ways.
        notes: what is odd about the file, in words.
        file_format: csv, json or parquet.
        texts: what the rows have in each column that is in the file.
    """

    columns: tuple[Column, ...]
    rows: int
    options: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Ambiguous, ...] = ()
    notes: tuple[str, ...] = ()
    file_format: str = "csv"
    texts: pandas.DataFrame = field(default_factory=pandas.DataFrame, compare=False, repr=False)

    @cached_property
    def distinct(self) -> pandas.DataFrame:
        """The rows, those that are equal once."""
        return self.texts.drop_duplicates()

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def times(self) -> list[str]:
        """The columns that can be the time of an event, those with a time of day first."""
        found = [column for column in self.columns if column.type == "TIMESTAMP"]
        return [
            column.name
            for column in sorted(found, key=lambda each: isinstance(each.form, Time)
                                 and not each.form.has_clock)
        ]  # fmt: skip

    @property
    def numbers(self) -> list[str]:
        """The columns that can be averaged, those with fractions first."""
        found = [column for column in self.columns if column.is_measure]
        return [column.name for column in sorted(found, key=lambda column: column.is_whole)]

    @property
    def ids(self) -> list[str]:
        """The columns of numbers that are names."""
        return [column.name for column in self.columns if column.is_number and column.is_id]

    @property
    def series(self) -> list[str]:
        """The columns that tell series apart.

        None if the times come once and in equal steps, which they have not within the columns: that
        is one series. Of three or more columns whose combinations have few rows, the fewest with
        which a time comes once, if it often comes twice without them.
        """
        found = self.categories
        if not found or not self.times:
            return found
        rows = self.distinct
        time = next(column for column in self.columns if column.name == self.times[0])
        together = list(time.parts or (time.name,))

        def unique(keys: Sequence[str]) -> float:
            return len(rows[[*keys, *together]].drop_duplicates()) / len(rows)

        if unique([]) >= _UNIQUE and self._is_one_series(time, rows[found], rows):
            return []
        combined = len(rows[found].drop_duplicates())
        if len(found) < _MOST_KEYS or combined * _ROWS_OF_SERIES <= len(rows):
            return found
        chosen: list[str] = []
        while unique(chosen) < _UNIQUE and len(chosen) < _MOST_KEYS:
            left = [name for name in found if name not in chosen]
            chosen.append(max(left, key=lambda name: unique([*chosen, name])))
        return chosen if unique([]) <= _SHARED and unique(chosen) >= _UNIQUE else []

    def _is_one_series(self, time: Column, keys: pandas.DataFrame, rows: pandas.DataFrame) -> bool:
        """Whether the times have equal steps, and within the keys they have not.

        Nor have they if the keys have very different numbers of rows, as a status has.
        """
        if len(rows) < _COUNTED_FROM or not isinstance(time.form, Time):
            return False
        instants = time.form.read(time.texts_of(rows))
        ordered = keys.assign(__at=instants).dropna(subset=["__at"]).sort_values("__at")
        series = ordered.groupby(list(keys.columns))["__at"]
        counts = series.size()
        are_alike = float(counts.min()) >= _ALIKE * float(counts.max())
        return _equal(ordered["__at"].diff()) and not (are_alike and _equal(series.diff()))

    @property
    def categories(self) -> list[str]:
        """The columns of text and of ids whose values come again and again."""
        most = min(MOST_SERIES, self.rows // 2)
        parts = {part for column in self.columns for part in column.parts}
        found = [
            column
            for column in self.columns
            if column.name not in parts
            and (column.type == "STRING" or (column.is_id and column.is_whole))
        ]
        return [column.name for column in found if 0 < column.values <= most]


def sample_of(
    file: Path, day_first: bool | None = None, decimal: str | None = None, file_format: str = "csv"
) -> Sample:
    """Read the names and the first rows of a file.

    Args:
        file_format: csv, json or parquet.
        day_first: how 3/4/2026 is read; None where the file shows it.
        decimal: `comma` or `point`, the character before a fraction; None where the file shows it.

    Raises:
        StarterError: it is no such file, or has no row.
    """
    if file_format == "json":
        return _of_json(read_json(file, ROWS_READ), day_first, decimal)
    if file_format == "parquet":
        return _of_parquet(read_parquet(file, ROWS_READ), day_first, decimal)
    text = read_csv(file, ROWS_READ)
    texts = pandas.DataFrame(text.rows, columns=list(text.names), dtype=str)
    headers = text.headers or ("",) * len(text.names)
    columns, questions = _columns(texts, headers, day_first, decimal)
    options = {"sep": text.sep.replace("\t", r"\t")} if text.sep != "," else {}
    notes = []
    if not text.is_by_name:
        options["header"] = "skip" if text.headers else "false"
        notes.append(
            "its first line has names that SQL cannot have: columns are landed in their order"
            if text.headers
            else "its first line has no names: columns are landed in their order"
        )
    if text.has_breaks:
        options["multi_line"] = "true"
    if text.others:
        notes.append(f"{text.others:,} of its rows have another number of values: they will be in "
                     "quarantine")  # fmt: skip
    columns = _without_markers(columns, options)
    return Sample(
        (*columns, *_combined(columns, texts)), len(texts), options, questions, tuple(notes),
        texts=texts,
    )  # fmt: skip


def _of_json(given: Texts, day_first: bool | None, decimal: str | None) -> Sample:
    """A number in quotes is landed as a text and read by SQL, as is one with a comma."""
    texts = given.rows
    columns, questions = _columns(texts, list(texts.columns), day_first, decimal)
    found = [_unquoted(each) if each.name in given.quoted else each for each in columns]
    found = [
        replace(each, notes=(*each.notes, "objects or lists: landed as JSON"))
        if each.name in given.nested
        else each
        for each in _without_markers(found)
    ]
    return Sample((*found, *_combined(found, texts)), len(texts), {}, questions,
                  file_format="json", texts=texts)  # fmt: skip


def _unquoted(column: Column) -> Column:
    """A column of texts: what is a number in quotes is read by SQL."""
    if column.form is None and column.is_number and not column.is_id:
        return replace(column, type="DOUBLE", form=Number(), notes=(*column.notes, "in quotes"))
    is_epoch = isinstance(column.form, Time) and column.form.epoch
    if is_epoch or (column.form is None and column.type != "TIMESTAMP"):
        return replace(column, type="STRING", form=None, is_id=False)
    return column


def _of_parquet(given: Texts, day_first: bool | None, decimal: str | None) -> Sample:
    """The types are those of the file; what is no instant there is made one by SQL."""
    texts = given.rows
    columns, questions = _columns(texts, list(texts.columns), day_first, decimal)
    found = [_as_stored(each, given.stored[each.name]) for each in _without_markers(columns)]
    notes = [f"{each} is left out" for each in given.left_out]
    options = {"unknown": "ignore"} if given.left_out else {}
    return Sample(tuple(found), len(texts), options, questions, tuple(notes), "parquet", texts)


def _as_stored(column: Column, stored: str) -> Column:
    column = replace(column, stored=stored)
    if stored in ("TIMESTAMP", "TIMESTAMP_NTZ", "DATE"):
        form = Time(has_clock=stored != "DATE", has_offset=stored == "TIMESTAMP")
        notes = [] if stored == "TIMESTAMP" else [f"{stored} in the file"]
        return replace(column, type="TIMESTAMP", form=form, notes=tuple(notes))
    if column.type == "TIMESTAMP" or (stored == "STRING" and isinstance(column.form, Number)):
        return column
    return replace(column, type=stored, form=None, notes=(), is_id=column.is_id
                   and stored != "STRING")  # fmt: skip


def _columns(
    texts: pandas.DataFrame, headers: Sequence[str], day_first: bool | None, decimal: str | None
) -> tuple[list[Column], tuple[Ambiguous, ...]]:
    """The columns, each read by the way of writing numbers that another one shows."""

    def read(decimal: str | None) -> tuple[list[Column], list[Ambiguous]]:
        questions: list[Ambiguous] = []
        found = [
            _column(name, header, texts[name], day_first, decimal, questions)
            for name, header in zip(texts.columns, headers, strict=True)
        ]
        return found, questions

    columns, questions = read(decimal)
    shown = {each.form.decimal for each in columns if isinstance(each.form, Number)
             and (each.form.decimal == "," or "," in each.form.thousands)}  # fmt: skip
    if decimal is None and len(shown) == 1:
        columns, questions = read("comma" if shown == {","} else "point")
    return columns, tuple(dict.fromkeys(questions))


def _column(
    name: str, header: str, values: pandas.Series[str], day_first: bool | None,
    decimal: str | None, questions: list[Ambiguous],
) -> Column:  # fmt: skip
    """A column; appends what can be read in two ways."""
    every = [text for text in values.unique() if text]
    markers = tuple(text for text in every if text.strip() in MARKERS)
    texts = [text for text in every if text not in markers]
    is_distinct = len(every) == len(values)
    notes = [f"'{header}' in the file"] if header and header != name else []
    if not header and not every:
        notes.append("without a name and without values")
    column = Column(
        name, "STRING", len(every), header=header, example=every[0] if every else "",
        markers=markers,
    )  # fmt: skip
    if not texts:
        return replace(column, notes=tuple(notes))
    time = time_of(name, texts, day_first)
    if isinstance(time, Ambiguous):
        questions.append(time)
    elif time is not None:
        if time.pattern or time.epoch:
            notes.append(f"times as {time.pattern or time.epoch}")
        return replace(column, type="TIMESTAMP", form=time, notes=tuple(notes))
    type_ = _type(texts)
    form = None
    if type_ == "STRING" or (decimal == "comma" and type_ == "DOUBLE"):
        number = number_of(texts, decimal)
        if isinstance(number, Ambiguous):
            questions.append(number)
        elif number is not None:
            type_, form = "DOUBLE", number
            notes += _notes_of(number)
    if type_ == "STRING":
        return replace(column, notes=tuple(notes))
    is_id = column.has_id_name
    if type_ == "BIGINT":
        is_id = is_id or _are_ids(texts, is_distinct and not markers)
        is_id = is_id or (len(values) >= _COUNTED_FROM and is_distinct and _count_rows(texts))
    return replace(column, type=type_, is_id=is_id, form=form, notes=tuple(notes))


def _notes_of(form: Number) -> list[str]:
    notes = ["a comma before the fraction"] if form.decimal == "," else []
    notes += [f"'{character}' between thousands" for character in form.thousands]
    return notes + [f"'{text.strip()}' at each number" for text in (form.prefix, form.suffix)
                    if text.strip()]  # fmt: skip


def _without_markers(columns: list[Column], options: dict[str, str] | None = None) -> list[Column]:
    """The columns, with what stands for no value in those that are no texts.

    One such text is an option of the landing, if it takes one. Of several, or of one that is a
    value of a column of texts, numbers are landed as texts and read by SQL; of other columns they
    are left as texts.
    """
    as_text = {text for column in columns if column.type == "STRING" for text in column.markers}
    found = {text for column in columns if column.type != "STRING" for text in column.markers}
    is_option = options is not None and len(found) == 1 and not found & as_text
    if is_option and options is not None:
        [options["null_value"]] = found
    return [_marked(column, is_option) for column in columns]


def _marked(column: Column, is_option: bool) -> Column:
    if column.type == "STRING" or not column.markers:
        return column
    shown = " and ".join(f"'{text}'" for text in column.markers)
    if is_option:
        return replace(column, notes=(*column.notes, f"{shown} for no value"))
    if column.is_number and not column.is_id:
        form = column.form if isinstance(column.form, Number) else Number()
        return replace(column, type="DOUBLE", form=replace(form, markers=column.markers),
                       notes=(*column.notes, f"{shown} for no value"))  # fmt: skip
    return replace(column, type="STRING", form=None,
                   notes=(*column.notes, f"{shown} among its values: left as texts"))  # fmt: skip


def _combined(columns: Sequence[Column], texts: pandas.DataFrame) -> list[Column]:
    """The instant of a date and a time of day in two columns, if no column has both.

    Or of a year, a month, a day and what is shorter, in columns of numbers.
    """
    times = [column for column in columns if isinstance(column.form, Time)]
    clocks = [
        column for column in columns
        if column.type == "STRING" and (given := [it for it in texts[column.name] if it])
        and all(CLOCK.fullmatch(text) for text in given)
    ]  # fmt: skip
    if not times:
        return _calendar(columns, texts)
    if not clocks or any(isinstance(it.form, Time) and it.form.has_clock
                                      for it in times):  # fmt: skip
        return []
    date, clock = times[0], clocks[0]
    assert isinstance(date.form, Time)
    given = [text for text in texts[clock.name] if text]
    pattern = f"{date.form.pattern or 'yyyy-M-d'} {clock_pattern(given)}"
    name = _free_name(columns, f"{date.name}_{clock.name}")
    return [
        Column(
            name, "TIMESTAMP", len(texts), example=f"{date.example} {clock.example}",
            form=Time(pattern), parts=(date.name, clock.name),
            notes=(f"{date.name} and {clock.name} together, as {pattern}",),
        )
    ]  # fmt: skip


def _calendar(columns: Sequence[Column], texts: pandas.DataFrame) -> list[Column]:
    """The instant of columns called year, month, day, hour, minute and second."""
    whole = {column.name.lower(): column for column in columns if column.is_whole}
    found = [next((whole[it] for it in names if it in whole), None) for names in CALENDAR]
    parts = list(takewhile(lambda each: each is not None, found))
    given = [each for each in parts if each is not None]
    if len(given) < _DATE_PARTS:
        return []
    names = tuple(each.name for each in given)
    form = Time("".join(_PATTERNS[: len(names)]), has_clock=len(names) > _DATE_PARTS)
    made = Column(
        _free_name(columns, "_".join(names)), "TIMESTAMP", len(texts), form=form, parts=names,
        glue=_GLUE[: len(names) - 1], notes=(f"{', '.join(names[:-1])} and {names[-1]} together",),
    )  # fmt: skip
    own = made.texts_of(texts)
    return [] if form.read(own).isna().any() else [replace(made, example=own.iloc[0])]


def _free_name(columns: Sequence[Column], other: str) -> str:
    taken = {column.name.lower() for column in columns}
    return next(it for it in ("ts", "event_ts", other) if it not in taken)


def _equal(steps: pandas.Series[pandas.Timedelta]) -> bool:
    shares = steps.dropna().value_counts(normalize=True)
    return len(shares) > 0 and float(shares.iloc[0]) >= _EQUAL


def _count_rows(numbers: Sequence[str]) -> bool:
    """Whether each number is one more than the one before."""
    found = [int(number) for number in numbers]
    return all(after - before == 1 for before, after in pairwise(found))


def _are_ids(numbers: Sequence[str], is_distinct: bool) -> bool:
    """Whether whole numbers are ids by their digits: see the constants."""
    [length, *others] = {len(number) for number in numbers}
    least = _ID_DIGITS if is_distinct else _DOUBLE_DIGITS
    return not others and length >= least


def _type(texts: Sequence[str]) -> str:
    """The narrowest type in which each of these different values is what it was."""
    if not texts:
        return "STRING"
    if all(text.lower() in ("true", "false") for text in texts):
        return "BOOLEAN"
    if any(_PADDED.match(text) for text in texts):
        return "STRING"
    if all(_INTEGER.fullmatch(text) for text in texts):
        return "BIGINT" if all(_is_bigint(text) for text in texts) else "STRING"
    if pandas.to_numeric(pandas.Series(texts), errors="coerce").isna().any():
        return "STRING"
    return "DOUBLE" if all(_is_double(text) for text in texts) else _decimal(texts)


def _is_bigint(text: str) -> bool:
    return len(text) <= len(str(-_BIGINT)) and -_BIGINT <= int(text) < _BIGINT


def _is_double(text: str) -> bool:
    """Whether a double is this number, to all of its digits."""
    try:
        return Decimal(text) in (Decimal(float(text)), Decimal(repr(float(text))))
    except (ArithmeticError, ValueError):  # no number for Python
        return False


def _decimal(texts: Sequence[str]) -> str:
    """A DECIMAL that keeps all digits, with room for larger values; STRING if none is so long."""
    found = [_DECIMAL.fullmatch(text) for text in texts]
    if not all(found):
        return "STRING"
    whole, scale = (max(len(each[n]) for each in found if each) for n in (1, 2))
    if whole + scale > _DECIMAL_DIGITS:
        return "STRING"
    return f"DECIMAL({min(_DECIMAL_DIGITS, whole + scale + 3)},{scale})"
