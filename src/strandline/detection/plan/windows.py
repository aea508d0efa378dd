"""Windows that closed: their aggregates, from panes of one step, so that a row counts but once.

    pane      p0      p1      p2              p5
    row       ••      •       •               •   the first row of p5 closes the windows of p2
    window k  └ panes k, k+1, … k+panes-1 ┘       that end at or before p5

The first row of a key in a pane closes every window that holds the pane of the row before it and
ends at or before its own pane.

The columns of a frame of windows, beside the keys:
    __k        the number of the window, which is that of its first pane
    __q        the pane of the row that closed it
    __arrival  the number of that row
    __place    how many windows that row closed before it
    __latest   whether it is the last that this row closed
    __a0, …    the values of `Rules.aggregates`
    __b0, …    those of the window before it, of the ones that held rows
"""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.nodes import Call, Node
from strandline.detection.plan.aggregates import Merged, Part, has_previous, merged, whole
from strandline.detection.plan.rows import in_lines, keys_of, line_of
from strandline.detection.sql import sql_of

BLOCK = 4_096  # panes that one task goes over in order, at least


def aggregates_of(definition: Definition) -> dict[Node, str]:
    """The columns that hold the values of the aggregates, and of those of the window before."""
    now = {call: f"__a{place}" for place, call in enumerate(definition.rules.aggregates)}
    before = {
        call: now[call.arguments[0]].replace("__a", "__b")
        for call in definition.rules.aggregates_before
    }
    return {**now, **before}


def closed_windows(rows: DataFrame, held: DataFrame | None, definition: Definition) -> DataFrame:
    """The windows that new rows closed, after those `held`: the last one closed before, by key.

    Those held have no `__arrival`.
    """
    counted = rows.where("__reason is null")
    windows = _merged(_entries(_panes(counted, definition), definition), definition)
    for place, call in enumerate(definition.rules.aggregates):
        if has_previous(call):
            values = _exploded(counted, call, f"__a{place}", definition)
            windows = joined(windows, values, definition, {"__k": "__k"})
    if held is not None:
        windows = windows.unionByName(in_lines(held, definition), allowMissingColumns=True)
    return _with_before(windows, held, definition)


def _mergeable(definition: Definition) -> dict[str, Merged]:
    """The aggregates that are made of panes, by the name of their column."""
    names = {f"__a{place}": call for place, call in enumerate(definition.rules.aggregates)}
    return {name: merged(call, name) for name, call in names.items() if not has_previous(call)}


def _parts(definition: Definition) -> list[Part]:
    return [part for one in _mergeable(definition).values() for part in one.parts]


def _panes(rows: DataFrame, definition: Definition) -> DataFrame:
    """The summary of the rows of each pane, and what came before the first of them.

    Kept rows arrived before all new ones, and no judged row is older than one before it: so the
    first row of a pane is new if all are, and has the least pane before it.
    """
    parts = (F.expr(part.rows).alias(part.name) for part in _parts(definition))
    return rows.groupBy(*line_of(definition), "__pane").agg(
        F.min("__arrival").alias("__arrival"),
        F.min("__new").alias("__new"),
        F.min("__before").alias("__before"),
        *parts,
    )


def _entries(panes: DataFrame, definition: Definition) -> DataFrame:
    """Every pane, and beside it the windows that its first row closes, along one line of time.

    A window stands at its last pane, so that its panes are the ones from there back. Blocks of
    panes can be gone over side by side: a pane is in the next block too where windows reach back.
    """
    size, block = definition.panes, max(BLOCK, 4 * definition.panes)
    reach = size - 1
    here, next_one = _div("__pane", block), _div(f"__pane + {reach}", block)
    blocks = f"if({here} = {next_one}, array(null), array(null, null))"  # for the pane itself
    first, last = f"__before - {reach}", f"least(__pane - {size}, __before)"
    none = "cast(array() as array<bigint>)"
    closed = f"if(__new and __before < __pane, sequence({first}, {last}), {none})"
    entries = F.posexplode(F.expr(f"concat({blocks}, {closed})")).alias("__entry", "__k")
    parts = (f"if(__k is null, {part.name}, null) as {part.name}" for part in _parts(definition))
    line = line_of(definition)
    return panes.select("*", entries).selectExpr(
        *line,
        "__k",
        f"if(__k is null, __pane, __k + {reach}) as __at",
        f"case when __k is not null then {_div(f'__k + {reach}', block)}"
        f" when __entry = 0 then {here} else {next_one} end as __block",
        "__pane as __q",
        "__arrival",
        f"__k - ({first}) as __place",
        f"__k = {last} as __latest",
        *parts,
    )


def _merged(entries: DataFrame, definition: Definition) -> DataFrame:
    line = Window.partitionBy(*line_of(definition), "__block").orderBy("__at")
    reach = line.rangeBetween(-(definition.panes - 1), Window.currentRow)
    parts = _parts(definition)
    kept = ["__k", "__q", "__arrival", "__place", "__latest"]
    summed = entries.select(
        *line_of(definition), *kept, *(F.expr(p.panes).over(reach).alias(p.name) for p in parts)
    ).where("__k is not null")
    taken = (f"{part.taken.format(part.name)} as {part.name}" for part in parts)
    summed = summed.selectExpr(*line_of(definition), *kept, *taken)
    values = (f"{one.value} as {name}" for name, one in _mergeable(definition).items())
    return summed.selectExpr(*line_of(definition), *kept, *values)


def _exploded(rows: DataFrame, call: Call, name: str, definition: Definition) -> DataFrame:
    """An aggregate with `prev` in it, window by window: what was before depends on the window."""
    keys = line_of(definition)
    of_row = F.sequence(F.col("__pane") - (definition.panes - 1), F.col("__pane"))
    rows = rows.withColumn("__k", F.explode(of_row))
    order = Window.partitionBy(*keys, "__k").orderBy("__arrival")
    given: dict[Node, str] = {}
    for place, before in enumerate(_inner_previous(call)):
        value = F.lag(F.expr(sql_of(before.arguments[0], given))).over(order)
        rows, given[before] = rows.withColumn(f"__i{place}", value), f"__i{place}"
    gathered, value = whole(call, given)
    of_window = rows.groupBy(*keys, "__k").agg(F.expr(gathered).alias("__gathered"))
    return of_window.selectExpr(*keys, "__k", f"{value.format('__gathered')} as {name}")


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


def _with_before(windows: DataFrame, held: DataFrame | None, definition: Definition) -> DataFrame:
    befores = {
        name: name.replace("__b", "__a")
        for call, name in aggregates_of(definition).items()
        if call in definition.rules.aggregates_before
    }
    if not befores:
        return windows
    order = Window.partitionBy(*line_of(definition)).orderBy("__k")
    now = {name: F.lag(of).over(order) for name, of in befores.items()}
    if held is not None:
        now = {
            n: F.when(F.col("__arrival").isNull(), F.col(n)).otherwise(c) for n, c in now.items()
        }
    return windows.withColumns(now)


def joined(
    left: DataFrame, right: DataFrame, definition: Definition, on: Mapping[str, str]
) -> DataFrame:
    """Left join of one key, where columns of the left equal ones of the right.

    A null key is equal to a null. The left one stays where it is, and in its order.
    """
    on = {**{column: column for column in line_of(definition)}, **on}
    aliases = {name: f"__r{place}" for place, name in enumerate(on.values())}
    right = right.withColumnsRenamed(aliases).hint("shuffle_hash")
    same = [
        F.col(column).eqNullSafe(F.col(aliases[name]))
        if column in keys_of(definition)
        else F.col(column) == F.col(aliases[name])
        for column, name in on.items()
    ]
    return left.join(right, same, "left").drop(*aliases.values())


def _div(sql: str, by: int) -> str:
    """The whole part of a division, towards the past."""
    return f"(({sql}) - pmod({sql}, {by}L)) div {by}L"
