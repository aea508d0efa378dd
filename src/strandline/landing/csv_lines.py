"""The grammar of a CSV line, RFC 4180 to the letter: its values, its faults, and open quotes.

A line is taken apart at its quotes: of the parts, those between an opening and a closing quote are
inside, the others outside, and an empty part outside between two quotes is a doubled quote. The
line fits if each other part outside begins with a separator (after a quote) and ends with one
(before a quote). `values_of` is the rule in Python, `read_line` the same in Spark.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F

from strandline.landing.formats import FileFormat

STRAY = (
    "a quote stands in a value that does not begin with one; put quotes around the value and "
    "double those in it, or name another quote character"
)
BLANK = "a blank stands before the quote that a value begins with; remove the blank"
FOLLOWED = "text follows the closing quote of a value; double the quotes in a value"
RETURN = "a carriage return stands outside of quotes"
# A line that is cut after a value with a line break says the same as one with a forgotten quote.
OPEN = (
    "a quote is opened and not closed on the line; if its value has line breaks, say "
    "multi_line=true"
)

# Each part between them is a text of its own in memory.
MOST = 1_000_000
CROWDED = f"the line has more than {MOST:,} quotes and separators"


def values_of(line: str, fmt: FileFormat) -> list[str] | None:
    """The values of a line; None if it does not fit, or a quote is open at its end."""
    parts = line.split(fmt.quote)
    last = len(parts) - 1
    if last % 2:
        return None
    values = [""]
    for nth, part in enumerate(parts):
        if nth % 2:
            values[-1] += part
        elif not part and 0 < nth < last:
            values[-1] += fmt.quote
        else:
            follows = nth > 0 and part and not part.startswith(fmt.sep)
            if follows or (nth < last and part and not part.endswith(fmt.sep)):
                return None
            first, *more = part.split(fmt.sep)
            values[-1] += first
            values += more
    return values


@dataclass(frozen=True)
class CsvLine:
    """What a line says, as expressions over its text.

    Attributes:
        fault: why it does not fit, whatever stands before it; NULL if it does.
        values: its values as texts, for a line without a fault whose quotes are closed.
        opens: whether a quote is open at its end, if none is at its beginning.
        stays: the same, if one is open at its beginning.
    """

    fault: Column
    values: Column
    opens: Column
    stays: Column


def read_line(text: Column, fmt: FileFormat) -> CsvLine:
    """Read a line by the grammar."""
    quotes = count_of(text, fmt.quote)
    is_crowded = (F.octet_length(text) > MOST) & (quotes + count_of(text, fmt.sep) > MOST)
    text = F.when(is_crowded, F.lit("")).otherwise(text)
    parts = F.split(text, _pattern(fmt.quote), -1)
    has_quote = F.contains(text, F.lit(fmt.quote))
    count = F.size(parts)
    fault = F.when(is_crowded, F.lit(CROWDED)).when(
        has_quote, _first_fault(parts, count, fmt, outside=0)
    )
    if fmt.multi_line:
        outside = F.filter(parts, lambda _, nth: nth % 2 == 0)
        fault = F.coalesce(
            fault, F.when(F.contains(F.array_join(outside, ""), F.lit("\r")), F.lit(RETURN))
        )
    opens = (
        F.when(is_crowded, quotes % 2 == 1)
        .when(~has_quote, F.lit(False))
        .when(fault.isNotNull(), _may_be_open(parts, count, fmt, count % 2 == 0))
        .otherwise(count % 2 == 0)
    )
    inside = _first_fault(parts, count, fmt, outside=1)
    stays = (
        F.when(is_crowded, quotes % 2 == 0)
        .when(~has_quote, F.lit(True))
        .when(inside.isNotNull(), _may_be_open(parts, count, fmt, count % 2 == 1))
        .otherwise(count % 2 == 1)
    )
    plain = F.split(text, _pattern(fmt.sep), -1)
    values = F.when(has_quote, _values(parts, count, fmt)).otherwise(plain)
    return CsvLine(fault, values, opens, stays)


def count_of(text: Column, character: str) -> Column:
    """How often a character is in a text."""
    others = F.octet_length(F.replace(text, F.lit(character), F.lit("")))
    return ((F.octet_length(text) - others) / len(character.encode())).cast("int")


def _pattern(character: str) -> str:
    return rf"\x{{{ord(character):x}}}"


def _first_fault(parts: Column, count: Column, fmt: FileFormat, *, outside: int) -> Column:
    """The fault of the first part outside of quotes that has one; NULL if none has."""

    def fault_of(part: Column, nth: Column) -> Column:
        is_text = (nth % 2 == outside) & (part != "")
        blank = F.trim(F.substring_index(part, fmt.sep, -1)) == ""
        return (
            F.when(is_text & (nth > 0) & ~F.startswith(part, F.lit(fmt.sep)), F.lit(FOLLOWED))
            .when(~is_text | (nth >= count - 1) | F.endswith(part, F.lit(fmt.sep)), F.lit(None))
            .when(blank, F.lit(BLANK))
            .otherwise(F.lit(STRAY))
        )

    return F.get(F.filter(F.transform(parts, fault_of), lambda fault: fault.isNotNull()), F.lit(0))


def _may_be_open(parts: Column, count: Column, fmt: FileFormat, from_start: Column) -> Column:
    """Whether a line with a fault can end in quotes, by any reading of it.

    Then the last quote that is not one of a pair follows a separator, or the beginning.
    """
    before = F.filter(parts, lambda part, nth: (nth % 2 == count % 2) & (part != ""))
    last = F.get(before, F.size(before) - 1)
    return F.when(F.size(before) > 0, F.endswith(last, F.lit(fmt.sep))).otherwise(from_start)


def _values(parts: Column, count: Column, fmt: FileFormat) -> Column:
    """The values of a line with quotes: split where a separator stands outside of them."""
    # Three characters that stand for a separator inside quotes, and for themselves.
    mark, itself, separator = [
        each for each in "\x01\x02\x03\x04\x05" if each not in (fmt.sep, fmt.quote)
    ][:3]

    def kept(part: Column) -> Column:
        return F.replace(part, F.lit(mark), F.lit(mark + itself))

    def read(part: Column, nth: Column) -> Column:
        is_pair = (part == "") & (nth > 0) & (nth < count - 1)
        inside = F.replace(kept(part), F.lit(fmt.sep), F.lit(mark + separator))
        return F.when(nth % 2 == 1, inside).when(is_pair, F.lit(fmt.quote)).otherwise(kept(part))

    def as_written(value: Column) -> Column:
        text = F.replace(value, F.lit(mark + separator), F.lit(fmt.sep))
        return F.replace(text, F.lit(mark + itself), F.lit(mark))

    line = F.array_join(F.transform(parts, read), "")
    return F.transform(F.split(line, _pattern(fmt.sep), -1), as_written)
