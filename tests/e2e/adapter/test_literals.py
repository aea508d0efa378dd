"""Values of a seed as SQL literals: exactly, and never as code."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from dbt_common.exceptions import DbtDatabaseError
from tests.unit.jinja_macros import macros

from dbt.adapters.strandline.handle import _bound, literal


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (9007199254740993, "'9007199254740993'"),
        (Decimal("1E+3"), "'1000'"),
        (Decimal("0.10"), "'0.10'"),
        (Decimal("NaN"), "'NaN'"),
        (0.1, "'0.1'"),
        ("ORD", "'ORD'"),
        ("O'Hare", "cast(X'4f2748617265' as string)"),
        (r"C:\new", "cast(X'433a5c6e6577' as string)"),
        ("${env:HOME}", "cast(X'247b656e763a484f4d457d' as string)"),
        (date(2013, 2, 8), "'2013-02-08'"),
        (datetime(2013, 2, 8, 12, 0, 0, 123456), "'2013-02-08 12:00:00.123456'"),
    ],
)
def test_literal(value, expected):
    assert literal(value) == expected


HOSTILE = [
    "${env:HOME}", "$${env:HOME}", "${spark.sql.session.timeZone}", "it's", "'; drop table x; --", r"C:\new \u0024", "\\", "'",
    "two\nlines\r\n\ttab", "a\x00b\x07\x1b", "\u2028 \ufeff", "100 %s", "", " ", "null", "-- /* */ ;",
]  # fmt: skip


@pytest.mark.parametrize("substitutes", ["true", "false"])
@pytest.mark.parametrize("keeps_backslashes", ["true", "false"])
def test_a_text_is_the_same_under_all_settings(spark, substitutes, keeps_backslashes):
    session = spark.newSession()
    session.conf.set("spark.sql.variable.substitute", substitutes)
    session.conf.set("spark.sql.parser.escapedStringLiterals", keeps_backslashes)
    for made in (literal, macros()._literal):
        columns = ", ".join(f"{made(text)} as c{place}" for place, text in enumerate(HOSTILE))
        assert list(session.sql(f"select {columns}").first()) == HOSTILE


def test_properties_and_comments_keep_their_text_where_spark_substitutes(spark):
    session = spark.newSession()
    session.conf.set("spark.sql.variable.substitute", "true")
    columns = ", ".join(
        f"{macros()._quoted_literal(text)} as c{n}" for n, text in enumerate(HOSTILE)
    )
    assert list(session.sql(f"select {columns}").first()) == HOSTILE


def test_bindings_are_filled_in_once():
    assert _bound("insert into t values (%s, %s, 5 % 3)", ["100 %s", 1]) == (
        "insert into t values ('100 %s', '1', 5 % 3)"
    )
    with pytest.raises(DbtDatabaseError, match="the statement has 1 %s for 2 values"):
        _bound("select %s", [1, 2])
