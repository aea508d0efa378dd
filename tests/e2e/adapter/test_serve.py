"""`strandline serve`: a warm server for `--target connect`, from its start to its stop.

In processes of its own: a process of Spark Connect cannot hold an embedded Spark as well.
"""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.conftest import ROOT, made_metastore
from tests.e2e.adapter.conftest import PROJECT, QUICK

from strandline.cli.serve import serve
from strandline.spark import server_start
from strandline.spark.lock import RunLock, holder_of
from strandline.spark.server import running_server

MODELS = {
    "models/starts.sql": "select 1 as id, 'a' as part union all select 2, 'b'",
    "models/staged.sql": """
        {{ config(materialized='table', file_format='delta') }}
        {% if execute %}{% do adapter.stage_query('select 2 as id', 'kept_rows') %}{% endif %}
        select * from kept_rows
    """,
    "models/folded.sql": """
        {{ config(materialized='table', file_format='delta') }}
        {% if execute %}
            {% set rule = {'kind': 'highest', 'keys': ['part'], 'clock': 0, 'every': none, 'depth': 1,
                           'grouped': false} %}
            {% set rows %}
                select id % 2 as part, id as __turn, id as __sequence, id as __at,
                    id as __cycle_arrival, cast(array() as array<int>) as __step,
                    1L as __count, id as __value,
                    cast(null as struct<at: timestamp, arrival: bigint, step: array<int>>) as entered
                from range(4)
            {% endset %}
            {% do adapter.fold_query(rows, 'stays', tojson(rule)) %}
        {% endif %}
        select __sequence, entered.arrival as entered, exit from stays
    """,
    "tests/folded_as_it_should.sql": """
        select * from {{ ref('folded') }}
        except all
        select * from values (0, 0, 2), (1, 1, 3), (2, 2, null), (3, 3, null)
    """,
    "models/merged.py": textwrap.dedent(
        """
        import pandas as pd


        def append(frames):
            for frame in frames:
                yield frame.assign(part=frame.part + "!")


        def model(dbt, session):
            dbt.config(materialized="incremental", incremental_strategy="merge", unique_key="id")
            if dbt.is_incremental:
                return pd.DataFrame({"id": [2, 3], "part": ["new", "new"]})
            return dbt.ref("starts").mapInPandas(append, "id bigint, part string")
        """
    ),
    # The second run has two more readings, of which the last closes a window.
    "models/readings.sql": """
        select arrival, timestamp_millis(arrival - 1) as time, temp
        from values (1L, 40D), (2L, 60D), (3L, 95D), (4L, 45D), (5L, 80D) as t(arrival, temp)
        where arrival <= if({{ var('second') }} = 'new', 5, 3)
    """,
    "models/detections.py": textwrap.dedent(
        """
        from strandline.detection import detect


        def model(dbt, session):
            dbt.config(
                materialized="incremental", incremental_strategy="merge",
                unique_key="detection_id", file_format="delta",
            )
            return detect(
                dbt, session, name="served", source=dbt.ref("readings"), ts="time",
                metrics=["temp > 90", "avg(temp) > 50", "temp > avg(temp)"],
                window_size="2 ms", step="2 ms",
            )
        """
    ),
    "tests/detected_as_it_should.sql": """
        {%- set found = "(select arrival, anomaly_type from " ~ ref('detections') ~ ")" %}
        {%- set expected %} (
            select arrival, anomaly_type
            from values (3L, 0), (3L, 2), (5L, 1), (5L, 2) as t(arrival, anomaly_type)
            where arrival <= if({{ var('second') }} = 'new', 5, 3)
        ) {%- endset %}
        ({{ found }} except all {{ expected }}) union all ({{ expected }} except all {{ found }})
    """,
    "tests/merged_as_it_should.sql": """
        select * from {{ ref('merged') }}
        except all
        select * from values (1L, 'a!'), (2L, {{ var('second') }}), (3L, 'new') as t(id, part)
    """,
}


STATE = {"pid": 0, "port": 15002, "since": "2026-01-01", "token": "abc"}

# What another account can try. What it imports, it imports before it is that account.
OTHER_ACCOUNT = """
import os, sys
from pathlib import Path
from pyspark.errors import PySparkException
from pyspark.sql.connect.session import SparkSession
from strandline.spark import StrandlineSparkError
from strandline.spark.remote import connect
home, url, token = sys.argv[1:]
try:  # loads what is loaded on first use
    connect(url, {}, "guessed")
except StrandlineSparkError:
    pass
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for attempt in (
    lambda: Path(home, "server.json").read_text(),
    lambda: Path(home, "logs", "spark.log").read_text(),
    lambda: SparkSession.builder.remote(url).create().sql("select 1").collect(),
    lambda: connect(url, {}, "guessed").sql("select 1").collect(),
    lambda: connect(url, {}, token).sql("select 1").collect(),
):
    try:
        print(attempt())
    except (PySparkException, StrandlineSparkError, PermissionError) as error:
        print(" ".join(str(error).split())[:200])
"""


@pytest.fixture
def project(tmp_path, write_files):
    return write_files(tmp_path / "served", {"dbt_project.yml": PROJECT, **MODELS})


@pytest.fixture
def run(project, tmp_path):
    """Runs a command in the project, on a home of its own; stops the server at the end."""
    env = {**os.environ, **QUICK, "STRANDLINE_HOME": str(tmp_path / "home")}
    tail = ["--project-dir", str(project), "--profiles-dir", str(ROOT / "profiles")]

    def command(what: str, *args: str, code: int = 0) -> str:
        call = {
            "dbt": [sys.executable, "-c", "from dbt.cli.main import cli; cli()"],
            "serve": [sys.executable, "-c", "from strandline.cli.serve import serve; serve()"],
            "taken": [sys.executable, "-c", TAKEN_MEANWHILE],
        }[what]
        done = subprocess.run(
            [*call, *args, *tail], env=env, cwd=project, capture_output=True, text=True, timeout=240
        )
        said = done.stdout + done.stderr
        assert done.returncode == code, said
        assert "WARN" not in done.stderr, done.stderr
        return said

    yield command
    command("serve", "--stop")


def other_account(home, served) -> list[str]:
    """What each attempt of another account ends with."""
    done = subprocess.run(
        [sys.executable, "-c", OTHER_ACCOUNT, str(home), served.url, served.token],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "HOME": "/nonexistent"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def build(run, second: str, *args: str) -> str:
    return run(
        "dbt", "build", "--target", "connect", "--vars", f"{{second: \"'{second}'\"}}", *args
    )


@pytest.mark.soak
def test_from_start_to_stop(run, tmp_path):
    home = tmp_path / "home"
    assert "No server runs. Start one: strandline serve" in run("serve", "--status", code=1)
    assert "run `strandline serve`" in run("dbt", "run", "--target", "connect", code=2)

    assert "dbt build --target connect" in run("serve", "--port", "15917")
    assert "It runs already: sc://127.0.0.1:15917" in run("serve")
    assert "It runs and answers: sc://127.0.0.1:15917" in run("serve", "--status")

    served = running_server(home)
    attempts = other_account(home, served)
    if os.geteuid() == 0:  # otherwise the other account is the owner of the files
        assert "Permission denied" in attempts[0]
        assert "Permission denied" in attempts[1]
    assert "No authentication token provided" in attempts[2]
    assert "Invalid authentication token" in attempts[3]
    assert attempts[4] == "[Row(1=1)]"
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in home.iterdir()}
    assert {name for name, mode in modes.items() if mode not in ("0o600", "0o700")} == set()

    # SQL and Python models, twice: created, then merged; the data test compares every row.
    build(run, "b!")
    said = build(run, "new", "--debug")

    refused = run("dbt", "run", code=2)
    assert f"the warm Spark server, process {running_server(home).pid}" in refused
    assert "`--target connect`" in refused

    said += run("serve", "--status") + run("dbt", "debug", "--target", "connect")
    said += Path(f"/proc/{served.pid}/cmdline").read_text()
    assert served.token not in said
    # Not in logs, in target/ or in the files of a table, either.
    files = (path for path in tmp_path.rglob("*") if path.is_file())
    token = served.token.encode()
    assert [path.name for path in files if token in path.read_bytes()] == ["server.json"]

    another = RunLock(home / "client.lock")
    another.acquire()
    waiting = run("dbt", "run", "--target", "connect", code=2)
    assert f"in use by another run, process {os.getpid()}" in waiting
    another.free()

    assert "Stopped: sc://127.0.0.1:15917" in run("serve", "--stop")
    assert holder_of(home / "lock") is None
    assert "No server runs." in run("serve", "--stop")


def test_a_state_file_of_a_dead_server_is_ignored(tmp_path):
    state = tmp_path / "server.json"
    state.write_text(json.dumps({**STATE, "pid": os.getpid()}))
    assert running_server(tmp_path) is None
    assert not state.exists()


def test_a_run_that_holds_the_home_is_not_taken_for_a_server(tmp_path):
    lock = RunLock(tmp_path / "lock")
    lock.acquire("run")
    state = tmp_path / "server.json"
    state.write_text(json.dumps({**STATE, "pid": os.getpid()}))
    assert running_server(tmp_path) is None
    lock.free()


def test_a_port_that_is_taken_is_refused(project, tmp_path, monkeypatch):
    import socket

    monkeypatch.setenv("STRANDLINE_HOME", str(tmp_path / "home"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = serving(project, "--port", port)
    assert done.exit_code == 1
    assert f"Port {port} is in use by another program" in done.output


TAKEN_MEANWHILE = """
from concurrent.futures import ThreadPoolExecutor

import grpc
from strandline.spark import server_start

other = grpc.server(ThreadPoolExecutor(1))
taken = other.add_insecure_port("127.0.0.1:0")
other.start()
server_start.chosen_port = lambda port: taken  # it was free when it was chosen

from strandline.cli.serve import serve
serve()
"""


@pytest.mark.soak
@pytest.mark.parametrize("options", [[], ["--port", "15002"]])
def test_a_port_that_is_taken_while_the_server_starts(run, options: list[str]) -> None:
    """Two servers that start at once both find 15002 free."""
    said = run("taken", *options, code=1 if options else 0)
    if options:
        assert "was taken by another program while the Spark server started: give another" in said
    else:
        assert "Warm after" in said
        assert "It runs and answers" in run("serve", "--status")


def test_a_server_that_does_not_start_says_where_to_look(project, tmp_path, monkeypatch):
    monkeypatch.setenv("STRANDLINE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "no-java"))
    done = serving(project)
    assert done.exit_code == 1
    assert "The Spark server ended while it started (exit code" in done.output
    assert str(tmp_path / "home" / "logs" / "spark.log") in done.output
    assert holder_of(tmp_path / "home" / "lock") is None


def test_a_server_that_is_too_slow_is_ended(project, tmp_path, monkeypatch):
    monkeypatch.setenv("STRANDLINE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(server_start, "_START_SECONDS", 0)
    done = serving(project)
    assert done.exit_code == 1
    assert "The Spark server did not answer within 0 s" in done.output
    assert holder_of(tmp_path / "home" / "lock") is None


def test_a_port_with_stop_is_wrong_use(project):
    done = serving(project, "--stop", "--port", "15002")
    assert done.exit_code == 2
    assert "--port means nothing with --stop" in done.output


def test_a_copied_home_is_not_served(project, tmp_path, monkeypatch):
    monkeypatch.setenv("STRANDLINE_HOME", str(tmp_path / "copy"))
    made_metastore(tmp_path / "copy")
    (tmp_path / "copy" / "location").write_text(str(tmp_path))
    done = serving(project)
    assert done.exit_code == 1
    assert f"home {tmp_path / 'copy'} is a copy: its tables were made at {tmp_path}" in done.output
    assert not (tmp_path / "copy" / "logs").exists()
    assert holder_of(tmp_path / "copy" / "lock") is None


def test_a_target_that_is_not_there_is_named(project):
    done = serving(project, "--target", "nowhere")
    assert done.exit_code == 1
    assert "nowhere" in done.output


def serving(project, *args: str):
    tail = ["--project-dir", str(project), "--profiles-dir", str(ROOT / "profiles")]
    return CliRunner().invoke(serve, [*args, *tail])
