"""From text to typed values, without a silent change.

Spark's own ``try_cast`` is generous: it rounds decimals, cuts fractions of a second, reads '12:30'
as today, '1e400' as infinity and '1e-400' as zero. So the form of the text is checked before it is
cast.
"""

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.formats import FileFormat
from strandline.landing.schema import type_name

LONGEST_QUOTE = 100  # characters of a bad value that a reason repeats
DAY = r"\d{4}-\d{2}-\d{2}"
# Microseconds are what a timestamp holds: further digits may only be zeros.
CLOCK = r"[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6}0*)?)?"
OFFSET = r" ?(Z|[+-]\d{2}:?\d{2})"
NUMBER = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
INTEGER = r"[+-]?\d+"
WHOLE_TYPES = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


def typed(text: Column, kind: T.DataType, fmt: FileFormat) -> Column:
    """`text` as a value of `kind`; NULL when it is not exactly one."""
    if isinstance(kind, T.StringType):
        return text
    trimmed = F.trim(text)
    if isinstance(kind, T.BooleanType):
        return trimmed.try_cast(kind)
    if isinstance(kind, WHOLE_TYPES):
        return _shaped(trimmed, INTEGER, trimmed.try_cast(kind))
    if isinstance(kind, T.DecimalType):
        # Zeros at the end aside, no more digits than the scale: a cast would round them away.
        exact = rf"[+-]?(\d+(\.\d{{0,{kind.scale}}}0*)?|\.\d{{1,{max(kind.scale, 1)}}}0*)"
        return _shaped(trimmed, exact, trimmed.try_cast(kind))
    if isinstance(kind, (T.FloatType, T.DoubleType)):
        number = trimmed.try_cast(kind)
        # Too great a number is read as infinity, too small a one as zero.
        finite = F.abs(number) < F.lit(float("inf")).cast(kind)
        vanished = (number == 0) & trimmed.rlike(r"^[^eE]*[1-9]")
        return F.when(finite & ~vanished, _shaped(trimmed, NUMBER, number))
    if isinstance(kind, T.DateType):
        if fmt.date_format:
            return F.try_to_timestamp(trimmed, F.lit(fmt.date_format)).cast(kind)
        return _shaped(trimmed, DAY, trimmed.try_cast(kind))
    if fmt.timestamp_format:
        return F.try_to_timestamp(trimmed, F.lit(fmt.timestamp_format)).cast(kind)
    offset = f"({OFFSET})?" if isinstance(kind, T.TimestampType) else ""
    return _shaped(trimmed, f"{DAY}({CLOCK}{offset})?", trimmed.try_cast(kind))


def empty(text: Column, kind: T.DataType) -> Column:
    """Whether `text` stands for no value; in JSON an empty string is one for STRING columns."""
    if isinstance(kind, T.StringType):
        return text.isNull()
    return text.isNull() | (F.trim(text) == "")


def fault(name: str, text: Column, value: Column, field: T.StructField) -> Column:
    """What is wrong with a column of a row, as text; NULL when nothing is."""
    kind = type_name(field.dataType)
    article = "an" if kind[0] in "AEIOU" else "a"
    shown = F.concat(F.lit(f"column {name}: '"), F.left(text, F.lit(LONGEST_QUOTE)))
    wrong = F.when(
        ~empty(text, field.dataType) & value.isNull(),
        F.concat(shown, F.lit(f"' is not {article} {kind}")),
    )
    return wrong if field.nullable else wrong.when(empty(text, field.dataType), missing(name))


def missing(name: str) -> Column:
    """The fault of a required column without a value."""
    return F.lit(f"column {name} is required and is empty")


def _shaped(text: Column, pattern: str, value: Column) -> Column:
    return F.when(text.rlike(f"^({pattern})$"), value)
