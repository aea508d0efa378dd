"""The SQL of detections: of metrics in rows, and in windows when they close."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from strandline.detection.definition import Definition
from strandline.detection.metric import Metric, Node, Side
from strandline.detection.plan.rows import keys_of, previous_of
from strandline.detection.plan.windows import aggregates_of
from strandline.detection.sql import quoted, sql_of
from strandline.detection.units import instant_sql, moment_sql, timestamp_sql
from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def hits_in_windows(definition: Definition, grid: int) -> str:
    """The SQL of an array: the detections of window metrics in a closed window."""
    metrics = [metric for metric in definition.rules.metrics if metric.kind == "window"]
    time = _instant(f"({_start(grid, definition)} + {definition.window_size}L)", definition)
    place = f"__place * {len(definition.rules.metrics)}L"
    return _hits(metrics, definition, grid, time, place)


def hits_in_rows(definition: Definition, grid: int | None) -> str:
    """The SQL of an array: the detections of all other metrics in a row.

    It needs the columns of the last closed window of the row's key, where metrics have aggregates.
    """
    metrics = [metric for metric in definition.rules.metrics if metric.kind != "window"]
    place = f"{definition.panes * len(definition.rules.metrics)}L"  # after all windows
    return _hits(metrics, definition, grid, "__time", place)


def any_in_rows(definition: Definition) -> str:
    """The SQL of whether any of these metrics is true for a row."""
    metrics = [metric for metric in definition.rules.metrics if metric.kind != "window"]
    given = {**previous_of(definition), **aggregates_of(definition)}
    return " or ".join(f"({_condition(metric, given)})" for metric in metrics)


def rows_of_model(found: DataFrame, definition: Definition) -> DataFrame:
    """The rows of the model, from those of the state."""
    keys = zip(keys_of(definition), definition.keys, strict=True)
    rows = found.selectExpr(
        "found.detection_id", "found.detector",
        *(f"{key} as {quoted(column)}" for key, column in keys),
        "found.starts_at", "found.ends_at", "found.current_value", "found.baseline_value",
        "found.severity", "found.description", "__arrival as arrival",
        f"found.time as {quoted(definition.ts)}", "found.anomaly_type", "found.window_start",
        "found.window_end", "found.left_text", "found.right_text", "found.place",
    )  # fmt: skip
    return rows if definition.rules.is_ordered else rows.dropDuplicates(["detection_id"])


def _condition(metric: Metric, given: dict[Node, str]) -> str:
    condition = sql_of(metric.node, given)
    return f"__k is not null and {condition}" if metric.kind == "row_against_window" else condition


def _hits(
    metrics: Iterable[Metric], definition: Definition, grid: int | None, time: str, place: str
) -> str:
    given = {**previous_of(definition), **aggregates_of(definition)}
    each = (_one(metric, definition, grid, given, time, place) for metric in metrics)
    return f"filter(array({', '.join(each)}), f -> f is not null)"


def _one(
    metric: Metric, definition: Definition, grid: int | None, given: dict[Node, str],
    time: str, place: str,
) -> str:  # fmt: skip
    """The SQL of a struct, or null when the metric is not true."""
    start = end = "null"
    if metric.kind != "row":
        start = _start(grid or 0, definition)
        end = f"({start} + {definition.window_size}L)"
    of_type = f"cast({{}} as {definition.time_type})"
    bounds = [
        of_type.format("null" if at == "null" else _instant(at, definition)) for at in (start, end)
    ]
    interval = _window_interval(start, end, definition)
    if metric.kind != "window":
        interval = _row_interval(definition)
    texts, severity = definition.rules.texts, definition.rules.texts.severities[metric.index]
    place = f"{place} + {metric.index}"
    fields = {
        "detection_id": f"concat_ws('-', {text_sql(definition.name)}, __arrival, {place})",
        "detector": text_sql(texts.detectors[metric.index]),
        "starts_at": interval[0],
        "ends_at": interval[1],
        "current_value": _number(metric.left, given),
        "baseline_value": _number(metric.right, given),
        "severity": f"cast({'null' if severity is None else text_sql(severity)} as string)",
        "description": text_sql(texts.descriptions[metric.index]),
        "time": time,
        "anomaly_type": str(metric.index),
        "window_start": bounds[0],
        "window_end": bounds[1],
        "left_text": _text(metric.left, given),
        "right_text": _text(metric.right, given),
        "place": place,
    }
    struct = ", ".join(f"'{name}', {sql}" for name, sql in fields.items())
    return f"if({_condition(metric, given)}, named_struct({struct}), null)"


def _window_interval(start: str, end: str, definition: Definition) -> tuple[str, str]:
    precision = definition.rules.precision
    return timestamp_sql(start, precision), _after(timestamp_sql(end, precision), start, definition)


def _row_interval(definition: Definition) -> tuple[str, str]:
    """From the row's instant to the next unit of the precision."""
    precision = definition.rules.precision
    start = moment_sql("__time", "__t", definition.time_type, precision)
    return start, _after(timestamp_sql("try_add(__t, 1L)", precision), "__t", definition)


def _after(end: str, start: str, definition: Definition) -> str:
    """The end, at least a microsecond after the start: nanoseconds are shorter."""
    if definition.rules.precision != "ns":
        return end
    return f"greatest({end}, {timestamp_sql(f'try_add({start}, 1000L)', 'ns')})"


def _number(side: Side | None, given: dict[Node, str]) -> str:
    if side is None or side.family != "number":
        return "cast(null as double)"
    return f"cast({sql_of(side.node, given)} as double)"


def _text(side: Side | None, given: dict[Node, str]) -> str:
    if side is None or side.family == "number":
        return "cast(null as string)"
    return f"cast({sql_of(side.node, given)} as string)"


def _start(grid: int, definition: Definition) -> str:
    return f"({grid}L + __k * {definition.step}L)"


def _instant(units: str, definition: Definition) -> str:
    return instant_sql(units, definition.time_type, definition.rules.precision)
