"""Which stages have one task that grows with the data, and what an event costs: of one cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.project import CORES
from bench.scale_out.cluster import cluster
from bench.scale_out.eventlog import Stage, stages_of
from bench.scale_out.project import Place, Took
from bench.scale_out.remote import driver

SCHEMA, PLACE = "feed", "sized"
PARTITIONS = 8
DAYS = 1.0  # all events are of one day, however many: so are those of a large source's run
# A stage whose largest task reads more of the source's events than this, in thousandths, is shown.
_FLOOR = 20
# Cuts every shuffle into as many parts, and every file of the source into a task of its own.
SETTINGS = {
    "spark.sql.shuffle.partitions": str(PARTITIONS),
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.sql.files.maxPartitionBytes": "4m",
    "spark.sql.files.openCostInBytes": "4m",
    "spark.databricks.delta.snapshotPartitions": "2",
}


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
    tell: Callable[[str], None],
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
                remote.ask("make", number=number, days=DAYS)
                for run, more in (("full refresh", {"full_refresh": True}), ("new events", {})):
                    if not more:
                        remote.ask("append", number=number, days=DAYS, at=number, count=new)
                    told = remote.ask("run", place=PLACE, models=list(models), **more)
                    found[run] = [
                        Took(each["model"], each["began"], each["ended"]) for each in told["models"]
                    ]
                    tell(f"{number:,} events, {run}: {told['wall']:.0f} s")
                tables = remote.ask("tables", place=PLACE, models=list(models))
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
