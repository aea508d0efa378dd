"""The generic tests of the package, in a project of somebody else: what passes, and what fails."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.conftest import ROOT, Dbt, drop_schema, profile

TRADES = """
{{ config(materialized='table', file_format='delta') }}
select * from values
    (1, timestamp'2024-01-01 00:00:00', 'IBM', 10.0D), (2, timestamp'2024-01-01 00:59:59', 'IBM', 11.1D),
    (3, timestamp'2024-01-01 02:00:00', 'IBM', 12.5D), (4, timestamp'2024-01-01 00:10:00', 'WSO2', 20.0D),
    (5, timestamp'2024-01-01 02:10:00.000001', 'WSO2', 21.0D)
    as given(arrival, ts, symbol, price)
"""
DEFINITION = """
{% macro trades() %}
{{ return(strandline.aggregation(name='trades', source=ref('trade'), ts='ts', keys=['symbol'],
    select={'total': 'sum(price)', 'trades': 'count(*)'}, every='min...hour')) }}
{% endmacro %}
"""
# By the name of a test: what it is called with, and how it ends.
CASES = {
    "trades_minutes": [
        ("strandline.split_invariant", {}, "pass"),
        ("strandline.reconciles_with", {
            "source": "ref('trade')", "compare": {"sum(agg_count)": "count(*)"}, "by": ["symbol"],
        }, "pass"),
        ("strandline.reconciles_with", {
            "source": "ref('trade')", "compare": {"count(*)": "count(*) + 1"},
        }, "fail"),
        ("strandline.reconciles_with", {
            "source": "ref('trade')", "compare": {"sum(agg_count)": "count(*) * 1.1"}, "tolerance": 0.2,
        }, "pass"),
    ],
    "trades_hours": [
        ("strandline.split_invariant", {}, "pass"),
        ("strandline.split_invariant", {"where": "symbol = 'IBM'", "store_failures": True}, "pass"),
        ("strandline.split_invariant", {"where": "symbol = 'WSO2'"}, "pass"),
        ("strandline.split_invariant", {
            "where": "true", "severity": "warn", "limit": 1, "store_failures": True,
        }, "pass"),
        ("strandline.unique_key", {
            "columns": ["agg_timestamp"], "where": "symbol = 'IBM'", "store_failures": True,
        }, "pass"),
        ("strandline.unique_key", {"columns": ["symbol"], "limit": 1, "severity": "warn"}, "warn"),
    ],
    "broken_hours": [("strandline.split_invariant", {}, "error")],
    "trade": [
        ("strandline.no_gap_longer_than", {
            "ts": "ts", "gap": "2 hours", "keys": ["symbol"], "where": "symbol = 'WSO2'", "store_failures": True,
        }, "fail"),
        ("strandline.reconciles_with", {
            "source": "ref('trade')", "compare": {"count(*)": "count(*)"}, "where": "arrival > 1", "store_failures": True,
        }, "fail"),
        ("strandline.no_gap_longer_than", {"ts": "ts", "gap": "2 hours", "keys": ["symbol"]}, "fail"),
        ("strandline.no_gap_longer_than", {"ts": "ts", "gap": "PT2H1M", "keys": ["symbol"]}, "pass"),
        ("strandline.no_gap_longer_than", {"ts": "ts", "gap": "60 minutes"}, "fail"),
        ("strandline.no_gap_longer_than", {"ts": "ts", "gap": "61 minutes"}, "pass"),
    ],
    "late": [
        ("strandline.no_late_rows_above", {}, "fail"),
        ("strandline.no_late_rows_above", {"where": "arrival > 3"}, "pass"),
        ("strandline.no_late_rows_above", {"at_most": 3}, "pass"),
        ("strandline.no_late_rows_above", {"at_most": 2, "reason": "late_reason"}, "fail"),
    ],
}  # fmt: skip
# dbt's own settings of a test, which apply to the package's tests, too.
CONVENTIONS = ("where", "limit", "severity", "store_failures")
LATE = """
select * from values (1, 'no time'), (2, 'no time'), (3, 'too early') as given(arrival, late_reason)
"""


WRONG = """
sources:
  - name: shop
    tables:
      - name: trade
        data_tests:
          - strandline.no_gap_longer_than: {arguments: {ts: ts, gap: soon}}
"""


def schema_yml() -> str:
    lines = ["models:"]
    for model, cases in CASES.items():
        lines += [f"  - name: {model}", "    data_tests:"]
        for number, (test, arguments, _) in enumerate(cases):
            lines += [f"      - {test}:", f"          name: {model}_{number}"]
            settings = {key: each for key, each in arguments.items() if key in CONVENTIONS}
            given = {key: each for key, each in arguments.items() if key not in CONVENTIONS}
            lines += [f"          arguments: {given}"] if given else []
            lines += [f"          config: {json.dumps(settings)}"] if settings else []
    return "\n".join(lines)


@pytest.fixture(scope="module")
def ends(tmp_path_factory, spark, write_files) -> Iterator[dict[str, tuple[str, str]]]:
    """How each test ended, and its message, by its name."""
    folder = tmp_path_factory.mktemp("tested") / "shop"
    files = {
        "dbt_project.yml": 'name: shop\nversion: "1.0"\nprofile: shop\n',
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
        "profiles/profiles.yml": profile("shop"),
        "macros/trades.sql": DEFINITION,
        "models/trade.sql": TRADES,
        "models/late.sql": LATE,
        "models/broken_hours.sql": "{{ config(materialized='table', file_format='delta') }} select 1 as n",
        **{
            f"models/trades_{duration}.sql": f"{{{{ strandline.aggregation_table(trades(), '{duration}') }}}}"
            for duration in ("minutes", "hours")
        },
        "models/schema.yml": schema_yml(),
    }
    write_files(folder, files)
    dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    try:
        dbt("compile", project_dir=folder)
        [unbuilt] = dbt.invoke(
            "test", "--select", "trades_hours_0", project_dir=folder
        ).result.results
        dbt("run", project_dir=folder)
        found = {
            one.node.name: (str(one.status), str(one.message))
            for one in dbt.invoke("test", project_dir=folder).result.results
        }
        found["trades_hours, not built yet"] = (str(unbuilt.status), str(unbuilt.message))
        # By hand: a sum that is wrong, and an hour that has gone.
        spark.sql(
            "update shop.trades_hours set agg_sum_price = agg_sum_price + 0.5 where symbol = 'IBM'"
        )
        spark.sql(
            "delete from shop.trades_hours where symbol = 'WSO2' and agg_timestamp > '2024-01-01 01:00:00'"
        )
        broken = dbt.invoke("test", "--select", "trades_hours", project_dir=folder).result.results
        for one in broken:
            name = f"{one.node.name}, changed by hand"
            found[name] = (str(one.status), str(one.message))
        (folder / "models/wrong.yml").write_text(WRONG)
        found["no length of time"] = ("error", dbt.fails("parse", project_dir=folder))
        yield found
    finally:
        for schema in ("shop", "shop_dbt_test__audit"):
            if spark.catalog.databaseExists(schema):
                drop_schema(spark, schema)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        (f"{model}_{n}", end)
        for model, cases in CASES.items()
        for n, (_, _, end) in enumerate(cases)
    ],
)
def test_each_ends_as_it_should(ends, name, end):
    assert ends[name][0] == end, ends[name][1]


def test_a_project_that_is_not_built_yet_compiles_and_its_tests_fail(ends):
    status, message = ends["trades_hours, not built yet"]
    assert (status, "`shop`.`trades_hours` cannot be found" in message) == ("error", True)


def test_buckets_that_were_changed_by_hand_are_found(ends):
    message = "Got {}, configured to {} if != 0"
    assert ends["trades_hours_0, changed by hand"] == ("fail", message.format("3 results", "fail"))
    # Where the buckets of IBM are compared, two are wrong; of WSO2 one has gone; and one is enough to warn.
    assert ends["trades_hours_1, changed by hand"] == ("fail", message.format("2 results", "fail"))
    assert ends["trades_hours_2, changed by hand"] == ("fail", message.format("1 result", "fail"))
    assert ends["trades_hours_3, changed by hand"] == ("warn", message.format("1 result", "warn"))


def test_what_is_refused_says_what_to_write(ends):
    message = "no_gap_longer_than: - `gap` is 'soon'; write a length of time such as '2 hours'"
    assert message in " ".join(ends["no length of time"][1].split())
    message = "was not built by Strandline; test a table of aggregation_table"
    assert message in " ".join(ends["broken_hours_0"][1].split())
