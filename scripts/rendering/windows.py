"""The statements of each kind of window: the first build, and a later run.

The later run writes in a session with settings and in one without.
"""

from __future__ import annotations

from typing import Any

from scripts.rendering.arguments import Relation
from scripts.rendering.run import MICROS, Run
from scripts.rendering.tables import Texts

WINDOW: dict[str, Any] = {"source": Relation("trades"), "ts": "ts", "keys": ["symbol"]}
COUNTS = {
    "n": "count(*)",
    "ever": "sum(price) entrance only",
    "mean": "avg(price) entrance only diff",
    "spread": ["max(price) - min(price)", "0"],
}
WINDOWS: list[dict[str, Any]] = [
    {"store": "last 5", "weight": 0.2, "where": "price > 1"},
    {"store": "random 5", "weight": {"price > 1": 0.2, "symbol = 'A'": 1}, "where": "price > 1"},
    {"store": "last 30 minutes", "every": "10 seconds", "not_after": "ts + interval 1 hour"},
    {"store": "last 30 minutes", "where": "ts < timestamp'2030-01-01'", "clock": "ts"},
    {"store": "last 30 minutes", "aggregates": COUNTS, "pinned": True},
    {"store": "latest 5", "aggregates": COUNTS, "keys": []},
    {"store": "random 5 seed 3"},
    {"store": "highest 5 using price", "update_group": ["name"]},
    {"store": "last (case when symbol = 'A' then 6 else 1 end) minutes max 3"},
]
RUN = {
    "stored": "shop.this_table", "clock": MICROS, "now": MICROS + 5, "events": 7, "accepted": 5,
    "first": 8, "last": 900, "width": 4, "new_events": 3, "watermark": "900", "depth": 1,
    "arrival": 900, "builds": None, "staged": None, "folded": None,
}  # fmt: skip
CYCLES = {
    "first": "from_json('{}', 'struct<at: timestamp, arrival: bigint, step: array<int>>')",
    "last": "from_json('{}', 'struct<at: timestamp, arrival: bigint, step: array<int>>')",
    "earliest": f"{MICROS}L",
    "width": "7L",
}


def windows() -> Texts:
    for case in WINDOWS:
        macros = Run().macros
        body = macros.window_table(**{**WINDOW, **case}).strip()
        yield "window_table-body", body
        task = Run().task(body)
        for is_stored in (False, True):
            for status in (None, "new"):
                run = {**RUN, "is_stored": is_stored, **(CYCLES if status else {})}
                found = statements(macros, {**task, "status": status}, run)
                yield "window_table", found
                if is_stored:
                    yield "window_table", without_settings(found[-1], "entry")


STREAMS = {
    "one": {"window": Relation("first_window"), "on": "symbol"},
    "two": {"window": Relation("second_window"), "on": "symbol"},
}
CORRELATIONS: list[dict[str, Any]] = [
    {
        "when": ["one and two", "one and not two", "two and not one"],
        "select": {"price": "one.price", "late": "case when two.ts > one.ts then price end"},
        "where": "price > 5",
    },
    {"when": ["one"], "select": {"kind": "'seen'"}},
]


def correlations() -> Texts:
    for case in CORRELATIONS:
        macros = Run().macros
        body = macros.correlation_table(streams=STREAMS, **case).strip()
        yield "correlation_table-body", body
        task = Run().task(body)
        for watermark in (None, {"clock": MICROS, "arrival": 7}):
            run = {
                "stored": "shop.this_table", "changes": "shop.changes", "watermark": watermark,
                "now": {"clock": MICROS + 5, "arrival": 9}, "builds": "a,b", "depth": 1,
                "correlations": [1],
            }  # fmt: skip
            rows = macros._correlation_rows(task, run | {"has_several": False})
            yield "correlation_table", [macros._correlation_changes(task, run), rows]
            if macros._streams_read(task):
                joined = run | {"has_several": True}
                yield "correlation_table", macros._correlation_rows(task, joined)
            if watermark:
                yield "correlation_table", without_settings(rows, "correlation_id")


def without_settings(rows: str, spread: str) -> list[str]:
    """The statements by which a session without settings writes the rows of a run."""
    run = Run(strandline_session_settings=False)
    state = run.macros._window_state(run.this)
    return [*run.statements, run.macros._merge_window(run.this, rows, state, spread)]


def statements(macros: Any, task: dict[str, Any], run: dict[str, Any]) -> list[str]:
    """The statements of one run; a folded window and one with aggregates have several."""
    found = []
    is_folded = macros._is_folded(task["store"])
    if is_folded or macros._is_weighed(task):
        found.append(f"with {macros._window_events(task, run)} select * from __events")
        run |= {"staged": "shop.events"}
    if is_folded:
        run |= {"folded": "shop.folded"}
        found.append(macros._fold_input(task, run))
    if task["aggregates"]:
        events, stays = macros._window_events(task, run), macros._stays(task, run)
        found.append(f"with {events}, {stays} select * from __stays")
        run |= {"stays": "shop.stays"}
    return [*found, macros._window_rows(task, run)]
