"""Which stages have one task that grows with the data, and what an event costs: of one cluster.

Spark's event log of a driver says what each of its stages read, wrote and used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.project import CORES
from bench.results import Occasion, Result, Runs, save
from bench.rounds import table_of
from bench.scale_out.cluster import cluster
from bench.scale_out.driver import driver
from bench.scale_out.project import Place, Took
from rich.console import Console

SCHEMA, PLACE = "feed", "sized"
PARTITIONS = 8
DAYS = 1.0  # all events are of one day, however many: so are those of a large source's run
# A stage whose largest task reads more of the source's events than this, in thousandths, is shown.
_FLOOR = 20
# Splits every shuffle into as many parts, and every file of the source into a task of its own.
SETTINGS = {
    "spark.sql.shuffle.partitions": str(PARTITIONS),
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.sql.files.maxPartitionBytes": "4m",
    "spark.sql.files.openCostInBytes": "4m",
    "spark.databricks.delta.snapshotPartitions": "2",
}


@dataclass
class Stage:
    """One stage that was run, and its tasks.

    Attributes:
        began: when its job was submitted, in milliseconds since 1970.
        work: the names of what it does, as in Spark's UI, in order.
        records: what each task read, from files and from shuffles.
        shuffled: bytes that it wrote for shuffles.
        written: bytes that it wrote to files.
        processor: seconds of processor of its tasks.
    """

    id: int
    began: int
    work: tuple[str, ...] = ()
    records: list[int] = field(default_factory=list)
    shuffled: int = 0
    written: int = 0
    spilled: int = 0
    processor: float = 0.0

    @property
    def largest(self) -> int:
        """The records that the largest task read."""
        return max(self.records, default=0)

    @property
    def total(self) -> int:
        return sum(self.records)

    @property
    def share(self) -> float:
        """Of all records of the stage, those of its largest task."""
        return self.largest / self.total if self.total else 0.0


def stages_of(folder: Path) -> list[Stage]:
    """The stages in the logs of a folder, in the order in which they were submitted."""
    stages: dict[tuple[Path, int], Stage] = {}
    for log in sorted(path for path in folder.rglob("*") if path.is_file()):
        for event in _events(log):
            kind = event["Event"]
            if kind == "SparkListenerJobStart":
                for info in event["Stage Infos"]:
                    key = (log, info["Stage ID"])
                    stages.setdefault(
                        key, Stage(info["Stage ID"], event["Submission Time"], _work(info))
                    )
            elif kind == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                _add(stages[log, event["Stage ID"]], event["Task Metrics"])
    return [stage for stage in stages.values() if stage.records]


def _events(log: Path) -> Iterator[dict[str, Any]]:
    """The events of a log; other files in the folder, and an incomplete last line, give none."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if '"SparkListenerJobStart"' in line[:60] or '"SparkListenerTaskEnd"' in line[:60]:
                try:
                    yield json.loads(line)
                except ValueError:
                    return


def _work(info: dict[str, Any]) -> tuple[str, ...]:
    """The operators of a stage: Spark gives each of its RDDs the scope of one."""
    scopes = {}
    for rdd in sorted(info["RDD Info"], key=lambda it: it["RDD ID"]):
        if rdd.get("Scope"):
            scope = json.loads(rdd["Scope"])
            scopes[scope["id"]] = scope["name"].split(" (")[0].strip()
    return tuple(scopes.values())


def _add(stage: Stage, metrics: dict[str, Any]) -> None:
    stage.records.append(
        metrics["Input Metrics"]["Records Read"]
        + metrics["Shuffle Read Metrics"]["Total Records Read"]
    )
    stage.shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    stage.written += metrics["Output Metrics"]["Bytes Written"]
    stage.spilled += metrics["Disk Bytes Spilled"]
    stage.processor += metrics["Executor CPU Time"] / 1e9


@dataclass
class Model:
    """One model of one run on one number of events."""

    model: str
    run: str
    events: int
    seconds: float
    stages: list[Stage] = field(default_factory=list)

    def sum(self, of: str) -> float:
        return sum(getattr(stage, of) for stage in self.stages)


@dataclass(frozen=True)
class Size:
    """One number of events: its models, run by run, and its tables at the end."""

    events: int
    new: int
    models: list[Model]
    tables: list[dict[str, Any]]


def measure(
    folder: Path, models: Sequence[str], numbers: Sequence[int], memory: str,
    report: Callable[[str], None],
) -> list[Size]:  # fmt: skip
    """A full refresh and a run with a tenth more events, on each number, on one cluster."""
    sizes = []
    with cluster(folder / "daemons", CORES) as running:
        for number in numbers:
            logs = folder / f"events-{number}"
            logs.mkdir()
            logging = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": logs.as_uri(),
                       "spark.eventLog.compress": "false"}  # fmt: skip
            place = Place(PLACE, running.master, running.settings(memory) | SETTINGS | logging)
            new, found = number // 10, {}
            with driver(folder / f"driver-{number}", SCHEMA, [place]) as remote:
                remote.call("make", number=number, days=DAYS)
                for run, more in (("full refresh", {"full_refresh": True}), ("new events", {})):
                    if not more:
                        remote.call("append", number=number, days=DAYS, at=number, count=new)
                    ran = remote.call("run", place=PLACE, models=list(models), **more)
                    found[run] = [
                        Took(each["model"], each["began"], each["ended"]) for each in ran["models"]
                    ]
                    report(f"{number:,} events, {run}: {ran['wall']:.0f} s")
                tables = remote.call("tables", place=PLACE, models=list(models))
            stages = stages_of(logs)  # whole only when the driver has ended
            sizes.append(
                Size(number, new, [
                    Model(took.model, run, new if run == "new events" else number, took.seconds,
                          [it for it in stages if took.began <= it.began <= took.ended])
                    for run, all_took in found.items() for took in all_took
                ], tables)
            )  # fmt: skip
    return sizes


@dataclass(frozen=True)
class Growing:
    """A stage of the larger size, beside the one like it of the smaller size."""

    model: str
    run: str
    work: str
    tasks: int
    largest: int
    share: float
    before: int

    @property
    def is_single(self) -> bool:
        """Half of the rows or more are read by one task, and they grow with the data."""
        return self.share >= 0.5 and self.largest > 2 * self.before


def growing(small: Size, large: Size) -> list[Growing]:
    """The stages of the larger size with a large task, the most unequal first."""
    found = []
    for model in large.models:
        before = next(it for it in small.models if (it.model, it.run) == (model.model, model.run))
        for stage in model.stages:
            if stage.largest * 1000 >= _FLOOR * model.events:
                alike = [it.largest for it in before.stages if it.work == stage.work]
                found.append(
                    Growing(
                        model.model, model.run, shown(stage.work), len(stage.records),
                        stage.largest, stage.share, max(alike, default=0),
                    )
                )  # fmt: skip
    return sorted(found, key=lambda it: (-it.share, it.model))


def shown(work: tuple[str, ...]) -> str:
    """The operators of a stage without those that only pack the others."""
    return " ".join(it for it in work if it not in ("WholeStageCodegen", "mapPartitionsInternal"))


def show_stages(console: Console, size: Size, found: Sequence[Growing]) -> None:
    """The stages with a large task, then what each model costs for an event."""
    stages = table_of(
        f"{size.events:,} events of a day: stages whose largest task grows", "model and run",
        "what it does", "tasks", "largest reads", "of all", "at the smaller size",
    )  # fmt: skip
    for each in found:
        style = "[bold red]" if each.is_single else ""
        stages.add_row(
            f"{style}{each.model}, {each.run}", each.work, str(each.tasks), f"{each.largest:,}",
            f"{each.share:.0%}", f"{each.before:,}",
        )  # fmt: skip
    console.print(stages)
    costs = table_of(
        "for each event", "model and run", "bytes shuffled", "bytes written", "CPU s of a million",
        "spilled", "seconds",
    )  # fmt: skip
    for model in size.models:
        a_million = model.sum("processor") / model.events * 1e6
        costs.add_row(
            f"{model.model}, {model.run}",
            *(f"{model.sum(it) / model.events:.1f}" for it in ("shuffled", "written")),
            f"{a_million:.2f}", f"{model.sum('spilled'):,.0f}", f"{model.seconds:.1f}",
        )  # fmt: skip
    console.print(costs)
    tables = table_of("on disk", "table", "rows", "bytes a row", "bytes an event", "files", "of")
    for table in size.tables:
        tables.add_row(
            table["model"], f"{table['rows']:,}", f"{table['bytes'] / max(table['rows'], 1):.1f}",
            f"{table['bytes'] / (size.events + size.new):.1f}", str(table["files"]),
            f"{table['partitions']} partitions",
        )  # fmt: skip
    console.print(tables)


def save_stages(path: Path, size: Size, found: Sequence[Growing], on: Occasion) -> None:
    """What an event costs in each model, and the share of the largest task of any stage."""
    results = []
    for model in size.models:
        largest = max((it for it in found if (it.model, it.run) == (model.model, model.run)),
                      key=lambda it: it.share, default=None)  # fmt: skip
        for kind, unit, value in (
            ("shuffled", "bytes an event", model.sum("shuffled") / model.events),
            ("written", "bytes an event", model.sum("written") / model.events),
            ("CPU", "s of a million events", model.sum("processor") / model.events * 1e6),
            ("largest task", "of the records", largest.share if largest else 0.0),
        ):
            results.append(
                Result(
                    "scale_out", f"{kind}, {model.run}",
                    f"{model.model}, {model.run} of {model.events:,} events: {kind}",
                    Runs.of([value]), on, rows=model.events, unit=unit,
                    note=largest.work if largest and kind == "largest task" else "",
                )
            )  # fmt: skip
    save(path, results)
