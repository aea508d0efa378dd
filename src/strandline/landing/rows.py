"""From what a file holds to rows: typed values, the raw text and every fault of it.

Each function takes a batch of the file source and returns columns `row` (a struct of the user's
columns), `raw` and `reason` ('' when the row is good) beside the place it was read from.
"""

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.casts import fault, missing, typed
from strandline.landing.formats import FileFormat, quoted_text

PLACE = ("file", "modified", "block", "position")


def parse(batch: DataFrame, schema: T.StructType, fmt: FileFormat) -> DataFrame:
    """Rows of a batch with their faults."""
    if fmt.name == "csv":
        return _from_texts(_csv_texts(batch, schema, fmt), schema, fmt)
    if fmt.name == "json":
        return _from_texts(_json_texts(batch, schema), schema, fmt)
    return _typed_rows(batch, schema)


def _csv_texts(lines: DataFrame, schema: T.StructType, fmt: FileFormat) -> DataFrame:
    """Lines taken apart into the struct `texts`, and `shape`: what is wrong with a whole line."""
    outside = F.regexp_replace("raw", quoted_text(fmt), "")
    values = F.length(outside) - F.length(F.replace(outside, F.lit(fmt.sep), F.lit(""))) + 1
    # A line with an open quote would swallow its separators, so it is not counted.
    shape = F.when(
        F.contains(outside, F.lit(fmt.quote)), F.lit("a quote is opened and not closed on the line")
    ).when(
        values != len(schema),
        F.concat(values.cast("string"), F.lit(f" values, {len(schema)} columns expected")),
    )
    options = {
        "sep": fmt.sep,
        "quote": fmt.quote,
        "escape": fmt.quote,
        "nullValue": fmt.null_value,
    }
    texts = F.from_csv("raw", _names_as_text(schema), options)
    return lines.select(*PLACE, "raw", shape.alias("shape"), texts.alias("texts"))


def _json_texts(lines: DataFrame, schema: T.StructType) -> DataFrame:
    # As a VARIANT numbers keep all their digits. Inside brackets a second object, or any other
    # text after the first, is a second element or an error, and cannot be overlooked.
    parsed = lines.select(
        *PLACE,
        "raw",
        F.try_parse_json(F.concat(F.lit("["), "raw", F.lit("]"))).alias("parsed"),
        F.json_object_keys("raw").alias("keys"),
    )
    unknown = F.array_except("keys", F.array(*(F.lit(name) for name in schema.names)))
    shape = (
        F.when(F.col("keys").isNull(), F.lit("not a JSON object"))
        .when(
            F.col("parsed").isNull() | F.try_variant_get("parsed", "$[1]", "variant").isNotNull(),
            F.lit("not one JSON object: a field is given twice, or more text follows"),
        )
        .when(
            F.size(unknown) > 0,
            F.concat(F.lit("fields that are no columns: "), F.array_join(unknown, ", ")),
        )
    )
    texts = F.struct(
        *(
            F.try_variant_get("parsed", f"$[0]{_member(name)}", "string").alias(f"c{number}")
            for number, name in enumerate(schema.names)
        )
    )
    return parsed.select(*PLACE, "raw", shape.alias("shape"), texts.alias("texts"))


def _from_texts(lines: DataFrame, schema: T.StructType, fmt: FileFormat) -> DataFrame:
    """Cast each text; a row whose shape is wrong has no columns to speak of."""
    texts = [F.col("texts")[f"c{number}"] for number in range(len(schema))]
    row = F.struct(
        *(
            typed(text, field.dataType, fmt).alias(field.name)
            for text, field in zip(texts, schema, strict=True)
        )
    )
    cast = lines.withColumn("row", row)
    faults = [
        fault(field.name, text, F.col("row")[field.name], field)
        for text, field in zip(texts, schema, strict=True)
    ]
    reason = F.coalesce(F.col("shape"), F.concat_ws("; ", *faults))
    return cast.select(*PLACE, "row", "raw", reason.alias("reason"))


def _typed_rows(batch: DataFrame, schema: T.StructType) -> DataFrame:
    """Rows that have types already: only a required value can be missing."""
    faults: list[Column] = [
        F.when(F.col("row")[field.name].isNull(), missing(field.name))
        for field in schema
        if not field.nullable
    ]
    reason = F.concat_ws("; ", *faults) if faults else F.lit("")
    return batch.select(*PLACE, "row", F.to_json("row").alias("raw"), reason.alias("reason"))


def _names_as_text(schema: T.StructType) -> str:
    """DDL of the texts of a row: numbered, so that no name has to be quoted."""
    return ", ".join(f"c{number} STRING" for number in range(len(schema)))


def _member(name: str) -> str:
    """The field `name` in a path: escaped, because a name may hold a quote."""
    return reduce(lambda text, char: text.replace(char, "\\" + char), ("\\", "'"), name).join(
        ("['", "']")
    )
