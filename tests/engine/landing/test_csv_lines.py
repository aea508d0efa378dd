"""Lines of CSV land as RFC 4180 reads them, or are in quarantine: never as other values."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing import LandingResult, csv_lines, reading, texts
from strandline.landing.csv_lines import (
    BLANK,
    CROWDED,
    FOLLOWED,
    OPEN,
    RETURN,
    STRAY,
    CsvLine,
    values_of,
)
from strandline.landing.formats import FileFormat, parse_format
from strandline.landing.texts import PLACE, QUOTES, csv_texts, cut_long_lines

SCHEMA = "a STRING, b STRING, c STRING"
COLUMNS = T.StructType([T.StructField(name, T.StringType()) for name in "abc"])

# Three values are expected; the reason, or the values.
LINES = [
    ('1, "bolt, M6",red', BLANK),
    ('2,"bolt, M8",blue', ["2", "bolt, M8", "blue"]),
    ('7,Pipe 3", elbow 4",red', STRAY),
    ('8,"Pipe 5"", long",blue', ["8", 'Pipe 5", long', "blue"]),
    ('9,"Pipe 5" long,red', FOLLOWED),
    ('"9" ,x,red', FOLLOWED),
    ('9,Pipe 5",red', STRAY),
    ('9,x, "nut"', BLANK),
    ('9,x,""', ["9", "x", None]),
    ('9,"""",""""""', ["9", '"', '""']),
    ('"",,"a,b"', [None, None, "a,b"]),
    (r'9,"a\"b",x', FOLLOWED),
    (r"9,a\,b", ["9", "a\\", "b"]),
    ('9," x ", y ', ["9", " x ", " y "]),
    ("#9,x,y", ["#9", "x", "y"]),
    ('9,"x', OPEN),
    ('9,"x,y', OPEN),
    ('9,"x"', "2 values, 3 columns expected"),
    ('9,"x","y","z"', "4 values, 3 columns expected"),
]


def readings(spark: Any, lines: list[str], fmt: FileFormat) -> list[tuple[Any, Any]]:
    """The reason and the values of each line."""
    given = spark.createDataFrame(pa.table({"raw": lines, "__position": range(len(lines))}))
    place = {name: F.lit(None) for name in PLACE if name != "__position"}
    cut = cut_long_lines(given.withColumns(place), fmt)
    found = csv_texts(cut, COLUMNS, fmt, QUOTES).orderBy("__position").select("__shape", "__texts")
    return [(shape, list(read)) for shape, read in found.collect()]


def test_what_becomes_of_a_line(spark: Any) -> None:
    found = readings(spark, [line for line, _ in LINES], FileFormat("csv"))
    assert [values if reason is None else reason for reason, values in found] == [
        answer for _, answer in LINES
    ]


def test_a_line_of_quotes_or_separators_alone(spark: Any) -> None:
    """Taken apart it would not fit into memory."""
    lines = ['9,x,"' + '"' * 1_000_001, "," * 1_000_001, "9,x," + "y" * 1_000_001]
    found = readings(spark, lines, FileFormat("csv"))
    assert [reason for reason, _ in found] == [CROWDED, CROWDED, None]


def random_lines(seed: int, fmt: FileFormat, size: int = 400) -> list[str]:
    """Lines of quotes, separators, blanks, escapes, and what stands for them inside."""
    chance = random.Random(seed)  # noqa: S311
    letters = [fmt.sep, fmt.sep, fmt.quote, fmt.quote, *" a\\0é,\";'\t\x01\x02\x03😀"]
    lines = ["".join(chance.choices(letters, k=chance.randrange(14))) for _ in range(size // 2)]
    fields = ["".join(chance.choices(letters, k=chance.randrange(5))) for _ in range(3 * size)]
    quoted = [
        f"{fmt.quote}{field.replace(fmt.quote, fmt.quote * 2)}{fmt.quote}" for field in fields
    ]
    plain = [field.replace(fmt.quote, "").replace(fmt.sep, "") for field in fields]
    good = [chance.choice(both) for both in zip(quoted, plain, strict=True)]
    lines += [fmt.sep.join(good[3 * nth : 3 * nth + 3]) for nth in range(size // 2)]
    return lines


def by_python(line: str, fmt: FileFormat) -> list[str] | None:
    """RFC 4180 by a regular expression, read by Python's csv; None for a line that is none."""
    quote, sep = re.escape(fmt.quote), re.escape(fmt.sep)
    value = f"(?:{quote}(?:[^{quote}]|{quote}{quote})*{quote}|[^{quote}{sep}]*)"
    if not re.fullmatch(f"{value}(?:{sep}{value})*", line, re.DOTALL):
        return None
    (read,) = csv.reader([line], delimiter=fmt.sep, quotechar=fmt.quote, strict=True)
    return read


def wrong_lines(spark: Any, lines: list[str], fmt: FileFormat) -> list[str]:
    """Lines that land with other values, or do not land though they could, or are none and land."""
    wrong = []
    for line, (reason, values) in zip(lines, readings(spark, lines, fmt), strict=True):
        expected = by_python(line, fmt) if line else [""]
        fits = expected is not None and len(expected) == 3
        if fits != (reason is None) or (fits and values != [each or None for each in expected]):
            wrong.append(line)
    return wrong


FORMATS = {
    "comma": {},
    "semicolon": {"sep": ";", "quote": "'"},
    "tab": {"sep": r"\t"},
    "blank": {"sep": " "},
    "patterns": {"sep": ".", "quote": "^"},
    "control characters": {"sep": "\x01", "quote": "\x02"},
    "other characters": {"sep": "é", "quote": "😀"},
}


@pytest.mark.parametrize("options", FORMATS.values(), ids=FORMATS)
def test_random_lines(spark: Any, options: dict[str, str]) -> None:
    fmt = parse_format("csv", options, [])
    lines = random_lines(len(str(options)), fmt)
    assert sum(by_python(line, fmt) is not None for line in lines) > 200
    assert wrong_lines(spark, lines, fmt) == []
    # The header is read by the same rule, in Python.
    assert [values_of(line, fmt) for line in lines if line] == [
        by_python(line, fmt) for line in lines if line
    ]


def test_a_second_parser_is_caught(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: the values are counted by one rule, and read by another."""

    def read_line(text: Any, _: FileFormat) -> CsvLine:
        outside = F.regexp_replace(text, '"[^"]*"', "")
        count = F.length(outside) - F.length(F.replace(outside, F.lit(","), F.lit(""))) + 1
        fault = F.when(F.contains(outside, F.lit('"')), "open").when(count != 3, "other")
        options = {"quote": '"', "escape": '"', "nullValue": ""}
        read = F.from_csv(text, "a STRING, b STRING, c STRING", options)
        values = F.array(*(F.coalesce(read[name], F.lit("")) for name in "abc"))
        return CsvLine(fault, values, F.lit(False), F.lit(True))

    monkeypatch.setattr(texts, "read_line", read_line)
    fmt = FileFormat("csv")
    lines = ['1, "bolt, M6",red', '7,Pipe 3", elbow 4",red', *random_lines(7, fmt)]
    assert wrong_lines(spark, lines, fmt)[:2] == lines[:2]


def records(text: str) -> Iterator[tuple[int, int, list[str] | None]]:
    """The rows of a file, character by character: first line, last line, values.

    It ends at the first fault; its row has no values.
    """
    line = first = 1
    values, state = [""], "begin"
    for nth, letter in enumerate(text):
        if state == "quoted":
            if letter == '"':
                state = "quote"
            else:
                values[-1] += letter
        elif letter == '"' and state == "quote":
            values[-1], state = values[-1] + '"', "quoted"
        elif letter == '"' and state == "begin":
            state = "quoted"
        elif letter == ",":
            values.append("")
            state = "begin"
        elif letter == "\n" or (letter == "\r" and text[nth + 1 : nth + 2] == "\n"):
            if letter == "\n":
                yield first, line, values
                values, state, first = [""], "begin", line + 1
        elif letter in '"\r' or state == "quote":
            yield first, line, None
            return
        else:
            values[-1], state = values[-1] + letter, "plain"
        line += letter == "\n"
    if state == "quoted":
        yield first, line - text.endswith("\n"), None
    elif values != [""] or state != "begin":
        yield first, line, values


def random_files(seed: int) -> list[str]:
    """Half of the files are all rows; the others have anything."""
    chance = random.Random(seed)  # noqa: S311
    files = []
    for nth in range(40):
        rows = []
        for _ in range(chance.randrange(1, 12)):
            fields = ["".join(chance.choices('ab,"\n\n\r ', k=chance.randrange(5))) for _ in "abc"]
            quoted = ['"{}"'.format(field.replace('"', '""')) for field in fields]
            rows.append(",".join(q if chance.random() < 0.6 else "x" for q in quoted))
        text = chance.choice(["\n", "\r\n"]).join([*rows, ""])
        if nth % 2:
            for _ in range(chance.randrange(3)):
                place = chance.randrange(len(text))
                text = text[:place] + chance.choice(['"', "\n", '"x', " "]) + text[place + 1 :]
        files.append(text)
    return files


def lands(
    place: Any, *, multi_line: bool
) -> tuple[list[str], dict[int, list], dict[int, set[int]]]:
    """The files, and of each the rows that landed and the lines in quarantine."""
    files = random_files(3)
    for nth, text in enumerate(files):
        place.write_bytes(f"{nth}.csv", text.encode())
    options = {"header": "false", "multi_line": str(multi_line).lower()}
    place.land(SCHEMA, options=options)
    rows: dict[int, list] = {nth: [] for nth in range(len(files))}
    for name, *values in place.rows("landed_from", "a", "b", "c"):
        rows[int(name.split(".")[0])].append(values)
    faulty: dict[int, set[int]] = {nth: set() for nth in range(len(files))}
    for name, line in place.faulty("landed_from", "line"):
        faulty[int(name.split(".")[0])].add(line)
    arrivals = place.rows("arrival")
    assert arrivals == [(nth,) for nth in range(1, len(arrivals) + 1)]
    return files, rows, faulty


def as_landed(values: list[str]) -> list[str | None]:
    return [value or None for value in values]


def is_begun_by(rows: list, expected: list, *, is_all: bool) -> bool:
    return rows == expected if is_all else rows[: len(expected)] == expected


@pytest.mark.soak
def test_files_of_random_rows_with_multi_line(place: Any) -> None:
    """All rows land as they are; from the first fault on what lands are rows of whole lines."""
    files, landed, faulty = lands(place, multi_line=True)
    whole = 0
    for nth, text in enumerate(files):
        found = list(records(text))
        is_whole = all(values is not None for *_, values in found)
        whole += is_whole
        good = [values for *_, values in found if values is not None and values != [""]]
        if is_whole:
            read = [row for row in csv.reader(StringIO(text, newline=""), strict=True) if row]
            assert good == [row for row in read if row != [""]], text
        expected = [as_landed(values) for values in good if len(values) == 3]
        assert is_begun_by(landed[nth], expected, is_all=is_whole), (text, landed[nth])
        if is_whole:
            assert faulty[nth] == {
                first for first, _, values in found
                if len(values) != 3 and "".join(values).strip(" ")
            }, text  # fmt: skip
    assert 20 <= whole < 40
    assert any(len(values) == 3 and "\r\n" in "".join(values)
               for text in files for *_, values in records(text) if values)  # fmt: skip


@pytest.mark.soak
def test_files_of_random_rows_without_it(place: Any) -> None:
    """Rows of one line land, and all lines of the others are in quarantine."""
    # A carriage return ends a line here.
    files, landed, faulty = lands(place, multi_line=False)
    for nth, given in enumerate(files):
        text = re.sub("\r\n?", "\n", given)
        found = list(records(text))
        is_whole = all(values is not None for *_, values in found)
        expected = [
            as_landed(values)
            for first, last, values in found
            if values is not None and first == last and len(values) == 3
        ]
        assert is_begun_by(landed[nth], expected, is_all=is_whole), (text, landed[nth])
        several = {
            line
            for first, last, values in found
            if values is not None and last > first
            for line in range(first, last + 1)
        }
        assert several <= faulty[nth], text


@pytest.mark.soak
def test_lines_that_belong_together(place: Any) -> None:
    """The middle line looks like a row, and never lands as one; blank lines are kept as well."""
    text = (
        'a,b,c\n1,"one\n8,x,y\n\nend",z\n2,b,c\n3,"open,c\n4,b,c\n5,"b",c\n6,b,c\n7,"never\n8,b,c\n'
    )
    place.write("a.csv", text)
    place.write("b.csv", "a,b,c\n9,b,c\n")
    assert place.land(SCHEMA).landed == 3
    assert place.rows("arrival", "a", "landed_from") == [
        (1, "2", "a.csv"), (2, "6", "a.csv"), (3, "9", "b.csv"),
    ]  # fmt: skip
    several = (
        "a quoted value has line breaks, from line {} to line {}; say multi_line=true to land it"
    )
    never = (
        "the quote that is opened on line 11 is not closed in the rest of the file; close it, or "
        "double it in a quoted value"
    )
    lines = [*enumerate(text.splitlines(), start=1)]
    assert place.faulty("arrival", "line", "raw", "reason") == [
        (arrival, line, raw, reason)
        for arrival, (line, raw, reason) in enumerate(
            [
                *((*each, several.format(2, 5)) for each in lines[1:5]),
                *((*each, several.format(7, 9)) for each in lines[6:9]),
                *((*each, never) for each in lines[10:]),
            ],
            start=1,
        )
    ]


@pytest.mark.soak  # a minute; values with line breaks land in test_init_odd_files, too
def test_rows_of_several_lines(place: Any, killed_before: Any) -> None:
    """Also when the landing is killed between its two commits, and a row is too long."""
    long = "\n".join(["x" * 999_999] * 12)
    place.write(
        "a.csv",
        f'\ufeffa,b,c\r\n1,"one\r\n8,x,y\r\n\r\nend",z\r\n2,b,c\r\n3,"{long}",c\r\n4,"a\nb",c,d\r\n'
        '5,a\rb,c\r\n6,"a\rb",c\r\n7,"never\r\n',
    )
    place.write("b.csv", "a,b,c\n9,b,c\n")
    killed_before(place.quarantine)
    options = {"multi_line": "true"}
    with pytest.raises(RuntimeError, match="killed"):
        place.land(SCHEMA, options=options)
    assert place.land(SCHEMA, options=options) == LandingResult(0, 15, 1, None, None)
    assert place.rows("arrival", "a", "b", "c", "landed_from") == [
        (1, "1", "one\r\n8,x,y\r\n\r\nend", "z", "a.csv"),
        (2, "2", "b", "c", "a.csv"),
        (3, "6", "a\rb", "c", "a.csv"),
        (4, "9", "b", "c", "b.csv"),
    ]
    too_long = "the row of lines 7 to 18 has 12000007 bytes, at most 10485760 can be landed"
    assert place.faulty("arrival", "line", "left(raw, 5)", "reason") == [
        (1, 7, '3,"xx', too_long),
        *((nth, nth + 6, "xxxxx", too_long) for nth in range(2, 13)),
        (13, 19, '4,"a\n', "4 values, 3 columns expected"),
        (14, 21, "5,a\rb", RETURN),
        (15, 23, '7,"ne', OPEN),
    ]


@pytest.mark.soak
def test_lines_that_are_not_searched_are_caught(place: Any, monkeypatch: Any) -> None:
    """As it was: the middle line of a quoted value lands as a row of its own."""
    monkeypatch.setattr(reading, "open_files", lambda _: [])
    place.write("a.csv", 'a,b,c\n1,"one\n8,x,y\nend",z\n')
    place.land(SCHEMA)
    assert place.rows("a") == [("8",)]
    assert csv_lines.OPEN in place.faulty("reason")[0][0]
