"""Quantiles for a Spark without KLL sketches: exact while they are few, then close to it."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import macros, macros_with

WITHOUT_KLL = macros_with(
    execute=True,
    adapter=SimpleNamespace(type=lambda: "strandline", spark_lacks=lambda what: what == "kll"),
)
FRACTIONS = (0, 0.01, 0.25, 0.5, 0.95, 1)


def partial(rows: str, by: str = "") -> str:
    """The ranks of the rows of a query, in `ranks`; `by` are more columns, to group by."""
    part = WITHOUT_KLL._parts()["ranks"]["partial"].replace("{x}", "x")
    return f"select {by}{part} as ranks from ({rows}) {'group by all' if by else ''}"


def merged(parts: str, by: str = "") -> str:
    part = WITHOUT_KLL._parts()["ranks"]["merge"].replace("{x}", "ranks")
    return f"select {by}{part} as ranks from ({parts}) {'group by all' if by else ''}"


def quantiles(spark, parts: str) -> list[float | None]:
    read = WITHOUT_KLL._aggregates()["quantile"]["read"]
    items = [read.replace("{ranks}", "ranks").replace("{option}", f"{q}D") for q in FRACTIONS]
    ((*found,),) = spark.sql(f"select {', '.join(items)} from ({parts})").collect()
    return found


def at_ranks(values: list[float]) -> list[float | None]:
    values = sorted(value for value in values if not math.isnan(value))
    return [values[max(math.ceil(q * len(values)) - 1, 0)] if values else None for q in FRACTIONS]


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_a_thousand_values_are_exact(spark, count):
    draw = random.Random(count)  # noqa: S311 - no secret
    values = [draw.choice([draw.gauss(0, 1e6), 7.0, math.inf, -math.inf]) for _ in range(count)]
    values += [math.nan] * (count % 2)
    view(spark, values)
    # Nulls are ignored, and so are values that are no numbers.
    of_parts = partial("select * from quantiles_of union all select 1, null", by="part, ")
    assert quantiles(spark, merged(of_parts)) == at_ranks(values)
    assert quantiles(spark, partial("select * from quantiles_of")) == at_ranks(values)


@pytest.mark.parametrize("order", ["random", "ascending", "equal"])
def test_many_values_keep_their_ranks_through_three_tables(spark, order):
    draw = random.Random(order)  # noqa: S311 - no secret
    values = [draw.random() for _ in range(40_000)]
    if order == "ascending":  # the parts have nothing in common
        values.sort()
    elif order == "equal":
        values = [float(value < 0.3) for value in values]
    view(spark, values, parts=16)
    rows = "select part div 4 as half, part, x from quantiles_of"
    tables = merged(merged(partial(rows, by="half, part, "), by="half, "))
    values.sort()
    for fraction, found in zip(FRACTIONS, quantiles(spark, tables), strict=True):
        below = sum(value < found for value in values)
        up_to = sum(value <= found for value in values)
        # Three times by a thousandth of the values at most, and by the two that bound it.
        assert below - 122 <= fraction * len(values) <= up_to + 122
    stored, kept = spark.sql(
        f"select aggregate(ranks, 0L, (s, r) -> s + r.n), size(ranks) from ({tables})"
    ).first()
    assert stored == len(values)
    assert kept <= 500


def test_a_spark_with_sketches_uses_them():
    with_kll = macros_with(
        execute=True,
        adapter=SimpleNamespace(type=lambda: "strandline", spark_lacks=lambda _: False),
    )
    through_another = macros_with(execute=True, adapter=SimpleNamespace(type=lambda: "spark"))
    for each in (with_kll, through_another, macros()):
        assert each._aggregates()["quantile"]["parts"] == ["kll"]
    assert WITHOUT_KLL._aggregates()["quantile"]["parts"] == ["ranks"]


def view(spark, values: list[float], parts: int = 3) -> None:
    """The view `quantiles_of`: the values in order, cut into parts."""
    rows = [(i * parts // len(values), value) for i, value in enumerate(values)]
    spark.createDataFrame(rows, "part int, x double").createOrReplaceTempView("quantiles_of")
