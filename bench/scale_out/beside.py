"""The same runs on `local[2]` and on the cluster, in turn, and the rows of both compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.project import CORES
from bench.results import Occasion, Result, Runs, save
from bench.rounds import median, table_of
from bench.scale_out.cluster import Cluster, cluster
from bench.scale_out.driver import Remote, driver
from bench.scale_out.project import Place
from rich.console import Console

from strandline.spark.settings import LOCAL_SESSION_SETTINGS

SCHEMA = "feed"
LOCAL, CLUSTER, SMALL = "local", "cluster", "cluster_small"
NAMES = {
    LOCAL: f"local[{CORES}]",
    CLUSTER: f"cluster of {CORES} workers, as Strandline sets it",
    SMALL: f"cluster of {CORES} workers, with the session settings of local",
}
DAYS = 0.5  # the events of a run of ten million are in half a day: 20 million a day


@dataclass
class Measured:
    """Each run of one kind in one place: what the driver said of it."""

    kind: str
    place: str
    runs: list[dict[str, Any]] = field(default_factory=list)

    def seconds(self) -> list[float]:
        """The sum of the models' execution times, of each run."""
        return [sum(model["seconds"] for model in run["models"]) for run in self.runs]

    def processor(self) -> list[float]:
        """Seconds of processor of the driver and of the executors, of each run."""
        return [run["processor"] + run["executors"] for run in self.runs]


@contextmanager
def places(folder: Path, memory: str) -> Iterator[tuple[Cluster, dict[str, Remote]]]:
    """The cluster, and the driver of each place; its own two are one with two profiles."""
    with ExitStack() as open_now:
        running = open_now.enter_context(cluster(folder / "daemons", CORES))
        settings = running.settings(memory)
        own = Place(LOCAL, f"local[{CORES}]", {"spark.driver.memory": "3g"})
        plain = Place(CLUSTER, running.master, settings)
        small = Place(SMALL, running.master, settings | LOCAL_SESSION_SETTINGS)
        here = open_now.enter_context(driver(folder / LOCAL, SCHEMA, [own]))
        there = open_now.enter_context(driver(folder / CLUSTER, SCHEMA, [plain, small]))
        yield running, {LOCAL: here, CLUSTER: there, SMALL: there}


def measure(
    running: Cluster, drivers: dict[str, Remote], models: Sequence[str], number: int, new: int,
    rounds: int, repeat: int, report: Callable[[str], None],
) -> list[Measured]:  # fmt: skip
    """Full refreshes and runs with new events, after one of each that warms up; rows compared."""
    for remote in {id(each): each for each in drivers.values()}.values():
        remote.call("make", number=number, days=DAYS)
    refreshes = {place: Measured("full refresh", place) for place in drivers}
    increments = {place: Measured(f"{new:,} new events", place) for place in drivers}

    def run(into: dict[str, Measured], counts: bool, done: str, **more: Any) -> None:
        for place, remote in drivers.items():
            used = running.processor()
            ran = remote.call("run", place=place, models=list(models), **more)
            ran["executors"] = running.processor() - used
            seconds = sum(model["seconds"] for model in ran["models"])
            report(f"{into[place].kind}, {NAMES[place]}, {done}: {seconds:.1f} s")
            if counts:
                into[place].runs.append(ran)

    for count in range(rounds + 1):
        run(refreshes, count > 0, f"{count} of {rounds}" if count else "warm-up", full_refresh=True)
        if not count:
            compare(drivers, models, report)
    for count in range(repeat + 1 if repeat else 0):
        for remote in {id(each): each for each in drivers.values()}.values():
            remote.call("append", number=number, days=DAYS, at=number + count * new, count=new)
        run(increments, count > 0, f"{count} of {repeat}" if count else "warm-up")
    if repeat:
        compare(drivers, models, report)
    return [*refreshes.values(), *increments.values()]


def compare(
    drivers: dict[str, Remote], models: Sequence[str], report: Callable[[str], None]
) -> None:
    """Raises RuntimeError if a table of the cluster has other rows than that of `local`."""
    rows = 0
    for place in (CLUSTER, SMALL):
        for table in drivers[place].call("tables", place=place, models=list(models)):
            rows += drivers[LOCAL].call(
                "compare", place=LOCAL, model=table["model"], location=table["location"]
            )
    report(f"{len(models)} tables of both are the same; {rows // 2:,} rows")


def show_beside(console: Console, number: int, measured: Sequence[Measured]) -> None:
    """Medians of each kind of run and place, as a multiple of those of `local`."""
    table = table_of(
        f"{number:,} events; medians, seconds",
        "run",
        "work",
        "of local",
        "wall",
        "driver's CPU",
        "executors' CPU",
    )
    local = {
        each.kind: median(each.seconds()) for each in measured if each.place == LOCAL and each.runs
    }
    for each in measured:
        if each.runs:
            work = median(each.seconds())
            table.add_row(
                f"{each.kind}, {NAMES[each.place]}", f"{work:.1f}",
                f"{work / local[each.kind]:.2f}",
                *(f"{median(run[it] for run in each.runs):.1f}" for it in (
                    "wall", "processor", "executors"
                )),
            )  # fmt: skip
    console.print(table)


def save_beside(path: Path, number: int, measured: Sequence[Measured], on: Occasion) -> None:
    """Each kind of run on the cluster, beside `local`: seconds of the models, and of processor."""
    local = {each.kind: each for each in measured if each.place == LOCAL and each.runs}
    results = []
    for each in measured:
        if each.place == LOCAL or not each.runs:
            continue
        for unit, runs in (("s", Measured.seconds), ("s of CPU", Measured.processor)):
            results.append(
                Result(
                    "scale_out",
                    f"{each.kind}, {each.place}" + ("" if unit == "s" else ", CPU"),
                    f"{each.kind} over {number:,} events, {NAMES[each.place]}",
                    Runs.of(runs(each)),
                    on,
                    {NAMES[LOCAL]: Runs.of(runs(local[each.kind]))},
                    rows=number,
                    unit=unit,
                )
            )
    save(path, results)
