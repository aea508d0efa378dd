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
    random_correlations,
    random_events,
    random_streams,
)
from tests.engine.correlation.oracle import Correlator
from tests.engine.correlation.patterns import Correlation, Firing
from tests.engine.windows.oracle_rows import SECOND, Cycle, Event


def test_spark_fires_what_the_oracle_fires(windows: Any) -> None:
    compare(windows, seed=0, count=400, correlations=2)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 7))
def test_spark_fires_what_the_oracle_fires_of_many(windows: Any, seed: int) -> None:
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
    fired: dict[str, list[Firing]] = {name: [] for name in named}
    windows.events("n bigint, stream string, id bigint")
    models = {alias: window_model(alias, stream) for alias, stream in streams.items()}
    models |= {f"only_{a}": f"{{{{ config(materialized='view') }}}} select * from "
        f"{{{{ source('feed', 'events') }}}} where stream = '{a}'" for a in streams}  # fmt: skip
    models |= {name: correlation_model(streams, each) for name, each in named.items()}
    windows.models(**models)
    simulated = Windows(streams)
    for batch, as_of in batches_of(chance, events):
        land(windows, batch)
        commits = len(streams) + len(named)
        windows.run_killed(chance.randrange(1, commits + 1), as_of=as_of and _text(as_of))
        windows.run(as_of=as_of and _text(as_of))
        simulated.run(batch, as_of)
        for name, correlator in correlators.items():
            fired[name] += correlator.run(simulated.tables, simulated.frontier)
    for name, correlation in named.items():
        meant = sorted(of_oracle(correlation, each) for each in fired[name])
        assert of_spark(windows, name, streams) == meant, models[name]


def window_model(alias: str, stream: Stream) -> str:
    if stream.of:
        return f"source=ref('{stream.of}'), store='{stream.store}', where='$row_status is new'"
    source = f"ref('only_{alias}')" if stream.has_own_clock else "source('feed', 'events')"
    return f"source={source}, ts='ts', store='{stream.store}', where=\"stream = '{alias}'\""


def correlation_model(streams: dict[str, Stream], correlation: Correlation) -> str:
    given = ", ".join(f"'{a}': {{'window': ref('{a}'), 'on': 'id'}}" for a in streams)
    select = {f"{alias}_n": f"{alias}.n" for alias in streams}
    call = f"streams={{{given}}}, when={correlation.when}, select={select}"
    return f"{{{{ strandline.correlation_table({call}) }}}}"


def batches_of(chance: Random, events: list[Event]) -> Iterator[tuple[list[Event], int | None]]:
    """Two runs; the last moves all clocks behind all events."""
    cut = chance.choice([event.arrival for event in events])
    yield [event for event in events if event.arrival < cut], None
    newest = max(event.ts for event in events)
    as_of = chance.choice([None, newest + 100 * SECOND])
    yield [event for event in events if event.arrival >= cut], as_of


def land(windows: Any, events: list[Event]) -> None:
    rows = [(e.arrival, e.ts, *e.row.values()) for e in events]
    names = "arrival bigint, ts bigint, n bigint, stream string, id bigint"
    frame = windows.spark.createDataFrame(rows, names).coalesce(1)
    frame = frame.selectExpr("arrival", "timestamp_micros(ts) as ts", "n", "stream", "id")
    frame.writeTo(f"{windows.schema}.events").append()


def of_oracle(correlation: Correlation, firing: Firing) -> tuple:
    numbers = [row["n"] if row else 0 for row in firing.rows.values()]
    return (*numbers, firing.id, correlation.when[firing.pattern], *_plain(firing.cycle))


def of_spark(windows: Any, name: str, streams: dict[str, Stream]) -> list[tuple]:
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
