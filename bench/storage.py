"""`python -m bench.storage`: what a thousand small runs leave on disk, and what the last costs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from bench.project import workplace
from bench.results import Occasion, Result, Runs, occasion, save
from bench.rounds import median, memory_option, processor, table_of
from bench.scale_out.project import SOURCE, Place, Project, append_events, make_events
from rich.console import Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

console = Console()
MODELS = ("trades_seconds", "trades_minutes", "last_100", "detections")
SECONDS = 60  # of event time in one run
OLD, YOUNG = "old", "young"
AROUND = 10  # runs of which a median is taken: one of them writes the checkpoint of each log
TENTH = "around the 10th run"
BESIDE_YOUNG = "tables of ten runs, in turn"


@click.command(context_settings={"show_default": True})
@click.option("--runs", type=click.IntRange(10), default=1_000, help="Runs, one after the other.")
@click.option("--new", type=click.IntRange(1), default=200, help="New events of a run.")
@click.option("--events", "first", type=click.IntRange(1_000), default=100_000, help="At first.")
@click.option("--warm-up", type=click.IntRange(0), default=15, help="Runs of other tables, first.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--model", "models", type=click.Choice(MODELS), multiple=True, default=MODELS,
    help="What is run.",
)  # fmt: skip
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
    help="Where everything is; kept, and what was killed goes on there.",
)  # fmt: skip
@memory_option("2g")
def main(
    runs: int, new: int, first: int, warm_up: int, models: tuple[str, ...],
    json_file: Path | None, home: Path | None, memory: str,
) -> None:  # fmt: skip
    """Many small runs in one process: seconds, files and logs of the last beside the tenth.

    What is measured is written after every ten runs to `runs.json` in the home.
    """
    on = occasion()
    at = tuple(sorted({10, *(it for it in (100, 500, 1_000) if it <= runs), runs}))
    with workplace(home) as folder:
        folder.mkdir(parents=True, exist_ok=True)
        history = read(folder / "runs.json")
        young = Tables(folder, YOUNG, models, first, new, memory)
        old = Tables(folder, OLD, models, first, new, memory)
        if warm_up and len(history.runs) < runs:
            young.build()
            for _ in range(warm_up):
                young.run()
        if not history.runs:
            old.build()
        console.print(f"{len(history.runs):,} runs are there")
        measure(old, history, folder / "runs.json", runs, at, console.print)
        in_turn(old, young, history, console.print)
        history.write(folder / "runs.json")
        purge(old, history, console.print)
        history.write(folder / "runs.json")
    show(console, history)
    if json_file is not None:
        save_history(json_file, history, on)


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
        make_events(self.spark, self._source, self._first, self._days)
        # By this folder the purge knows the table as one that was landed, and joins its files.
        landing = self.project.folder.parent / "home" / "landing" / self._source
        landing.mkdir(parents=True, exist_ok=True)
        self.project.run(self._models, full_refresh=True)

    def run(self) -> Small:
        """One run with new events, of which one minute is filled."""
        at = self.spark.sql(f"select max(arrival) from {self._source}").first()[0]
        append_events(self.spark, self._source, self._first, self._days, at, self._new)
        used, began = processor(self.spark), time.monotonic()
        took = self.project.run(self._models)
        wall = time.monotonic() - began
        return Small(wall, sum(it.seconds for it in took), processor(self.spark) - used)


def measure(
    tables: Tables, history: History, file: Path, runs: int, at: tuple[int, ...],
    report: Callable[[str], None],
) -> None:  # fmt: skip
    """The runs that are missing; the tables on disk after those of `at`."""
    warehouse = tables.project.folder.parent / "home" / "warehouse"
    for count in range(len(history.runs) + 1, runs + 1):
        history.runs.append(tables.run())
        if count in at:
            history.disk[str(count)] = stored(tables.spark, warehouse, tables.name)
        if count % 10 == 0 or count in at:
            history.write(file)
            report(f"run {count:,} of {runs:,}: {history.around(count):.2f} s")


def in_turn(old: Tables, young: Tables, history: History, report: Callable[[str], None]) -> None:
    """Ten runs of tables with all the runs and of tables with ten, in turn."""
    young.build()
    for _ in range(AROUND):
        young.run()
    history.old, history.young = [], []
    for count in range(1, AROUND + 1):
        history.old.append(old.run())
        history.young.append(young.run())
        report(f"in turn, {count} of {AROUND}: {history.old[-1].work:.2f} s, "
             f"{history.young[-1].work:.2f} s of young tables")  # fmt: skip


def purge(tables: Tables, history: History, report: Callable[[str], None]) -> None:
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
        report(f"after the purge, {count} of {AROUND}: {history.purged[-1].work:.2f} s")


@dataclass(frozen=True)
class Small:
    """One run: seconds on the clock, of its models, and of the driver's processor."""

    wall: float
    work: float
    processor: float


@dataclass
class History:
    """Everything that was measured.

    Attributes:
        runs: each run, in order.
        disk: the tables after so many runs.
        young, old: at the end, in turn: runs of new tables and of those with all the runs.
        purged: the same runs of the old tables after the purge, and the tables then.
    """

    runs: list[Small] = field(default_factory=list)
    disk: dict[str, list[Stored]] = field(default_factory=dict)
    young: list[Small] = field(default_factory=list)
    old: list[Small] = field(default_factory=list)
    purged: list[Small] = field(default_factory=list)
    purge: dict[str, Any] = field(default_factory=dict)

    def around(self, last: int, of: str = "work") -> float:
        """The median of the ten runs that end with this one, counted from 1."""
        runs = self.runs[max(0, last - AROUND) : last]
        return median(getattr(run, of) for run in runs)

    def write(self, path: Path) -> None:
        """All of it, whole or not at all."""
        draft = path.with_name(f".{path.name}")
        draft.write_text(json.dumps(asdict(self), indent=1) + "\n")
        draft.replace(path)


def read(path: Path) -> History:
    """What an earlier process has written; nothing if there was none."""
    if not path.exists():
        return History()
    written = json.loads(path.read_text())
    history = History(purge=written["purge"])
    for name in ("runs", "young", "old", "purged"):
        setattr(history, name, [Small(**run) for run in written[name]])
    history.disk = {
        count: [Stored(**table) for table in tables] for count, tables in written["disk"].items()
    }
    return history


@dataclass(frozen=True)
class Stored:
    """One table on disk; sizes in bytes.

    Attributes:
        live: data files of its newest version.
        files: data files in its folder, those of older versions too.
        log_files: commits, checksums and checkpoints.
        checkpoints: how many of the log's files are checkpoints.
        checkpoint: the size of the newest one.
    """

    table: str
    live: int
    live_bytes: int
    files: int
    bytes: int
    log_files: int
    log_bytes: int
    checkpoints: int
    checkpoint: int


def stored(spark: SparkSession, warehouse: Path, schema: str) -> list[Stored]:
    """Every Delta table of a schema, by name."""
    folders = sorted(path.parent for path in (warehouse / f"{schema}.db").glob("*/_delta_log"))
    return [_stored(spark, schema, folder) for folder in folders]


def _stored(spark: SparkSession, schema: str, folder: Path) -> Stored:
    detail = spark.sql(f"describe detail {schema}.{folder.name}").first()
    data, log, checkpoints = [], [], []
    for path in folder.rglob("*"):
        if not path.is_file() or (path.name.endswith(".crc") and path.name.startswith(".")):
            continue  # a checksum of Hadoop's local file system, of which other stores have none
        status = path.stat()
        if "_delta_log" not in path.relative_to(folder).parts:
            data.append(status.st_size)
            continue
        log.append(status.st_size)
        if ".checkpoint" in path.name:
            checkpoints.append((status.st_mtime, status.st_size))
    return Stored(
        folder.name, detail["numFiles"], detail["sizeInBytes"], len(data), sum(data), len(log),
        sum(log), len(checkpoints), max(checkpoints, default=(0, 0))[1],
    )  # fmt: skip


def total(tables: list[Stored], of: str) -> int:
    return sum(getattr(table, of) for table in tables)


def show(console: Console, history: History) -> None:
    """Seconds and files by the number of runs, in turn with new tables, and after the purge."""
    table = table_of(
        "medians of ten runs, seconds; all tables", "after", "work", "CPU", "live files", "files",
        "MiB", "log files", "log MiB", "checkpoints, KiB",
    )  # fmt: skip
    for count, tables in history.disk.items():
        if count == "purged":
            seconds = [_median(history.purged, it) for it in ("work", "processor")]
        else:
            seconds = [history.around(int(count), it) for it in ("work", "processor")]
        table.add_row(
            "the purge" if count == "purged" else f"{int(count):,} runs",
            *(f"{it:.2f}" for it in seconds),
            *(f"{total(tables, it):,}" for it in ("live", "files")),
            f"{total(tables, 'bytes') / 2**20:.1f}", f"{total(tables, 'log_files'):,}",
            f"{total(tables, 'log_bytes') / 2**20:.1f}",
            f"{total(tables, 'checkpoint') / 2**10:.0f}",
        )  # fmt: skip
    console.print(table)
    last = list(history.disk)[-1 if "purged" not in history.disk else -2]
    by_table = table_of(
        f"after {last} runs, and after the purge", "table", "live files", "files", "log files",
        "newest checkpoint, KiB", "purged",
    )  # fmt: skip
    purged = {it.table: it for it in history.disk.get("purged", [])}
    for one in history.disk[last]:
        then = purged.get(one.table)
        by_table.add_row(
            one.table, f"{one.live:,}", f"{one.files:,}", f"{one.log_files:,}",
            f"{one.checkpoint / 2**10:.0f}", f"{then.live:,} live, {then.files:,}" if then else "",
        )  # fmt: skip
    console.print(by_table)
    if history.young:
        for of, unit in (("work", "s"), ("processor", "s of CPU")):
            old, young = _median(history.old, of), _median(history.young, of)
            of_young = f"{young:.2f} of young tables: {old / young:.2f}"
            console.print(f"in turn: {old:.2f} {unit}, {of_young}")
    if history.purge:
        console.print(f"the purge took {history.purge['seconds']:.1f} s:")
        console.print(history.purge["shown"], highlight=False)


def save_history(path: Path, history: History, on: Occasion) -> None:
    """The last runs beside the tenth and beside young tables, and what the purge takes."""
    last, count = history.runs[-AROUND:], len(history.runs)
    results = [
        Result(
            "storage", "the last run", f"run {count:,} of the same tables, seconds of its models",
            _runs(last), on, {TENTH: _runs(history.runs[:AROUND])},
        )
    ]  # fmt: skip
    if history.young:
        results.append(
            Result(
                "storage", "in turn", f"tables of {count:,} runs, in turn with young ones",
                _runs(history.old), on, {BESIDE_YOUNG: _runs(history.young)},
            )
        )  # fmt: skip
    if history.purged:
        results += [
            Result(
                "storage", "after the purge", f"a run after {count:,} and the purge",
                _runs(history.purged), on, {TENTH: _runs(history.runs[:AROUND])},
            ),
            Result("storage", "purge", f"compaction and vacuum after {count:,} runs",
                   Runs.of([history.purge["seconds"]]), on),
        ]  # fmt: skip
    for after, tables in history.disk.items():
        results += [
            Result("storage", f"{name}, {after}", f"{name} of all tables, {after}",
                   Runs.of([float(total(tables, of))]), on, unit="files")
            for of, name in (
                ("live", "live files"), ("files", "data files"), ("log_files", "log files"),
            )
        ]  # fmt: skip
    save(path, results)


def _runs(runs: list[Small]) -> Runs:
    return Runs.of(run.work for run in runs)


def _median(runs: list[Small], of: str) -> float:
    return median(getattr(run, of) for run in runs)


if __name__ == "__main__":
    main()
