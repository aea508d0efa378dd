"""A Spark standalone cluster on this machine: a master and workers of one core, on 127.0.0.1."""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from strandline.spark.home import write_private
from strandline.spark.jvm import spark_env, spark_home
from strandline.spark.remote import any_port, listens

LOOPBACK = "127.0.0.1"
_DEPLOY = "org.apache.spark.deploy"
_START_SECONDS, _END_SECONDS = 60, 20
_PR_SET_PDEATHSIG = 1  # of prctl(2)


@dataclass(frozen=True)
class Cluster:
    """A cluster that is running: URL, workers, the secret of its applications, daemons."""

    master: str
    workers: int
    secret: str
    daemons: tuple[int, ...]

    def processor(self) -> float:
        """The seconds of processor of all executors that run now: their parents are workers.

        Executors that have ended do not count.
        """
        ticks = 0
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has just ended
                fields = status.read_text().rpartition(")")[2].split()
                if int(fields[1]) in self.daemons:
                    ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def settings(self, memory: str) -> dict[str, str]:
        """What a driver sets to use all of it: an executor of one core on each worker."""
        return {
            "spark.authenticate": "true",
            "spark.authenticate.secret": self.secret,
            "spark.cores.max": str(self.workers),
            "spark.driver.bindAddress": LOOPBACK,
            "spark.driver.host": LOOPBACK,
            "spark.executor.cores": "1",
            "spark.executor.memory": memory,
        }


@contextmanager
def cluster(folder: Path, workers: int = 2, worker_memory: str = "3g") -> Iterator[Cluster]:
    """Starts the daemons, each a process, and ends them whatever happens inside.

    Args:
        folder: where logs and the folders of the executors go.
        workers: how many, of one core each.
        worker_memory: what the executors of one worker may take, as Java reads it.

    Raises:
        RuntimeError: a daemon has ended, or the workers were not there in time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    secret = secrets.token_hex(32)
    settings = folder / "daemons.conf"
    # The secret is on no command line.
    write_private(
        settings,
        f"spark.authenticate true\nspark.authenticate.secret {secret}\n"
        "spark.master.rest.enabled false\n",
    )
    port, page = any_port(), any_port()
    url = f"spark://{LOOPBACK}:{port}"
    common = ("--properties-file", str(settings), "--host", LOOPBACK)
    with ExitStack() as ending:
        ports = ("--port", str(port), "--webui-port", str(page))
        master = _daemon(ending, folder, "master", "master.Master", *common, *ports)
        _wait_for_port(port, master)
        own = ("--cores", "1", "--memory", worker_memory, "--webui-port", "0")
        daemons = [master] + [
            _daemon(
                ending, folder, f"worker-{number}", "worker.Worker", *common, *own,
                "--work-dir", str(folder / f"work-{number}"), url,
            )
            for number in range(1, workers + 1)
        ]  # fmt: skip
        _wait_for_workers(folder / "master.log", workers, daemons)
        yield Cluster(url, workers, secret, tuple(daemon.pid for daemon in daemons))


def _daemon(
    ending: ExitStack, folder: Path, name: str, klass: str, *arguments: str
) -> subprocess.Popen[bytes]:
    """One daemon of Spark's own classes; ended with `ending`, and by the kernel with this one."""
    # `spark-class` becomes the JVM (exec), so its process is the daemon's.
    command = [str(spark_home() / "bin" / "spark-class"), f"{_DEPLOY}.{klass}", *arguments]
    environment = spark_env() | {
        "SPARK_LOCAL_IP": LOOPBACK,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC",
    }
    with (folder / f"{name}.log").open("wb") as log:
        daemon = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            env=environment, preexec_fn=_end_with_parent, start_new_session=True,
        )  # fmt: skip
    ending.callback(_end, daemon)
    return daemon


def _end_with_parent() -> None:
    """Also when this process is killed, no daemon stays."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(daemon: subprocess.Popen[bytes]) -> None:
    daemon.terminate()
    try:
        daemon.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()


def _wait_for_port(port: int, daemon: subprocess.Popen[bytes]) -> None:
    for _ in _until_late([daemon]):
        if listens(port):
            return


def _wait_for_workers(log: Path, workers: int, daemons: list[subprocess.Popen[bytes]]) -> None:
    for _ in _until_late(daemons):
        if log.read_text(errors="replace").count("Registering worker") >= workers:
            return


def _until_late(daemons: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if any(daemon.poll() is not None for daemon in daemons):
            break
        yield
        time.sleep(0.2)
    raise RuntimeError("the cluster did not start; its logs are master.log and worker-*.log")
