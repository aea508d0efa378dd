"""`aggregation_join` in a project of somebody else: good requests and bad ones in one query.

The trades are those of conftest.py. Their aggregation has hours and days:

    hours  02-15 09:00  IBM 30, WSO2 5        days  02-15  IBM 60, WSO2 5
           02-15 10:00  IBM 30                      02-16  (no symbol) 1
           02-16 00:00  (no symbol) 1               03-16  IBM 40
           03-16 00:00  IBM 40
"""

from __future__ import annotations

import re

import pytest
from tests.conftest import ROOT
from tests.e2e.consumer.conftest import TRADES

PAGE = (ROOT / "docs" / "retrieval.md").read_text()
JOIN = """
{{ strandline.aggregation_join(trade_aggregation(), requests=ref('%(requests)s'), on='b.symbol <=> a.symbol',
    within=%(within)s, per=%(per)s,
    select=['b.id', "date_format(a.agg_timestamp, 'MM-dd HH:mm') as bucket", 'a.symbol', 'a.total', 'b.note']) }}
"""
PAIR = {
    "requests": "requests",
    "within": "['b.start_time', 'b.end_time']",
    "per": "'b.per_duration'",
}


def models(shop, **bodies: str) -> None:
    for name, body in bodies.items():
        (shop.folder / "models" / f"{name}.sql").write_text(body)


def answers(shop, model: str) -> list[tuple]:
    return shop.rows(f"select * from shop.{model} order by id, bucket")


@pytest.mark.first
def test_every_example_of_the_page_gives_what_the_page_shows(shop):
    [trades] = re.findall(r"```csv trades\n(.*?)```", PAGE, re.DOTALL)
    [requests] = re.findall(r"```csv requests\n(.*?)```", PAGE, re.DOTALL)
    assert trades == TRADES
    (shop.folder / "seeds" / "requests.csv").write_text(requests)
    examples = re.findall(r"```sql\n(.*?)```.*?\n(\|.*?)\n\n", PAGE, re.DOTALL)
    assert len(examples) == PAGE.count("```sql") == 4
    models(shop, **{f"example_{number}": query for number, (query, _) in enumerate(examples)})
    shop.dbt("seed", "--select", "requests")
    nodes = {result.node.name: result.node for result in shop.dbt("run")}

    for number, (_, table) in enumerate(examples):
        header, _, *lines = [
            tuple(cell.strip() for cell in line.strip("|").split("|"))
            for line in table.splitlines()
        ]
        found = shop.spark.sql(nodes[f"example_{number}"].compiled_code)
        shown = found.select([found[name].cast("string") for name in found.columns]).collect()
        assert tuple(found.columns) == header
        assert [tuple(cell or "" for cell in row) for row in shown] == lines


def test_good_and_bad_requests_are_answered_side_by_side(shop):
    models(
        shop,
        requests="""
select * from values
    (1, 'IBM',  '2014-02-15 00:00:00 +05:30', '2014-03-16 00:00:00 +05:30', 'days', 'the source\\'s'),
    (2, 'IBM',  '2014-02-15 09:00:00', '2014-02-15 10:00:00', 'HOUR', 'the end is left out'),
    (3, 'IBM',  '1392422400000', '1392508800000', ' Hours ', 'milliseconds'),
    (4, 'WSO2', '2014-02-15 02:00:00+02:00', '2014-02-15 00:00:01 Z', 'day', 'one second'),
    (5, null,   '2014-01-01 00:00:00', '2015-01-01 00:00:00', 'Day', 'no symbol'),
    (6, 'IBM',  '2015-01-01 00:00:00', '2016-01-01 00:00:00', 'days', 'nothing there'),
    (10, 'IBM', '2017-06-** 12:**:**', '2018-01-01 00:00:00', 'days', 'a pattern'),
    (11, 'IBM', '2014-02-15 00:00:00', '2014-02-15 05:30:00 +05:30', 'days', 'an empty range'),
    (12, 'IBM', '2014-03-16 00:00:00', '2014-02-15 00:00:00', 'days', 'backwards'),
    (13, 'IBM', '2014-02-30 00:00:00', '2014-03-16 24:00:00', 'days', 'no such date, no such time'),
    (14, 'IBM', '2014-02-15 00:00:00', '2014-03-16 00:00:00', 'weeks', 'no duration'),
    (15, 'IBM', '2014-02-15 00:00:00', '2014-03-16 00:00:00', 'months', 'not defined'),
    (16, null, null, null, null, 'all nulls'),
    (17, 'IBM', 'it\\'s', '999999999999999', 'week\\'s; days', 'all at once')
as requests (id, symbol, start_time, end_time, per_duration, note)
""",
        answered=JOIN % PAIR,
    )
    [*_, joined] = shop.dbt("run")
    forms = "is not an instant: write yyyy-MM-dd HH:mm:ss[ +HH:MM] or Unix milliseconds"
    durations = "is not a duration of trade_aggregation, which has hours, days"
    expected = [
        (1, "02-15 00:00", "IBM", 60, "the source's", None),
        (2, "02-15 09:00", "IBM", 30, "the end is left out", None),
        (3, "02-15 09:00", "IBM", 30, "milliseconds", None),
        (3, "02-15 10:00", "IBM", 30, "milliseconds", None),
        (4, "02-15 00:00", "WSO2", 5, "one second", None),
        (5, "02-16 00:00", None, 1, "no symbol", None),
        (10, None, None, None, "a pattern", f"start_time '2017-06-** 12:**:**' {forms}"),
        (11, None, None, None, "an empty range", "start_time '2014-02-15 00:00:00' is not before end_time '2014-02-15 05:30:00 +05:30'"),
        (12, None, None, None, "backwards", "start_time '2014-03-16 00:00:00' is not before end_time '2014-02-15 00:00:00'"),
        (13, None, None, None, "no such date, no such time", f"start_time '2014-02-30 00:00:00' {forms}; end_time '2014-03-16 24:00:00' {forms}"),
        (14, None, None, None, "no duration", f"per_duration 'weeks' {durations}"),
        (15, None, None, None, "not defined", f"per_duration 'months' {durations}"),
        (16, None, None, None, "all nulls", "start_time is null; end_time is null; per_duration is null"),
        (17, None, None, None, "all at once", f"start_time 'it's' {forms}; end_time '999999999999999' {forms}; per_duration 'week's; days' {durations}"),
    ]  # fmt: skip
    assert answers(shop, "answered") == expected

    # Neither the session's zone nor its errors have a say; nor does being a part of another query.
    query = joined.node.compiled_code
    for setting, value in [
        ("spark.sql.session.timeZone", "Pacific/Apia"),
        ("spark.sql.ansi.enabled", "false"),
    ]:
        before = shop.spark.conf.get(setting)
        try:
            shop.spark.conf.set(setting, value)
            rows = shop.rows(
                f"select id, symbol, total, request_error from ({query}) order by id, total"
            )
        finally:
            shop.spark.conf.set(setting, before)
        assert rows == [(i, symbol, total, error) for i, _, symbol, total, _, error in expected]


def test_within_takes_every_form_that_a_column_can_hold(shop):
    models(
        shop,
        patterns="""
select * from values
    (1, 'IBM', '2014-**-** **:**:**', 'a year'),
    (2, 'IBM', '2014-02-** **:**:**', 'a month'),
    (3, 'IBM', '2014-03-16 **:**:** +05:30', 'a day of India: it begins the evening before'),
    (4, 'IBM', '2014-03-15 **:**:** -05:00', 'a day of New York: it ends in the next'),
    (5, 'IBM', '2018-01-** **:**:**', 'nothing there'),
    (10, 'IBM', '2017-06-** 12:**:**', 'an asterisk left of a number'),
    (11, 'IBM', '1392422400000', 'a single long'),
    (12, 'IBM', '2014-13-** **:**:**', 'no such month'),
    (13, 'IBM', null, 'nothing')
as requests (id, symbol, within, note)
""",
        typed="""
select
    1 as id, 'IBM' as symbol, 1392422400000 as start_ms, timestamp'2014-02-15 09:30:00' as start_at,
    timestamp'2014-02-16 00:00:00' as end_at, 'mid-hour: that hour began before' as note
union all
select 2, 'IBM', 253402300800000, timestamp'2014-02-16 00:00:00', timestamp'2014-02-16 00:00:00', 'the year 10000; empty'
union all
select 3, 'IBM', null, null, null, 'nulls'
""",
        ephemeral="{{ config(materialized='ephemeral') }} select * from {{ ref('typed') }}",
        by_pattern=JOIN % {"requests": "patterns", "within": "'b.within'", "per": "'day'"},
        by_millis=JOIN % {"requests": "typed", "within": "['b.start_ms', '2014-02-16 00:00:00']", "per": "'hours'"},
        by_instant=JOIN % {"requests": "typed", "within": "['b.start_at', 'b.end_at']", "per": "'hours'"},
        by_unknown=JOIN % {"requests": "ephemeral", "within": "['b.start_at', 'b.end_at']", "per": "'hours'"},
        by_constant=JOIN % {"requests": "typed", "within": "'2014-02-** **:**:**'", "per": "'days'"},
    )  # fmt: skip
    shop.dbt("run")

    forms = "is not a time range: write yyyy-**-** **:**:** to yyyy-MM-dd HH:mm:ss, asterisks on the right, and +HH:MM if not GMT"
    assert answers(shop, "by_pattern") == [
        (1, "02-15 00:00", "IBM", 60, "a year", None),
        (1, "03-16 00:00", "IBM", 40, "a year", None),
        (2, "02-15 00:00", "IBM", 60, "a month", None),
        (3, "03-16 00:00", "IBM", 40, "a day of India: it begins the evening before", None),
        (4, "03-16 00:00", "IBM", 40, "a day of New York: it ends in the next", None),
        (10, None, None, None, "an asterisk left of a number", f"within '2017-06-** 12:**:**' {forms}"),
        (11, None, None, None, "a single long", f"within '1392422400000' {forms}"),
        (12, None, None, None, "no such month", f"within '2014-13-** **:**:**' {forms}"),
        (13, None, None, None, "nothing", "within is null"),
    ]  # fmt: skip

    assert answers(shop, "by_millis") == [
        (1, "02-15 09:00", "IBM", 30, "mid-hour: that hour began before", None),
        (1, "02-15 10:00", "IBM", 30, "mid-hour: that hour began before", None),
        (2, None, None, None, "the year 10000; empty", "start_ms '253402300800000' is not an instant: write Unix milliseconds of a year from 1 to 9999"),
        (3, None, None, None, "nulls", "start_ms is null"),
    ]  # fmt: skip

    by_instant = [
        (1, "02-15 10:00", "IBM", 30, "mid-hour: that hour began before", None),
        (2, None, None, None, "the year 10000; empty", "start_at is not before end_at"),
        (3, None, None, None, "nulls", "start_at is null; end_at is null"),
    ]
    assert answers(shop, "by_instant") == by_instant
    assert answers(shop, "by_unknown") == by_instant  # an ephemeral model has no types to look up

    # Where the request says neither `within` nor `per`, no request can be wrong.
    assert answers(shop, "by_constant") == [
        (1, "02-15 00:00", "IBM", 60, "mid-hour: that hour began before", None),
        (2, "02-15 00:00", "IBM", 60, "the year 10000; empty", None),
        (3, "02-15 00:00", "IBM", 60, "nulls", None),
    ]

    # dbt's dry run compiles, and answers nothing.
    shop.dbt("run", "--empty", "--select", "by_*")
    assert answers(shop, "by_pattern") == []


@pytest.fixture
def refused(shop):
    """Runs a join on a small table of requests that cannot be meant; gives the message."""
    models(
        shop,
        requests="select 1 as id, 'IBM' as symbol, 1.5 as price, 7L as start_time, 'days' as note",
    )
    shop.dbt("run")

    def run(**changes: str) -> str:
        models(shop, answered=JOIN % {**PAIR, "per": "'days'", **changes})
        return shop.fails("run", "--select", "answered")

    return run


def test_columns_that_the_requests_do_not_have_are_refused_with_the_list(refused):
    has = "which is not a column of requests; it has id, symbol, price, start_time, note"
    message = refused(per="'b.per'")
    assert f"`per` names 'b.per', {has}" in message
    assert f"`within` names 'b.end_time', {has}" in message

    of_a_type = refused(within="['b.price', 'b.start_time']")
    assert (
        "`within` names the column 'price' of requests, which is DECIMAL(2,1); "
        "an instant is a STRING, a BIGINT of Unix milliseconds or a TIMESTAMP"
    ) in of_a_type
    assert (
        "`within` names the column 'start_time' of requests, which is BIGINT; one column alone is a STRING "
        "that holds a pattern such as 2018-01-** **:**:**; otherwise write a pair"
    ) in refused(within="'b.start_time'")
