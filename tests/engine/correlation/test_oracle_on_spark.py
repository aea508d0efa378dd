"""Random correlations over random streams, in random splits with crashes: Spark has what the oracle has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from random import Random
from typing import Any

import pytest
from tests.engine.correlation.histories import (
    Stream,
    Windows,
    at_the_turn,
    random_correlations,
    random_events,
    random_streams,
)
from tests.engine.correlation.oracle import Correlator
from tests.engine.correlation.patterns import Correlation, Fired, Firing, parse
from tests.engine.correlation.streams import random_patterns
from tests.engine.windows.oracle import Simulator
from tests.engine.windows.oracle_rows import SECOND, Cycle, Event, Store, Window

pytestmark = pytest.mark.first


def test_spark_fires_what_the_oracle_fires(windows: Any) -> None:
    compare(windows, seed=5, count=400, correlations=2)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 7))
def test_spark_fires_what_the_oracle_fires_for_many_ids(windows: Any, seed: int) -> None:
    """Some 250 ids by four correlations: 1,000 histories a seed."""
    compare(windows, seed, count=1_000, correlations=4)


def compare(windows: Any, seed: int, count: int, correlations: int) -> None:
    """So many events and correlations, over the same windows."""
    chance = Random(seed)  # noqa: S311
    streams = random_streams(chance)
    events = random_events(chance, [alias for alias in streams if alias != "e"], count)
    given = random_correlations(chance, streams, correlations)
    named = {f"fired_{number}": each for number, each in enumerate(given)}
    correlators = {name: Correlator(each) for name, each in named.items()}
    over = Over(chance, streams)
    windows.events("n bigint, stream string, id bigint")
    models = {alias: window_model(alias, stream) for alias, stream in streams.items()}
    models |= {f"only_{a}": f"{{{{ config(materialized='view') }}}} select * from "
        f"{{{{ source('feed', 'events') }}}} where stream = '{a}'" for a in streams}  # fmt: skip
    models |= {name: correlation_model(streams, each) for name, each in named.items()}
    windows.models(**models, **over.models)
    simulated = Windows(streams)
    for batch, as_of in batches_of(chance, events):
        land(windows, batch)
        commits = len(streams) + len(named) + len(over.models)
        windows.run_killed(chance.randrange(1, commits + 1), as_of=as_of and _text(as_of))
        windows.run(as_of=as_of and _text(as_of))
        simulated.run(batch, as_of)
        for correlator in correlators.values():
            correlator.run(simulated.tables, simulated.frontier)
        over.run(correlators["fired_0"], simulated)
    for name, correlation in named.items():
        meant = sorted(of_oracle(correlation, each) for each in correlators[name].firings)
        assert of_spark(windows, name, list(streams)) == meant, models[name]
    meant = sorted(of_oracle(over.correlation, each) for each in over.correlator.firings)
    assert of_spark(windows, "over", list(over.correlation.on)) == meant, over.models


class Over:
    """A correlation over another one, `fired_0`, a window over that, and a window of events."""

    def __init__(self, chance: Random, streams: dict[str, Stream]) -> None:
        self.alias, self._shown = chance.choice([*streams]), next(iter(streams))
        self.simulator = Simulator(Window(Store("time", size=5 * SECOND)), 2)
        on = {"x": "correlation_id", "y": "id"}
        if not any(stream.of for stream in streams.values()):
            # Else the cycles of `fired_0` have steps of two lengths: the simulator has one depth.
            on["w"] = "correlation_id"
        when = ["x and y"]
        for text in random_patterns(chance, "".join(on)):
            if parse(text) not in map(parse, when):
                when.append(text)
        self.correlation = Correlation(on, when)
        self.correlator = Correlator(self.correlation)

    @property
    def models(self) -> dict[str, str]:
        of = {"x": "fired_0", "w": "after", "y": self.alias}
        given = {a: f"{{'window': ref('{of[a]}'), 'on': '{on}'}}" for a, on in self.correlation.on.items()}  # fmt: skip
        streams = ", ".join(f"'{alias}': {text}" for alias, text in given.items())
        shown = {"x": f"x.{self._shown}_n", "w": f"w.{self._shown}_n", "y": "y.n"}
        select = {f"{alias}_n": shown[alias] for alias in self.correlation.on}
        call = f"streams={{{streams}}}, when={self.correlation.when}, select={select}"
        return {
            "after": "source=ref('fired_0'), store='last 5 seconds', where='$row_status is new'",
            "over": f"{{{{ strandline.correlation_table({call}) }}}}",
        }

    def run(self, correlator: Correlator, windows: Windows) -> None:
        rows = []
        for firing, place in zip(correlator.firings, correlator.places, strict=True):
            shown = firing.rows[self._shown]
            row = {"correlation_id": firing.id, "n": shown["n"] if shown else 0}
            rows.append((firing.cycle, place, row))
        fired = Fired(rows, windows.frontier[0])
        self.simulator.follow(fired, "new")
        tables = {"x": fired, "w": self.simulator.table, "y": windows.tables[self.alias]}
        own = {alias: tables[alias] for alias in self.correlation.on}
        self.correlator.run(own, windows.frontier)


def window_model(alias: str, stream: Stream) -> str:
    if stream.of:
        return f"source=ref('{stream.of}'), store='{stream.store}', where='$row_status is new'"
    source = f"ref('only_{alias}')" if stream.has_own_clock else "source('feed', 'events')"
    window = stream.window
    given = {each.sql: weight for each, weight in window.weights}
    weight = f", weight={given}" if given and window.store.kind not in ("time", "tumbling") else ""
    return f"source={source}, ts='ts', store='{stream.store}', where=\"stream = '{alias}'\"{weight}"


def correlation_model(streams: dict[str, Stream], correlation: Correlation) -> str:
    given = ", ".join(f"'{a}': {{'window': ref('{a}'), 'on': 'id'}}" for a in streams)
    select = {f"{alias}_n": f"{alias}.n" for alias in streams}
    call = f"streams={{{given}}}, when={correlation.when}, select={select}"
    return f"{{{{ strandline.correlation_table({call}) }}}}"


def batches_of(chance: Random, events: list[Event]) -> Iterator[tuple[list[Event], int | None]]:
    """Two runs, with the end of a month or a year between them; the last moves all clocks
    behind all events."""
    turn = chance.choice([event.arrival for event in events][len(events) // 4 :])
    events = at_the_turn(chance, events, turn)
    yield [event for event in events if event.arrival < turn], None
    newest = max(event.ts for event in events)
    as_of = chance.choice([None, newest + 100 * SECOND])
    yield [event for event in events if event.arrival >= turn], as_of


def land(windows: Any, events: list[Event]) -> None:
    rows = [(e.arrival, e.ts, *e.row.values()) for e in events]
    names = "arrival bigint, ts bigint, n bigint, stream string, id bigint"
    frame = windows.spark.createDataFrame(rows, names).coalesce(1)
    frame = frame.selectExpr("arrival", "timestamp_micros(ts) as ts", "n", "stream", "id")
    frame.writeTo(f"{windows.schema}.events").append()


def of_oracle(correlation: Correlation, firing: Firing) -> tuple:
    numbers = [row["n"] if row else 0 for row in firing.rows.values()]
    return (*numbers, firing.id, correlation.when[firing.pattern], *_plain(firing.cycle))


def of_spark(windows: Any, name: str, streams: list[str]) -> list[tuple]:
    rows = windows.spark.table(f"{windows.schema}.{name}").where("row_kind = 'row'").collect()
    return sorted(
        (
            *(row[f"{alias}_n"] or 0 for alias in streams),
            row.correlation_id, row.pattern, *_plain(_cycle(row.entered)),
        )
        for row in rows
    )  # fmt: skip


def _cycle(struct: Any) -> Cycle:
    at = round(struct.at.replace(tzinfo=timezone.utc).timestamp() * SECOND)
    return Cycle(at, struct.arrival, tuple(struct.step))


def _plain(cycle: Cycle) -> tuple:
    return (cycle.at, cycle.arrival or 0, cycle.step)


def _text(micros: int) -> str:
    return datetime.fromtimestamp(micros / SECOND, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
