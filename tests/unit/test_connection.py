"""dbt's adapter with the interface of a session: what it runs, and what it makes of the rows."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from dbt_common.clients.agate_helper import table_from_data_flat
from tests.pages import PROJECT

from strandline.connection import AdapterConnection, Row, types_of
from strandline.spark import StrandlineSparkError, check_profile, connection_for


class Adapter:
    """Answers each statement with the rows that are given for it; knows what was run."""

    def __init__(self, **answers: list[dict[str, Any]]) -> None:
        self.answers, self.ran = answers, []

    def execute(self, sql: str, **_: Any) -> Any:
        self.ran.append(sql)
        rows = self.answers.get(sql.split(maxsplit=2)[1].rstrip("s"), [])
        return "OK", table_from_data_flat(rows, list(rows[0]) if rows else [])


def test_a_query_runs_when_it_is_read_and_once() -> None:
    adapter = Adapter(a=[{"a": 1}])
    frame = AdapterConnection(adapter).sql("select a")
    assert adapter.ran == []
    assert [frame.collect(), frame.collect()] == [[(1,)], [(1,)]]
    assert adapter.ran == ["select a"]


@pytest.mark.parametrize("statement", ["insert into t values (1)", "create table t (x int)"])
def test_another_statement_runs_at_once_and_once(statement: str) -> None:
    adapter = Adapter()
    frame = AdapterConnection(adapter).sql(statement)
    assert adapter.ran == [statement]
    assert (frame.collect(), adapter.ran) == ([], [statement])


def test_rows_have_their_values_by_place_and_by_name() -> None:
    values = {"n": 2**53 + 1, "half": Decimal("0.5"), "none": None, "is_it": True, "text": "null"}
    adapter = Adapter(any=[values, {**values, "half": 2.0}])
    row, other = AdapterConnection(adapter).sql("select any").collect()
    assert isinstance(row, Row)
    assert tuple(row) == (9007199254740993, 0.5, None, True, "null")
    assert (type(row["half"]), row["TEXT"], row[0]) == (float, "null", 9007199254740993)
    assert other.asDict() == {**values, "half": 2.0}


def test_a_text_that_looks_like_another_value_stays_a_text() -> None:
    texts = {"a": "007", "b": "2026-01-01", "c": "true", "d": ""}
    [row] = AdapterConnection(Adapter(any=[texts])).sql("select any").collect()
    assert row.asDict() == texts


def test_an_instant_stays_what_the_adapter_gives() -> None:
    at = datetime(2026, 1, 1)
    [row] = AdapterConnection(Adapter(any=[{"at": at}])).sql("select any").collect()
    assert row["at"] == at


def test_columns_are_described_and_not_read() -> None:
    adapter = Adapter(query=[{"col_name": "a", "data_type": "array<string>", "comment": None}])
    connection = AdapterConnection(adapter)
    assert connection.table("`s`.t").columns == ["a"]
    assert types_of(connection, "\n select 1") == {"a": "array<string>"}
    assert adapter.ran == ["describe query select * from `s`.t", "describe query select 1"]


@pytest.mark.parametrize(
    ("name", "is_there"),
    [
        ("`Raw`.`Events`", True),
        ("raw.events", True),
        ("raw.event", False),
        ("other.events", False),
        ("events", False),
    ],
)
def test_tables_are_found_by_their_names_alone(name: str, is_there: bool) -> None:
    adapter = Adapter(schema=[{"namespace": "raw"}], table=[{"namespace": "raw", "tableName": "events", "isTemporary": False}])  # fmt: skip
    assert AdapterConnection(adapter).catalog.tableExists(name) is is_there


def test_a_name_that_would_be_a_pattern_is_looked_for_among_all() -> None:
    adapter = Adapter(schema=[{"namespace": "raw|x"}], table=[{"namespace": "raw|x", "tableName": "a`b.c*"}])  # fmt: skip
    assert AdapterConnection(adapter).catalog.tableExists("`raw|x`.`a``b.c*`")
    assert adapter.ran == ["show schemas", "show tables in `raw|x`"]
    adapter.ran.clear()
    assert not AdapterConnection(adapter).catalog.tableExists("raw_x.a")
    assert adapter.ran == ["show schemas like 'raw_x'"]


def project(folder: Path, output: str) -> Path:
    (folder / "dbt_project.yml").write_text(PROJECT)
    (folder / "profiles.yml").write_text(f"plant: {{target: own, outputs: {{own: {output}}}}}")
    return folder


def test_the_adapter_of_the_profile_is_opened_without_a_run_of_dbt(tmp_path: Path) -> None:
    from dbt.adapters.spark.impl import SparkAdapter

    folder = project(tmp_path, "{type: spark, method: session, host: here, schema: plant}")
    with connection_for(folder, None, folder) as connection:
        assert isinstance(connection, AdapterConnection)
        assert type(connection._adapter._adapter) is SparkAdapter


@pytest.mark.parametrize("kind", ["spark", "databricks", "glue", "fabricspark"])
def test_tables_are_read_by_these_adapters_and_sessions_are_not(kind: str, tmp_path: Path) -> None:
    folder = project(tmp_path, f"{{type: {kind}, schema: plant}}")
    check_profile(folder, None, folder, needs="tables")
    check_profile(folder, None, folder, needs="dbt")
    with pytest.raises(StrandlineSparkError) as refused:
        check_profile(folder, None, folder, needs="session")
    assert f"Target `own` is of type {kind}; this command needs one of" in str(refused.value)


def test_tables_of_what_is_no_spark_are_refused(tmp_path: Path) -> None:
    folder = project(tmp_path, "{type: duckdb, schema: plant}")
    with pytest.raises(StrandlineSparkError) as refused:
        check_profile(folder, None, folder, needs="tables")
    assert str(refused.value) == (
        "Target `own` is of type duckdb; this command reads tables of Spark: name a target of type"
        " strandline, spark, databricks, glue or fabricspark with --target."
    )


def test_a_session_of_dbt_spark_without_delta_is_refused(tmp_path: Path) -> None:
    folder = project(tmp_path, "{type: spark, method: session, schema: plant}")
    with pytest.raises(StrandlineSparkError, match="Target `own` is of type spark"):
        check_profile(folder, None, folder, needs="tables")
