"""The rows that a run evaluates, by arrival, with values of the rows before each.

The columns of these DataFrames, beside those that the metrics read:
    __k0, …    the key columns
    __key_hash their hash, if there are any: rows are shuffled and sorted by it
    __arrival  the number of the event
    __t        its time, in units of the precision
    __time     its time as it was given
    __ahead    whether its time is after the bound, and `__t` null (only with a bound)
    __reason   why it is not evaluated (it is late, or has no time); null for rows that are
    __newest   the newest time of the rows before it (windows only)
    __last     the time of the newest row of its key (windows only)
    __later    the number of evaluated rows of its key after it (where that decides what is kept)
    __p0, …    the values of `Rules.previous`
and those that `in_panes` adds:
    __new      whether this run evaluates it; else an earlier run has kept it
    __pane     the step of its time, counted from the grid (windows only)
    __before   the pane of the evaluated row before it (windows only)
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.metric import Node
from strandline.detection.plan.bound import future_of, is_ahead
from strandline.detection.sql import quoted, sql_of
from strandline.detection.units import INTEGERS, units_sql

LATE = "late: the row before it of its key is newer"
NO_TIME = "no time: its time is null"
ROWS_A_RANGE = 200_000  # rows without a key that one task sorts
MOST_RANGES = 1_000


@dataclass(frozen=True)
class Span:
    """The events that a run reads: their arrivals are greater than `after`, up to `until`.

    newest: the greatest time of all events up to `until`, of all keys, also of earlier runs.
    """

    after: int
    until: int
    count: int
    newest: int | None


def keys_of(definition: Definition) -> list[str]:
    return [f"__k{place}" for place in range(len(definition.keys))]


def key_hash_of(definition: Definition) -> list[str]:
    """The columns by which the rows of a key are partitioned: see `with_key_hash`."""
    return ["__key_hash", *keys_of(definition)] if definition.keys else []


def with_key_hash(frame: DataFrame, definition: Definition) -> DataFrame:
    """With the hash of the keys: numbers are sorted and joined faster than texts."""
    keys = keys_of(definition)
    return frame.withColumn("__key_hash", F.xxhash64(*keys)) if keys else frame


def pane_sql(definition: Definition, grid: int, time: str = "__t") -> str:
    """The SQL of the step of a time, counted from the grid."""
    shifted = f"({time} - {grid}L)"
    return f"({shifted} - pmod({shifted}, {definition.step}L)) div {definition.step}L"


def new_rows(events: DataFrame, definition: Definition, span: Span) -> DataFrame:
    """The new events with the columns that are needed."""
    keys = zip(keys_of(definition), definition.keys, strict=True)
    units = units_sql(definition.ts, definition.time_type, definition.rules.precision)
    arrival = F.col(quoted(definition.arrival))
    has_bound = definition.not_after is not None
    new = events.where((arrival > span.after) & (arrival <= span.until))
    return new.withColumn("__ahead", is_ahead(definition)).selectExpr(
        *(f"{quoted(column)} as {key}" for key, column in keys),
        f"cast({quoted(definition.arrival)} as bigint) as __arrival",
        f"if(__ahead, null, {units}) as __t",
        f"{quoted(definition.ts)} as __time",
        *["__ahead"] * has_bound,
        *(f"{_as_metrics_read(c, definition)} as {quoted(c)}" for c in definition.rules.columns),
    )


def evaluated_rows(
    new: DataFrame, kept: DataFrame | None, definition: Definition, span: Span
) -> DataFrame:
    """New and kept rows, with values of the rows before each, without rows that were sent again."""
    rules = definition.rules
    rows = new if kept is None else new.unionByName(kept, allowMissingColumns=True)
    reason = F.when(F.col("__t").isNull(), F.lit(NO_TIME))
    if definition.not_after is not None:
        reason = F.when(F.col("__ahead"), F.lit(future_of(definition))).otherwise(reason)
    if not rules.is_ordered:
        return rows.withColumn("__reason", reason)
    rows = with_key_hash(rows, definition)
    if definition.keys:
        rows = rows.repartition("__key_hash")  # once, for all that follows
    rows = _in_ranges(rows, definition, span)
    order = Window.partitionBy(*key_hash_of(definition), "__range").orderBy("__arrival")
    before = order.rowsBetween(Window.unboundedPreceding, -1)
    rows = rows.select(
        "*",
        F.max("__t").over(before).alias("__newest"),
        F.lag("__arrival").over(order).alias("__previous"),
        *_newest(order, definition, span),
    ).where("__previous is distinct from __arrival")
    if rules.has_windows:
        late = F.when(F.col("__t") < F.col("__newest"), F.lit(LATE))
        reason = F.coalesce(reason, late)
    rows = rows.withColumn("__reason", reason)
    given: dict[Node, str] = {}
    for place, call in enumerate(rules.previous):  # each needs only those before it
        value = _in_row_before(sql_of(call.arguments[0], given), before)
        rows, given[call] = rows.withColumn(f"__p{place}", value), f"__p{place}"
    if rules.rows_back > rules.has_windows:  # one row back is in the newest pane anyway
        count = F.count(F.when(F.col("__reason").isNull(), 1))
        whole = count.over(order.rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing))
        up_to = count.over(order.rowsBetween(Window.unboundedPreceding, Window.currentRow))
        rows = rows.withColumn("__later", whole - up_to)
    return rows.where("not __carried").drop("__carried", "__range", "__previous")


def in_panes(rows: DataFrame, definition: Definition, span: Span, grid: int | None) -> DataFrame:
    """Evaluated rows with columns that follow from the others, and so are not cached."""
    more = {"__new": F.col("__arrival") > span.after}
    if definition.rules.has_windows:
        more["__pane"] = F.expr(pane_sql(definition, grid or 0))
        # The newest of the rows before it is the last that was evaluated.
        more["__before"] = F.expr(pane_sql(definition, grid or 0, "__newest"))
    return rows.withColumns(more)


def previous_of(definition: Definition) -> dict[Node, str]:
    """The columns of `evaluated_rows` with values of the row before."""
    return {call: f"__p{place}" for place, call in enumerate(definition.rules.previous)}


def _in_row_before(sql: str, before: WindowSpec) -> Column:
    """A value of the last evaluated row of the key; of a null, null."""
    value = F.expr(f"if(__reason is null, struct({sql} as v), null)")
    return F.last(value, ignorenulls=True).over(before)["v"]


def _in_ranges(rows: DataFrame, definition: Definition, span: Span) -> DataFrame:
    """Rows without a key are sorted in ranges of arrivals, in parallel.

    Each range begins with a copy (`__carried`) of the newest row before it. It decides which of the
    next rows are late, and it is the row before the first of them.
    """
    rows = rows.withColumn("__carried", F.lit(False))
    if not _has_ranges(definition, span):
        return rows.withColumn("__range", F.lit(0))
    ranges = min(MOST_RANGES, -(-span.count // ROWS_A_RANGE))
    width = -(-(span.until - span.after) // ranges)
    of_new = f"cast(greatest((__arrival - {span.after}L - 1) div {width}L, 0) as int)"
    rows = rows.withColumn("__range", F.expr(of_new))
    plain = [c for c in rows.columns if c not in ("__t", "__arrival", "__range")]
    row = F.struct("__t", "__arrival", *(quoted(column) for column in plain))
    newest = rows.groupBy("__range").agg(F.max(row).alias("row"))
    # At most MOST_RANGES rows.
    earlier = (
        Window.partitionBy(F.lit(0)).orderBy("__range").rowsBetween(Window.unboundedPreceding, -1)
    )
    carried = newest.select("__range", F.max("row").over(earlier).alias("row"))
    carried = carried.where("row is not null").select("__range", "row.*")
    return rows.unionByName(carried.withColumn("__carried", F.lit(True)))


def _has_ranges(definition: Definition, span: Span) -> bool:
    rules = definition.rules
    alone = not definition.keys and rules.has_windows and rules.rows_back < 2
    return alone and span.count > ROWS_A_RANGE


def _newest(order: WindowSpec, definition: Definition, span: Span) -> list[Column]:
    """The time of the newest row of the key: it decides which rows are kept."""
    if not definition.rules.has_windows:
        return []
    if _has_ranges(definition, span):
        return [F.lit(span.newest).alias("__last")]
    whole = order.rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)
    return [F.max("__t").over(whole).alias("__last")]


def _as_metrics_read(column: str, definition: Definition) -> str:
    """NaN is null, as in the source. Small integers are large: their product must not wrap."""
    name, kind = quoted(column), definition.types[column]
    if kind in ("double", "float"):
        return f"if(isnan({name}), null, {name})"
    return f"cast({name} as bigint)" if kind in INTEGERS else name
