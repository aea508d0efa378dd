"""Random windows over random streams in random splits: Spark has every row that the oracle has.

One table of events holds many streams, each with a key of its own: a window with this key has each of them
for itself. Runs are killed at their commits and repeated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from random import Random
from typing import Any

import pytest
from tests.engine.windows.oracle import Simulator
from tests.engine.windows.oracle_rows import SECOND, Cycle, Event, Kind, Window
from tests.engine.windows.streams import (
    WEIGHTS,
    Expression,
    random_chained,
    random_split,
    random_streams,
    random_window,
)

pytestmark = pytest.mark.first

COLUMNS = "clock_time timestamp, bound timestamp, stream int, id bigint, region string, sku string, qty bigint, price double"
KINDS = ["time", "sliding", "highest", "lowest", "tumbling", "time", "time"]
STREAMS, EVENTS = 36, 50  # 8 windows: 288 streams a seed


def test_spark_has_what_the_oracle_has(windows: Any) -> None:
    compare(windows, seed=0, streams=6, kinds=["time", "highest", "sliding"])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 13))
def test_spark_has_what_the_oracle_has_for_many_streams(windows: Any, seed: int) -> None:
    compare(windows, seed, STREAMS, KINDS)


def compare(windows: Any, seed: int, streams: int, kinds: list[Kind]) -> None:
    chance = Random(seed)  # noqa: S311
    events = random_streams(chance, streams, EVENTS)
    chosen = {f"w{number}": _chosen(chance, kind) for number, kind in enumerate(kinds)}
    source = next((n for n, w in chosen.items() if w.aggregates), "w0")
    chained = _supported(lambda: random_chained(chance, chosen[source]))
    # A chained window runs in the cycles of its source: it refuses these.
    chained = replace(chained, weight=None, every=None)
    windows.events(COLUMNS)
    models = {name: arguments(window) for name, window in chosen.items()}
    models["chained"] = arguments(chained, source)
    windows.models(**models)
    simulators = {name: Simulator(window) for name, window in chosen.items()}
    follower = Simulator(chained, depth=2)
    for number, (batch, as_of) in enumerate(_batches(chance, events)):
        if number:  # what was read is not read again
            windows.spark.sql(f"delete from {windows.schema}.events where id % 3 > 0")
        land(windows, batch)
        windows.run_killed(chance.randrange(1, len(models) + 1), as_of=as_of and _text(as_of))
        windows.run(as_of=as_of and _text(as_of))
        for simulator in simulators.values():
            simulator.run(batch, as_of)
        follower.follow(simulators[source].table, "new")
    for name, simulator in [*simulators.items(), ("chained", follower)]:
        meant, found = of_oracle(simulator), of_spark(windows, name, simulator.window)
        for kind in meant:
            assert found[kind] == meant[kind], f"{name}, {kind}: {models[name]}"


def _chosen(chance: Random, kind: Kind) -> Window:
    """Most windows have each stream for itself, some have all together. A sliding one has weights
    by condition."""
    by = ("stream",) if chance.random() < 0.9 else ()
    window = _supported(lambda: random_window(chance, kind, by))
    if kind != "sliding":
        return window
    return replace(window, weight=None, every=None, weights=chance.choice(WEIGHTS))


def _supported(make: Any) -> Window:
    """A random one whose store has an expression after `last` only, and whose hash is not Spark's."""
    while True:
        window = make()
        by_key = callable(window.store.count) and window.store.kind != "sliding"
        if not by_key and window.store.kind != "random":
            return window if window.aggregates else replace(window, pinned=False)


def _batches(chance: Random, events: list[Event]) -> Iterator[tuple[list[Event], int | None]]:
    """Two runs."""
    batches, as_of = random_split(chance, events, with_as_of=True)
    bounds = sorted(chance.sample(range(len(batches) + 1), min(1, len(batches))))
    for start, end in zip([0, *bounds], [*bounds, len(batches)], strict=True):
        moved = [at for at in as_of[start:end] if at is not None]
        yield (
            [event for batch in batches[start:end] for event in batch],
            moved[-1] if moved else None,
        )


def arguments(window: Window, source: str | None = None) -> str:
    """The arguments of `window_table` that say the same."""
    said = [f"keys={list(window.keys)}", f'store="{_store(window)}"']
    if source:
        said += [f"source=ref('{source}')", "where='$row_status is new'"]
    else:
        said += ["source=source('feed', 'events')", "ts='ts'"]
        filters = [f"({each.sql})" for each in (window.where, window.timely) if each]
        said += [f'where="{" and ".join(filters)}"'] if filters else []
        said += ["not_after='bound'"] if window.bounded else []
        weight = window.weight or {each.sql: weight for each, weight in window.weights}
        said += [f"weight={weight}"] if weight and not window.every else []
        said += [f"every='{window.every // SECOND} seconds'"] if window.every else []
        said += ["clock='clock_time'"] if window.clocked else []
    if window.aggregates:
        given = {name: _aggregate(each) for name, each in window.aggregates.items()}
        said += [f"aggregates={given}", f"pinned={window.pinned}".lower()]
    if window.store.update_group:
        said.append(f"update_group={list(window.store.update_group)}")
    return ", ".join(said)


def _store(window: Window) -> str:
    store = window.store
    if store.kind == "time":
        by_key = isinstance(store.size, Expression)
        size = f"({store.size.sql})" if by_key else str(store.size // SECOND)
        return f"last {size} seconds" + (f" max {store.max}" if store.max else "")
    if store.kind == "sliding":
        return f"last ({store.count.sql})" if callable(store.count) else f"last {store.count}"
    using = f" using {store.using}" if store.using else ""
    return f"{'latest' if store.kind == 'tumbling' else store.kind} {store.count}{using}"


def _aggregate(each: Any) -> str:
    text = f"{each.function}({each.column or '*'})" + " entrance only" * each.entrance
    if each.baseline is not None:
        return f"{text} diff from {getattr(each.baseline, 'sql', each.baseline)}"
    return text + " diff" * each.diff


def land(windows: Any, events: list[Event]) -> None:
    rows = [(e.arrival, e.ts, e.clock, e.bound, *e.row.values()) for e in events]
    names = "arrival bigint, ts bigint, " + COLUMNS.replace("timestamp", "bigint")
    frame = windows.spark.createDataFrame(rows, names).coalesce(1)
    times = [f"timestamp_micros({name}) as {name}" for name in ("ts", "clock_time", "bound")]
    frame = frame.selectExpr("arrival", *times, *frame.columns[4:])
    frame.writeTo(f"{windows.schema}.events").append()


def of_oracle(simulator: Simulator) -> dict[str, list]:
    table = simulator.table
    found = {
        "late": sorted((row.entry, row.reason) for row in table.late),
        "pending": sorted(item.entry for item in table.pending),
    }
    if simulator.window.aggregates:
        rows = [
            (v.entered, v.expelled, v.entry, v.exit, v.key, tuple(map(_number, v.values.values())))
            for v in table.versions
        ]
    else:
        rows = [(s.entered, s.expelled, s.entry, s.exit, s.key, ()) for s in table.stays]
    return found | {"rows": _sorted(rows)}


def of_spark(windows: Any, name: str, window: Window) -> dict[str, list]:
    rows = windows.spark.table(f"{windows.schema}.{name}").collect()
    shown = [
        (_cycle(r.entered), _cycle(r.expelled), r.entry, r.exit, tuple(r[key] for key in window.keys),
         tuple(_number(r[a]) for a in window.aggregates))
        for r in rows if r.row_kind == "row"
    ]  # fmt: skip
    return {
        "late": sorted((r.entry, r.reason.split(":")[0]) for r in rows if r.row_kind == "late"),
        "pending": sorted(r.entry for r in rows if r.row_kind == "pending"),
        "rows": _sorted(shown),
    }


def _sorted(rows: list[tuple]) -> list[tuple]:
    return sorted(rows, key=lambda row: (row[2], str(row[4]), row[0].order))


def _cycle(struct: Any) -> Cycle | None:
    if struct is None:
        return None
    at = struct.at and round(struct.at.replace(tzinfo=timezone.utc).timestamp() * SECOND)
    return Cycle(at, struct.arrival, tuple(struct.step))


def _number(value: Any) -> Any:
    """Nine digits of a float. The shift keeps results like 1.0000000005 from rounding both ways."""
    if isinstance(value, float):
        shifted = value * (1 + 1e-12)
        return (round(float(f"{shifted:.9g}"), 9) or 0.0) if math.isfinite(value) else value
    return value


def _text(micros: int) -> str:
    return datetime.fromtimestamp(micros / SECOND, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
