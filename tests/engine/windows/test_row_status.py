"""What is new, dead or inside: the source's examples as models, with data and expected rows."""

from __future__ import annotations

from typing import Any

EVENTS = "source=source('feed', 'events'), ts='ts', "


def test_denial_of_service(windows: Any) -> None:
    """The source's first example: an address with more than two requests in 30 minutes."""
    windows.events("id bigint, src_ip string")
    windows.models(
        denial_attack_check=EVENTS + "keys=['src_ip'], store='last 30 minutes', pinned=true, "
        "aggregates={'recent_requests': 'count(id)', 'total_requests': 'count(id) entrance only'}",
        attacks="{{ config(materialized='view') }} select src_ip, recent_requests, total_requests, "
        "cycle.at from {{ strandline.row_status(ref('denial_attack_check'), 'new') }} "
        "where recent_requests > 2",
    )
    minutes = [(0, "1.1.1.1"), (10, "1.1.1.1"), (20, "2.2.2.2"), (35, "1.1.1.1"), (38, "1.1.1.1")]
    windows.land((n, at * 60, n, ip) for n, (at, ip) in enumerate(minutes, 1))
    windows.run()
    rows = windows.spark.sql("select src_ip, recent_requests, total_requests from windowed.attacks")
    assert [tuple(row) for row in rows.collect()] == [("1.1.1.1", 3, 4)]


def test_priority_customers(windows: Any) -> None:
    """A reference table that changes between runs is read as of the run."""
    windows.events("customer_id bigint")
    windows.spark.sql("create table windowed.chosen using delta as select 1L as customer_id")
    windows.models(
        filtered_stream=EVENTS + "store='last 30 minutes', where='customer_id in "
        "(select customer_id from ' ~ source('feed', 'chosen') ~ ')'"
    )
    windows.land([(1, 0, 1), (2, 1, 2)])
    windows.run()
    windows.spark.sql("insert into windowed.chosen values (2)")
    windows.land([(3, 2, 2)])
    windows.run()
    assert windows.stays("filtered_stream", "customer_id") == [(1, "0", None), (2, "2", None)]


def test_vehicle_reports(windows: Any) -> None:
    """A self join: a new report with those of other counties that are not dead in its cycle."""
    windows.events("county string, make string, color string")
    matches = """{{ config(materialized='view') }}
    select report.county, earlier.county as earlier_county, report.make
    from {{ strandline.row_status(ref('reports'), 'new') }} as report
    inner join {{ strandline.row_status_at(ref('reports'), 'report.cycle') }} as earlier
        on report.county <> earlier.county
        and report.make = earlier.make and report.color = earlier.color"""
    windows.models(reports=EVENTS + "keys=['county'], store='last 30 minutes'", matches=matches)
    minutes = [
        (0, "Kent", "Ford", "red"), (20, "Essex", "Ford", "red"), (21, "Essex", "Audi", "red"),
        (45, "Surrey", "Ford", "red"), (50, "Kent", "Ford", "blue"),
    ]  # fmt: skip
    windows.land((n, at * 60, *row) for n, (at, *row) in enumerate(minutes, 1))
    windows.run()
    rows = windows.spark.table("windowed.matches").collect()
    assert sorted(tuple(row) for row in rows) == [
        ("Essex", "Kent", "Ford"), ("Surrey", "Essex", "Ford"),
    ]  # fmt: skip


def test_a_running_balance(windows: Any) -> None:
    """A sum that never decreases, of a pinned window, joined with a table of accounts."""
    windows.events("account bigint, amount decimal(10, 2)")
    windows.spark.sql(
        "create table windowed.chosen using delta as select 7L as account, 100 as opening"
    )
    windows.models(
        movements=EVENTS + "keys=['account'], store='last 1 minutes', pinned=true, "
        "aggregates={'moved': 'sum(amount) entrance only'}",
        balances="{{ config(materialized='view') }} select account, opening + moved as balance, "
        "cycle.at as at from {{ strandline.row_status(ref('movements'), 'new') }} "
        "inner join {{ source('feed', 'chosen') }} using (account)",
    )
    from decimal import Decimal

    windows.land([(1, 0, 7, Decimal("5.50")), (2, 600, 7, Decimal("-2.25"))])
    windows.run()
    windows.land([(3, 900, 7, Decimal("1.00"))])
    windows.run()
    rows = windows.spark.sql("select balance from windowed.balances order by at").collect()
    assert [float(row.balance) for row in rows] == [105.5, 103.25, 104.25]


def test_the_first_rows_of_each_cycle(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(recent=EVENTS + "store='last 10 seconds'")
    windows.land([(1, 0, 5), (1, 0, 3), (1, 0, 4), (2, 1, 9)])
    windows.run()
    windows.models(
        first="{{ config(materialized='view') }} select id, cycle.at from "
        "{{ strandline.row_status(ref('recent'), 'new', first=2, order_by='id desc') }}"
    )
    windows.run()
    rows = windows.spark.sql("select id from windowed.first order by at, id desc").collect()
    assert [row.id for row in rows] == [5, 4, 9]


REFUSED = [
    ("store='last 5', keys=['kei']", "did you mean 'key'?"),
    ("store='highest 5 using price'", "`store` names the column 'price'"),
    ("store='last 5', aggregates={'n': 'count(price)'}", "`aggregates` names the column 'price'"),
    ("store='last (id) seconds', keys=['key']", "`store` has the column 'id', which is not one of `keys`"),
    ("store='last 5', clock='id'", '`clock` names id of events, which is BIGINT; take a TIMESTAMP'),
]  # fmt: skip


def test_what_is_refused(windows: Any) -> None:
    windows.events("key string, id bigint")
    windows.models(**{f"wrong_{place}": EVENTS + call for place, (call, _) in enumerate(REFUSED)})
    said = windows.refusals()
    for place, (call, message) in enumerate(REFUSED):
        assert message in said[f"wrong_{place}"], call


def test_a_chained_window_without_a_status_is_refused(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(
        one=EVENTS + "store='last 5'",
        two="source=ref('one'), ts='ts', store='last 5', where='id > 1'",
    )
    assert "write '$row_status is new' or '$row_status is dead'" in windows.fails()


def test_an_event_without_an_arrival_stops_the_run_and_loses_nothing(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(recent=EVENTS + "store='last 5'")
    windows.land([(1, 0, 1)])
    windows.run()
    windows.land([(None, 1, 2), (2, 1, 3)])
    assert "1 of 2 new events have no `arrival`; nothing was written" in windows.fails()
    assert windows.stays("recent", "id") == [(1, "0", None)]
    windows.spark.sql("update windowed.events set arrival = 3 where arrival is null")
    windows.run()
    assert windows.stays("recent", "id") == [(1, "0", None), (3, "1", None), (2, "1/3", None)]


def test_a_reason_without_a_type_gets_one(windows: Any) -> None:
    """0.1.0 stored it so where each event enters. Spark 4.0 cannot read such a table."""
    windows.events("id bigint")
    windows.models(recent=EVENTS + "store='last 5'")
    windows.land([(1, 0, 1)])
    windows.run()
    assert types_of(windows, "recent")["reason"] == "string"
    kept = windows.spark.sql("show tblproperties windowed.recent").collect()
    kept = [row for row in kept if row.key.startswith("strandline.")]
    properties = ", ".join(f"'{row.key}' = r'{row.value}'" for row in kept)
    columns = [
        "null as reason" if name == "reason" else name for name in types_of(windows, "recent")
    ]
    windows.spark.sql(
        "create or replace table windowed.recent using delta partitioned by (window_part) "
        f"tblproperties ({properties}) as select {', '.join(columns)} from windowed.recent"
    )
    assert types_of(windows, "recent")["reason"] == "void"
    windows.land([(2, 1, 2)])
    windows.run()
    assert types_of(windows, "recent")["reason"] == "string"
    assert windows.stays("recent", "id, reason") == [(1, None, "0", None), (2, None, "1", None)]


def types_of(windows: Any, name: str) -> dict[str, str]:
    schema = windows.spark.table(f"windowed.{name}").schema
    return {field.name: field.dataType.simpleString() for field in schema}


def test_another_definition_stops_an_incremental_run(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(recent=EVENTS + "store='last 5'")
    windows.land([(1, 0, 1)])
    windows.run()
    windows.models(recent=EVENTS + "store='last 6'")
    message = windows.fails()
    assert "the definition has changed" in message
    assert "--full-refresh" in message
