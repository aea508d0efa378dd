"""Reads tables of states: of each bucket how long each state lasted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from strandline.literals import length_text
from strandline.report.values import key_sql, neighbours_sql, short

if TYPE_CHECKING:
    from strandline.connection import Connection
    from strandline.report.found import States

NUMBERS_OF_A_ROW = 8


def read_states(spark: Connection, one: States, numbers: int) -> dict[str, Any]:
    """The newest buckets, with at most so many numbers; durations are hours."""
    newest = neighbours_sql(
        ["agg_timestamp"],
        {"": "summary"},
        one.relation,
        f"order by agg_timestamp desc, __key limit {numbers // NUMBERS_OF_A_ROW}",
        key_sql(one.keys),
    )
    rows = spark.sql(f"""
        select __key as key, unix_millis(agg_timestamp) as t, to_json(transform({one.sql},
            x -> named_struct('state', string(x.state), 'hours', x.duration / 3600)),
            map('ignoreNullFields', 'false')) as states
        from {newest}
        order by agg_timestamp desc, key
    """).collect()
    rows.reverse()
    keys = sorted({row["key"] for row in rows})
    return {
        "name": one.name,
        "duration": length_text(one.micros),
        "length": one.micros // 1_000,
        "keys": [json.loads(key) for key in keys],
        "key": [keys.index(row["key"]) for row in rows],
        "t": [row["t"] for row in rows],
        "states": [
            [[it["state"], short(it["hours"])] for it in json.loads(row["states"])] for row in rows
        ],
    }
