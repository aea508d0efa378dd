"""A newcomer follows the README in a project of their own: it has to work as it stands there."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.e2e.consumer.conftest import README
from tests.pages import assert_shown, examples

HOURS = """
    select date_format(agg_timestamp, 'MM-dd HH:mm'), symbol,
        agg_sum_price, agg_count_price, agg_sum_quantity, agg_arrival
    from shop.trade_aggregation_hours order by agg_timestamp, symbol
"""
DAYS = HOURS.replace("hours", "days")


def said(results) -> dict[str, str]:
    """The message of each model."""
    return {result.node.name: result.message for result in results}


@pytest.mark.first
def test_ten_lines_become_tables_that_stay_right(shop):
    shop.dbt("run")
    assert shop.rows(HOURS) == [
        ("02-15 09:00", "IBM", Decimal("210.00"), 2, 30, 2),
        ("02-15 09:00", "WSO2", Decimal("50.50"), 1, 5, 3),
        ("02-15 10:00", "IBM", Decimal("120.00"), 1, 30, 4),
        ("02-16 00:00", None, Decimal("7.00"), 1, 1, 5),
        ("03-16 00:00", "IBM", Decimal("130.00"), 1, 40, 6),
    ]
    assert shop.rows(DAYS) == [
        ("02-15 00:00", "IBM", Decimal("330.00"), 3, 60, 4),
        ("02-15 00:00", "WSO2", Decimal("50.50"), 1, 5, 3),
        ("02-16 00:00", None, Decimal("7.00"), 1, 1, 5),
        ("03-16 00:00", "IBM", Decimal("130.00"), 1, 40, 6),
    ]
    assert shop.rows("show tables in shop like 'flight*'") == []  # the demo stays at home

    # Retrieval as in the README.
    [(query, table)] = examples(README)
    (shop.folder / "models" / "by_day.sql").write_text(query)
    shop.dbt("run", "--select", "by_day")
    assert_shown(shop.spark.table("shop.by_day"), table)

    # A run without new events writes nothing.
    before = shop.versions()
    messages = said(shop.dbt("run", "--select", "trade_aggregation*")).values()
    assert [message for message in messages if not message.startswith("unchanged: ")] == []
    assert shop.versions() == before

    # Nor does dbt's dry run, which hides every row of the source.
    shop.dbt("run", "--empty", "--select", "trade_aggregation*")
    assert shop.versions() == before

    # New events: one into a stored bucket, one late by a month, one without a symbol, one without a time.
    shop.land(
        "(7, 'IBM', timestamp'2014-03-16 00:59:59', 132, 1)",
        "(8, 'WSO2', timestamp'2014-02-15 09:00:00', 49.5, 2)",
        "(9, null, timestamp'2014-02-16 00:30:00', 9, 3)",
        "(10, 'IBM', null, 1, 1)",
    )
    assert said(shop.dbt("run", "--select", "trade_aggregation*")) == {
        "trade_aggregation_hours": "rewrote 1 partition, from 2014-01-01",
        "trade_aggregation_days": "rewrote 1 partition, from 2014-01-01",
        "trade_aggregation_late": "added rows; 1 of 4 events is late: no event time: ts is null",
    }
    incremental = {"hours": shop.rows(HOURS), "days": shop.rows(DAYS)}
    assert incremental["days"] == [
        ("02-15 00:00", "IBM", Decimal("330.00"), 3, 60, 4),
        ("02-15 00:00", "WSO2", Decimal("100.00"), 2, 7, 8),
        ("02-16 00:00", None, Decimal("16.00"), 2, 4, 9),
        ("03-16 00:00", "IBM", Decimal("262.00"), 2, 41, 7),
    ]
    # The row of which the README says what it becomes.
    changed = "select avg_price, total from shop.by_day where symbol = 'WSO2'"
    assert shop.rows(changed) == [(Decimal("50.00"), 7)]
    assert shop.rows("select arrival, symbol, late_reason from shop.trade_aggregation_late") == [
        (10, "IBM", "no event time: ts is null"),
    ]

    # What was merged run by run equals a full refresh.
    shop.dbt("run", "--full-refresh")
    assert {"hours": shop.rows(HOURS), "days": shop.rows(DAYS)} == incremental


def test_what_is_wrong_with_a_definition_is_said_in_its_own_words(shop):
    macro = shop.folder / "macros" / "trade_aggregation.sql"
    text = macro.read_text()
    shop.dbt("run")
    before = shop.versions()

    def with_definition(old: str, new: str) -> str:
        assert old in text
        macro.write_text(text.replace(old, new))
        return shop.fails("run")

    assert (
        "`keys` names the column 'sybmol', which trades does not have; "
        "it has arrival, symbol, ts, price, quantity; did you mean 'symbol'?"
    ) in with_definition("keys=['symbol']", "keys=['sybmol']")

    assert "`every` is 'hour, month', which skips or repeats a duration" in with_definition(
        "'hour...day'", "'hour, month'"
    )

    # The stored rows mean something else than the new definition: nothing is merged into them.
    changed = with_definition("sum(quantity)", "max(quantity)")
    assert "trade_aggregation_hours: the definition has changed" in changed
    assert "- new: total = max(quantity)" in changed
    assert "- removed: sum(quantity)" in changed
    assert "`dbt build --full-refresh --select trade_aggregation_hours+`" in changed
    assert shop.versions() == before

    # An expression is refused by itself, before the table is rebuilt.
    macro.write_text(
        text.replace(
            "'sum(quantity)'", "'sum(quantty * 2)', 'a': 'max(price +)', 'b': 'avg(price > 50)'"
        )
    )
    message = shop.fails("run", "--full-refresh", "--select", "trade_aggregation_hours")
    assert (
        "`select` has total = 'sum(quantty * 2)', and trades has no column 'quantty'; "
        "it has arrival, symbol, ts, price, quantity; did you mean 'quantity'?"
    ) in message
    assert "`select` has a = 'max(price +)', which Spark rejects: [PARSE_SYNTAX_ERROR]" in message
    assert "`select` has b = 'avg(price > 50)', and price > 50 is BOOLEAN; avg takes" in message
    assert "agg_timestamp" not in message
    assert shop.versions() == before

    macro.write_text(text.replace("sum(quantity)", "max(quantity)"))
    shop.dbt("run", "--full-refresh", "--select", "trade_aggregation_hours+")
    assert shop.rows("select max(agg_max_quantity) from shop.trade_aggregation_days") == [(40,)]


@pytest.mark.soak
def test_an_event_without_an_arrival_stops_the_run_and_loses_nothing(shop):
    shop.dbt("run")
    before = shop.versions()
    shop.land("(null, 'IBM', timestamp'2014-03-16 01:00:00', 132, 1)")
    assert (
        "an event of trades has no arrival; every event needs an arrival that only grows"
        in shop.fails("run")
    )
    assert shop.versions() == before

    shop.spark.sql("update shop.trades set arrival = 7 where arrival is null")
    shop.dbt("run")
    assert shop.rows("select sum(agg_count_price) from shop.trade_aggregation_days") == [(7,)]


@pytest.mark.soak
def test_a_run_whose_events_are_all_late_warns(shop):
    """The model of late events reports them; without one, the base table does."""
    none = "no event of this run counts; 6 of 6 events are late: no event time: ts is null"
    shop.dbt("seed")
    shop.spark.sql("update shop.trades set ts = null")
    late = "created; 6 of 6 events are late: no event time: ts is null"
    assert said(shop.dbt("run", "--select", "trade_aggregation*"))["trade_aggregation_late"] == late
    assert none in shop.fails("run", "--warn-error", "--full-refresh", "--select", "*_late")

    shop.land("(7, 'IBM', timestamp'2014-03-16 00:59:59', 132, 1)", "(8, 'IBM', null, 1, 1)")
    late = "added rows; 1 of 2 events is late: no event time: ts is null"
    assert said(shop.dbt("run", "--select", "trade_aggregation*"))["trade_aggregation_late"] == late
    shop.land("(9, 'IBM', null, 1, 1)")
    alone = none.replace("6 of 6 events are", "1 of 1 event is")
    assert alone in shop.fails("run", "--warn-error", "--select", "trade_aggregation_late")

    (shop.folder / "models" / "trade_aggregation_late.sql").unlink()
    both = "; 2 of 2 events are late: no event time: ts is null"
    done = shop.dbt("run", "--select", "trade_aggregation_hours")
    assert said(done) == {"trade_aggregation_hours": f"nothing new{both}"}
    shop.land("(10, 'IBM', timestamp'2014-03-16 00:59:59', 132, 1)")
    done = shop.dbt("run", "--select", "trade_aggregation_hours")
    assert said(done)["trade_aggregation_hours"] == (
        "rewrote 1 partition, from 2014-01-01; 2 of 3 events are late: no event time: ts is null"
    )
    shop.spark.sql("update shop.trades set ts = null where arrival < 7")
    shop.spark.sql("delete from shop.trades where arrival >= 7")
    refresh = ("run", "--full-refresh", "--select", "trade_aggregation_hours")
    assert f"trade_aggregation_hours: {none}" in shop.fails(*refresh, "--warn-error")


@pytest.mark.parametrize(
    "body",
    [
        "select 1 as one",
        "-- a comment\n{{ strandline.aggregation_table(trade_aggregation(), 'days') }}",
    ],
)
def test_a_body_that_is_not_one_call_is_refused(shop, body):
    config = "{{ config(materialized='strandline_aggregation') }}\n"
    (shop.folder / "models" / "trade_aggregation_days.sql").write_text(config + body)
    assert "the model's body must be one call" in shop.fails(
        "run", "--select", "trade_aggregation_days"
    )


def test_a_table_that_is_not_ours_is_never_merged_into(shop):
    shop.spark.sql("create table shop.trade_aggregation_hours using delta as select 1 as one")
    message = shop.fails("run", "--select", "trade_aggregation_hours")
    assert "shop.trade_aggregation_hours exists and was not built by Strandline" in message
    assert shop.rows("select * from shop.trade_aggregation_hours") == [(1,)]
