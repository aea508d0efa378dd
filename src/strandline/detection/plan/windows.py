"""Closed windows: the values of their aggregates, and the rows that closed them.

The columns of a DataFrame of windows, beside the keys:
    __k        the number of the window, which is that of its first pane
    __q        the pane of the row that closed it
    __arrival  the number of that row
    __place    how many windows that row closed before it
    __latest   whether it is the last that this row closed
    __a0, …    the values of `Rules.aggregates`
    __b0, …    those of the window before it, among windows with rows
"""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.metric import Call, Node
from strandline.detection.plan.aggregates import has_previous, over_rows
from strandline.detection.plan.panes import windows_of_panes
from strandline.detection.plan.rows import key_hash_of, keys_of, with_key_hash
from strandline.detection.sql import sql_of


def aggregates_of(definition: Definition) -> dict[Node, str]:
    """The columns with the values of the aggregates, and with those of the window before."""
    now: dict[Node, str] = {
        call: f"__a{place}" for place, call in enumerate(definition.rules.aggregates)
    }
    before: dict[Node, str] = {
        call: now[call.arguments[0]].replace("__a", "__b")
        for call in definition.rules.aggregates_before
    }
    return {**now, **before}


def closed_windows(
    rows: DataFrame, last_closed: DataFrame | None, definition: Definition, after: int
) -> DataFrame:
    """The windows that rows with an arrival greater than `after` closed.

    `last_closed` are the last windows of earlier runs, by key; they have no `__arrival`.
    """
    counted = rows.where("__reason is null")
    windows = windows_of_panes(counted, definition, after)
    for place, call in enumerate(definition.rules.aggregates):
        if has_previous(call):
            values = _exploded(counted, call, f"__a{place}", definition)
            windows = joined(windows, values, definition, {"__k": "__k"})
    if last_closed is not None:
        last_closed = with_key_hash(last_closed, definition)
        windows = windows.unionByName(last_closed, allowMissingColumns=True)
    return _with_before(windows, last_closed is not None, definition)


def _exploded(rows: DataFrame, call: Call, name: str, definition: Definition) -> DataFrame:
    """An aggregate with `prev` in it, window by window: the row before depends on the window."""
    keys = key_hash_of(definition)
    of_row = F.sequence(F.col("__pane") - (definition.panes - 1), F.col("__pane"))
    rows = rows.withColumn("__k", F.explode(of_row))
    order = Window.partitionBy(*keys, "__k").orderBy("__arrival")
    given: dict[Node, str] = {}
    for place, before in enumerate(_inner_previous(call)):
        value = F.lag(F.expr(sql_of(before.arguments[0], given))).over(order)
        rows, given[before] = rows.withColumn(f"__i{place}", value), f"__i{place}"
    gathered, result = over_rows(call, given)
    of_window = rows.groupBy(*keys, "__k").agg(F.expr(gathered).alias("__gathered"))
    return of_window.selectExpr(*keys, "__k", f"{result.format('__gathered')} as {name}")


def _inner_previous(call: Call) -> list[Call]:
    """Every `prev` within an aggregate once, from the inside out."""
    found: dict[Call, None] = {}

    def look(node: Node) -> None:
        if isinstance(node, Call):
            for argument in node.arguments:
                look(argument)
            if node.name in ("prev", "deltas"):
                found[Call("prev", node.arguments)] = None

    look(call)
    return list(found)


def _with_before(windows: DataFrame, has_earlier: bool, definition: Definition) -> DataFrame:
    befores = {
        name: name.replace("__b", "__a")
        for call, name in aggregates_of(definition).items()
        if call in definition.rules.aggregates_before
    }
    if not befores:
        return windows
    order = Window.partitionBy(*key_hash_of(definition)).orderBy("__k")
    now = {name: F.lag(of).over(order) for name, of in befores.items()}
    if has_earlier:
        now = {
            n: F.when(F.col("__arrival").isNull(), F.col(n)).otherwise(c) for n, c in now.items()
        }
    return windows.withColumns(now)


def joined(
    left: DataFrame, right: DataFrame, definition: Definition, on: Mapping[str, str]
) -> DataFrame:
    """Left join of one key, where columns of the left equal ones of the right.

    A null key is equal to a null. The left side is not moved and keeps its order.
    """
    on = {**{column: column for column in key_hash_of(definition)}, **on}
    aliases = {name: f"__r{place}" for place, name in enumerate(on.values())}
    right = right.withColumnsRenamed(aliases).hint("shuffle_hash")
    same = [
        F.col(column).eqNullSafe(F.col(aliases[name]))
        if column in keys_of(definition)
        else F.col(column) == F.col(aliases[name])
        for column, name in on.items()
    ]
    return left.join(right, same, "left").drop(*aliases.values())
