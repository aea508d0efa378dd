"""A correlation together with its windows and events, run by run: what Spark is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tests.engine.correlation.oracle import Correlator
from tests.engine.correlation.patterns import Correlation, Firing, Frontier, earliest
from tests.engine.windows.oracle import Simulator
from tests.engine.windows.oracle_rows import Event, Table, Window

# (id, (at, arrival, step), index of the pattern, `id` of the row of each alias or None)
Plain = tuple[Any, tuple, int, tuple]


@dataclass(frozen=True)
class Stream:
    """The window reads the events of `source`, or the rows of another window over them."""

    window: Window
    on: str
    source: str
    after: Window | None = None
    status: Literal["new", "dead"] = "new"


@dataclass(frozen=True)
class Run:
    """What each source brings; then the clocks of all windows move to `as_of`."""

    events: dict[str, list[Event]]
    as_of: int | None = None


@dataclass(frozen=True)
class Case:
    """Rows have an `id` that is unique in a source."""

    streams: dict[str, Stream]
    when: list[str]
    runs: list[Run] = field(default_factory=list)

    @property
    def correlation(self) -> Correlation:
        return Correlation({alias: each.on for alias, each in self.streams.items()}, self.when)

    @property
    def sources(self) -> list[str]:
        return list(dict.fromkeys(stream.source for stream in self.streams.values()))

    def merged(self) -> Case:
        """The fewest runs with the same clocks: those up to an `as_of` are one."""
        runs: list[Run] = []
        pending: dict[str, list[Event]] = {source: [] for source in self.sources}
        for run in self.runs:
            for source, events in run.events.items():
                pending[source] = pending[source] + events
            if run.as_of is not None:
                runs.append(Run(pending, run.as_of))
                pending = {source: [] for source in self.sources}
        return replace(self, runs=[*runs, Run(pending)])


class Feeding:
    """The windows of a case as they read."""

    def __init__(self, stream: Stream) -> None:
        self.stream, self.arrival = stream, None
        self.first = Simulator(stream.after or stream.window)
        self.second = Simulator(stream.window, depth=2) if stream.after else None

    def run(self, run: Run) -> None:
        events = run.events.get(self.stream.source, [])
        read = [event.arrival for event in events]
        self.arrival = max([*read, *([] if self.arrival is None else [self.arrival])], default=None)
        self.first.run(events, run.as_of)
        if self.second:
            self.second.follow(self.first.table, self.stream.status)

    @property
    def table(self) -> Table:
        return (self.second or self.first).table

    @property
    def frontier(self) -> Frontier:
        return self.first.clock, self.arrival


def states(case: Case) -> Iterator[tuple[dict[str, Table], Frontier]]:
    """The tables by alias and the frontier, after each run."""
    feeding = {alias: Feeding(stream) for alias, stream in case.streams.items()}
    for run in case.runs:
        for each in feeding.values():
            each.run(run)
        tables = {alias: each.table for alias, each in feeding.items()}
        yield tables, earliest(each.frontier for each in feeding.values())


def simulate_runs(case: Case) -> list[list[Plain]]:
    """What each run adds."""
    correlator = Correlator(case.correlation)
    return [plain(correlator.run(tables, frontier)) for tables, frontier in states(case)]


def simulate(case: Case) -> list[Plain]:
    """In the order of (cycle, id)."""
    return [firing for run in simulate_runs(case) for firing in run]


def plain(firings: list[Firing]) -> list[Plain]:
    return [
        (f.id, tuple(f.cycle), f.pattern, tuple(row and row["id"] for row in f.rows.values()))
        for f in firings
    ]
