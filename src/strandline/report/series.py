"""Reads series: of each table the newest buckets, as many as there may be numbers."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strandline.connection import types_of
from strandline.literals import text_sql
from strandline.report.values import key_sql, neighbours_sql, short

if TYPE_CHECKING:
    from strandline.connection import Connection
    from strandline.report.found import Series, Table

KEYS = 12
NUMBERS = ("bigint", "int", "smallint", "tinyint", "double", "float", "decimal")


@dataclass(frozen=True)
class Extent:
    """How much there is of a series, and what of it is shown.

    Attributes:
        keys: those that are shown, as JSON.
        number_of_keys: how many there are.
        bounds: of each table its first and last bucket in microseconds, and its rows.
    """

    keys: list[str]
    number_of_keys: int
    bounds: list[tuple[int, int, int]]


def extent_of(spark: Connection, one: Series) -> Extent:
    """The extent of a series. Of many keys those are shown that have the most rows of events.

    That is, those with the greatest sum of the first measure in the longest duration.
    """
    longest, key = one.tables[0], key_sql(one.keys)
    weight = f"sum(try_cast({longest.measures[0].own} as double))" if longest.measures else "0"
    chosen = spark.sql(f"""
        select {key} as key, {weight} as weight,
            (select count(distinct {key}) from {longest.relation}) as number_of_keys
        from {longest.relation}
        group by 1
        order by weight desc nulls last, key
        limit {KEYS}
    """).collect()
    bounds = " union all ".join(
        f"select {place} as place, unix_micros(min(agg_timestamp)) as first,"
        f" unix_micros(max(agg_timestamp)) as last, count(*) as n from {table.relation}"
        for place, table in enumerate(one.tables)
    )
    found = sorted(spark.sql(bounds).collect(), key=lambda row: int(row["place"]))
    return Extent(
        [row["key"] for row in chosen],
        chosen[0]["number_of_keys"] if chosen else 0,
        [(row["first"] or 0, row["last"] or 0, row["n"]) for row in found],
    )


def limits_of(one: Series, extent: Extent, numbers: int) -> list[int]:
    """How many rows each table may have: shares of so many numbers, the longest duration first."""
    limits = []
    for place, (table, (_, _, rows)) in enumerate(zip(one.tables, extent.bounds, strict=True)):
        width = 2 + sum(2 if measure.known else 1 for measure in table.measures)
        limits.append(numbers // (len(one.tables) - place) // width)
        numbers -= min(limits[-1], rows) * width
    return limits


def rows_of(
    spark: Connection, one: Series, extent: Extent, table: Table, limit: int
) -> dict[str, Any]:
    """The newest rows of a table, by columns, the oldest first; times are Unix milliseconds."""
    first, last, total = extent.bounds[one.tables.index(table)]
    key = key_sql(one.keys)
    # A literal bound, so that old files are not read: rows are taken to be evenly spread.
    part = min(1, limit * extent.number_of_keys / max(1, len(extent.keys) * total))
    start = last - math.ceil((last - first) * part)
    columns = [f"{it.sql} as v{n}" for n, it in enumerate(table.measures)]
    columns += [
        f"least(1, coalesce({it.known}, 0) * 1e6D"
        f" / (unix_micros({table.ends}) - unix_micros(agg_timestamp))) as k{n}"
        for n, it in enumerate(table.measures)
        if it.known
    ]
    rows_shown = f"""
        where agg_timestamp >= timestamp_micros({start})
            and {key} in ({", ".join(text_sql(each) for each in extent.keys) or "''"})
        order by agg_timestamp desc, __key
        limit {limit}
    """
    summaries = {f"_{n}": it.summary for n, it in enumerate(table.measures) if it.summary}
    query = f"""
        select __key as key, unix_millis(agg_timestamp) as t{"".join(f", {it}" for it in columns)}
        from {neighbours_sql(["*"], summaries, table.relation, rows_shown, key)}
    """
    numeric = {name for name, it in types_of(spark, query).items() if it.startswith(NUMBERS)}
    values = "".join(f", {name}" for name in sorted(numeric - {"t"}))
    rows = spark.sql(f"select key, t{values} from ({query}) order by t desc, key").collect()[::-1]
    places = {each: place for place, each in enumerate(extent.keys)}
    return {
        "duration": table.duration,
        "total": total,
        "keys": [json.loads(each) for each in extent.keys],
        "key": [places[row["key"]] for row in rows],
        "t": [row["t"] for row in rows],
        "measures": [
            {
                "name": it.name,
                "text": it.text,
                "v": [short(row[f"v{n}"]) for row in rows],
                "known": [short(row[f"k{n}"]) for row in rows] if it.known else None,
            }
            for n, it in enumerate(table.measures)
            if f"v{n}" in numeric
        ],
    }
