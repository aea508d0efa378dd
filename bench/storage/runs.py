"""Small runs of a few models, one after the other, and the purge at their end."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import processor
from bench.scale_out import feed
from bench.scale_out.project import SOURCE, Place, Project
from bench.storage.disk import stored
from bench.storage.history import AROUND, History, Small

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODELS = ("trades_seconds", "trades_minutes", "last_100", "detections")
SECONDS = 60  # of event time in one run
OLD, YOUNG = "old", "young"


class Tables:
    """Some models over a source of their own, in a schema of their own, which runs append to."""

    def __init__(
        self, folder: Path, name: str, models: tuple[str, ...], first: int, new: int, memory: str
    ) -> None:
        self.name, self._models, self._first, self._new = name, models, first, new
        self._days = first / new * SECONDS / 86_400
        settings = {"spark.driver.memory": memory}
        place = Place(name, "local[2]", settings)
        self.project = Project(folder, folder / "home", name, place)
        self.project.deps()
        self.spark: SparkSession = self.project.session()
        self._source = f"{name}.{SOURCE}"

    def build(self) -> None:
        """The source with its first events, and the models over them."""
        feed.make(self.spark, self._source, self._first, self._days)
        # By this folder the purge knows the table as one that was landed, and joins its files.
        landing = self.project.folder.parent / "home" / "landing" / self._source
        landing.mkdir(parents=True, exist_ok=True)
        self.project.run(self._models, full_refresh=True)

    def run(self) -> Small:
        """One run with new events, of which one minute is filled."""
        at = self.spark.sql(f"select max(arrival) from {self._source}").first()[0]
        feed.append(self.spark, self._source, self._first, self._days, at, self._new)
        used, began = processor(self.spark), time.monotonic()
        took = self.project.run(self._models)
        wall = time.monotonic() - began
        return Small(wall, sum(it.seconds for it in took), processor(self.spark) - used)


def measure(
    tables: Tables, history: History, file: Path, runs: int, at: tuple[int, ...],
    tell: Callable[[str], None],
) -> None:  # fmt: skip
    """The runs that are missing; the tables on disk after those of `at`."""
    warehouse = tables.project.folder.parent / "home" / "warehouse"
    for count in range(len(history.runs) + 1, runs + 1):
        history.runs.append(tables.run())
        if count in at:
            history.disk[str(count)] = stored(tables.spark, warehouse, tables.name)
        if count % 10 == 0 or count in at:
            history.write(file)
            tell(f"run {count:,} of {runs:,}: {history.around(count):.2f} s")


def in_turn(old: Tables, young: Tables, history: History, tell: Callable[[str], None]) -> None:
    """Ten runs of tables with all the runs and of tables with ten, in turn."""
    young.build()
    for _ in range(AROUND):
        young.run()
    history.old, history.young = [], []
    for count in range(1, AROUND + 1):
        history.old.append(old.run())
        history.young.append(young.run())
        tell(f"in turn, {count} of {AROUND}: {history.old[-1].work:.2f} s, "
             f"{history.young[-1].work:.2f} s of young tables")  # fmt: skip


def purge(tables: Tables, history: History, tell: Callable[[str], None]) -> None:
    """`strandline purge --compact --vacuum`, and ten runs after it.

    Files are kept for no time at all here: Delta's own seven days are longer than the benchmark.
    """
    from click.testing import CliRunner

    from strandline.cli.main import cli

    folder = tables.project.folder
    warehouse = folder.parent / "home" / "warehouse"
    for table in stored(tables.spark, warehouse, tables.name):
        tables.spark.sql(
            f"alter table {tables.name}.{table.table} set tblproperties"
            " ('delta.deletedFileRetentionDuration' = 'interval 0 seconds')"
        )
    places = ("--project-dir", str(folder), "--profiles-dir", str(folder / "profiles"))
    began = time.monotonic()
    done = CliRunner(env={"COLUMNS": "120"}).invoke(
        cli, ["purge", "--compact", "--vacuum", *places]
    )
    seconds = time.monotonic() - began
    if done.exit_code:
        raise RuntimeError(f"the purge failed: {done.output}")
    history.purge = {"seconds": seconds, "shown": done.output}
    history.disk["purged"] = stored(tables.spark, warehouse, tables.name)
    history.purged = []
    for count in range(1, AROUND + 1):
        history.purged.append(tables.run())
        tell(f"after the purge, {count} of {AROUND}: {history.purged[-1].work:.2f} s")
