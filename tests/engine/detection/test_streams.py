"""Random streams contain every awkward case, and the oracle has the properties that the definition demands."""

from __future__ import annotations

import copy
import math
import random
from collections import Counter, defaultdict

import pytest
from tests.engine.detection.catalogue import CATALOGUE, column, of
from tests.engine.detection.oracle import Detection, Engine
from tests.engine.detection.oracle_metrics import Metric, Row
from tests.engine.detection.streams import PRECISIONS, Stream, stream

SEEDS = range(40)
EVERY_WINDOW = Metric("window", of("count", column("arrival")), ">", 0)
EVERY_ROW = Metric("against", column("arrival"), ">", of("last", "arrival"))


def engine_of(given: Stream, metrics: list[Metric]) -> Engine:
    return Engine(metrics, given.window_size, given.step, given.round_time, given.precision)


def test_a_stream_is_that_of_its_seed() -> None:
    assert repr(stream(7)) == repr(stream(7))  # NaN is no equal of itself
    assert repr(stream(7)) != repr(stream(8))


def test_each_key_is_a_stream_of_its_own() -> None:
    given = stream(1, count=3_000, keys=100)

    assert len({row.key for row in given.rows}) == 100
    assert len(engine_of(given, list(CATALOGUE.values())).run(given.rows)) > 10_000


def test_streams_contain_every_awkward_case() -> None:
    counts: Counter = Counter()
    for given in map(stream, range(200)):
        counts.update([given.precision, given.round_time, given.window_size // given.step])
        engine = engine_of(given, [Metric("window", of("count", "qty"), ">=", 0)])
        found = engine.run(given.rows)
        last: dict[tuple, int] = {}
        for row in given.rows:
            moved = row.time - last.get(row.key, row.time - 1)
            counts["tie"] += moved == 0
            counts["gap"] += moved > given.window_size
            counts["null key"] += row.key == (None,)
            counts["null"] += row.values["qty"] is None
            counts["NaN"] += any(
                isinstance(v, float) and math.isnan(v) for v in row.values.values()
            )
            counts["older than the first row"] += row.time < given.rows[0].time
            counts["before 1970"] += row.time < 0
            last[row.key] = max(row.time, last.get(row.key, row.time))
        counts["late"] += len(engine.late)
        counts["several at once"] += len(found) - len({each.arrival for each in found})

    assert [counts[p] > 15 for p in PRECISIONS] == [True] * len(PRECISIONS)
    assert [counts[ratio] > 5 for ratio in (1, 2, 3, 4, 5, 10, 20)] == [True] * 7
    rare = ["tie", "gap", "null key", "null", "NaN", "older than the first row", "before 1970"]
    assert {
        name: counts[name] for name in [*rare, "late", "several at once"] if counts[name] < 100
    } == {}


def test_every_metric_of_the_catalogue_is_found_and_not_found() -> None:
    found: Counter = Counter()
    evaluated: Counter = Counter()
    for given in map(stream, range(60)):
        engine = engine_of(given, list(CATALOGUE.values()))
        found.update(each.metric for each in engine.run(given.rows))
        evaluated["row"] += len(given.rows) - len(engine.late)
        evaluated["window"] += sum(len(state.closed) for state in engine.keys.values())
    evaluated["against"] = evaluated["row"]

    for index, (text, metric) in enumerate(CATALOGUE.items()):
        assert 30 < found[index] < evaluated[metric.kind], text


@pytest.mark.parametrize("seed", SEEDS)
def test_runs_crashes_and_rows_sent_again_change_nothing(seed: int) -> None:
    given = stream(seed)
    engine = engine_of(given, list(CATALOGUE.values()))
    whole = copy.deepcopy(engine).run(given.rows)

    chance, found, at = random.Random(seed), [], 0  # noqa: S311
    while at < len(given.rows):
        end = at + chance.randrange(0, 20)
        copy.deepcopy(engine).run(given.rows[at:end])  # lost
        found += engine.run(given.rows[max(at - 5, 0) : end])
        at = end

    assert repr(found) == repr(whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_by_definition(seed: int) -> None:
    """Windows and thresholds from the stream as a whole, not row by row."""
    given = stream(seed)
    rows = [Row(r.arrival, r.time, r.key, {"arrival": r.arrival}) for r in given.rows]
    engine = engine_of(given, [EVERY_WINDOW, EVERY_ROW])

    found = engine.run(rows)

    by_key, late = defaultdict(list), []
    for row in rows:
        earlier = by_key[row.key]
        is_late = any(row.time < each.time for each in earlier)
        (late if is_late else earlier).append(row)
    assert [row for _, row in engine.late] == late
    windows, thresholds = set(), set()
    for key, some in by_key.items():
        windows |= {(key, *each) for each in closed_windows(some, given, engine.grid)}
        thresholds |= {(row.arrival, *last_closed(row, some, given, engine.grid)) for row in some}
    assert {(e.key, e.window_start, e.left) for e in found if e.metric == 0} == windows
    assert {against(e) for e in found if e.metric == 1} == {t for t in thresholds if len(t) > 1}
    assert len(found) == len(set(map(repr, found)))


def against(each: Detection) -> tuple:
    return each.arrival, each.window_start, each.right


def closed_windows(rows: list[Row], given: Stream, grid: int) -> set[tuple[int, int]]:
    """(start, rows in it) of each window that is over by the last of these rows."""
    size, step, now = given.window_size, given.step, rows[-1].time
    counted = Counter(
        start
        for row in rows
        for start in range(row.time - size + 1, row.time + 1)
        if (start - grid) % step == 0
    )
    return {(start, count) for start, count in counted.items() if start + size <= now}


def last_closed(row: Row, rows: list[Row], given: Stream, grid: int) -> tuple:
    """(start, its last row) of the newest window that is over at this row; nothing without one."""
    until = [each for each in rows if each.arrival <= row.arrival]
    starts = [start for start, _ in closed_windows(until, given, grid)]
    if not starts:
        return ()
    start = max(starts)
    inside = [r.arrival for r in until if start <= r.time < start + given.window_size]
    return start, max(inside)
