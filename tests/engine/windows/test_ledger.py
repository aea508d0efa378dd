"""The ledger of a window: each received event is applied, late or unusable, or the run fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.conftest import ROOT, Dbt, drop_schema, profile

REQUESTS = "source('web', 'requests')"
MODELS = {
    "models/_sources.yml": "sources: [{name: web, schema: feeds, tables: [{name: requests}]}]",
    "models/recent.sql": f"{{{{ strandline.window_table({REQUESTS}, store='last 10 seconds', ts='ts', "
    "where='price > 0') }}",
    "models/recent_ledger.sql": f"{{{{ strandline.window_ledger({REQUESTS}, window=ref('recent')) }}}}",
    "models/counted.sql": f"{{{{ strandline.window_table({REQUESTS}, store='last 10 seconds', ts='ts', "
    "keys=['address'], aggregates={'requests': 'count(*)'}) }}",
    "models/counted_ledger.sql": f"{{{{ strandline.window_ledger({REQUESTS}, window=ref('counted')) }}}}",
    "models/chained.sql": "{{ strandline.window_table(ref('recent'), store='last 2', "
    "where='$row_status is new') }}",
    "models/chained_ledger.sql": f"{{{{ strandline.window_ledger({REQUESTS}, window=ref('chained')) }}}}",
}
FIGURES = (
    "run, arrival, received, applied, late, unusable, purged + duplicates + quarantined + corrected"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory, write_files: Callable) -> SimpleNamespace:
    folder: Path = tmp_path_factory.mktemp("ledgers") / "web"
    mine = {
        "dbt_project.yml": "name: web\nversion: '1.0'\nprofile: web\n",
        "profiles/profiles.yml": profile("web"),
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
    }
    write_files(folder, MODELS | mine)
    dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    return SimpleNamespace(folder=folder, dbt=dbt)


@pytest.fixture
def web(spark, project: SimpleNamespace) -> Iterator[SimpleNamespace]:
    spark.sql("create schema feeds")
    spark.sql(
        "create table feeds.requests (arrival bigint, ts timestamp, address string, price int) using delta"
    )

    def feed(*rows: str) -> None:
        spark.sql(f"insert into feeds.requests values {', '.join(f'({row})' for row in rows)}")

    def run(*arguments: str) -> dict[str, str]:
        ran = project.dbt(
            "run", *arguments, "--exclude", "chained_ledger", project_dir=project.folder
        )
        return {each.node.name: each.message for each in ran}

    def figures(ledger: str) -> list[tuple]:
        rows = spark.sql(f"select {FIGURES} from web.{ledger} order by run").collect()
        return [tuple(row) for row in rows]

    yield SimpleNamespace(
        feed=feed, run=run, figures=figures,
        fails=lambda *a: project.dbt.fails("run", *a, project_dir=project.folder),
    )  # fmt: skip
    for schema in ("feeds", "web"):
        drop_schema(spark, schema)


def at(second: int) -> str:
    return f"timestamp'2024-01-01 00:00:{second:02}Z'"


@pytest.mark.soak  # `make test` is at its limit of time
def test_each_event_is_in_one_column(web: SimpleNamespace) -> None:
    web.feed(f"1, {at(1)}, 'a', 5", "2, null, 'a', 5", f"3, {at(9)}, 'b', 0")  # filtered by `where`
    assert web.run()["recent_ledger"] == "3 received, 2 applied, 1 unusable"
    web.feed(f"4, {at(20)}, 'a', 5", f"5, {at(10)}, 'a', 5", f"6, {at(15)}, 'b', 5")
    messages = web.run()
    assert messages["recent_ledger"] == messages["counted_ledger"] == (
        "3 received, 2 applied, 1 late"
    )  # fmt: skip
    expected = [(1, 3, 3, 2, 0, 1, 0), (2, 6, 6, 4, 1, 1, 0)]
    assert web.figures("recent_ledger") == web.figures("counted_ledger") == expected
    assert web.run()["counted_ledger"].startswith("unchanged: ")

    # A window that has not run is read no further than it has come.
    web.feed(f"8, {at(25)}, 'b', 5")
    assert web.run("--select", "recent_ledger")["recent_ledger"] == "nothing new"
    web.run("--select", "recent")

    # An event whose number a window has passed is in none of its runs.
    web.feed(f"7, {at(26)}, 'b', 5")
    assert (
        "ledger of 'recent' does not balance:\n"
        "    - 1 of 2 new events of requests are neither counted nor late\n"
        "    - rebuild the tables: `dbt build --full-refresh --select recent+`; if events were removed "
        "from the source on purpose, only this ledger: `dbt run --full-refresh --select recent_ledger`"
        in web.fails("--select", "recent_ledger")
    )
    web.run("--select", "counted")  # it has passed none, and counts both
    assert web.run("--select", "counted_ledger")["counted_ledger"] == "2 received, 2 applied"


@pytest.mark.soak
def test_a_ledger_of_a_chained_window_is_refused(web: SimpleNamespace) -> None:
    web.feed(f"1, {at(1)}, 'a', 5")
    assert (
        "window_ledger of chained_ledger:\n"
        "  - `window` is chained, which reads another window; pass the window that reads the events"
        in web.fails().replace("    ", "  ")
    )
