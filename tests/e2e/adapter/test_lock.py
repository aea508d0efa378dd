"""One writer for one home: refused with a name, freed by the end of its holder."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from strandline.spark import StrandlineSparkError
from strandline.spark.lock import RunLock, holder_of

HOLD = """
import sys, time
from pathlib import Path
from strandline.spark.lock import RunLock
lock = RunLock(Path(sys.argv[1]))
lock.acquire(sys.argv[2])
print("held", flush=True)
time.sleep(600)
"""

HOLD_WITH_SPARK = """
import sys, time
from dbt.adapters.strandline.credentials import StrandlineCredentials
from strandline.spark import open_session
open_session(StrandlineCredentials(schema="s", home=sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def holder():
    """Starts a process that holds a lock and says so."""
    started = []

    def start(script: str, *args: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *args], stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def test_it_is_reentrant_in_one_process(tmp_path):
    lock = RunLock(tmp_path / "lock")
    lock.acquire()
    lock.acquire()
    assert holder_of(tmp_path / "lock").pid == os.getpid()
    lock.free()
    assert holder_of(tmp_path / "lock") is None


def test_the_second_process_is_refused_and_shown_who_holds_it(tmp_path, holder):
    first = holder(HOLD, str(tmp_path / "lock"), "run")
    with pytest.raises(StrandlineSparkError) as refused:
        RunLock(tmp_path / "lock").acquire()
    message = str(refused.value)
    assert f"is in use by another run, process {first.pid}, since 20" in message
    assert "raise `lock_timeout` (seconds) in profiles.yml" in message


def test_a_server_is_named_as_such_and_not_waited_for(tmp_path, holder):
    first = holder(HOLD, str(tmp_path / "lock"), "server")
    began = time.monotonic()
    with pytest.raises(StrandlineSparkError) as refused:
        RunLock(tmp_path / "lock").acquire(timeout=60)
    assert time.monotonic() - began < 30
    assert f"the warm Spark server, process {first.pid}" in str(refused.value)
    assert "`--target connect`" in str(refused.value)
    assert "`strandline serve --stop`" in str(refused.value)


def test_what_follows_is_named_as_such_and_not_waited_for(tmp_path, holder):
    first = holder(HOLD, str(tmp_path / "lock"), "follow")
    began = time.monotonic()
    with pytest.raises(StrandlineSparkError) as refused:
        RunLock(tmp_path / "lock").acquire(timeout=60)
    assert time.monotonic() - began < 30
    assert f"is in use by `strandline follow`, process {first.pid}, since 20" in str(refused.value)
    assert str(refused.value).endswith(
        ", until it is stopped. Stop it, or let both use one warm server: `strandline serve`, then "
        "`--target connect` for each."
    )


def test_it_waits_as_long_as_lock_timeout_says(tmp_path, holder):
    first = holder(HOLD, str(tmp_path / "lock"), "run")
    with pytest.raises(StrandlineSparkError, match=re.escape("(waited 1 s)")):
        RunLock(tmp_path / "lock").acquire(timeout=1)
    first.kill()
    lock = RunLock(tmp_path / "lock")
    lock.acquire(timeout=10)
    assert holder_of(tmp_path / "lock").pid == os.getpid()
    lock.free()


def test_a_killed_run_frees_it_once_its_jvm_has_ended_too(tmp_path, holder):
    first = holder(HOLD_WITH_SPARK, str(tmp_path))
    with pytest.raises(StrandlineSparkError, match=f"process {first.pid}"):
        RunLock(tmp_path / "lock").acquire()
    os.kill(first.pid, signal.SIGKILL)
    lock = RunLock(tmp_path / "lock")
    lock.acquire(timeout=60)
    lock.free()


def test_a_lock_that_nobody_ever_took(tmp_path):
    assert holder_of(tmp_path / "lock") is None
