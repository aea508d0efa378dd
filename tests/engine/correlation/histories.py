"""Many histories in one table of events, for Spark: the same seed gives the same ones.

Events of up to four streams have ids of their time, so that those of one id meet, repeat, return and
miss each other. Windows read one table, with one clock, or each a view of its own. Some are weighed together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from tests.engine.correlation.patterns import Correlation, Frontier, earliest
from tests.engine.correlation.streams import random_patterns
from tests.engine.windows.oracle import Simulator
from tests.engine.windows.oracle_rows import SECOND, Event, Store, Table, Window
from tests.engine.windows.streams import Expression

TURNS = (1_541_030_400, 1_546_300_800)  # of a month, 2018-11-01, and of a year, 2019-01-01
EPOCH, IDS = 20, 12  # seconds, and the ids of so many


def of(alias: str) -> Expression:
    return Expression(f"stream = '{alias}'", lambda row: row["stream"] == alias)


# By condition, of windows that are weighed together; the fourth has none.
WEIGHTS = ((of("a"), 0.5), (of("b"), 0.2), (of("c"), 1))


@dataclass
class Stream:
    """A window over the events of one stream, or over the new rows of another window."""

    window: Window
    store: str
    has_own_clock: bool = False
    of: str | None = None


def random_correlations(
    chance: Random, streams: dict[str, Stream], count: int
) -> list[Correlation]:
    on = dict.fromkeys(streams, "id")
    return [Correlation(on, random_patterns(chance, "".join(streams))) for _ in range(count)]


def random_streams(chance: Random) -> dict[str, Stream]:
    own = chance.random() < 0.3
    weights = chance.choice([(), (), WEIGHTS])
    found = {}
    for alias in "abcd"[: chance.randrange(2, 5)]:
        store, text = _store(chance)
        found[alias] = Stream(Window(store, where=of(alias), weights=weights), text, own)
    if chance.random() < 0.3:
        source = chance.choice([*found])
        seconds = chance.choice([3, 9])
        window = Window(Store("time", size=seconds * SECOND))
        found["e"] = Stream(window, f"last {seconds} seconds", found[source].has_own_clock, source)
    return found


def _store(chance: Random) -> tuple[Store, str]:
    size = chance.choice([2, 5, 10, 25])
    kind = chance.choice(["time", "time", "time", "sliding", "tumbling", "lowest"])
    if kind == "time":
        return Store("time", size=size * SECOND), f"last {size} seconds"
    if kind == "lowest":
        return Store("lowest", size, using="n"), f"lowest {size} using n"
    return Store(kind, size), f"{'last' if kind == 'sliding' else 'latest'} {size}"


def random_events(chance: Random, aliases: list[str], count: int) -> list[Event]:
    """Some are late, some come at once, some have no id."""
    events: list[Event] = []
    arrival = now = 0
    for n in range(1, count + 1):
        new = chance.random() < 0.8
        arrival += new or not events
        now += chance.choice([0, 0, 0, 0, 0, 1, 1, 2, 6]) if new else 0
        late = chance.choice([0] * 6 + [1, 4])
        id = now // EPOCH * IDS + chance.randrange(IDS)
        row = {"n": n, "stream": chance.choice(aliases), "id": chance.choice([id] * 30 + [None])}
        ts = (now - late) * SECOND
        events.append(Event(arrival, ts, row))
    # Events of one arrival are in the order of their times, then of `n`.
    events.sort(key=lambda event: (event.arrival, event.ts))
    return events


def at_the_turn(chance: Random, events: list[Event], turn: int) -> list[Event]:
    """The events moved in time, so that a month or a year ends around the arrival `turn`."""
    known = next(event.ts for event in events if event.arrival == turn)
    moved = (chance.choice(TURNS) + chance.choice([-2, 0, 2, 4, 8])) * SECOND - (known or 0)
    return [replace(event, ts=(event.ts or 0) + moved) for event in events]


class Windows:
    """The simulators of all streams, and the clock and arrival number of each."""

    def __init__(self, streams: dict[str, Stream]) -> None:
        self.streams = streams
        self._arrivals: dict[str, int | None] = dict.fromkeys(streams)
        self.simulators = {a: Simulator(s.window, 2 if s.of else 1) for a, s in streams.items()}

    def run(self, events: list[Event], as_of: int | None) -> None:
        for alias, stream in self.streams.items():
            if stream.of:
                self.simulators[alias].follow(self.simulators[stream.of].table, "new")
                self._arrivals[alias] = self._arrivals[stream.of]
                continue
            own = stream.has_own_clock
            own_events = [e for e in events if not own or e.row["stream"] == alias]
            self.simulators[alias].run(own_events, as_of)
            read = [event.arrival for event in own_events]
            self._arrivals[alias] = max(read, default=self._arrivals[alias])

    @property
    def tables(self) -> dict[str, Table]:
        return {alias: each.table for alias, each in self.simulators.items()}

    @property
    def frontier(self) -> Frontier:
        clocks = [simulator.clock for simulator in self.simulators.values()]
        return earliest(zip(clocks, self._arrivals.values(), strict=True))
