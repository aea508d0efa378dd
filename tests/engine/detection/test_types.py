"""The types of metrics, which Spark's analyser gives: what is refused, what is counted, at what cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from strandline.detection.check import DetectionError, check
from strandline.detection.functions import FUNCTIONS
from strandline.detection.metric import Call, Metric, walk
from strandline.detection.plan.analyser import analyser_of
from strandline.detection.sql import sql_of
from strandline.detection.types import family_of

COLUMNS = {
    "time": "timestamp", "day": "date", "sym": "string", "qty": "int", "price": "decimal(10,2)",
    "temp": "double", "is_on": "boolean", "tags": "array<int>", "marks": "map<string,int>",
    "a`b.c": "bigint",
}  # fmt: skip


class Counted:
    """An analyser that counts its queries."""

    def __init__(self, spark: Any) -> None:
        columns = (
            f"cast(null as {kind}) as `{name.replace('`', '``')}`" for name, kind in COLUMNS.items()
        )
        self.events = spark.range(0).selectExpr(*columns)
        self._analyse, self.queries = analyser_of(self), 0

    def selectExpr(self, *columns: str) -> Any:
        self.queries += 1
        return self.events.selectExpr(*columns)

    def read(self, *metrics: str) -> Sequence[Metric]:
        windows = {"window_size": "6 ms", "step": "3 ms"}
        return check(
            "e", metrics, dict(self.events.dtypes), analyse=self._analyse, **windows
        ).metrics

    def refusal(self, *metrics: str) -> str:
        with pytest.raises(DetectionError) as refused:
            self.read(*metrics)
        return str(refused.value)


@pytest.fixture(scope="module")
def analysed(spark: Any) -> Counted:
    return Counted(spark)


BOOLEAN = "and a metric must be true or false; compare it, as in"


@pytest.mark.parametrize(
    ("text", "carets", "message"),
    [
        (" temp + qty ", " ^^^^^^^^^^", f"it gives a number, {BOOLEAN} `temp + qty > 1`"),
        ("avg(temp)", "^^^^^^^^^", f"it gives a number, {BOOLEAN} `avg(temp) > 1`"),
        ("percentile(temp, 50)", "^^^^^^^^^^^^^^^^^^^^", f"it gives a number, {BOOLEAN} `percentile(temp, 50) > 1`"),
        ("max(tags)", "^^^^^^^^^", f"it gives an array<int>, {BOOLEAN} `max(tags) > 1`"),
        ("if(is_on, null, null)", "^^^^^^^^^^^^^^^^^^^^^", f"it gives a null, {BOOLEAN} `if(is_on, null, null) > 1`"),
        ("abs(temp > 1) > 1", "    ^^^^^^^^", "`abs` takes a number, and this is a boolean"),
        ("prev(sym) + 1 > 1", "^^^^^^^^^", "`+` takes a number, and this is a string"),
        ("lower(sym) > qty", "^^^^^^^^^^^^^^^^", "`>` compares a string with a number"),
        ("max(time) > sum(qty)", "^^^^^^^^^^^^^^^^^^^^", "`>` compares a time with a number"),
        ("max(is_on) > 0", "^^^^^^^^^^^^^^", "`>` compares a boolean with a number"),
        ("max(time) > 'noon'", "            ^^^^^^", "this text is no date or time; write it as '2014-01-31 23:59:59'"),
        ("sum(lower(sym)) > 1", "    ^^^^^^^^^^", "`sum` takes a number, and this is a string"),
        # What Spark alone knows: a map cannot be compared.
        ("prev(marks) = marks and temp > 1", "^^^^^^^^^^^^^^^^^^^", None),
        ("max(marks) <=> null", "^^^^^^^^^^", None),
    ],
)  # fmt: skip
def test_refusals(analysed: Counted, text: str, carets: str, message: str | None) -> None:
    """The same metric is refused beside others, whose types are known all the same."""
    head, first, *shown = analysed.refusal("avg(temp) > 1", text).splitlines()
    assert (head, shown) == ("detect 'e':", [f"      {text}", f"      {carets}"])
    if message is None:
        name = "max" if "max" in text else "="
        assert first.startswith(f"- metrics[1]: `{name}`: [DATATYPE_MISMATCH.")
    else:
        assert first == f"- metrics[1]: {message}"


def test_faults_of_names_and_of_types_are_named_at_once(analysed: Counted) -> None:
    assert analysed.refusal("tmp > 1 and abs(temp > 1) > 1", "sum(qty) in (1, 'a')") == "\n".join([
        "detect 'e':",
        "- metrics[0]: there is no column `tmp`; did you mean `temp`?",
        "      tmp > 1 and abs(temp > 1) > 1",
        "      ^^^",
        "- metrics[0]: `abs` takes a number, and this is a boolean",
        "      tmp > 1 and abs(temp > 1) > 1",
        "                      ^^^^^^^^",
        "- metrics[1]: `in` compares a number with a string",
        "      sum(qty) in (1, 'a')",
        "      ^^^^^^^^^^^^^^^^^^^",
        "  columns: a`b.c, day, is_on, marks, price, qty, sym, tags, temp, time",
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("text", "left", "right", "families"),
    [
        ("lt(qty + 1, prev(qty))", "try_add(`qty`, 1)", "`p`", ("number", "number")),
        ("isNull(qty) == false", "(`qty` is null)", "false", ("boolean", "boolean")),
        ("coalesce(time, day) > '2014-01-31'", "coalesce(`time`, `day`)", "'2014-01-31'", ("time", "string")),
        ("upper(sym) = prev(lower(sym))", "upper(`sym`)", "`p`", ("string", "string")),
    ],
)  # fmt: skip
def test_sides(
    analysed: Counted, text: str, left: str, right: str, families: tuple[str, str]
) -> None:
    (read,) = analysed.read(text)
    given = dict.fromkeys(read.previous, "p")
    assert read.left is not None
    assert read.right is not None
    assert (sql_of(read.left.node, given), sql_of(read.right.node, given)) == (left, right)
    assert (read.left.family, read.right.family) == families


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("sum(temp > 40)", "try_sum(cast((`temp` > 40) as int))"),
        ("avg(prev(is_on))", "try_avg(cast(`p` as int))"),
        ("std(if(temp > 1, is_on, false))", "stddev_samp(cast(if((`temp` > 1), `is_on`, false) as int))"),
        ("max(temp > 40)", "max((`temp` > 40))"),
        ("count(temp > 40)", "count((`temp` > 40))"),
    ],
)  # fmt: skip
def test_a_boolean_in_an_aggregate_of_numbers_is_counted(
    analysed: Counted, aggregate: str, expected: str
) -> None:
    (read,) = analysed.read(f"{aggregate} = {aggregate}")
    (call,) = read.aggregates
    inside = {node: "p" for node in walk(call) if isinstance(node, Call) and node.name == "prev"}
    assert sql_of(call, inside) == expected


# An expression with each function, by the family that it has.
OF_FAMILY = {
    "boolean": [
        "is_on and is_on", "is_on or is_on", "not is_on", "qty = 1", "ne(qty, price)", "qty < 1", "qty <= 1",
        "qty > 1", "ge(temp, 1)", "sym <=> null", "sym in ('a', 'b')", "day between day and time",
        "sym like 'a%'", "isnull(tags)", "isnan(price)", "prev(is_on)", "max(prev(is_on))",
    ],
    "number": [
        "qty + price", "qty - 1", "temp * qty", "qty / 2", "qty % price", "-price", "abs(price)", "sign(qty)",
        "round(temp, -1)", "floor(price)", "ceil(qty)", "sqrt(price)", "pow(qty, 0.5)", "exp(1)", "log(price)",
        "log2(temp)", "log10(qty)", "greatest(qty, price)", "least(qty, temp, 1)", "coalesce(null, qty)",
        "nullif(`a``b.c`, 0)", "if(is_on, qty, null)", "length(sym)", "year(day)", "month(time)", "day(day)",
        "dayofweek(time)", "hour(time)", "minute(time)", "second(day)", "avg(price)", "sum(qty)", "count(*)",
        "min(qty)", "max(price)", "med(qty)", "percentile(price, 75)", "percentile(qty, 99.5, 'linear')",
        "std(qty)", "var(price)", "stdp(temp)", "varp(qty)", "first(price)", "last(deltas(qty))",
        "prev(prev(qty))", "deltas(deltas(price))", "prev(sum(qty))", "sum(is_on)",
    ],
    "string": ["lower(sym)", "upper(sym)", "trim(sym)", "prev(sym)", "first(sym)"],
    "time": ["prev(day)", "max(time)", "if(is_on, day, time)"],
    "array<int>": ["prev(tags)", "last(tags)", "coalesce(tags, null)"],
}  # fmt: skip


def test_the_family_of_every_function(analysed: Counted) -> None:
    """Each equals itself, and the sides of the comparison have the family."""
    called = set()
    for family, texts in OF_FAMILY.items():
        for metric in analysed.read(*(f"({text}) <=> ({text})" for text in texts)):
            assert metric.left is not None
            assert metric.left.family == family, metric.text
            called |= {node.name for node in walk(metric.node) if isinstance(node, Call)}
    assert called == set(FUNCTIONS)


def test_a_definition_costs_one_query_or_two(analysed: Counted) -> None:
    """Two, if an aggregate of numbers has a call in it, which may be Boolean."""
    many = [f"temp > {n} and avg(temp) > prev(avg(temp))" for n in range(50)]
    for metrics, queries in (
        (many, 1),
        ([*many, "sum(temp > 40) > 1"], 2),
        (["is_on", "not is_on"], 1),
    ):
        before = analysed.queries
        analysed.read(*metrics)
        assert analysed.queries - before == queries


@pytest.mark.parametrize(
    ("spark_type", "family"),
    [("bigint", "number"), ("decimal(10,2)", "number"), ("varchar(3)", "string"), ("string collate UTF8_LCASE", "string"),
     ("timestamp_ntz", "time"), ("void", "null"), ("array<int>", "array<int>")],
)  # fmt: skip
def test_families(spark_type: str, family: str) -> None:
    assert family_of(spark_type) == family
