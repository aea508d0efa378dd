"""Windows made of panes of one step: a row is aggregated once, also when many windows have it.

    pane      p0      p1      p2              p5
    row       ••      •       •               •   the first row of p5 closes the windows of p2
    window k  └ panes k, k+1, … k+panes-1 ┘       that end at or before p5

The first row of a key in a pane closes every window that has the pane of the row before it and
ends at or before its own pane.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.plan.aggregates import Mergeable, Partial, has_previous, mergeable
from strandline.detection.plan.rows import key_hash_of

BLOCK = 4_096  # panes that one task reads in order, at least


def windows_of_panes(rows: DataFrame, definition: Definition, after: int) -> DataFrame:
    """The windows that rows with an arrival greater than `after` closed: see `windows.py`."""
    panes = _panes(rows, definition)
    return _merged(_entries(panes, definition, after), definition)


def _mergeable(definition: Definition) -> dict[str, Mergeable]:
    """The aggregates that are made of panes, by the name of their column."""
    names = {f"__a{place}": call for place, call in enumerate(definition.rules.aggregates)}
    return {name: mergeable(call, name) for name, call in names.items() if not has_previous(call)}


def _partials(definition: Definition) -> list[Partial]:
    return [part for one in _mergeable(definition).values() for part in one.partials]


def _panes(rows: DataFrame, definition: Definition) -> DataFrame:
    """The partial aggregates of each pane, and the pane of the row before its first one.

    No evaluated row is older than one before it: the first of a pane has the least pane before it.
    """
    parts = (F.expr(part.of_rows).alias(part.name) for part in _partials(definition))
    pane = [*key_hash_of(definition), "__pane"]
    return (
        rows.sortWithinPartitions(*pane)
        .groupBy(*pane)
        .agg(F.min("__arrival").alias("__arrival"), F.min("__before").alias("__before"), *parts)
    )


def _entries(panes: DataFrame, definition: Definition, after: int) -> DataFrame:
    """Every pane in the order of time, and the windows whose last pane has no rows.

    A window is placed at its last pane: its panes are the ones up to there, and the next pane
    closes it. Blocks of panes are computed in parallel. `__entry` is the kind of an entry, which
    decides its block:
        0  a pane, with the window that ends with it
        1  the same in the next block, where windows reach back to it
        2  the same in the block of the pane before it, which it closes
        3… a window that ends between the pane before it and this one, which closes it
    """
    size, block = definition.panes, max(BLOCK, 4 * definition.panes)
    reach = size - 1
    own, later, before = (_div(at, block) for at in ("__pane", f"__pane + {reach}", "__before"))
    between = f"sequence(__before - {reach - 1}, least(__pane - {size}, __before))"
    none = "cast(array() as array<bigint>)"
    is_new = f"__arrival > {after}L"
    has_between = f"{reach} > 0 and {is_new} and __pane > __before + 1"
    all_of_it = f"concat(array(__pane - {reach}, null, null), if({has_between}, {between}, {none}))"
    # Most panes follow the one before directly, in the same block.
    is_plain = f"{own} = {later} and coalesce(__pane = __before + 1 and {own} = {before}, true)"
    entries = f"if({is_plain}, array(__pane - {reach}), {all_of_it})"
    at = f"if(__entry < 3, __pane, __k + {reach})"
    blocks = f"case __entry when 0 then {own} when 1 then {later} when 2 then {before}"
    parts = (f"if(__entry < 2, {part.name}, null) as {part.name}" for part in _partials(definition))
    return (
        panes.select("*", F.posexplode(F.expr(entries)).alias("__entry", "__k"))
        .where(f"__entry = 0 or __entry > 2 or {own} <> if(__entry = 1, {later}, {before})")
        .selectExpr(
            *key_hash_of(definition),
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
    """The windows that are closed: the values of their panes, and the rows that closed them."""
    line = Window.partitionBy(*key_hash_of(definition), "__block").orderBy("__at")
    reach = line.rangeBetween(-(definition.panes - 1), Window.currentRow)
    parts = _partials(definition)
    own = F.col("__entry") == 0
    summed = entries.select(
        *key_hash_of(definition),
        "__k",
        "__newest",
        F.when(own, F.lead("__q").over(line)).otherwise(F.col("__q")).alias("__q"),
        F.when(own, F.lead("__arrival").over(line))
        .otherwise(F.col("__arrival"))
        .alias("__arrival"),
        *(F.expr(p.of_panes).over(reach).alias(p.name) for p in parts),
    ).where("__k is not null and __q is not null")
    kept = [
        *key_hash_of(definition),
        "__k",
        "__q",
        "__arrival",
        f"__k - __newest + {definition.panes - 1} as __place",
        f"__k = least(__q - {definition.panes}, __newest) as __latest",
    ]
    finished = (f"{part.finish.format(part.name)} as {part.name}" for part in parts)
    summed = summed.selectExpr(*kept, *finished)
    values = (f"{one.value} as {name}" for name, one in _mergeable(definition).items())
    return summed.selectExpr(
        *key_hash_of(definition), "__k", "__q", "__arrival", "__place", "__latest", *values
    )


def _div(sql: str, by: int) -> str:
    """The whole part of a division, rounded towards the past."""
    return f"(({sql}) - pmod({sql}, {by}L)) div {by}L"
