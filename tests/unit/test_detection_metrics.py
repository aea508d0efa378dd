"""Metrics: their class, their sides, what they need, and the Spark SQL that is made of them."""

from __future__ import annotations

import pytest

from strandline.detection.check import check
from strandline.detection.metric import Call, walk
from strandline.detection.sql import interpolation_of, percentile_sql, share_of, sql_of

TYPES = {
    "time": "timestamp",
    "sym": "string",
    "qty": "int",
    "price": "double",
    "temp": "double",
    "is_on": "boolean",
    "at°": "double",
    "a`b": "int",
}


def metric(text):
    return check("engine1", [text], TYPES, window_size="6 ms", step="3 ms").metrics[0]


def sql(text):
    """The whole of a metric, with a column for everything that it needs."""
    read = metric(text)
    given = {node: f"previous_{i}" for i, node in enumerate(read.previous)}
    given |= {node: f"aggregate_{i}" for i, node in enumerate(read.aggregates)}
    given |= {node: f"before_{i}" for i, node in enumerate(read.aggregates_before)}
    return sql_of(read.node, given)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # the source's own examples, rule by rule
        ("qty < 4", "row"),
        ("qty > price", "row"),
        ("lt(qty, prev(qty))", "row"),
        ("isNull(qty) == false", "row"),
        ("temp > 65", "row"),
        ("avg(qty - price) > 10", "window"),
        ("percentile(qty, 90) < 100", "window"),
        ("max(qty) < avg(qty) * 2", "window"),
        ("le(sum(qty), 5)", "window"),
        ("avg(qty)>1", "window"),
        ("avg(qty) > qty", "row_against_window"),
        ("le(med(qty), price)", "row_against_window"),
        ("temp > percentile(temp, 75)", "row_against_window"),
        ("avg(qty)>qty", "row_against_window"),
        # and others
        ("true", "row"),
        ("sum(qty) > prev(sum(qty))", "window"),
        ("temp > prev(max(temp))", "row_against_window"),
        ("prev(qty) > max(qty)", "row_against_window"),
        ("count(*) > 3", "window"),
        ("max(prev(qty)) > 1", "window"),
        ("avg(qty) > 1 && is_on", "row_against_window"),
    ],
)
def test_kinds(text, kind):
    assert metric(text).kind == kind


def test_what_a_metric_needs():
    read = metric("temp - prev(temp) > sum(qty) + sum(QTY) and avg(price) > prev(sum(qty))")
    assert [sql_of(node) for node in read.aggregates] == ["try_sum(`qty`)", "try_avg(`price`)"]
    assert [sql_of(node.arguments[0]) for node in read.aggregates_before] == ["try_sum(`qty`)"]
    assert [sql_of(node.arguments[0]) for node in read.previous] == ["`temp`"]
    assert (read.columns, read.rows_back) == (("temp", "qty", "price"), 1)
    assert (read.left, read.right) == (None, None)


def test_order_sensitive_functions_come_from_the_inside_out():
    read = metric("deltas(deltas(temp)) > 2 or prev(temp) > 1")
    first, second = read.previous
    assert sql_of(first.arguments[0]) == "`temp`"
    assert sql_of(second.arguments[0], {first: "a"}) == "try_subtract(`temp`, `a`)"
    assert sql_of(read.node, {first: "a", second: "b"}) == (
        "((try_subtract(try_subtract(`temp`, `a`), `b`) > 2) or (`a` > 1))"
    )
    assert read.rows_back == 2


def test_within_an_aggregate_the_row_before_is_another_thing():
    read = metric("max(abs(deltas(temp))) > prev(temp)")
    (aggregate,) = read.aggregates
    (inside,) = (
        Call("prev", node.arguments) for node in walk(aggregate)
        if isinstance(node, Call) and node.name == "deltas"
    )  # fmt: skip
    assert read.previous == (inside,)  # alike, but each has its own column
    assert sql_of(aggregate, {inside: "in_window"}) == "max(abs(try_subtract(`temp`, `in_window`)))"
    assert metric("max(deltas(temp)) > 1").previous == ()


@pytest.mark.parametrize(
    ("text", "left", "right", "families"),
    [
        ("temp > 65", "`temp`", "65", ("number", "number")),
        ("qty < price", "`qty`", "`price`", ("number", "number")),
        ("sym = 'a'", "`sym`", "'a'", ("string", "string")),
        ("(time >= '2014-01-31')", "`time`", "'2014-01-31'", ("time", "string")),
    ],
)
def test_sides(text, left, right, families):
    read = metric(text)
    given = dict.fromkeys(read.previous, "p")
    assert (sql_of(read.left.node, given), sql_of(read.right.node, given)) == (left, right)
    assert (read.left.family, read.right.family) == families


@pytest.mark.parametrize("text", ["is_on", "not temp > 1", "temp > 1 or qty > 1", "qty between 1 and 2", "isNull(qty)"])  # fmt: skip
def test_what_is_put_together_has_no_sides(text):
    assert (metric(text).left, metric(text).right) == (None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a``b` > 1", "(`a``b` > 1)"),
        ("`at°` > 1", "(`at°` > 1)"),
        ("TEMP > 1 && Qty <= 2 || ! is_on", "(((`temp` > 1) and (`qty` <= 2)) or (not `is_on`))"),
        ("temp != 1 and temp <> 2 and temp == 3", "(((`temp` <> 1) and (`temp` <> 2)) and (`temp` = 3))"),
        ("ne(add(qty, 1), mul(2, sub(qty, 3)))", "(try_add(`qty`, 1) <> try_multiply(2, try_subtract(`qty`, 3)))"),
        ("(qty + 1) * -2 < 3", "(try_multiply(try_add(`qty`, 1), (- 2)) < 3)"),
        ("qty / price > 1", "(try_divide(`qty`, `price`) > 1)"),
        ("mod(qty, 2) = qty % 3", "((`qty` % nullif(2, 0)) = (`qty` % nullif(3, 0)))"),
        ("sqrt(temp) > 1", "(nanvl(sqrt(`temp`), cast(null as double)) > 1)"),
        ("power(temp, 0.5) > 1", "(nanvl(pow(`temp`, 0.5), cast(null as double)) > 1)"),
        ("round(temp) > round(temp, -1)", "(round(`temp`) > round(`temp`, (- 1)))"),
        ("log(temp) > exp(1)", "(ln(`temp`) > exp(1))"),
        ("coalesce(temp, price, 0) > 1", "(coalesce(`temp`, `price`, 0) > 1)"),
        ("iif(is_on, temp, null) > 1", "(if(`is_on`, `temp`, null) > 1)"),
        ("case when is_on then 1 when temp > 2 then 3 else 4 end > 1", "(if(`is_on`, 1, if((`temp` > 2), 3, 4)) > 1)"),
        ("case qty when 1 then temp end > 1", "(if((`qty` = 1), `temp`, null) > 1)"),
        ("qty not in (1, 2)", "(not (`qty` in (1, 2)))"),
        ("qty not between 1 and 2", "(not (`qty` between 1 and 2))"),
        ("sym not like 'a%'", "(not (`sym` like 'a%'))"),
        ("sym is not null and is_on is not true", "((not (`sym` is null)) and (not (`is_on` <=> true)))"),
        ("sym <=> null", "(`sym` <=> null)"),
        ("temp > 1 -- and nothing else", "(`temp` > 1)"),
        ("temp > .5e3", "(`temp` > 0.5e3)"),
        ("time > '2014-01-31 10:00:00.5'", "(`time` > '2014-01-31 10:00:00.5')"),
        ("max(qty) < avg(qty) * 2", "(`aggregate_0` < try_multiply(`aggregate_1`, 2))"),
        ("sum(qty) > prev(sum(qty))", "(`aggregate_0` > `before_0`)"),
        ("deltas(temp) > 2", "(try_subtract(`temp`, `previous_0`) > 2)"),
    ],
)  # fmt: skip
def test_spark_sql(text, expected):
    assert sql(text) == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("avg(qty - price)", "try_avg(try_subtract(`qty`, `price`))"),
        ("mean(qty)", "try_avg(`qty`)"),
        ("med(qty)", "median(`qty`)"),
        ("std(qty)", "stddev_samp(`qty`)"),
        ("var(qty)", "var_samp(`qty`)"),
        ("count(*)", "count(1)"),
        ("avg(is_on)", "try_avg(cast(`is_on` as int))"),
        ("var(is_on)", "var_samp(cast(`is_on` as int))"),
        ("count(is_on)", "count(`is_on`)"),
        ("first(qty)", "min_by(`qty`, if(`qty` is null, null, arrival))"),
        ("last(qty)", "max_by(`qty`, if(`qty` is null, null, arrival))"),
    ],
)
def test_aggregates(aggregate, expected):
    (read,) = metric(f"{aggregate} > 1").aggregates
    assert sql_of(read, order="arrival") == expected


RANK = "((size(v) - 1) * 99.5 / 100)"
LOW, HIGH = f"get(v, cast(floor({RANK}) as int))", f"get(v, cast(ceil({RANK}) as int))"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("75", "get(v, greatest(cast(ceil(size(v) * 75 / 100) as int) - 1, 0))"),
        ("99.5, 'lower'", LOW),
        ("99.5, 'higher'", HIGH),
        ("99.5, 'nearest'", f"if(({RANK} - floor({RANK})) > 0.5, {HIGH}, {LOW})"),
        ("99.5, 'midpoint'", f"(try_add({LOW}, {HIGH}) / 2)"),
        (
            "99.5, 'linear'",
            f"try_add({LOW}, try_multiply(try_subtract({HIGH}, {LOW}), ({RANK} - floor({RANK}))))",
        ),
    ],
)
def test_percentiles(arguments, expected):
    (read,) = metric(f"percentile(temp, {arguments}) > 1").aggregates
    assert percentile_sql(read, "v") == expected


@pytest.mark.parametrize(("share", "exact"), [("0", "0"), ("0.0", "0"), ("1e2", "100"), ("50.10", "50.1"), ("1e-3", "0.001")])  # fmt: skip
def test_the_share_of_a_percentile_is_exact(share, exact):
    (read,) = metric(f"percentile(temp, {share}) > 1").aggregates
    assert (share_of(read), interpolation_of(read)) == (exact, "nearest-rank")


def test_the_metrics_of_a_definition_share_what_they_need():
    texts = ["temp > avg(temp)", "avg(Temp) > avg(qty)", "deltas(temp) > 1", "prev(temp) < 1"]
    rules = check("engine1", texts, TYPES, window_size="6 ms", step="3 ms")
    assert [sql_of(node) for node in rules.aggregates] == ["try_avg(`temp`)", "try_avg(`qty`)"]
    assert [sql_of(node.arguments[0]) for node in rules.previous] == ["`temp`"]
    assert (rules.aggregates_before, rules.columns, rules.rows_back) == ((), ("temp", "qty"), 1)


@pytest.mark.parametrize("text", ["prev(temp) > 1", "deltas(temp) > 1", "first(temp) > 1", "percentile(temp, 5) > 1"])  # fmt: skip
def test_nothing_is_made_without_the_columns_that_it_needs(text):
    with pytest.raises(ValueError, match="is given for"):
        sql_of(metric(text).node)
