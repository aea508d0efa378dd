"""Windows made of panes of one step, so that a row counts but once, however many windows it is in.

    pane      p0      p1      p2              p5
    row       ••      •       •               •   the first row of p5 closes the windows of p2
    window k  └ panes k, k+1, … k+panes-1 ┘       that end at or before p5

The first row of a key in a pane closes every window that holds the pane of the row before it and
ends at or before its own pane.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.plan.aggregates import Merged, Part, has_previous, merged
from strandline.detection.plan.rows import line_of

BLOCK = 4_096  # panes that one task goes over in order, at least


def windows_of_panes(rows: DataFrame, definition: Definition, since: int) -> DataFrame:
    """The windows that rows after `since` closed; for their columns see `windows.py`."""
    panes = _panes(rows, definition)
    return _merged(_entries(panes, definition, since), definition)


def _mergeable(definition: Definition) -> dict[str, Merged]:
    """The aggregates that are made of panes, by the name of their column."""
    names = {f"__a{place}": call for place, call in enumerate(definition.rules.aggregates)}
    return {name: merged(call, name) for name, call in names.items() if not has_previous(call)}


def _parts(definition: Definition) -> list[Part]:
    return [part for one in _mergeable(definition).values() for part in one.parts]


def _panes(rows: DataFrame, definition: Definition) -> DataFrame:
    """The summary of the rows of each pane, and what came before the first of them.

    No judged row is older than one before it: the first of a pane has the least pane before it.
    """
    parts = (F.expr(part.rows).alias(part.name) for part in _parts(definition))
    pane = [*line_of(definition), "__pane"]
    return (
        rows.sortWithinPartitions(*pane)
        .groupBy(*pane)
        .agg(F.min("__arrival").alias("__arrival"), F.min("__before").alias("__before"), *parts)
    )


def _entries(panes: DataFrame, definition: Definition, since: int) -> DataFrame:
    """Every pane along one line of time, and the windows whose last pane has no rows.

    A window stands at its last pane, so that its panes are the ones from there back, and the next
    pane closes it. `__entry` tells what an entry is, and so in which block of panes it stands, for
    blocks are gone over side by side:
        0  a pane, with the window that ends with it
        1  the same in the next block, where windows reach back to it
        2  the same in the block of the pane before it, which it closes
        3… a window that ends between the pane before it and this one, which closes it
    """
    size, block = definition.panes, max(BLOCK, 4 * definition.panes)
    reach = size - 1
    own, after, before = (_div(at, block) for at in ("__pane", f"__pane + {reach}", "__before"))
    between = f"sequence(__before - {reach - 1}, least(__pane - {size}, __before))"
    none = "cast(array() as array<bigint>)"
    is_new = f"__arrival > {since}L"
    has_between = f"{reach} > 0 and {is_new} and __pane > __before + 1"
    all_of_it = f"concat(array(__pane - {reach}, null, null), if({has_between}, {between}, {none}))"
    # Most panes follow upon the one before, in the same block.
    is_plain = f"{own} = {after} and coalesce(__pane = __before + 1 and {own} = {before}, true)"
    entries = f"if({is_plain}, array(__pane - {reach}), {all_of_it})"
    at = f"if(__entry < 3, __pane, __k + {reach})"
    blocks = f"case __entry when 0 then {own} when 1 then {after} when 2 then {before}"
    parts = (f"if(__entry < 2, {part.name}, null) as {part.name}" for part in _parts(definition))
    return (
        panes.select("*", F.posexplode(F.expr(entries)).alias("__entry", "__k"))
        .where(f"__entry = 0 or __entry > 2 or {own} <> if(__entry = 1, {after}, {before})")
        .selectExpr(
            *line_of(definition),
            "__entry",
            "__k",
            f"{at} as __at",
            f"{blocks} else {_div(f'__k + {reach}', block)} end as __block",
            f"if({is_new}, __pane, null) as __q",
            "__arrival",
            "if(__entry = 0, __pane, __before) as __newest",
            *parts,
        )
    )


def _merged(entries: DataFrame, definition: Definition) -> DataFrame:
    """The windows that are closed: with the values of their panes, and what closed them."""
    line = Window.partitionBy(*line_of(definition), "__block").orderBy("__at")
    reach = line.rangeBetween(-(definition.panes - 1), Window.currentRow)
    parts = _parts(definition)
    own = F.col("__entry") == 0
    summed = entries.select(
        *line_of(definition),
        "__k",
        "__newest",
        F.when(own, F.lead("__q").over(line)).otherwise(F.col("__q")).alias("__q"),
        F.when(own, F.lead("__arrival").over(line))
        .otherwise(F.col("__arrival"))
        .alias("__arrival"),
        *(F.expr(p.panes).over(reach).alias(p.name) for p in parts),
    ).where("__k is not null and __q is not null")
    kept = [
        *line_of(definition),
        "__k",
        "__q",
        "__arrival",
        f"__k - __newest + {definition.panes - 1} as __place",
        f"__k = least(__q - {definition.panes}, __newest) as __latest",
    ]
    taken = (f"{part.taken.format(part.name)} as {part.name}" for part in parts)
    summed = summed.selectExpr(*kept, *taken)
    values = (f"{one.value} as {name}" for name, one in _mergeable(definition).items())
    return summed.selectExpr(
        *line_of(definition), "__k", "__q", "__arrival", "__place", "__latest", *values
    )


def _div(sql: str, by: int) -> str:
    """The whole part of a division, towards the past."""
    return f"(({sql}) - pmod({sql}, {by}L)) div {by}L"
