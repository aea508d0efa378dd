"""A plant that is disturbed, and its twin that is not: both get the same files."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tests.e2e.crash.content import refound, without_runs
from tests.e2e.crash.plant import Plant
from tests.e2e.crash.project import STORED, WHOLE, Part
from tests.e2e.crash.readings import batch
from tests.engine.notify.receiver import HttpReceiver
from tests.tables import assert_same_rows

from strandline.spark.server import running_server

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LANDED = ("readings", "readings_quarantine")


class Plants:
    """A plant that is killed, and its twin."""

    def __init__(self, folder: Path, spark: SparkSession, part: Part = WHOLE) -> None:
        self.spark, self.random = spark, Random(1)  # noqa: S311
        self.home = folder / "home"
        self.receivers = {name: HttpReceiver() for name in ("plant", "twin")}
        self.plant, self.twin = (
            Plant(folder / name, self.home, name, f"json://127.0.0.1:{receiver.port}/?rto=5", part)
            for name, receiver in self.receivers.items()
        )
        for each in (self.plant, self.twin):
            each.make()
        self.batches = 0
        self.serve()

    def __enter__(self) -> Plants:
        return self

    def __exit__(self, *_: object) -> None:
        self.plant.command("strandline", "serve", "--stop")
        for receiver in self.receivers.values():
            receiver.stop()

    def serve(self) -> None:
        self.plant.command("strandline", "serve")

    def begin(self) -> None:
        """The first batch, which makes every table."""
        self.bring()
        self.end()

    def bring(self, *, is_late: bool = True) -> None:
        text = batch(self.random, self.batches, is_late=is_late)
        for each in (self.plant, self.twin):
            each.bring(f"{self.batches:03}.csv", text)
        self.batches += 1

    def end(self, *, is_rebuilt: bool = False) -> None:
        """A tick that is not killed, and the comparison with the twin, which is never rebuilt."""
        self.plant.done()
        self.twin.done()
        self.compare(is_rebuilt=is_rebuilt)

    def kill_server(self) -> None:
        server = running_server(self.home)
        assert server is not None
        os.kill(server.pid, signal.SIGKILL)

    def kill_at(self, path: Path) -> bool:
        """Kills a tick and the server once a path exists. False if the tick has ended before."""
        tick = self.plant.tick(output=subprocess.DEVNULL)
        while not path.exists():
            if tick.poll() is not None:
                return False
            time.sleep(0.001)
        self.kill_server()
        os.killpg(tick.pid, signal.SIGKILL)
        tick.wait()
        return True

    def compare(self, *, is_rebuilt: bool = False) -> None:
        tables = [f"{{}}.db/{name}" for name in STORED if self.plant.part.has(name)]
        tables += [f"{{}}_raw.db/{name}" for name in LANDED]
        for table in tables:
            plant, twin = (self.rows(table.format(name)) for name in ("plant", "twin"))
            if is_rebuilt:
                plant, twin = refound(plant), refound(twin)
            assert_same_rows(plant, twin, f"{table.format('*')}, batch {self.batches}")
        for ledger in filter(
            self.plant.part.has, ("readings_ledger", "weights_ledger", "hot_ledger")
        ):
            assert self.totals(f"plant.db/{ledger}") == self.totals(f"twin.db/{ledger}")
        keys = [set(self.receivers[name].keys()) for name in ("plant", "twin")]
        assert keys[0] == keys[1]
        assert len(keys[1]) == len(self.receivers["twin"].keys()), (
            "a key was sent to the twin twice"
        )

    def rows(self, table: str) -> DataFrame:
        return without_runs(
            self.spark.read.format("delta").load(str(self.home / "warehouse" / table))
        )

    def totals(self, ledger: str) -> dict[str, int]:
        """The last row of a ledger. How many events are purged in it depends on when a run was."""
        [last] = self.rows(ledger).orderBy("run", ascending=False).take(1)
        rejected = {name: last[name] for name in ("duplicates", "late", "unusable", "quarantined")}
        counted = last.applied + last.purged
        assert last.received + last.corrected == counted + sum(rejected.values())
        return {"arrival": last.arrival, "received": last.received, "counted": counted, **rejected}
