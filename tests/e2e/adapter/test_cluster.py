"""`--target cluster`: the same project, its executors in another process."""

import os
import subprocess
import sys
import textwrap
import time

import pytest
from tests.conftest import ROOT
from tests.e2e.adapter.conftest import PROJECT, QUICK

from strandline.spark.jvm import spark_env, spark_home
from strandline.spark.remote import any_port

MODELS = {
    "models/starts.sql": "{{ config(materialized='table') }} select 1 as id union all select 2",
    "models/doubled.py": textwrap.dedent(
        """
        import os


        def double(frames):
            for frame in frames:
                yield frame.assign(id=frame.id * 2, pid=os.getppid())


        def model(dbt, session):
            dbt.config(materialized="table")
            return dbt.ref("starts").mapInPandas(double, "id int, pid int")
        """
    ),
    "tests/doubled_in_other_processes.sql": """
        select id from {{ ref('doubled') }} except all select * from values (2), (4)
        union all
        select id from {{ ref('doubled') }} where pid = {{ var('pid') }}
    """,
}


@pytest.fixture
def cluster(tmp_path):
    """A standalone master and one worker on loopback; gives the master's URL."""
    url = f"spark://127.0.0.1:{(port := any_port())}"
    loopback = ["--host", "127.0.0.1", "--webui-port", "0"]
    classes = {
        "master.Master": [*loopback, "--port", str(port)],
        "worker.Worker": [*loopback, "--cores", "1", "--memory", "1g", url],
    }
    log = (tmp_path / "cluster.log").open("w")
    env = spark_env() | QUICK
    env |= {"SPARK_WORKER_DIR": str(tmp_path / "work"), "SPARK_LOCAL_IP": "127.0.0.1"}
    started = []
    for name, args in classes.items():
        command = [str(spark_home() / "bin/spark-class"), f"org.apache.spark.deploy.{name}", *args]
        started.append(subprocess.Popen(command, env=env, stdout=log, stderr=log))
    wait_for(tmp_path / "cluster.log", "Successfully registered with master")
    yield url
    for process in started:
        process.terminate()
        process.wait(30)
    log.close()


def wait_for(log, words: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while words not in log.read_text():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.2)


@pytest.mark.soak
def test_sql_and_python_models_run_on_the_cluster(cluster, tmp_path, write_files):
    project = write_files(tmp_path / "spread", {"dbt_project.yml": PROJECT, **MODELS})
    env = {
        **os.environ,
        **QUICK,
        "SPARK_MASTER": cluster,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "STRANDLINE_HOME": str(tmp_path / "home"),
    }
    command = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", "build"]
    command += ["--target", "cluster"]
    command += ["--profiles-dir", str(ROOT / "profiles"), "--vars", f"{{pid: {os.getpid()}}}"]
    done = subprocess.run(
        command, env=env, cwd=project, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS=3" in done.stdout
    assert list((tmp_path / "work").glob("app-*"))
