"""What a run makes of its rows: detections, late rows, and the state that the next one needs.

The frame has a row for each thing that is written to the state's table (see `state.py`): `kind` is
    found  a detection            late  an arrival, and why it was not judged
    row    a row that is kept     key   the last window that a key closed
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.detection.definition import Definition
from strandline.detection.plan.cache import once, settings
from strandline.detection.plan.detections import any_in_rows, hits_in_rows, hits_in_windows
from strandline.detection.plan.rows import (
    Span,
    in_panes,
    judged_rows,
    keys_of,
    line_of,
    pane_sql,
)
from strandline.detection.plan.windows import aggregates_of, closed_windows, joined
from strandline.detection.sql import quoted

_SETTINGS = {
    # Rows lie by the hash of their key, and are joined by that and more: no need to move them.
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    # Rows come in the order of their panes: one pane is held at a time instead of all.
    "spark.sql.execution.replaceHashWithSortAgg": "true",
}


@contextmanager
def outcome(
    new: DataFrame, kept: DataFrame | None, held: DataFrame | None,
    definition: Definition, span: Span, grid: int | None, size: int,
) -> Iterator[DataFrame]:  # fmt: skip
    """The frame of all that is written. Rows and windows are worked out once.

    `size` is about how many rows there are, new and kept.
    """
    session = new.sparkSession
    rows = judged_rows(new, kept, definition, span)
    if not definition.rules.has_windows:
        yield _of_rows(in_panes(rows, definition, span, grid), definition, grid)
        return
    with settings(session, _SETTINGS), once(session, size) as held_once:
        rows = in_panes(held_once(rows), definition, span, grid)
        windows = held_once(closed_windows(rows, held, definition, span.since))
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
        _held(latest, definition), allowMissingColumns=True
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
    """Each row, as often as something is to be said of it."""
    columns = ", ".join(quoted(column) for column in definition.rules.columns)
    row = f"struct(__t{', ' if columns else ''}{columns})"
    judged = "__new and __reason is null"
    kept, late = _is_kept(definition, grid), "__new and __reason is not null"
    each = [_said("row", kept, row=row), _said("late", late, reason="__reason")]
    some = [kept, late]
    if any(metric.kind != "window" for metric in definition.rules.metrics):
        hits = f"if({judged}, {hits_in_rows(definition, grid)}, array())"
        each.append(f"transform({hits}, f -> {_thing('found', found='f')})")
        some.append(f"{judged} and ({any_in_rows(definition)})")
    said_of = F.explode(F.expr(f"concat({', '.join(each)})")).alias("__said")
    # Nothing is to be said of most rows: they are passed over by compiled code.
    rows = rows.where(" or ".join(f"({one})" for one in some))
    return rows.select(*keys_of(definition), "__arrival", said_of).select(
        *keys_of(definition), "__arrival", "__said.*"
    )


def _said(kind: str, condition: str, **columns: str) -> str:
    return f"if({condition}, array({_thing(kind, **columns)}), array())"


def _thing(kind: str, row: str = "null", found: str = "null", reason: str = "null") -> str:
    return f"named_struct('kind', '{kind}', 'row', {row}, 'found', {found}, 'reason', {reason})"


def _is_kept(definition: Definition, grid: int | None) -> str:
    """Rows in windows that are open, and those that `prev` may ask for."""
    rules, kept = definition.rules, []
    if rules.has_windows:
        newest = pane_sql(definition, grid or 0, "__last")
        kept.append(f"__pane > {newest} - {definition.panes}L")
    if rules.rows_back > rules.has_windows:
        kept.append(f"__later < {rules.rows_back}")
    return f"__reason is null and ({' or '.join(kept)})" if kept else "false"


def _held(latest: DataFrame, definition: Definition) -> DataFrame:
    """The last window that each key closed, and what the next run needs to know of it."""
    values = F.struct("__k", "__q", *aggregates_of(definition).values())
    last = F.max_by(values, "__k").alias("closed")
    return (
        latest.groupBy(*line_of(definition))
        .agg(last)
        .drop("__line")
        .withColumn("kind", F.lit("key"))
    )
