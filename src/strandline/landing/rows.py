"""From texts to typed rows, without a silent change: values, the raw text and every fault of it.

`parse` takes a batch of the file source and returns columns `row` (a struct of the user's columns),
`raw` and `reason` ('' when the row is good) beside the place it was read from.

Spark's own ``try_cast`` is lenient: it rounds decimals, truncates fractions of a second, reads
'12:30' as today, '1e400' as infinity and '1e-400' as zero. So the form of the text is checked
before the cast.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.epochs import instant_of, unit_of
from strandline.landing.formats import FileFormat
from strandline.landing.patterns import has_offset
from strandline.landing.tables import BOUNDED, declared_type, type_name
from strandline.landing.texts import PLACE, QUOTES, csv_texts, cut_long_lines, json_texts


def parse(
    batch: DataFrame, schema: T.StructType, fmt: FileFormat, kept: Sequence[str] = ()
) -> DataFrame:
    """Rows of a batch with their faults; lines of CSV with their quotes, too.

    Args:
        kept: other columns of JSON and of typed rows that stay as they are.
    """
    if not fmt.is_text:
        return _typed_rows(batch, schema, kept)
    lines = cut_long_lines(batch, fmt)
    if fmt.name == "csv":
        return parse_csv(lines, schema, fmt)
    others = ("__unknown",) if fmt.unknown == "ignore" else ()
    return _from_texts(json_texts(lines, schema, fmt, kept), schema, fmt, (*kept, *others))


def parse_csv(
    lines: DataFrame, schema: T.StructType, fmt: FileFormat, kept: Sequence[str] = QUOTES
) -> DataFrame:
    """Lines of CSV that have their size; the columns `kept` stay beside the place of each."""
    return _from_texts(csv_texts(lines, schema, fmt, kept), schema, fmt, kept)


def _from_texts(
    lines: DataFrame, schema: T.StructType, fmt: FileFormat, kept: Sequence[str] = ()
) -> DataFrame:
    """Cast each text; a row whose shape is wrong has no fault of a column."""
    texts = [F.col("__texts")[f"c{number}"] for number in range(len(schema))]
    row = F.struct(
        *(
            typed(text, field, fmt).alias(field.name)
            for text, field in zip(texts, schema, strict=True)
        )
    )
    cast = lines.withColumn("__row", row)
    faults = [
        fault(text, F.col("__row")[field.name], field, fmt)
        for text, field in zip(texts, schema, strict=True)
    ]
    reason = F.coalesce(F.col("__shape"), F.concat_ws("; ", *faults))
    return cast.select(*PLACE, *kept, "__row", "raw", reason.alias("reason"))


def _typed_rows(batch: DataFrame, schema: T.StructType, kept: Sequence[str]) -> DataFrame:
    """Rows that have types already: a required value can be missing, and text can be none."""
    row = F.col("__row")
    faults: list[Column] = [
        F.when(row[field.name].isNull(), missing(field.name))
        for field in schema
        if not field.nullable
    ]
    faults.extend(
        F.when(
            ~is_text,
            F.concat(F.lit(f"column {field.name} is not UTF-8"), _bytes(row[field.name], field)),
        )
        for field in schema
        if (is_text := _is_utf8(row[field.name], field.dataType)) is not None
    )
    faults.extend(
        too_long(field.name, row[field.name], field.dataType)
        for field in schema
        if isinstance(field.dataType, BOUNDED)
    )
    reason = F.concat_ws("; ", *faults) if faults else F.lit("")
    raw = F.to_json("__row").alias("raw")
    return batch.select(*PLACE, *kept, "__row", raw, reason.alias("reason"))


def _is_utf8(value: Column, kind: T.DataType) -> Column | None:
    """Whether all text in a value is UTF-8; None for a type without text."""
    checks: list[Column | None]
    if isinstance(kind, (T.StringType, *BOUNDED)):
        checks = [F.is_valid_utf8(value)]
    elif isinstance(kind, T.ArrayType):
        checks = [_each_is_utf8(value, kind.elementType)]
    elif isinstance(kind, T.MapType):
        checks = [
            _each_is_utf8(F.map_keys(value), kind.keyType),
            _each_is_utf8(F.map_values(value), kind.valueType),
        ]
    elif isinstance(kind, T.StructType):
        checks = [_is_utf8(value[field.name], field.dataType) for field in kind]
    else:
        return None
    known = [F.coalesce(check, F.lit(True)) for check in checks if check is not None]
    return reduce(lambda one, other: one & other, known) if known else None


def _each_is_utf8(values: Column, kind: T.DataType) -> Column | None:
    if _is_utf8(F.lit(None), kind) is None:
        return None

    def check(value: Column) -> Column:
        is_utf8 = _is_utf8(value, kind)
        return F.lit(True) if is_utf8 is None else is_utf8

    return F.forall(values, check)


def _bytes(value: Column, field: T.StructField) -> Column:
    """The bytes of a text, to be read in a reason."""
    if not isinstance(field.dataType, (T.StringType, *BOUNDED)):
        return F.lit("")
    return F.concat(F.lit(": x'"), F.hex(value), F.lit("'"))


LONGEST_QUOTE = 100  # characters of a bad value that a reason repeats
DAY = r"\d{4}-\d{2}-\d{2}"
# A timestamp has microseconds: further digits may only be zeros.
CLOCK = r"[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6}0*)?)?"
OFFSET = r" ?(Z|[+-]\d{2}(:?\d{2})?)"
NUMBER = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
INTEGER = r"[+-]?\d+"
WHOLE_TYPES = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


def typed(text: Column, field: T.StructField, fmt: FileFormat) -> Column:
    """`text` as a value of a column; NULL when it is not exactly one."""
    kind = field.dataType
    if isinstance(kind, (T.StringType, *BOUNDED)):
        return text
    trimmed = F.trim(text)
    if unit := unit_of(field):
        return instant_of(trimmed, unit)
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
    zone = fmt.time_zone if isinstance(kind, T.TimestampType) else None
    if fmt.timestamp_format:
        value = F.try_to_timestamp(trimmed, F.lit(fmt.timestamp_format))
        is_local = zone and not has_offset(fmt.timestamp_format)
        return (_in_zone(value, zone) if is_local and zone else value).cast(kind)
    local = _shaped(trimmed, f"{DAY}({CLOCK})?", trimmed.try_cast(kind))
    if not isinstance(kind, T.TimestampType):
        return local
    with_offset = _shaped(trimmed, f"{DAY}{CLOCK}{OFFSET}", trimmed.try_cast(kind))
    return F.coalesce(with_offset, _in_zone(local, zone) if zone else local)


def _in_zone(local: Column, zone: str) -> Column:
    """The instant of a local time, which was read as one in UTC.

    NULL for a time that clocks skip. Of a time that they show twice it is the first.
    """
    instant = F.to_utc_timestamp(local, zone)
    return F.when(F.from_utc_timestamp(instant, zone) == local, instant)


def offset_faults(schema: T.StructType, fmt: FileFormat) -> list[str]:
    """Columns without a zone whose texts have an offset, which a cast would take away."""
    if not (fmt.timestamp_format and has_offset(fmt.timestamp_format)):
        return []
    return [
        f"column {field.name} is a TIMESTAMP_NTZ, and timestamp_format='{fmt.timestamp_format}' "
        "has an offset; make it a TIMESTAMP"
        for field in schema
        if isinstance(field.dataType, T.TimestampNTZType)
    ]


def empty(text: Column, kind: T.DataType) -> Column:
    """Whether `text` stands for no value; in JSON an empty string is one for STRING columns."""
    if isinstance(kind, (T.StringType, *BOUNDED)):
        return text.isNull()
    return text.isNull() | (F.trim(text) == "")


def fault(text: Column, value: Column, field: T.StructField, fmt: FileFormat) -> Column:
    """What is wrong with a column of a row, as text; NULL when nothing is."""
    name, kind = field.name, declared_type(field)
    article = "an" if kind[0] in "AEIOU" else "a"
    if kind == "TIMESTAMP" and fmt.time_zone:
        kind += f" in {fmt.time_zone}"
    shown = F.concat(F.lit(f"column {name}: '"), F.left(text, F.lit(LONGEST_QUOTE)))
    wrong = F.when(
        ~empty(text, field.dataType) & value.isNull(),
        F.concat(shown, F.lit(f"' is not {article} {kind}")),
    )
    if isinstance(field.dataType, BOUNDED):
        wrong = too_long(name, text, field.dataType)
    return wrong if field.nullable else wrong.when(empty(text, field.dataType), missing(name))


def too_long(name: str, text: Column, kind: T.CharType | T.VarcharType) -> Column:
    """The fault of a text with more characters than its type allows; blanks count."""
    length = F.length(text)
    return F.when(
        length > kind.length,
        F.concat(
            F.lit(f"column {name}: '"),
            F.left(text, F.lit(LONGEST_QUOTE)),
            F.lit("' has "),
            length.cast("string"),
            F.lit(f" characters, {type_name(kind)} allows {kind.length}"),
        ),
    )


def missing(name: str) -> Column:
    """The fault of a required column without a value."""
    return F.lit(f"column {name} is required and is empty")


def _shaped(text: Column, pattern: str, value: Column) -> Column:
    return F.when(text.rlike(f"^({pattern})$"), value)
