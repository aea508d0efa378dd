"""The demo's SQL models through a Thrift server, by plain `type: spark`, in two builds.

Each table must have the rows that a session of ours makes in two builds of the same source. It is
three days of two carriers, before and in the blizzard of February 2013; some events of its first
day arrive with the next one. The server is Spark's own, on loopback, in the JVM of the tests.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scripts.thrift_server import REFUSALS, written_profile
from tests.conftest import ROOT, Dbt, drop_schema
from tests.tables import assert_same_rows
from tests.unit.test_thrift_page import rows as page_rows

from strandline.spark.remote import any_port
from strandline_demo.flights import events, weather
from strandline_demo.flights.files import ARROW_TYPES, Files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BY_THRIFT, BY_SESSION = "by_thrift", "by_session"
SESSION = f"""
    session: {{type: strandline, method: session, schema: {BY_SESSION}, threads: 2,
              home: "{{{{ env_var('STRANDLINE_HOME') }}}}"}}
"""
WEEK_BEFORE, BLIZZARD, DAY_AFTER = date(2013, 2, 1), date(2013, 2, 8), date(2013, 2, 9)
CARRIERS = ("MQ", "US")
# Both runs are at midnight in New York.
RUNS = ("2013-02-09 05:00:00", "2013-02-10 05:00:00")

# The fewest models of the demo with what is SQL in an aggregation, a window, states and a detector.
MODELS = ["+flight_aggregation_hours", "flight_aggregation_late", "+weather_aggregation_days",
          "weather_states", "+destination_delays", "+stranded_flights"]  # fmt: skip
TABLES = ["flight_aggregation_seconds", "flight_aggregation_minutes", "flight_aggregation_hours",
          "flight_aggregation_late", "weather_aggregation_days", "weather_states",
          "destination_delays"]  # fmt: skip
VIEWS = ["stranded_flights"]
# Python models are built by a session: here they are a table of a few rows, the same for both.
SELECT = ("--select", *MODELS, "--exclude", "flight_detections",
          "resource_type:test", "resource_type:unit_test")  # fmt: skip
DETECTIONS = """
    create table {}.flight_detections using delta as
    select string(id) as detection_id, 'late_carrier' as detector, 'MQ' as carrier, 'LGA' as origin,
        timestamp'2013-02-08 15:00:00' + make_dt_interval(0, int(id)) as starts_at,
        timestamp'2013-02-08 21:00:00' + make_dt_interval(0, int(id)) as ends_at,
        double(200 + id) as current_value, double(180) as baseline_value,
        cast(null as double) as severity, 'hours of delay' as description, id as arrival
    from range(2)"""


@dataclass(frozen=True)
class Built:
    """dbt with the targets `spark`, `strandline` and `session`; each model's result of each build."""

    dbt: Dbt
    thrift: list[dict[str, Any]]
    session: list[dict[str, Any]]


def landings(files: Files, folder: Path) -> Iterator[Path]:
    """Two files of rows as `strandline land` would have written them, by their arrival."""
    first, blizzard, after = (
        files.rows(day, day + timedelta(days=1)) for day in (WEEK_BEFORE, BLIZZARD, DAY_AFTER)
    )
    is_late = blizzard[files.at].dt.hour == 20
    landed = [[first, blizzard[~is_late]], [blizzard[is_late], after]]
    kinds = {name: ARROW_TYPES[kind.split()[0]] for name, kind in files.columns.items()}
    schema = pa.schema({**kinds, "arrival": pa.int64(), "landed_from": pa.string()})
    arrived = 0
    for number, parts in enumerate(landed):
        rows = pd.concat(parts, ignore_index=True)
        if "carrier" in rows:
            rows = rows[rows.carrier.isin(CARRIERS)]
        arrival = range(arrived + 1, arrived + len(rows) + 1)
        arrived += len(rows)
        path = folder / f"{files.name}_{number}.parquet"
        rows = rows.assign(arrival=arrival, landed_from="a file")
        pq.write_table(pa.Table.from_pandas(rows, schema, preserve_index=False), path)
        yield path


@pytest.fixture(scope="module")
def port(spark: SparkSession) -> Iterator[int]:
    port = any_port()
    session = spark.newSession()
    for name, value in {"port": port, "bind.host": "127.0.0.1"}.items():
        session.conf.set(f"hive.server2.thrift.{name}", str(value))
    # Else the server has the settings of the metastore's client, if this thread has made that.
    spark._jvm.org.apache.hadoop.hive.ql.session.SessionState.detachSession()
    starter = spark._jvm.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2
    server = starter.startWithContext(session._jsparkSession.sqlContext())
    yield port
    server.stop()


@pytest.fixture(scope="module", autouse=True)
def quick_polls() -> Iterator[None]:
    """dbt-spark looks once a second at most whether a statement has ended; most take less."""
    quick = SimpleNamespace(**{**vars(time), "sleep": lambda _: time.sleep(0.05)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dbt.adapters.spark.connections.time", quick)
        yield


@pytest.fixture(scope="module")
def built(
    port: int, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Built]:
    folder = tmp_path_factory.mktemp("thrift")
    dbt = Dbt(folder / "work", written_profile(folder / "profiles", port, BY_THRIFT, SESSION))
    for schema in ("landing", BY_THRIFT, BY_SESSION):
        spark.sql(f"create schema {schema}")
    for schema in (BY_THRIFT, BY_SESSION):
        spark.sql(DETECTIONS.format(schema))
    sources = {"flight_events": events.FILES, "weather": weather.FILES}
    files = {name: landings(each, folder) for name, each in sources.items()}
    answers: dict[str, list[dict[str, Any]]] = {"spark": [], "session": []}
    for number, run_at in enumerate(RUNS):
        for name, paths in files.items():
            into = "insert into {}" if number else "create table {} using delta as"
            spark.sql(f"{into.format(f'landing.{name}')} select * from parquet.`{next(paths)}`")
        for target in ("spark", "session"):
            done = dbt("build", "--target", target, *SELECT, settings={"strandline_as_of": run_at})
            answers[target].append({each.node.name: each for each in done.results})
    yield Built(dbt, *answers.values())
    for schema in ("landing", BY_THRIFT, BY_SESSION):
        drop_schema(spark, schema)


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("table", [*TABLES, *VIEWS])
def test_a_table_has_the_rows_of_a_session(table: str, spark: SparkSession) -> None:
    found, expected = (spark.table(f"{schema}.{table}") for schema in (BY_THRIFT, BY_SESSION))
    assert table == "flight_aggregation_late" or not expected.isEmpty()
    assert_same_rows(found, expected, table)


def test_the_second_build_adds_to_the_first(built: Built, spark: SparkSession) -> None:
    """No table is created again, and no step of a run is left beside it."""
    there = {row.tableName for row in spark.sql(f"show tables in {BY_THRIFT}").collect()}
    views = {row.viewName for row in spark.sql(f"show views in {BY_THRIFT}").collect()}
    assert there - views == {*TABLES, "flight_detections"}
    for table in TABLES:
        history = spark.sql(f"describe history {BY_THRIFT}.{table}").collect()
        creations = [row.operation for row in history if row.operation.startswith("CREATE")]
        assert (len(creations), len(history) > 1) == (1, True), table
    answers = [
        {name: str(each.message) for name, each in results[1].items() if name in TABLES}
        for results in (built.thrift, built.session)
    ]
    assert answers[0] == answers[1]
    assert answers[0]["flight_aggregation_seconds"] == "rewrote 1 partition, from 2013-01-01"


def test_data_tests_pass(built: Built) -> None:
    chosen = ("flight_aggregation_minutes", "weather_states")
    done = built.dbt("test", "--target", "spark", "--select", *chosen)
    names = sorted(each.node.name for each in done.results)
    assert [re.split("_(?:flight|weather)", name)[0] for name in names] == [
        "strandline_split_invariant", "strandline_unique_key", "strandline_unique_key",
    ]  # fmt: skip


def test_what_needs_a_session_is_refused(built: Built, spark: SparkSession) -> None:
    before = spark.table(f"{BY_THRIFT}.flight_detections").collect()
    said = refused(built.dbt, "strandline")
    assert said["flight_detections"] == (
        "Runtime Error in model flight_detections (models/nyc/detection/flight_detections.py)\n  "
        + REFUSALS["flight_detections"]
    )
    assert REFUSALS["late_destinations"] in said["late_destinations"]
    plain = refused(built.dbt, "spark")
    assert plain["late_destinations"] == said["late_destinations"]
    assert (
        "Databricks cluster_id is required for all_purpose_cluster submission method"
        in plain["flight_detections"]
    )
    assert spark.table(f"{BY_THRIFT}.flight_detections").collect() == before


def refused(dbt: Dbt, target: str) -> dict[str, str]:
    """The message of each model that needs a session, none of which may be built."""
    run = ("run", "--full-refresh", "--select", *REFUSALS, "--target", target)
    results = dbt.invoke(*run).result.results
    assert {str(each.status) for each in results} == {"error"}
    return {each.node.name: str(each.message) for each in results}


def test_the_page_names_what_was_built(built: Built) -> None:
    """The rows of docs/profiles.md which say that `make check` runs them."""
    run = {
        name
        for what, works, *_, where in page_rows()
        if works == "yes" and where == "`make check`"
        for name in re.findall(r"`(\w+)`", what)
    }
    called = {
        name
        for each in built.thrift[0].values()
        for name in re.findall(r"strandline\.(\w+)\(", each.node.raw_code)
    }
    # It is in an aggregation, which a macro of the demo defines.
    assert run - called == {"time_weight"}


@pytest.mark.soak
def test_the_whole_demo_through_a_server_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.thrift_build"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert re.fullmatch(r"\d+ passed, \d+ skipped", done.stdout.splitlines()[-1])
