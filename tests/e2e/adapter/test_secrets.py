"""Secrets of a profile and of receivers: nothing that a run leaves or says has them, nor --debug."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.conftest import ROOT
from tests.e2e.adapter.conftest import PROJECT, QUICK
from tests.engine.notify.receiver import HttpReceiver

pytestmark = pytest.mark.soak  # `make check` is at its limit of time

# Each secret by where it is given; all contain this text, by which any part of one is found.
NEEDLE = "S3cret8255"
STORE, TOKEN, HOOK = (f"{NEEDLE}-{what}" for what in ("store", "token", "hook"))
PROFILE = """
kept:
  target: local
  outputs:
    local: &local
      {type: strandline, method: session, schema: kept, threads: 1,
       home: "{{ env_var('STRANDLINE_HOME') }}",
       server_side_parameters: {
         spark.hadoop.fs.s3a.secret.key: "{{ env_var('DBT_ENV_SECRET_STORE') }}",
         spark.sql.kept.password: "{{ env_var('DBT_ENV_SECRET_STORE') }}"}}
    far:
      {type: strandline, method: connect, schema: kept, threads: 1,
       home: "{{ env_var('STRANDLINE_HOME') }}",
       remote: "sc://127.0.0.1:1/;token={{ env_var('DBT_ENV_SECRET_TOKEN') }}"}
"""
MODELS = {
    "models/a.sql": "{{ config(materialized='table') }} select 1 as id, 'x' as k",
    "models/b.py": textwrap.dedent(
        """
        def model(dbt, session):
            return dbt.ref("a")
        """
    ),
    "models/events.sql": "{{ config(materialized='table') }} select 1L as arrival, 'x' as k,"
    " timestamp'2014-01-01 10:00:00' as ts",
    "models/sums_hours.sql": """
        {{ strandline.aggregation_table(strandline.aggregation(name='sums', source=ref('events'), keys=['k'],
            ts='ts', select={'events': 'count(*)'}, every='hour'), 'hours') }}
    """,
    "models/broken.sql": "select no_such_column from {{ ref('a') }}",
    "models/notifications.sql": """
        select 'k1' as notification_key, 'new' as kind, k, timestamp'2014-01-01' as notified_at,
            timestamp'2014-01-01' as starts_at, timestamp'2014-01-02' as ends_at
        from {{ ref('a') }}
    """,
}
# One process: the commands share its Spark. Each is called as a terminal would call it.
COMMANDS = """
import json, sys
from click.testing import CliRunner
from dbt.cli.main import dbtRunner
from strandline.cli.main import cli
for what, *arguments in json.loads(sys.argv[1]):
    if what == "dbt":
        done = dbtRunner().invoke(arguments)
        print("DONE", arguments[1], done.success, repr(done.exception))
    else:
        done = CliRunner().invoke(cli, ["--debug", what, *arguments])
        print(done.output)
        print("DONE", what, done.exit_code, repr(done.exception))
"""


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpReceiver]:
    monkeypatch.setenv("NO_PROXY", "*")
    receiver = HttpReceiver()
    receiver.meets("500", "accept")
    yield receiver
    receiver.stop()


def url_of(receiver: HttpReceiver) -> str:
    hidden = f"+X-Api={HOOK}-header&-token={HOOK}-param"
    return f"json://anna:{HOOK}-password@127.0.0.1:{receiver.port}/{HOOK}?{hidden}&rto=1"


@pytest.fixture
def ran(tmp_path: Path, write_files: Callable, receiver: HttpReceiver) -> SimpleNamespace:
    """What the commands said, and where they left their files."""
    folder = write_files(
        tmp_path / "kept",
        {
            "dbt_project.yml": PROJECT.replace("strandline_demo", "kept"), "profiles.yml": PROFILE,
            "packages.yml": f"packages: [{{local: {ROOT}}}]", **MODELS,
        },
    )  # fmt: skip
    where = ["--project-dir", str(folder), "--profiles-dir", str(folder)]
    commands = [
        ["dbt", "--debug", "deps", *where],
        ["dbt", "--debug", "debug", *where],
        ["dbt", "--debug", "run", *where],
        ["dbt", "--debug", "docs", "generate", *where],
        ["dbt", "--debug", "run", "--target", "far", *where],
        ["notify", *where],
        ["notify", *where],
        ["status", *where],
        ["report", *where],
        ["notify", "--target", "far", *where],
    ]
    env = {
        **os.environ, **QUICK, "STRANDLINE_HOME": str(tmp_path / "home"), "NO_PROXY": "*",
        "DBT_ENV_SECRET_STORE": STORE, "DBT_ENV_SECRET_TOKEN": TOKEN,
        "STRANDLINE_NOTIFY_URL_OPS": url_of(receiver),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(commands)],
        env=env, cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    results = [line.split(" ", 3)[1:3] for line in said.splitlines() if line.startswith("DONE ")]
    return SimpleNamespace(said=said, results=results, folder=tmp_path)


def test_no_secret_is_left_or_said(ran: SimpleNamespace, receiver: HttpReceiver) -> None:
    assert ran.results == [
        ["deps", "True"], ["debug", "True"], ["run", "False"], ["docs", "True"], ["run", "False"],
        ["notify", "1"], ["notify", "0"], ["status", "0"], ["report", "0"], ["notify", "1"],
    ]  # fmt: skip
    assert [each.path.partition("?")[0] for each in receiver.deliveries] == [f"/{HOOK}"] * 2
    assert NEEDLE not in ran.said
    written = [path for path in ran.folder.rglob("*") if path.is_file()]
    names = {path.name for path in written}
    # What may contain a secret is there: logs of dbt, ours and Spark's, target/, the report, tables.
    assert {"dbt.log", "notify.log", "spark.log", "manifest.json", "run_results.json"} <= names
    assert "strandline_report.html" in names
    assert any(path.suffix == ".parquet" for path in written)
    assert [path for path in written if NEEDLE.encode() in path.read_bytes()] == []
