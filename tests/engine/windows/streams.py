"""Random windows and streams: the same seed gives the same ones.

Columns: `id` counts up, `region` and `sku` are keys and may be null, `qty` is whole, `price` a
quarter; both may be null. Sums are exact in any order. What a window calls has its SQL with it.

Events of one arrival have distinct times. The first events may have none: then there is no clock
yet. Streams cross the turn of a year, with a day or a month in between, and some events come from
a clock in the future, beyond their bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from random import Random
from typing import Any

from tests.engine.windows.oracle_rows import SECOND, Aggregate, Event, Kind, Store, Window

START = 1_546_300_730 * SECOND  # 2018-12-31 23:58:50
DAY = 86_400 * SECOND
KINDS: list[Kind] = ["sliding", "time", "tumbling", "random", "highest", "lowest"]
FUNCTIONS = [
    *("count", "sum", "min", "max", "avg", "median", "variance", "stddev"),
    *("geometric_mean", "skewness", "kurtosis", "sumsq", "var_pop", "stddev_pop", "distinctCount"),
]


@dataclass(frozen=True)
class Expression:
    """Python of a row or a key, and the same in SQL."""

    sql: str
    of: Callable[[Any], Any]

    def __call__(self, value: Any) -> Any:
        return self.of(value)


FILTERS = [
    Expression("qty >= 0", lambda row: row["qty"] is not None and row["qty"] >= 0),
    Expression("sku in ('A', 'B')", lambda row: row["sku"] in ("A", "B")),
    Expression("id % 3 <> 0", lambda row: row["id"] % 3 != 0),
]


TIMELY = Expression(
    "ts is null or bound is null or ts <= bound",
    lambda event: event.ts is None or event.bound is None or event.ts <= event.bound,
)


_A = Expression("sku = 'A'", lambda row: row["sku"] == "A")
_LARGE = Expression("qty > 5", lambda row: row["qty"] is not None and row["qty"] > 5)
_NORTH = Expression("region = 'n'", lambda row: row["region"] == "n")
_ALL = Expression("id > 0", lambda row: row["id"] > 0)
WEIGHTS = [  # the first condition counts; some events meet none
    ((_A, 0.2), (_LARGE, 1)),
    ((_LARGE, 0.3), (_NORTH, 0.25), (_A, 0.5)),
    ((_NORTH, 0.125), (_ALL, 0.334)),
    ((_LARGE, 1),),
    ((_A, 0.05), (_LARGE, 0.001)),
]


def random_window(chance: Random, kind: Kind | None = None, by: tuple[str, ...] = ()) -> Window:
    """Its keys begin with `by`."""
    kind = kind or chance.choice(KINDS)
    keys = (*by, *chance.choice([(), ("region",), ("region",), ("region", "sku")]))
    weight = chance.choice([None] * 4 + [0.2, 0.34, 0.5, 1, *WEIGHTS[:4]])
    weights = weight if isinstance(weight, tuple) else ()
    every = chance.choice([None] * 5 + [10 * SECOND, 7 * SECOND])
    pinned = chance.random() < 0.4
    return Window(
        store=_store(chance, kind, keys),
        keys=keys,
        where=chance.choice([None, None, *FILTERS]),
        aggregates=_aggregates(chance, keys) if chance.random() < 0.6 else {},
        pinned=pinned,
        weight=None if weights else weight,
        weights=weights,
        every=every,
        accept=(lambda event: event.row["id"] % 2 == 0) if kind == "random" else None,
        clocked=chance.random() < 0.15,
        bounded=chance.random() < 0.7,
        timely=chance.choice([None, None, None, TIMELY]),
    )


def _store(chance: Random, kind: Kind, keys: tuple[str, ...]) -> Store:
    unit = SECOND if kind == "time" else 1
    size = chance.choice([1, 2, 3, 5, 10, 30]) * unit
    if "region" in keys and chance.random() < 0.25:
        size = _by_region(unit, keys.index("region"))
    if kind == "time":
        return Store(kind, size=size, max=chance.choice([None, None, 1, 2, 3, 5]))
    if kind == "random":
        return Store(kind, size, seed=chance.randrange(100))
    if kind in ("highest", "lowest"):
        groups = [(), (), ("sku",), ("region", "sku")]
        using = chance.choice(["qty", "qty", "price"])
        return Store(kind, size, using=using, update_group=chance.choice(groups))
    return Store(kind, size)


def _by_region(unit: int, place: int) -> Expression:
    """In SQL as the number of rows or seconds; no size for one region, none above 0 for another."""
    sizes = {"n": 2 * unit, "s": 5 * unit, "w": 0}
    sql = "case region when 'n' then 2 when 's' then 5 when 'w' then 0 end"
    return Expression(sql, lambda key: sizes.get(key[place]))


def _aggregates(chance: Random, keys: tuple[str, ...]) -> dict[str, Aggregate]:
    found = {}
    for number in range(chance.randrange(1, 5)):
        function = chance.choice(["count", "sum", *FUNCTIONS])
        column = chance.choice(["qty", "price", "id"] + [None] * (function == "count"))
        entrance = function not in ("median", "distinctCount") and chance.random() < 0.25
        baselines: list = [None, None, 2.5]
        if "region" in keys:
            sql = "case region when 'n' then 1 when 's' then 2 end"
            place = keys.index("region")
            baselines.append(Expression(sql, partial(_base_of, place)))
        diff = chance.random() < 0.25
        baseline = chance.choice(baselines) if diff else None
        found[f"a{number}"] = Aggregate(function, column, entrance, diff, baseline)
    return found


def _base_of(place: int, key: tuple) -> int | None:
    return {"n": 1, "s": 2}.get(key[place])


def random_chained(chance: Random, source: Window) -> Window:
    """A window over the rows of this one; its source has aggregates or not."""
    names = list(source.aggregates)
    kind = chance.choice(KINDS if names else ["sliding", "time", "tumbling", "random"])
    keys = chance.choice([(), source.keys[:1], source.keys[:2]])
    store = _store(chance, kind, keys)
    if kind in ("highest", "lowest"):
        group = chance.choice([(), source.keys])
        store = Store(kind, store.count, using=chance.choice(names), update_group=group)
    return Window(
        store=store,
        keys=keys,
        aggregates={"n": Aggregate("count", None)} if chance.random() < 0.5 else {},
        pinned=chance.random() < 0.4,
        weight=chance.choice([None, None, None, 0.5]),
        every=chance.choice([None] * 4 + [10 * SECOND]),
        accept=(lambda event: event.arrival % 2 == 0) if kind == "random" else None,
    )


def random_events(chance: Random, n: int = 60) -> list[Event]:
    events: list[Event] = []
    arrival, now, clock = 0, START + chance.randrange(60) * SECOND, START
    is_known = chance.random() < 0.7
    while len(events) < n:
        arrival += chance.choice([1, 1, 1, 4])
        at_once = chance.choice([1, 1, 1, 1, 2, 3, 8, 15])
        now += chance.choice([0, 0, 1, 1, 1, 2, 3, 7, 10, 45] * 8 + [86_400, 31 * 86_400]) * SECOND
        clock = max(clock, now) + chance.choice([0, 0, 1, 5]) * SECOND
        for ts in _times(chance, now, min(at_once, n - len(events)), first=not events and is_known):
            arrived = clock - chance.choice([0, 0, 0, 3]) * SECOND
            events.append(Event(arrival, ts, _row(chance, len(events) + 1), arrived, arrived + DAY))
        if chance.random() < 0.03 and len(events) < n:
            far_future = now + 30_000 * DAY + len(events) * SECOND
            events.append(
                Event(arrival, far_future, _row(chance, len(events) + 1), clock, clock + DAY)
            )
    return events


def random_streams(chance: Random, count: int, n: int) -> list[Event]:
    """So many streams side by side; the column `stream` has their numbers: n events of each.

    They start at the same time and share arrival numbers and the clock of their table.
    """
    arrivals: list[tuple[int, int, list[Event]]] = []
    for number in range(count):
        newest = START
        for _, group in groupby(random_events(chance, n), key=lambda event: event.arrival):
            events = [replace(event, row={"stream": number, **event.row}) for event in group]
            newest = max([newest, *(event.ts for event in events if event.ts is not None)])
            arrivals.append((newest, number, events))
    arrivals.sort(key=lambda each: each[:2])
    merged = [
        replace(event, arrival=arrival)
        for arrival, (_, _, events) in enumerate(arrivals, 1)
        for event in events
    ]
    return [replace(e, row={**e.row, "id": number}) for number, e in enumerate(merged, 1)]


def _times(chance: Random, now: int, count: int, first: bool) -> list[int | None]:
    """Distinct ones: mostly the newest, some late, rarely none."""
    times: list[int | None] = [now]
    if count == 1 and not first:
        late = now - chance.randrange(1, 40) * SECOND
        times = chance.choice([[now]] * 8 + [[late]] * 2 + [[None]] * (chance.random() < 0.3))
    while len(times) < count:
        times.append(now - len(times) * chance.choice([SECOND // 4, SECOND // 4, SECOND]))
        times = list(dict.fromkeys(times))
    if count > 2 and chance.random() < 0.1:
        times[-1] = None
    chance.shuffle(times)
    return times


def _row(chance: Random, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "region": chance.choice(["n", "n", "n", "s", "s", "w", None]),
        "sku": chance.choice(["A", "A", "B", "C", None]),
        "qty": chance.choice([chance.randrange(-2, 9)] * 10 + [None]),
        "price": chance.choice([chance.randrange(-2, 12) / 4] * 10 + [None]),
    }


def random_split(
    chance: Random, events: list[Event], with_as_of: bool = False
) -> tuple[list[list[Event]], list[int | None]]:
    """Batches, some of them empty, that never split an arrival; and the `as_of` of each."""
    batches: list[list[Event]] = [[]]
    share = chance.choice([0.02, 0.1, 0.3, 0.9])
    for before, event in zip([None, *events], events, strict=False):
        if before is not None and before.arrival != event.arrival:
            while chance.random() < share:
                batches.append([])
        batches[-1].append(event)
    as_of: list[int | None] = []
    for batch in batches:
        known = [event.ts for event in batch if event.ts is not None]
        moved = max(known, default=START) + chance.randrange(-5, 60) * SECOND
        as_of.append(moved if with_as_of and chance.random() < 0.3 else None)
    return batches, as_of
