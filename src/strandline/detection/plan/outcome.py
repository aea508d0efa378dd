"""The outcome of a run: detections, late rows, and the state that the next run needs.

The DataFrame has one row for each row of the state's table (see `state.py`): `kind` is
    found  a detection            late  an arrival, and why it was not evaluated
    row    a row that is kept     key   the last window that a key closed
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.plan.cache import cached, settings
from strandline.detection.plan.detections import any_in_rows, hits_in_rows, hits_in_windows
from strandline.detection.plan.rows import (
    Span,
    evaluated_rows,
    in_panes,
    key_hash_of,
    keys_of,
    pane_sql,
)
from strandline.detection.plan.windows import aggregates_of, closed_windows, joined
from strandline.detection.sql import quoted

_SETTINGS = {
    # Rows are partitioned by the hash of their key and joined by that and more: no shuffle.
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    # Rows are sorted by pane: one pane is in memory at a time instead of all.
    "spark.sql.execution.replaceHashWithSortAgg": "true",
}


@contextmanager
def outcome(
    new: DataFrame, kept: DataFrame | None, last_closed: DataFrame | None,
    definition: Definition, span: Span, grid: int | None, size: int,
) -> Iterator[DataFrame]:  # fmt: skip
    """The DataFrame of all that is written. Rows and windows are computed once.

    kept, last_closed: the rows and windows of earlier runs. size: about how many rows there are.
    """
    session = new.sparkSession
    rows = evaluated_rows(new, kept, definition, span)
    if not definition.rules.has_windows:
        yield _of_rows(in_panes(rows, definition, span, grid), definition, grid)
        return
    with settings(session, _SETTINGS), cached(session, size) as cache:
        rows = in_panes(cache(rows), definition, span, grid)
        windows = cache(closed_windows(rows, last_closed, definition, span.after))
        yield _with_windows(rows, windows, definition, grid or 0)


def _with_windows(
    rows: DataFrame, windows: DataFrame, definition: Definition, grid: int
) -> DataFrame:
    kinds = {metric.kind for metric in definition.rules.metrics}
    latest = windows.where("__latest")
    if "row_against_window" in kinds:
        window = latest.drop("__arrival", "__place", "__latest")
        rows = joined(rows, window, definition, {"__pane": "__q"})
    frame = _of_rows(rows, definition, grid).unionByName(
        _last_closed(latest, definition), allowMissingColumns=True
    )
    if "window" in kinds:
        closed = windows.where("__arrival is not null")
        hits = F.explode(F.expr(hits_in_windows(definition, grid))).alias("found")
        found = closed.select(*keys_of(definition), "__arrival", hits)
        frame = frame.unionByName(
            found.withColumn("kind", F.lit("found")), allowMissingColumns=True
        )
    return frame


def _of_rows(rows: DataFrame, definition: Definition, grid: int | None) -> DataFrame:
    """The entries of each row: it may be kept, late, and detected by several metrics."""
    columns = ", ".join(quoted(column) for column in definition.rules.columns)
    row = f"struct(__t{', ' if columns else ''}{columns})"
    evaluated = "__new and __reason is null"
    kept, late = _is_kept(definition, grid), "__new and __reason is not null"
    entries = [_entry_if(kept, "row", row=row), _entry_if(late, "late", reason="__reason")]
    conditions = [kept, late]
    if any(metric.kind != "window" for metric in definition.rules.metrics):
        hits = f"if({evaluated}, {hits_in_rows(definition, grid)}, array())"
        entries.append(f"transform({hits}, f -> {_entry('found', found='f')})")
        conditions.append(f"{evaluated} and ({any_in_rows(definition)})")
    entry = F.explode(F.expr(f"concat({', '.join(entries)})")).alias("__entry")
    # Most rows have no entry: compiled code filters them before.
    rows = rows.where(" or ".join(f"({condition})" for condition in conditions))
    return rows.select(*keys_of(definition), "__arrival", entry).select(
        *keys_of(definition), "__arrival", "__entry.*"
    )


def _entry_if(condition: str, kind: str, **columns: str) -> str:
    return f"if({condition}, array({_entry(kind, **columns)}), array())"


def _entry(kind: str, row: str = "null", found: str = "null", reason: str = "null") -> str:
    return f"named_struct('kind', '{kind}', 'row', {row}, 'found', {found}, 'reason', {reason})"


def _is_kept(definition: Definition, grid: int | None) -> str:
    """Rows of windows that are open, and those that `prev` may read."""
    rules, kept = definition.rules, []
    if rules.has_windows:
        newest = pane_sql(definition, grid or 0, "__last")
        kept.append(f"__pane > {newest} - {definition.panes}L")
    if rules.rows_back > rules.has_windows:
        kept.append(f"__later < {rules.rows_back}")
    return f"__reason is null and ({' or '.join(kept)})" if kept else "false"


def _last_closed(latest: DataFrame, definition: Definition) -> DataFrame:
    """The last window that each key closed, with what the next run needs of it."""
    values = F.struct("__k", "__q", *aggregates_of(definition).values())
    last = F.max_by(values, "__k").alias("closed")
    return (
        latest.groupBy(*key_hash_of(definition))
        .agg(last)
        .drop("__key_hash")
        .withColumn("kind", F.lit("key"))
    )
