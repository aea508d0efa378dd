"""Times as numbers since 1970: the types EPOCH_SECONDS, EPOCH_MILLIS and EPOCH_MICROS of a schema.

Each becomes a TIMESTAMP. A number with more digits than microseconds is no such time.
"""

from __future__ import annotations

from itertools import pairwise

import sqlglot
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T
from sqlglot.errors import SqlglotError
from sqlglot.tokens import TokenType

MICROS = {"EPOCH_SECONDS": 1_000_000, "EPOCH_MILLIS": 1_000, "EPOCH_MICROS": 1}
# The digits of a fraction that are left in microseconds.
DIGITS = {"EPOCH_SECONDS": 6, "EPOCH_MILLIS": 3, "EPOCH_MICROS": 0}
FIRST, LAST = -62_135_596_800_000_000, 253_402_300_799_999_999  # of the years 1 to 9999
_KEY = "strandline.epoch"


def as_timestamps(ddl: str) -> tuple[str, dict[str, str]]:
    """A schema with TIMESTAMP in the place of these types, and the type of each such column."""
    try:
        tokens = sqlglot.tokenize(ddl, dialect="spark")
    except SqlglotError:
        return ddl, {}  # Spark says what is wrong
    begins = {
        0,
        *(n + 1 for n, token in enumerate(tokens) if token.token_type is TokenType.COMMA),
    }
    found = [
        (name.text, kind)
        for place, (name, kind) in enumerate(pairwise(tokens))
        if place in begins and kind.text.upper() in MICROS and kind.token_type is TokenType.VAR
    ]
    for _, kind in reversed(found):
        ddl = f"{ddl[: kind.start]}TIMESTAMP{ddl[kind.end + 1 :]}"
    return ddl, {name: kind.text.upper() for name, kind in found}


def marked(schema: T.StructType, units: dict[str, str]) -> T.StructType:
    """The schema with the type that such a column was given."""
    return T.StructType(
        [
            T.StructField(field.name, field.dataType, field.nullable, {_KEY: units[field.name]})
            if field.name in units
            else field
            for field in schema
        ]
    )


def unit_of(field: T.StructField) -> str | None:
    """The type that a column of epoch times was given; None for any other column."""
    return (field.metadata or {}).get(_KEY)


def instant_of(text: Column, unit: str) -> Column:
    """The instant of a number; NULL for a text that is none, or a time that Spark cannot hold."""
    digits = DIGITS[unit]
    fraction = rf"(\.\d{{0,{digits}}}0*)?" if digits else ""
    number = F.when(text.rlike(rf"^[+-]?\d{{1,18}}{fraction}$"), text).try_cast("decimal(24,6)")
    micros = (number * F.lit(MICROS[unit])).try_cast("bigint")
    return F.when(micros.between(FIRST, LAST), F.timestamp_micros(micros))
