"""Values as a report has them: keys as JSON, and numbers with seven digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from strandline.literals import name_sql, text_sql


def key_sql(keys: Iterable[str]) -> str:
    """A key as JSON, its columns in this order; a null is a value of it."""
    columns = ", ".join(f"{text_sql(key)}, string({name_sql(key)})" for key in keys)
    if not columns:
        return "'{}'"
    return f"to_json(named_struct({columns}), map('ignoreNullFields', 'false'))"


def short(value: Any) -> float | int | None:
    """A number with seven digits; None for null, and for what cannot be drawn."""
    if value is None or not math.isfinite(value):
        return None
    number = float(f"{value:.7g}")
    return int(number) if number.is_integer() else number


def neighbours_sql(
    columns: Iterable[str], summaries: Mapping[str, str], relation: str, rows: str, key: str
) -> str:
    """The rows of a table with summaries beside those of the buckets before and after.

    Args:
        columns: what is read of the table besides.
        summaries: of each suffix the expression of a summary: `__summary_0` has the neighbours
            `__prev_0` and `__next_0`, the nearest ones of its key that have one.
        relation: the table.
        rows: a condition, and an order with a limit: the rows that are read.
        key: the expression of a key.
    """
    given = "".join(f", {sql} as __summary{suffix}" for suffix, sql in summaries.items())
    order = "over (partition by __key order by agg_timestamp)"
    beside = "".join(
        f", {function}(__summary{suffix}) ignore nulls {order} as {side}{suffix}"
        for suffix in summaries
        for side, function in (("__prev", "lag"), ("__next", "lead"))
    )
    return f"""(
        select *{beside}
        from (select {key} as __key, {", ".join(columns)}{given} from {relation} {rows})
    )"""
