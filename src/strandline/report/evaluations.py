"""Reads what detectors have evaluated: each value, what was expected of it, and its bounds."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strandline.literals import text_sql
from strandline.report.values import key_sql, short

if TYPE_CHECKING:
    from strandline.connection import Connection
    from strandline.report.found import Evaluation

KEYS = 24
NUMBERS_OF_A_ROW = 6
FORECASTS = 5_000  # rows
NEEDED = {
    "detection_id", "detector", "starts_at", "current_value", "baseline_value", "description",
    "lower_bound", "upper_bound",
}  # fmt: skip


def keys_of(columns: Sequence[str]) -> list[str]:
    """The columns of a detection that identify its series: those behind `detector`."""
    return list(columns[columns.index("detector") + 1 : columns.index("starts_at")])


@dataclass(frozen=True)
class _Extent:
    """How much there is of one detector, and the keys that are shown, as JSON."""

    detector: str
    settings: dict[str, Any]
    keys: list[str]
    number_of_keys: int
    total: int
    first: int
    last: int

    def start(self, rows: int) -> int:
        """From when on there are about so many rows of the shown keys, in microseconds."""
        part = min(1, rows * self.number_of_keys / max(1, len(self.keys) * self.total))
        return self.last - math.ceil((self.last - self.first) * part)


def read_evaluation(spark: Connection, one: Evaluation, numbers: int) -> list[dict[str, Any]]:
    """Of each detector of a model the newest values; times are Unix milliseconds.

    Keys are shown in the order of what was found in them last. A model that does not pass on the
    columns of its detector gives nothing.

    Args:
        spark: a session on the tables.
        one: the model.
        numbers: how many numbers there may be.
    """
    columns = spark.sql(f"select * from (\n{one.query}\n) where false").columns
    if not set(columns) >= NEEDED:
        return []
    keys = keys_of(columns)
    evaluated = f"select *, {key_sql(keys)} as __key from (\n{one.query}\n)"
    extents = _extents(spark, evaluated)
    forecast = _read_forecast(spark, one.forecast) if one.forecast else []
    share = numbers // max(1, len(extents))
    return [
        {
            "name": one.name if it.detector is None else it.detector,
            "model": one.name,
            "kind": one.kind,
            "zone": it.settings.get("time_zone") or "UTC",
            "number_of_keys": it.number_of_keys,
            "tables": [_rows(spark, evaluated, it, share) | {"forecast": _of(it.keys, forecast)}],
        }
        for it in extents
    ]


def _extents(spark: Connection, evaluated: str) -> list[_Extent]:
    rows = spark.sql(f"""
        select detector, max(settings) as settings, count(*) as number_of_keys, sum(n) as total,
            min(first) as first, max(last) as last,
            to_json(transform(slice(array_sort(collect_list(
                struct(-coalesce(newest, 0) as newest, -found as found, __key as key)
            )), 1, {KEYS}), x -> x.key)) as keys
        from (
            select string(detector) as detector, __key, max(string(description)) as settings,
                count(*) as n, count(detection_id) as found,
                unix_micros(max(if(detection_id is null, null, starts_at))) as newest,
                unix_micros(min(starts_at)) as first, unix_micros(max(starts_at)) as last
            from (\n{evaluated}\n)
            group by 1, 2
        )
        group by 1
        order by 1
    """).collect()
    return [
        _Extent(
            row["detector"], _settings(row["settings"]), json.loads(row["keys"]),
            row["number_of_keys"], row["total"], row["first"], row["last"],
        )
        for row in rows
    ]  # fmt: skip


def _settings(text: str | None) -> dict[str, Any]:
    """What the macro `_evaluated_values` gives; nothing if the model has a text of its own."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _rows(spark: Connection, evaluated: str, one: _Extent, numbers: int) -> dict[str, Any]:
    limit = max(1, numbers // NUMBERS_OF_A_ROW)
    detector = "null" if one.detector is None else text_sql(one.detector)
    rows = spark.sql(f"""
        select __key as key, unix_millis(starts_at) as t, double(current_value) as v,
            double(baseline_value) as base, double(lower_bound) as lower,
            double(upper_bound) as upper, detection_id is not null as is_found
        from (\n{evaluated}\n)
        where string(detector) <=> {detector}
            and starts_at >= timestamp_micros({one.start(limit)})
            and __key in ({", ".join(text_sql(each) for each in one.keys)})
        order by starts_at desc, __key desc
        limit {limit}
    """).collect()[::-1]
    places = {each: place for place, each in enumerate(one.keys)}
    name = one.settings.get("value") or "value"
    return {
        "duration": one.settings.get("granularity") or "",
        "total": one.total,
        "keys": [json.loads(each) for each in one.keys],
        "key": [places[row["key"]] for row in rows],
        "t": [row["t"] for row in rows],
        "measures": [
            {
                "name": name,
                "text": "what the detector evaluates",
                "v": [short(row["v"]) for row in rows],
                "known": None,
                "base": [short(row["base"]) for row in rows],
                "lower": [short(row["lower"]) for row in rows],
                "upper": [short(row["upper"]) for row in rows],
                "found": [n for n, row in enumerate(rows) if row["is_found"]],
            }
        ],
    }


def _read_forecast(spark: Connection, relation: str) -> list[Any]:
    columns = spark.sql(f"select * from {relation} where false").columns
    keys = columns[: columns.index("starts_at")]
    return spark.sql(f"""
        select {key_sql(keys)} as key, unix_millis(starts_at) as t, expected, lower_bound as lower,
            upper_bound as upper
        from {relation}
        order by t, key
        limit {FORECASTS}
    """).collect()


def _of(keys: list[str], forecast: list[Any]) -> dict[str, list[Any]] | None:
    """What is expected of these keys, by columns; None if there is nothing."""
    places = {each: place for place, each in enumerate(keys)}
    rows = [row for row in forecast if row["key"] in places]
    if not rows:
        return None
    return {
        "key": [places[row["key"]] for row in rows],
        "t": [row["t"] for row in rows],
        "base": [short(row["expected"]) for row in rows],
        "lower": [short(row["lower"]) for row in rows],
        "upper": [short(row["upper"]) for row in rows],
    }
