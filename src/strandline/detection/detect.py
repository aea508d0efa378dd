"""`detect`: the body of a Python model of detections."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from strandline.detection.arguments import checked_arguments
from strandline.detection.definition import define

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@checked_arguments
def detect(
    dbt: Any,
    session: SparkSession,
    *,
    name: str,
    events: DataFrame,
    time_column: str,
    metrics: Sequence[str],
    key_columns: Sequence[str] = (),
    anomaly_description: Sequence[str] | None = None,
    window_size: str | None = None,
    step: str | None = None,
    round_time: bool = True,
    precision: str = "ms",
    garbage_size: int = 2000,
    arrival: str = "arrival",
) -> DataFrame:
    """The detections that are new since the last run, for an incremental model to merge.

    Args:
        dbt, session: what dbt gives the model.
        name: names the engine, and its tables beside the model's: `<name>_state`, `<name>_late` and
            the view `<name>_status`.
        events: `dbt.ref(...)` of the events.
        time_column: their time: a timestamp, a date, or a bigint of `precision` since 1970.
        metrics: Boolean expressions, as in docs/detection.md.
        key_columns: windows, `prev` and late rows are told apart by these; none: one stream.
        anomaly_description: a text for each metric, in place of its own.
        window_size, step: a number and a unit, '6 ms'; needed where a metric has an aggregate.
        round_time: which of the two tables of alignment sizes holds for a long step.
        precision: the unit of time: month, day, minute, second, ms or ns.
        garbage_size: rows that are kept of each key, 1 or more, if open windows need no more.
        arrival: the column that numbers the events as they came: a whole number that only grows.

    Returns:
        time, keys, anomaly_type, anomaly_string, window_start, window_end, left_value,
        right_value, left_text, right_text, detection_id, arrival, place. `order by arrival, place`
        gives the order in which the source tells them.

    Raises:
        DetectionError: the definition is refused, or is not the one that the table was built by.

    Source: DolphinDB, anomaly detection engine.
    """
    from strandline.detection.plan.engine import Engine  # Spark is loaded when it is needed
    from strandline.detection.plan.state import keep_error

    try:
        definition = define(
            dict(events.dtypes),
            name=name,
            time_column=time_column,
            key_columns=key_columns,
            metrics=metrics,
            anomaly_description=anomaly_description,
            window_size=window_size,
            step=step,
            round_time=round_time,
            precision=precision,
            garbage_size=garbage_size,
            arrival=arrival,
        )
        engine = Engine(session, definition, dbt.this, is_build=not dbt.is_incremental)
        return engine.run(events)
    except Exception as error:
        with suppress(Exception):  # it must not hide the error itself
            keep_error(session, f"`{dbt.this.schema}`.`{name}_state`", str(error))
        raise
