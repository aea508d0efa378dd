"""Random histories: late, early, doubled, resent, malformed events, and awkward times and values.

A history is a list of runs, each a list of events in the order of their arrival. `cases` makes
many, one for each value of the group column `case_id`, each split on its own; `stream` makes one
long one, for rules that look at all groups together.
"""

from __future__ import annotations

import math
import random
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from tests.engine.runs.definition import Definition, Output, simple

SECOND = 1_000_000
History = list[list[dict[str, Any]]]


def _at(*fields: int) -> int:
    return int((datetime(*fields, tzinfo=timezone.utc) - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds())  # fmt: skip


# New York's clock goes forward and back; leap days; ends of years; before 1970 and before zones; the
# last day of a week whose Monday Java's calendar leaves out.
ANCHORS = [
    _at(2013, 3, 10, 6, 59, 50), _at(2013, 11, 3, 5, 59, 50), _at(2013, 11, 3, 4, 59, 58), _at(2012, 2, 29, 23),
    _at(2013, 1, 1, 4, 59, 55), _at(2012, 12, 31, 23, 59, 58), _at(1969, 12, 31, 23, 59, 58),
    _at(1582, 10, 17), _at(1904, 2, 29, 1), _at(1850, 1, 1, 4, 56), _at(2013, 3, 4, 4, 59, 59), _at(2013, 2, 28, 12),
]  # fmt: skip
NEVER = [
    _at(1582, 10, 12, 3) * SECOND,
    _at(9999, 1, 1) * SECOND,
    _at(1, 12, 31, 23, 59, 59) * SECOND + SECOND - 1,
]
LARGEST = 2**63 - 1

LEDGER = Definition(
    "ledger",
    {
        "arrival": "bigint", "id": "string", "case_id": "int", "symbol": "string", "ts": "timestamp",
        "price": "decimal(18,2)", "vast": "decimal(38,4)", "quantity": "bigint", "x": "double", "y": "double",
    },
    simple(
        n="count(*)", n_price="count(price)", avg_price="avg(price)", low="min(price)", vast="sum(vast)",
        total="sum(quantity)", avg_q="avg(quantity)", sum_x="sum(x)", avg_x="avg(x)", min_x="min(x)", max_x="max(x)",
        n_x="count(x)", kinds="distinctCount(x)", about="approx_count_distinct(quantity)", v="variance(y)",
        sd="stddev(y)", vp="var_pop(y)", sp="stddev_pop(y)", f="first(price)", l="last(x)", now="quantity",
        sk="skewness(quantity)", ku="kurtosis(quantity)", gm="geometric_mean(quantity)", sq="sumsq(quantity)",
    ) | {
        "high": Output("max(price * 2)", "max", lambda e: None if e["price"] is None else e["price"] * 2),
        "value": Output("y * 4", "latest", lambda e: None if e["y"] is None else e["y"] * 4),
        "median": Output("quantile(y, 0.5)", "quantile", "y", 0.5),
    },
    keys=("case_id", "symbol"), event_id="id", time_zone="America/New_York",
)  # fmt: skip
TEXTS = Definition(
    "texts", {"arrival": "bigint", "case_id": "int", "ts": "string", "n": "int"},
    simple(n="count(*)", total="sum(n)", now="n"),
    every=("minutes", "15minutes", "hours", "days", "months"), keys=("case_id",), time_zone="Asia/Kolkata",
)  # fmt: skip
MILLIS = Definition(
    "millis", {"arrival": "bigint", "id": "binary", "case_id": "int", "ts": "bigint", "n": "int"},
    simple(total="sum(n)", f="first(n)"), event_id="id",
    every=("hours", "days", "months", "years"), keys=("case_id",), time_zone="Australia/Lord_Howe",
)  # fmt: skip
ARRIVED = Definition(
    "arrived", {"arrival": "timestamp", "case_id": "int", "n": "int"}, simple(total="sum(n)", l="last(n)"),
    every=("seconds", "minutes", "hours"), keys=("case_id",), ts=None,
)  # fmt: skip
MUTABLE = MILLIS.but(
    name="mutable",
    every=("hours", "6hours", "days", "weeks"),
    mutability_period="P300D",
    day_start=6 * 3_600,
)


def instant(chance: random.Random, anchors: list[int], spread: float) -> int:
    """Microseconds near an anchor, often on a full second."""
    seconds = chance.uniform(-spread / 10, spread)
    return (chance.choice(anchors) + round(seconds)) * SECOND + chance.choice([0, 0, 1, 999_999])


def cases(chance: random.Random, first: int, count: int, runs: int) -> dict[str, History]:
    """Histories of all definitions, `count` cases each; one run in the middle is empty."""
    return {
        definition.name: together(chance, [one(chance, case) for case in range(first, first + count)], runs, start)
        for definition, one, start in [
            (LEDGER, ledger_case, 1), (TEXTS, texts_case, 1), (MILLIS, millis_case, 1),
            (ARRIVED, arrived_case, ANCHORS[0] * SECOND), (MUTABLE, millis_case, 1),
        ]
    }  # fmt: skip


def together(chance: random.Random, histories: list[list[dict]], runs: int, start: int) -> History:
    """Splits each history at random, and lets the pieces of one run arrive mixed; arrivals grow."""
    batches: History = [[] for _ in range(runs)]
    open_runs = [run for run in range(runs) if run != runs // 2]
    for events in histories:
        for run, event in zip(
            sorted(chance.choices(open_runs, k=len(events))), events, strict=True
        ):
            batches[run].append(event)
    arrival = start
    for events in batches:
        chance.shuffle(events)
        arrival += 1  # what is visible at once may share an arrival, what is not may not
        for event in events:
            arrival += chance.choice([0, 1, 1, 7]) * (1 if start == 1 else 333_333)
            event["arrival"] = arrival
    return batches


def ledger_case(chance: random.Random, case: int) -> list[dict[str, Any]]:
    anchors = chance.sample(ANCHORS, chance.choice([1, 1, 2]))
    spread = chance.choice([3, 90, 4_000, 90_000])
    values = chance.choice([small, small, huge, broken])
    events = []
    for number in range(chance.randrange(1, 9)):
        event = {
            "id": chance.choice([f"${{env:HOME}}'\\{case}-{number}"] * 19 + [None]),
            "case_id": case,
            "symbol": chance.choice(["A", "B", None]),
            "ts": chance.choice(
                [instant(chance, anchors, spread)] * 18 + [None, chance.choice(NEVER)]
            ),
            **values(chance),
        }
        events.append(event)
        if chance.random() < 0.2:  # resent as it was
            events.append(dict(event))
        if chance.random() < 0.1:  # another event under the same id
            moved = instant(chance, anchors, spread) + chance.randrange(2, 900_000)
            events.append(event | {"ts": moved, "symbol": "B", **values(chance)})
    return events


def small(chance: random.Random) -> dict[str, Any]:
    return {
        "price": chance.choice([None, Decimal(chance.randrange(-9_999, 99_999)) / 100]),
        "vast": None,
        "quantity": chance.choice([None, 0, chance.randrange(-50, 2_000)]),
        "x": chance.choice([None, 0.0, -0.0, chance.randrange(-4_000, 4_000) / 4]),
        "y": chance.choice(
            [None, chance.randrange(-4_000, 4_000) / 4, 1e6 + chance.randrange(9) / 4]
        ),
    }


def huge(chance: random.Random) -> dict[str, Any]:
    """A case has at most 24 events, so that no sum overflows."""
    return small(chance) | {
        "price": chance.choice([Decimal(10**16 - 1) / 100, Decimal(1 - 10**16) / 100]),
        "vast": chance.choice([None, Decimal(chance.randrange(-(10**32), 10**32)).scaleb(-4)]),
        "quantity": chance.choice([LARGEST // 25, -LARGEST // 25, LARGEST // 25 - 1]),
        "x": chance.choice([1e15, -1e15, 0.25]),
    }


def broken(chance: random.Random) -> dict[str, Any]:
    return small(chance) | {"x": chance.choice([math.nan, None, -1.5, 2.25])}


def texts_case(chance: random.Random, case: int) -> list[dict[str, Any]]:
    anchors = chance.sample(ANCHORS[:7], 1)
    return [
        {
            "case_id": case,
            "ts": time_text(chance, anchors),
            "n": chance.choice([None, chance.randrange(100)]),
        }
        for _ in range(chance.randrange(1, 7))
    ]


def time_text(chance: random.Random, anchors: list[int]) -> str | None:
    """A time in text, in one of its forms, or in none."""
    text = datetime.fromtimestamp(instant(chance, anchors, 9_000) // SECOND, timezone.utc)
    text = text.strftime("%Y-%m-%d %H:%M:%S")
    offset = chance.choice(
        ["", "", "Z", " Z", "+05:30", " +05:30", " -04:00", " +00:00", " +12:45", " -18:00"]
    )
    wrong = [None, "", "soon", "2013-02-30 00:00:00", "2013-02-28 24:00:00", "2013-02-28T00:00:00", text + " +5:30",
             text + " +05:75", text + ".5", text[:10]]  # fmt: skip
    return chance.choice([text + offset] * 9 + [chance.choice(wrong)])


def millis_case(chance: random.Random, case: int) -> list[dict[str, Any]]:
    anchors = chance.sample([*ANCHORS[:7], _at(2012, 10, 6, 15, 29), _at(2013, 4, 6, 14, 59)], 2)
    wrong = [None, LARGEST // 1000, -LARGEST // 1000, 253_370_764_800_000]
    events = [
        {"id": chance.choice([bytes([0x80 + number]) + str(case).encode()] * 19 + [None]), "case_id": case,
         "n": chance.choice([None, chance.randrange(100)]),
         "ts": chance.choice([instant(chance, anchors, 9_000) // 1000] * 9 + [chance.choice(wrong)])}
        for number in range(chance.randrange(1, 7))
    ]  # fmt: skip
    return [dict(event) for event in events for _ in range(chance.choice([1, 1, 1, 2]))]


def arrived_case(chance: random.Random, case: int) -> list[dict[str, Any]]:
    return [{"case_id": case, "n": chance.choice([None, 7])} for _ in range(chance.randrange(1, 4))]


def stream(chance: random.Random, unit: int, count: int, runs: int, anchor: int) -> History:
    """One long history that moves on by units of so many seconds, in great disorder."""
    now, events, resendable = anchor, [], 0
    for number in range(count):
        now += chance.choice([0, 0, 1, 1, 2, 9]) * unit
        back = chance.choice([0, 0, 0, 1, 2, 3, 4, 5, 6, 8, 30]) * unit
        at = chance.choice([now - back] * 30 + [None])
        event = {
            "id": chance.choice([f"e{number}"] * 30 + [None]),
            "symbol": chance.choice(["A", "B", None]),
            "ts": at if at is None else at * SECOND + chance.randrange(SECOND),
            "n": chance.choice([None, chance.randrange(1_000)]),
        }
        events.append(event)
        if chance.random() < 0.15 and number:
            events.append(dict(events[chance.randrange(resendable, len(events))]))
            resendable = max(0, len(events) - 40)
    bounds = sorted(chance.randrange(len(events)) for _ in range(runs - 1))
    batches = [events[a:b] for a, b in zip([0, *bounds], [*bounds, len(events)], strict=True)]
    arrival = 0
    for some in batches:
        arrival += 1
        for event in some:
            arrival += chance.choice([0, 1, 1, 1, 50])
            event["arrival"] = arrival
    return batches
