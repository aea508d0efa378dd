"""A session that refuses `set` and `reset`: what each write executes then, by the macros alone."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.jinja_macros import MACRO, MACROS, Refused, macros_with

SETS = re.compile(r"\s*(re)?set\s", re.IGNORECASE)
STATE = {"version": None, "condition": "true", "files": "d41d8cd9"}
CHECK = """
cross join (
    select if(__files = 'd41d8cd9', true,
        cast(raise_error('trades: another run has written to this table since this run read it; \
nothing was written; run it again') as boolean)) as __is_unchanged
    from (
select md5(array_join(array_sort(collect_set(__file)), ' ')) as __files
from (select *, _metadata.file_name as __file from shop.trades)
where true
    )
) as __check
where __check.__is_unchanged"""


class Trades:
    identifier, is_delta, is_table = "trades", True, True

    def __str__(self) -> str:
        return "shop.trades"


class Run:
    """The macros in the context of a run of `trades`, and the statements that it executes."""

    def __init__(
        self, adapter: str = "databricks", columns: tuple[str, ...] = ("entry",), **var: Any
    ) -> None:
        self.statements: list[str] = []
        self.refuses = var.get("strandline_session_settings") is False
        self.macros = macros_with(
            var=lambda name, default=None: var.get(name, default),
            adapter=SimpleNamespace(type=lambda: adapter),
            model=SimpleNamespace(name="trades"),
            this=Trades(),
            run_query=self.execute,
            noop_statement=lambda *_, **__: "",
            statement=self.called,
            _types_of=lambda _: dict.fromkeys(columns, "bigint"),
            _query_columns=lambda _: [{"name": name} for name in (*columns, "window_part")],
            _create_table=lambda *_: "create or replace table shop.trades as select 1",
        )

    def execute(self, statement: str) -> SimpleNamespace:
        assert not (self.refuses and SETS.match(statement)), f"refused: {statement}"
        self.statements.append(statement)
        answer = "5" if statement.startswith("set ") else 4
        return SimpleNamespace(rows=[["d41d8cd9" if "__file" in statement else answer, answer]])

    def called(self, _: str, caller: Any) -> str:
        self.execute(caller())
        return ""


def without(**given: Any) -> Run:
    return Run(**given, strandline_session_settings=False)


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, True), (True, True), ("true", True), (False, False), ("False", False), ("false", False)],
)
def test_the_variable_decides(given: Any, expected: bool) -> None:
    var = {} if given == {} else {"strandline_session_settings": given}
    assert Run(**var).macros._takes_settings() is expected


@pytest.mark.parametrize("given", ["no", "", 0, "databricks"])
def test_another_value_is_refused(given: Any) -> None:
    with pytest.raises(Refused) as refused:
        Run(strandline_session_settings=given).macros._takes_settings()
    assert str(refused.value) == (
        f"trades:\n  - the var strandline_session_settings is '{given}'; write false where Spark "
        "refuses `set` and `reset`, or leave it out (docs/profiles.md)"
    )


def test_no_token_is_cleared_that_was_never_set() -> None:
    run = Run()
    run.macros._clear_stale_token()
    assert run.statements == [
        "reset spark.databricks.delta.write.txnVersion",
        "reset spark.databricks.delta.write.txnAppId",
    ]
    run = without()
    run.macros._clear_stale_token()
    assert run.statements == []


def test_partitions_are_replaced_by_the_same_statement() -> None:
    change = {"sql": "select 1 as n", "partitions": ["2013-01-01"], "watermark": "7L",
              "is_replaced": "agg_partition in (date'2013-01-01')",
              "column": None, "late": None, "properties": None}  # fmt: skip
    settings, plain = Run(), without()
    for run in (settings, plain):
        run.macros._write_change(Trades(), change)
    setting = "spark.databricks.delta.replaceWhere.dataColumns.enabled"
    assert settings.statements == [f"set {setting} = false", *plain.statements, f"reset {setting}"]
    assert len(plain.statements) == 1
    assert plain.statements[0].startswith(
        "insert into shop.trades\nreplace where agg_partition in (date'2013-01-01')\n"
    )


def test_the_open_rows_of_a_window_are_replaced_by_a_merge() -> None:
    run = without()
    begun = {"is_new": False}
    run.macros._write_window(begun, {}, "select 7L, 'open'", 1, STATE, "entry", "entry")
    assert run.statements == [
        f"""merge into shop.trades as __kept
using (
select __rows.*
from (
select __new.*, cast(null as string) as __replaced,
    pmod(xxhash64(entry), 32) as __hash
from (
select 7L, 'open'
) as __new(`entry`, `window_part`)
union all
select null, null, 'open', explode(sequence(0L, 31L))
) as __rows{CHECK}
) as __changed
on __kept.window_part = 'open' and __kept.window_part = __changed.__replaced
    and pmod(xxhash64(__kept.entry), 32) = __changed.__hash
when matched then delete
when not matched and __changed.__replaced is null then insert (`entry`, `window_part`)
    values (__changed.`entry`, __changed.`window_part`)"""
    ]


def test_the_rows_of_anomalies_are_checked() -> None:
    macros = without().macros
    assert macros._checked_rows(Trades(), "select 1 as n", STATE) == (
        f"select __rows.*\nfrom (\nselect 1 as n\n) as __rows{CHECK}"
    )
    merge = macros._merge_anomalies(
        Trades(), {"keys": ["id"], "partition": "month"}, "c", STATE, 1, 2
    )
    assert CHECK in merge


def test_with_settings_rows_are_written_as_they_are() -> None:
    assert Run().macros._checked_rows(Trades(), "select 1 as n", {"version": 4}) == "select 1 as n"


def test_the_state_is_the_names_of_the_files_that_hold_the_clock() -> None:
    run = without()
    clock = "window_part = 'open' and row_kind = 'clock'"
    assert run.macros._window_state(Trades()) == {
        "version": None,
        "condition": clock,
        "files": "d41d8cd9",
    }
    assert run.statements == [
        "select md5(array_join(array_sort(collect_set(__file)), ' ')) as __files\n"
        f"from (select *, _metadata.file_name as __file from shop.trades)\nwhere {clock}"
    ]
    assert Run().macros._window_state(Trades()) == {"version": 4}


def test_a_column_that_hides_the_names_of_files_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        without(columns=("entry", "_metadata")).macros._state_of(Trades())
    assert str(refused.value) == (
        "trades:\n  - the table has the column '_metadata', which hides the names of its files; "
        "without session settings a run sees by these names whether another run has written: "
        "rename the column in a staging model, and rebuild the table"
    )


def test_a_full_refresh_is_its_statement_alone() -> None:
    run = without()
    begun = {"existing": Trades(), "is_new": True}
    run.macros._create_once(begun, "create or replace table shop.trades as select 1")
    assert run.statements == ["create or replace table shop.trades as select 1"]


def test_every_macro_that_sets_something_is_one_of_these() -> None:
    """`_write_once` sets if the state is a version, the others if `_takes_settings` says so."""
    found = set()
    for path in MACROS.rglob("*.sql"):
        parts = MACRO.split(path.read_text())
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            if re.search(r"run_query\(\s*['\"]\s*(re)?set\b", body, re.IGNORECASE):
                found.add(name)
    assert found == {"_write_once", "_clear_token", "_write_change", "_write_window"}
