"""Lines of CSV and JSON split into texts by column, and the fault of a whole line.

Both functions return `texts` (a struct with `c0`, `c1`, … in the order of the schema) and `shape`,
which is null for a line that can be cast, beside the raw line and the place it was read from.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.csv_lines import OPEN, CsvLine, count_of, read_line
from strandline.landing.formats import FileFormat

PLACE = ("__file", "__modified", "__block", "__position")
QUOTES = ("__bytes", "__odd", "__opens")  # what `spanning` reads of a line of CSV
NOT_UTF8 = "the line is not UTF-8; its bytes are in raw_bytes"
# Each step copies a line: with 100 MB Spark ended at 2 GB of memory.
LONGEST_LINE = 10 * 1024 * 1024  # bytes
KEPT = 1_000  # characters of a longer line that the quarantine shows
# A JSON number that a VARIANT spells in another way: with an exponent, minus zero, zeros at the
# end of a fraction, many digits. Text in quotes may match too, which does no harm.
RESPELT = r"\d[eE][-+\d]|-0(\.0*)?[^\d.]|\.\d*0([^\d]|$)|[\d.]{30}"
# An escape of one half of a character, which Spark would read as a question mark.
HALF = (
    r"\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}"
)
# Stand for what is escaped in a JSON text; JSON allows neither of them there as it is.
BACKSLASH, QUOTE = "\x01", "\x02"


def cut_long_lines(lines: DataFrame, fmt: FileFormat) -> DataFrame:
    """Lines with their size; of one that is too long to be parsed only the beginning.

    For CSV there is `odd` as well: whether the quotes of such a line are an odd number.
    """
    size = F.octet_length("raw")
    is_long = size > LONGEST_LINE
    raw = F.when(is_long, F.left("raw", F.lit(KEPT))).otherwise(F.col("raw"))
    found = {"__bytes": size, "raw": raw}
    if fmt.name == "csv":
        found["__odd"] = F.when(is_long, count_of(F.col("raw"), fmt.quote) % 2 == 1)
    return lines.withColumns(found)


def _fault_of_line() -> Column:
    """What is wrong with a line of any format; other cases can follow."""
    return F.when(
        F.col("__bytes") > LONGEST_LINE,
        F.concat(
            F.lit("the line has "),
            F.col("__bytes").cast("string"),
            F.lit(f" bytes, at most {LONGEST_LINE} can be landed; raw has its beginning"),
        ),
    ).when(~F.is_valid_utf8("raw"), F.lit(NOT_UTF8))


def csv_texts(
    lines: DataFrame, schema: T.StructType, fmt: FileFormat, kept: Sequence[str]
) -> DataFrame:
    """Also `opens`: whether a quote is open at the end of a line that begins without one."""
    text = without_return(F.col("raw"), fmt)
    line = read_line(text, fmt)
    read = lines.withColumns(
        {"__fault": line.fault, "__opens": opens(line), "__values": line.values}
    )
    count = F.size("__values")
    columns = fmt.columns or tuple(schema.names)
    shape = (
        _fault_of_line()
        .when(F.col("__fault").isNotNull(), F.col("__fault"))
        .when(F.col("__opens"), F.lit(OPEN))
        .when(
            count != len(columns),
            F.concat(count.cast("string"), F.lit(f" values, {len(columns)} columns expected")),
        )
    )
    texts = F.struct(
        *(
            _csv_column(name, columns, schema, fmt).alias(f"c{number}")
            for number, name in enumerate(schema.names)
        )
    )
    return read.select(*PLACE, *kept, "raw", shape.alias("__shape"), texts.alias("__texts"))


def is_blank(fmt: FileFormat) -> Column:
    """Whether a line has nothing but blanks, which are no values."""
    text = without_return(F.col("raw"), fmt)
    return (text if fmt.sep == " " else F.trim(text)) == ""


def opens(line: CsvLine) -> Column:
    """Whether a quote is open after a line, if none is before it."""
    return F.coalesce(F.col("__odd"), line.opens)


def stays(line: CsvLine) -> Column:
    """Whether a quote is open after a line, if one is before it."""
    return F.coalesce(~F.col("__odd"), line.stays)


def without_return(raw: Column, fmt: FileFormat) -> Column:
    """A line without the carriage return at its end, which only `multi_line` leaves there."""
    if not fmt.multi_line:
        return raw
    return F.when(F.endswith(raw, F.lit("\r")), F.left(raw, F.length(raw) - 1)).otherwise(raw)


def _csv_column(name: str, columns: Sequence[str], schema: T.StructType, fmt: FileFormat) -> Column:
    """The text of a column, by its place in the header; of the rest its other columns as JSON."""
    if name != fmt.rest:
        return _csv_text(columns.index(name), fmt)
    others = [other for other in columns if other == fmt.rest or other not in schema.names]
    if not others:
        return F.lit(None).cast("string")
    texts = F.map_from_arrays(
        F.array(*map(F.lit, others)),
        F.array(*(_csv_text(columns.index(other), fmt) for other in others)),
    )
    kept = F.map_filter(texts, lambda _, text: text.isNotNull())
    return F.when(F.size(kept) > 0, F.to_json(kept))


def _csv_text(number: int, fmt: FileFormat) -> Column:
    """A value of a line; an empty one, and the one that stands for none, is none."""
    value = F.get("__values", F.lit(number))
    return F.when(~value.isin("", fmt.null_value), value)


def json_texts(
    lines: DataFrame, schema: T.StructType, fmt: FileFormat, kept: Sequence[str] = ()
) -> DataFrame:
    """Also `unknown`: the names of the fields that the schema lacks."""
    names = [name for name in schema.names if name != fmt.rest]
    quoted = F.when(F.col("raw").rlike(RESPELT), _with_quoted_numbers(F.col("raw")))
    spelt = _in_brackets(F.col("__numbers") if "__numbers" in lines.columns else quoted)
    # As a VARIANT whole numbers keep all their digits. In square brackets a second object, or any
    # other text after the first, is a second element or an error, and cannot be overlooked.
    parsed = lines.select(
        *PLACE,
        *kept,
        "raw",
        "__bytes",
        _in_brackets(F.col("raw")).alias("__parsed"),
        spelt.alias("__spelt"),
        F.json_object_keys("raw").alias("__keys"),
    )
    unknown = F.array_except("__keys", F.array(*map(F.lit, names)))
    shape = (
        _fault_of_line()
        .when(F.col("__keys").isNull(), F.lit("not a JSON object"))
        .when(
            F.replace("raw", F.lit(r"\\"), F.lit(BACKSLASH)).rlike(HALF),
            F.lit(r"an escape \uD800 to \uDFFF without its other half is no character"),
        )
        .when(
            F.col("__parsed").isNull()
            | F.try_variant_get("__parsed", "$[1]", "variant").isNotNull(),
            F.lit("not one JSON object: a field is given twice, or more text follows"),
        )
        .when(
            F.lit(fmt.rest is None and fmt.unknown == "refuse") & (F.size(unknown) > 0),
            F.concat(F.lit("fields that are no columns: "), F.array_join(unknown, ", ")),
        )
    )
    texts = F.struct(
        *(
            (_rest_text(unknown) if name == fmt.rest else _json_text(name)).alias(f"c{number}")
            for number, name in enumerate(schema.names)
        )
    )
    return parsed.select(
        *PLACE,
        *kept,
        "raw",
        shape.alias("__shape"),
        texts.alias("__texts"),
        unknown.alias("__unknown"),
    )


def elements_of(files: DataFrame) -> DataFrame:
    """The elements of JSON arrays, each of which is one text, in their order.

    `raw` is an element as Spark spells it, and `__numbers` the same with its numbers in quotes, as
    they are spelt in the file. Both are null for a file that is no array.
    """
    text = F.ltrim(F.col("raw"), F.lit(" \t\r\n\ufeff"))
    of_file = []
    for spelt in (text, _with_quoted_numbers(text)):
        values = _in_brackets(spelt).try_cast("array<variant>")
        only = F.when(F.size(values) == 1, F.get(values, F.lit(0)))  # nothing follows the array
        of_file.append(only.try_cast("array<variant>"))
    elements = F.arrays_zip(*(each.alias(f"e{nth}") for nth, each in enumerate(of_file)))
    none = F.array(F.lit(None).cast("struct<e0: variant, e1: variant>"))
    others = [name for name in files.columns if name != "raw"]
    each = files.select(*others, F.explode(F.coalesce(elements, none)).alias("__e"))
    return each.select(
        *others,
        F.to_json(F.col("__e.e0")).alias("raw"),
        F.to_json(F.col("__e.e1")).alias("__numbers"),
    )


def _in_brackets(raw: Column) -> Column:
    return F.try_parse_json(F.concat(F.lit("["), raw, F.lit("]")))


def _json_text(name: str) -> Column:
    """The value of a field as text; a number as it is spelt in the file."""
    path = f"$[0]{_member(name)}"
    text = F.try_variant_get("__parsed", path, "string")
    spelt = F.try_variant_get("__spelt", path, "string")
    # In an object or a list the numbers are quoted as well, other than in the file.
    is_number = F.col("__spelt").isNotNull() & ~spelt.rlike(r"^[\[{]")
    return F.when(is_number, spelt).otherwise(text)


def _rest_text(unknown: Column) -> Column:
    """The fields that are no columns as a JSON object; none if there are none."""
    fields = F.from_json("raw", "map<string, variant>")
    rest = F.map_filter(fields, lambda name, _: F.array_contains(unknown, name))
    return F.when(F.size(unknown) > 0, F.to_json(rest))


def _with_quoted_numbers(raw: Column) -> Column:
    """A JSON text in which each number is a string, so that its spelling is kept."""
    plain = F.replace(raw, F.lit(r"\\"), F.lit(BACKSLASH))
    plain = F.replace(plain, F.lit(r"\""), F.lit(QUOTE))
    # Every second part stands between quotes.
    parts = F.transform(
        F.split(plain, '"'),
        lambda part, place: F.when(
            place % 2 == 0, F.regexp_replace(part, r"-?\d[-+.eE\d]*", '"$0"')
        ).otherwise(part),
    )
    joined = F.array_join(parts, '"')
    joined = F.replace(joined, F.lit(QUOTE), F.lit(r"\""))
    return F.replace(joined, F.lit(BACKSLASH), F.lit(r"\\"))


def _member(name: str) -> str:
    """The field `name` in a path, which knows no escapes: in quotes that it does not hold."""
    quote = '"' if "'" in name else "'"
    return f"[{quote}{name}{quote}]"


def field_faults(schema: T.StructType, fmt: FileFormat) -> list[str]:
    """A column `rest` that cannot hold JSON, and columns whose names no path into JSON can hold."""
    kinds = {field.name: field.dataType for field in schema}
    faults = []
    if fmt.rest is not None and not isinstance(kinds.get(fmt.rest), T.StringType):
        faults.append(
            f"option rest='{fmt.rest}' is no STRING column of the schema; add it, such as "
            f"'{fmt.rest} STRING'"
        )
    if fmt.name != "json":
        return faults
    return faults + [
        f"column {name} has both kinds of quotes in its name, which cannot be read from JSON; "
        "write another name into the files"
        for name in schema.names
        if "'" in name and '"' in name
    ]
