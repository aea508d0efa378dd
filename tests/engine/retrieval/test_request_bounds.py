"""A text in a column means what the same text means as a constant: Spark's answer against Jinja's."""

from __future__ import annotations

import random

import pytest
from tests.unit.jinja_macros import macros

SEED = 20140215
ZONES = ["", " Z", "+05:30", " -03:30", " +18:00", " +5:30", "+0530", " IST"]
ODD = [
    "", " ", "2014", "2014-02-15", "2014-02-15 00:00", "2014-02-15T00:00:00", "2014-02-15 00:00:00.5", "x",
    "2014-2-15 00:00:00", "  2014-02-15 00:00:00  ", "**-**-** **:**:**", "****-**-** **:**:**", "2014-*-* *:*:*",
    "2014-02-** **:**", "2014-02-** **:**:** ", "0000-01-01 00:00:00", "0000-**-** **:**:**",
    "0001-**-** **:**:**", "9998-12-** **:**:**", "2014-02-15 00:00:60", "2014-02-15 23:60:00", "2014-00-01 00:00:00",
    "1900-02-29 00:00:00", "2000-02-29 00:00:00", "1582-10-10 00:00:00", "2014-02-15 00:00:00; drop", "\\d{4}", "'",
]  # fmt: skip


def texts() -> list[str]:
    """Patterns and instants, most of them right, the others wrong in one place."""
    chance = random.Random(SEED)  # noqa: S311
    found = list(ODD)
    for _ in range(3000):
        year = chance.choice([4, 1900, 1968, 2000, 2014, 2016, 9998, chance.randrange(1, 9999)])
        fields = [
            f"{year:04}",
            *(f"{chance.randrange(low, high):02}" for low, high in
              [(1, 13), (1, 32), (0, 24), (0, 60), (0, 60)]),
        ]  # fmt: skip
        known = chance.randrange(1, 7)
        fields[known:] = ["**"] * (6 - known)
        if chance.random() < 0.2:
            fields[chance.randrange(6)] = chance.choice(["**", "00", "13", "31", "60", "7"])
        found.append("{}-{}-{} {}:{}:{}".format(*fields) + chance.choice(ZONES))
    return found


@pytest.fixture
def bounds(spark):
    """Runs the CTEs of `aggregation_join` on a column of texts; gives [start, end) in milliseconds."""

    def read(ctes: str) -> dict[str, list[int | None]]:
        spark.createDataFrame([(text,) for text in set(texts())], "given string") \
            .createOrReplaceTempView("given_texts")  # fmt: skip
        query = f"with {ctes} select given, unix_millis(__start), unix_millis(__end) from __bounded_requests"
        return {row[0]: [row[1], row[2]] for row in spark.sql(query).collect()}

    return read


def test_patterns_of_a_column_are_read_like_constants(bounds):
    found = bounds(macros()._pattern_requests("given", "given_texts"))
    expected = {text: macros()._pattern_bounds(text) or [None, None] for text in set(texts())}
    assert found == expected
    assert 500 < sum(start is None for start, _ in found.values()) < len(found) - 500


def test_instants_of_a_column_are_read_like_constants(bounds):
    side = {"column": "given", "kind": "text", "millis": None}
    found = bounds(macros()._pair_requests({"start": side, "end": side}, "given_texts"))
    # In a column that has only text, digits are milliseconds.
    expected = {
        text: 2014 if text == "2014" else macros()._instant_millis(text) for text in set(texts())
    }
    assert found == {text: [millis, millis] for text, millis in expected.items()}
    assert sum(millis is not None for millis in expected.values()) > 100
