"""Cases by hand, with what they must yield: for the oracle and for Spark."""

from __future__ import annotations

from tests.engine.correlation.cases import Case, Run, Stream, simulate
from tests.engine.correlation.streams import OF_STREAM
from tests.engine.windows.oracle_rows import SECOND, Event, Store, Window
from tests.engine.windows.streams import Expression

STAYS = {"a": 10, "b": 20, "c": 3, "d": 5}  # seconds in the time window of each letter


def letters(when: list[str], *steps: tuple, aliases: str = "abc") -> Case:
    """Steps are (letter, second, id = 1). Letters of one second come at once.

    One source, a time window a letter. At second 60 all have left.
    """
    rows = [(letter, at, ref[0] if ref else 1) for letter, at, *ref in [*steps, ("z", 60)]]
    events = [
        Event(at + 1, at * SECOND, {"id": number, "stream": letter, "ref": ref, "qty": 0})
        for number, (letter, at, ref) in enumerate(rows, start=1)
    ]
    streams = {
        letter: Stream(
            Window(Store("time", size=STAYS[letter] * SECOND), where=OF_STREAM[letter]),
            on="ref",
            source="events",
        )
        for letter in aliases
    }
    return Case(streams, when, [Run({"events": events})])


def short(firings: list[tuple]) -> list[tuple]:
    """(id, second, pattern, rows) of plain firings."""
    return [(id_, cycle[0] / SECOND, index, rows) for id_, cycle, index, rows in firings]


def fired(when: list[str], *steps: tuple, aliases: str = "abc") -> list[tuple]:
    return short(simulate(letters(when, *steps, aliases=aliases)))


# The four of the source, word for word: (_,_,) | a->(a,_,_) | …
TRACES = {
    "1: b did not appear and c appeared instead": (
        letters(["a and b and not c"], ("a", 0), ("c", 1)),
        [],
    ),
    "2: fire as soon as a exits": (
        letters(["a and b and not c"], ("a", 0), ("b", 1)),
        [(1, 10, 0, (1, 2, None))],
    ),
    "3: the appearance of c taints": (
        letters(["a and b and not c"], ("a", 0), ("b", 1), ("z", 4), ("c", 8)),
        [],
    ),
    "4: c disappears in a subsequent cycle": (
        letters(["a and b and not c"], ("a", 0), ("b", 1), ("z", 2), ("c", 4), ("z", 8)),
        [],
    ),
}

# (stage, second, id, priority)
_STAGES = [
    *((1, 0, 1, 6.0), (2, 1, 1, 6.0), (3, 2, 1, 6.0)),
    *((1, 10, 2, 7.0), (2, 11, 2, 7.0)),  # no third
    *((1, 20, 3, 5.5), (3, 21, 3, 5.5)),  # no second
    (1, 30, 4, 6.0),  # alone
    *((1, 40, 5, 8.0), (2, 41, 5, 8.0), (3, 42, 5, 8.0)),  # the post-filter drops it
    *((1, 50, 6, 5.0), (2, 51, 6, 6.0), (3, 52, 6, 6.0)),  # the pre-filter drops the first
    *((1, 60, 7, 6.0), (2, 61, 7, 6.0), (3, 65, 7, 6.0)),  # the third comes as the first leaves
    *((3, 70, 8, 7.4), (2, 71, 8, 7.4), (1, 74, 8, 7.4)),  # in whatever order
    *((2, 80, 9, 6.0), (1, 82, 9, 6.0)),  # the second leaves first
    *((1, 90, 10, 6.0), (3, 91, 10, 6.0), (2, 94, 10, 6.0)),  # the second comes just in time
    *((1, 100, 11, 9.0), (2, 101, 11, 9.0)),  # no third, and dropped
]
_FILTER = Expression("event_priority > 5", lambda row: row["event_priority"] > 5)


def _stage(stage: int) -> Stream:
    window = Window(Store("time", size=5 * SECOND), where=_FILTER)
    return Stream(window, on=f"event_{stage}_id", source=f"stage_{stage}")


def _stage_events(stage: int) -> list[Event]:
    return [
        Event(at, at * SECOND, {"id": at, f"event_{stage}_id": id_, "event_priority": priority})
        for of, at, id_, priority in _STAGES
        if of == stage
    ]


SLA = Case(
    {"one": _stage(1), "two": _stage(2), "three": _stage(3)},
    ["one and two and not three", "one and not two and three", "one and two and three"],
    [Run({f"stage_{stage}": _stage_events(stage) for stage in (1, 2, 3)}, as_of=200 * SECOND)],
)
# (id, second, pattern, rows by their second), before the post-filter `priority < 7.5`.
# Who is alone is in no pattern: the source's comment 'Stage 2 & 3 missing!' never shows.
SLA_FIRINGS = [
    (1, 2, 2, (0, 1, 2)),
    (2, 15, 0, (10, 11, None)),
    (3, 25, 1, (20, None, 21)),
    (5, 42, 2, (40, 41, 42)),
    (7, 65, 0, (60, 61, None)),
    (8, 74, 2, (74, 71, 70)),
    (9, 85, 0, (82, 80, None)),
    (10, 94, 2, (90, 94, 91)),
    (11, 105, 0, (100, 101, None)),
]
# (stage 1 id, stage 2 id, stage 3 id, priority, comment)
SLA_ALERTS = [
    (1, 1, 1, 6.0, "All OK!"),
    (2, 2, None, 7.0, "Stage 3 missing!"),
    (3, None, 3, 5.5, "Stage 2 missing!"),
    (7, 7, None, 6.0, "Stage 3 missing!"),
    (8, 8, 8, 7.4, "All OK!"),
    (9, 9, None, 6.0, "Stage 3 missing!"),
    (10, 10, 10, 6.0, "All OK!"),
]
