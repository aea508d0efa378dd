"""Each aggregate in three steps: partials of the rows of a pane, merged by window, and its value.

So a row is read once, also when many windows have it. A percentile has no partial aggregate: the
values of a pane are collected, and those of a window are sorted once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from strandline.detection.metric import Call, Literal, Node, walk
from strandline.detection.sql import percentile_sql, sql_of
from strandline.generated import MOMENTS_OF_PARTS, MOMENTS_OF_ROWS, READ_MOMENTS


@dataclass(frozen=True)
class Partial:
    """A column of a pane: `of_rows` is its aggregate over rows, `of_panes` the merge of panes.

    `finish` makes of the merged column `{0}` the one that the value is computed from.
    """

    name: str
    of_rows: str
    of_panes: str
    finish: str = "{0}"


@dataclass(frozen=True)
class Mergeable:
    """An aggregate: its partials, and the SQL of its value from the merged ones."""

    partials: tuple[Partial, ...]
    value: str


def mergeable(call: Call, name: str) -> Mergeable:
    """The steps of an aggregate without `prev` in it; its columns begin with `name`."""
    value = sql_of(call.arguments[0])
    partials = {
        part: Partial(f"{name}_{part}", *sql) for part, *sql in _partials(call, value, name)
    }
    return Mergeable(tuple(partials.values()), _value(call, name))


def over_rows(call: Call, given: Mapping[Node, str]) -> tuple[str, str]:
    """An aggregate over all rows of a window at once: its SQL, and that of its value `{0}`."""
    if call.name not in ("percentile", "med"):
        return sql_of(call, given, order="__arrival"), "{0}"
    gathered = f"sort_array(collect_list({sql_of(call.arguments[0], given)}))"
    return gathered, percentile_sql(_percentile(call), "{0}")


def has_previous(call: Call) -> bool:
    """Whether the argument reads the row before; the first row of a window has none."""
    return any(isinstance(node, Call) and node.name in ("prev", "deltas") for node in walk(call))


def _partials(call: Call, value: str, name: str) -> Iterator[tuple[str, ...]]:
    if call.name in ("percentile", "med"):
        yield (
            "all",
            f"collect_list({value})",
            f"collect_list({name}_all)",
            "sort_array(flatten({0}))",
        )
    elif call.name in READ_MOMENTS:
        moments = MOMENTS_OF_ROWS.replace("{x}", value)
        yield "moments", moments, f"collect_list({name}_moments)", MOMENTS_OF_PARTS
    elif call.name in ("first", "last"):
        least, by = ("min", "min_by") if call.name == "first" else ("max", "max_by")
        order = f"if({value} is null, null, __arrival)"
        yield "at", f"{least}({order})", f"{least}({name}_at)"
        yield "is", f"{by}({value}, {order})", f"{by}({name}_is, {name}_at)"
    elif call.name in ("min", "max"):
        yield call.name, f"{call.name}({value})", f"{call.name}({name}_{call.name})"
    else:
        if call.name != "count":
            number = f"cast({value} as double)" if call.name == "avg" else value
            yield "sum", f"try_sum({number})", f"try_sum({name}_sum)"
        if call.name != "sum":
            yield "count", f"count({value})", f"sum({name}_count)"


def _value(call: Call, name: str) -> str:
    if call.name in ("percentile", "med"):
        return percentile_sql(_percentile(call), f"{name}_all")
    if call.name in READ_MOMENTS:
        return READ_MOMENTS[call.name].replace("{moments}", f"{name}_moments")
    if call.name == "avg":
        return f"{name}_sum / nullif({name}_count, 0)"
    part = {"first": "is", "last": "is"}.get(call.name, call.name)
    return f"{name}_{part}"


def _percentile(call: Call) -> Call:
    """`med(x)` is `percentile(x, 50)` with the midpoint."""
    if call.name == "percentile":
        return call
    half = (Literal("number", "50"), Literal("string", "midpoint"))
    return Call("percentile", (call.arguments[0], *half))
