"""`aggregation_join`: what it refuses while dbt compiles, and the shape of what it writes."""

from __future__ import annotations

import pytest
from tests.unit.jinja_macros import Refused, macros


class Relation:
    """Stands for ref('requests')."""

    identifier = "requests"

    def __str__(self) -> str:
        return "shop.requests"


def join(**changes) -> str:
    definition = macros().aggregation(
        name="trade_aggregation",
        source=Relation(),
        select={"avg_price": "avg(price)", "total": "sum(quantity)"},
        keys=["symbol"],
        ts="ts",
        every="hour...day",
    )
    arguments = {
        "requests": Relation(),
        "on": "b.symbol = a.symbol",
        "within": ["b.start_time", "b.end_time"],
        "per": "b.per_duration",
        "select": ["a.symbol", "a.total"],
    }
    return macros().aggregation_join(definition, **{**arguments, **changes})


def refusal(**changes) -> str:
    with pytest.raises(Refused) as refused:
        join(**changes)
    message = str(refused.value)
    assert message.startswith("aggregation_join of 'trade_aggregation':\n  - ")
    return message


COLUMNS = "which is not a column of trade_aggregation; it has agg_timestamp, agg_timezone, symbol, avg_price, total"
REFUSALS = {
    "requests as text": (
        {"requests": "requests"},
        "`requests` is 'requests'; pass a relation: ref('requests') or source('shop', 'requests')",
    ),
    "no requests": ({"requests": None}, "`requests` is none; pass a relation: ref('requests')"),
    "unknown column": ({"select": ["a.symbol", "a.totl"]}, f"`select` names 'a.totl', {COLUMNS}"),
    "unknown column in an expression": (
        {"select": ["a.total / A.`n` as share"]},
        f"`select` names 'a.n', {COLUMNS}",
    ),
    "a stored part": (
        {"select": ["a.agg_sum_quantity"]},
        f"`select` names 'a.agg_sum_quantity', {COLUMNS}",
    ),
    "all columns": ({"select": ["a.*"]}, "`select` has 'a.*'; write a column, such as 'a.total'"),
    "unknown column in the condition": (
        {"on": "b.symbol = a.sybmol and a.symbol <> 'a.x'"},
        f"`on` names 'a.sybmol', {COLUMNS}",
    ),
    "an expression without a name": (
        {"select": ["a.total * 2"]},
        "`select` has 'a.total * 2'; write a column, such as 'a.total' or 'b.symbol', "
        "or an expression with a name, such as 'a.total * 2 as twice'",
    ),
    "a column of nobody": ({"select": ["total"]}, "`select` has 'total'; write a column"),
    "a second statement": (
        {"select": ["1; drop table trades as x"]},
        "`select` has '1; drop table trades as x'; write a column",
    ),
    "one name twice": (
        {"select": ["a.symbol", "b.Symbol"]},
        "`select` names 'Symbol' twice; give one of them another name, such as 'b.Symbol as other_Symbol'",
    ),
    "the last column's name": (
        {"select": ["b.request_error"]},
        "(request_error is the last column already)",
    ),
    "select as text": (
        {"select": "a.total"},
        "`select` is 'a.total'; write a list such as ['a.symbol', 'a.total', 'b.request_id']",
    ),
    "nothing selected": ({"select": []}, "`select` is '[]'; write a list"),
    "a condition that is none": (
        {"on": "b.symbol = a.symbol) or (true"},
        "`on` is 'b.symbol = a.symbol) or (true'; write one SQL condition over a and b",
    ),
    "a mapping for a condition": ({"on": {"symbol": "symbol"}}, "`on` is '{'symbol': 'symbol'}'"),
    "a column without its b": (
        {"within": ["start_time", "requests.end_time"]},
        "`within` has 'start_time'; a column of the request is written 'b.start_time'\n"
        "  - `within` has 'requests.end_time'; a column of the request is written 'b.end_time'",
    ),
    "one constant that is no instant": (
        {"within": ["b.start_time", "2014-02-30 00:00:00"]},
        "`within` has '2014-02-30 00:00:00', which is not an instant: write yyyy-MM-dd HH:mm:ss[ +HH:MM], "
        "Unix milliseconds or a column such as 'b.start_time'",
    ),
    "the source's bad pattern": (
        {"within": "2017-06-** 12:**:**"},
        "`within` is '2017-06-** 12:**:**'; write a pair",
    ),
    "a single long": ({"within": 1392422400000}, "`within` is 1392422400000; write a pair"),
    "three columns": (
        {"within": ["b.a", "b.b", "b.c"]},
        "`within` is ['b.a', 'b.b', 'b.c']; write a pair",
    ),
    "backwards": (
        {"within": ["2014-03-16 00:00:00", "2014-02-15 00:00:00"]},
        "whose start is not before its end; the first must be earlier than the second",
    ),
}


@pytest.mark.parametrize(("changes", "message"), REFUSALS.values(), ids=REFUSALS.keys())
def test_refusals_say_what_was_given_and_what_to_write(changes, message):
    assert message in refusal(**changes)


def test_a_duration_that_is_not_defined_is_refused_with_the_list():
    with pytest.raises(Refused) as refused:
        join(per="weeks")
    assert str(refused.value) == (
        "aggregation_join of 'trade_aggregation':\n"
        "  - 'weeks' is not a duration of this aggregation; it has hours, days"
    )


def test_all_faults_are_named_at_once():
    message = refusal(select=["a.x", "a.y + 1"], on="a.z = 1", within=["b.start", "soon"])
    assert message.count("\n  - ") == 4


def test_only_the_tables_that_requests_can_name_are_read():
    both = join()
    assert both.count("trade_aggregation_hours") == both.count("trade_aggregation_days") == 1
    assert "trade_aggregation_hours" not in join(per="days")


def words(sql: str) -> str:
    """SQL on one line, however it was laid out."""
    return " ".join(sql.split())


def test_constants_leave_nothing_to_judge():
    sql = join(within=[0, 1000], per="day", on=None, select=["AGG_TIMESTAMP", "b.id"])
    assert words(sql) == words("""
        select a.agg_timestamp as `agg_timestamp`, b.id as `id`, cast(null as string) as request_error
        from (select * from shop.requests) as b
        cross join (
            select agg_timestamp, agg_timezone, `symbol`,
                agg_sum_price / agg_count_price as avg_price, agg_sum_quantity as total
            from (select * from trade_aggregation_days) as __stored
            where agg_timestamp >= timestamp_millis(0) and agg_timestamp < timestamp_millis(1000)
        ) as a
    """)


def test_columns_of_the_aggregation_are_null_for_a_bad_request():
    sql = join(
        select=[
            "a.symbol",
            "b.symbol as requested",
            "coalesce(a.total, 0) as known",
            "coalesce(total, 0) as bare",
            "upper(b.total) as own",
            "'a.total' as text",
            "date_format(AGG_TIMESTAMP, 'yyyy') as year",
        ]
    )
    assert words(sql.split("union all")[-1]) == words("""
        select null as `symbol`, b.symbol as `requested`, null as `known`, null as `bare`, upper(b.total) as `own`,
            'a.total' as `text`, null as `year`, b.__error as request_error
        from __checked_requests as b
        where b.__error is not null
    """)
