"""`detect`: the body of a Python model of detections, and the check of how it was called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from strandline.detection.definition import define
from strandline.detection.errors import refuse
from strandline.detection.job import EngineRun, current_job
from strandline.errors import nearest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

HINTS = {
    "name": "name the engine, as name='flight_detection'",
    "source": "give the events, as source=dbt.ref('flights')",
    "ts": "name the column of the events' time",
    "metrics": "write a list of conditions, as metrics=['temp > 65']",
}


def checked_arguments(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with a message for an argument that is missing, unknown or given by place."""
    parameters = signature(function).parameters
    by_place = [p.name for p in parameters.values() if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    needed = [p.name for p in parameters.values() if p.default is Parameter.empty]

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        who = function.__name__
        if isinstance(kwargs.get("name"), str):
            who += f" {kwargs['name']!r}"
        unknown = any(name not in parameters for name in kwargs)
        notes = [f"arguments: {', '.join(parameters)}"] if unknown else []
        refuse(who, list(_faults(args, kwargs)), notes)
        return function(*args, **kwargs)

    def _faults(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[str]:
        for given in args[len(by_place) :]:
            yield f"{given!r} is given by its place; name the argument, as name={given!r}"
        for name in kwargs:
            if name not in parameters:
                yield f"there is no argument `{name}`{nearest(name, list(parameters))}"
        for name in needed:
            if name not in by_place[: len(args)] and name not in kwargs:
                hint = HINTS.get(name, f"write {name}={name}, which dbt gives the model")
                yield f"`{name}` is missing; {hint}"
        source = kwargs.get("source")
        if "source" in kwargs and not hasattr(source, "dtypes"):
            example = source if isinstance(source, str) else "flights"
            yield f"`source` is {source!r}, no DataFrame; write source=dbt.ref({example!r})"

    return checked


@checked_arguments
def detect(
    dbt: Any,
    session: SparkSession,
    *,
    name: str,
    source: DataFrame,
    ts: str,
    metrics: Sequence[str],
    keys: Sequence[str] = (),
    detectors: Sequence[str] | None = None,
    anomaly_description: Sequence[str] | None = None,
    severities: Sequence[str | None] | None = None,
    window_size: str | None = None,
    step: str | None = None,
    round_time: bool = True,
    precision: str = "ms",
    garbage_size: int = 2000,
    arrival: str = "arrival",
    not_after: str | None = None,
) -> DataFrame:
    """The detections that are new since the last run, for an incremental model to merge.

    Args:
        dbt, session: what dbt gives the model.
        name: names the engine, and its tables beside the model's: `<name>_state`, `<name>_late` and
            the view `<name>_status`.
        source: `dbt.ref(...)` of the events.
        ts: their time: a timestamp, a date, or a bigint of `precision` since 1970.
        metrics: Boolean expressions, as in docs/detection.md.
        keys: windows, `prev` and late rows are per key; none: one stream.
        detectors: a name for each metric, the column `detector`; default `<name>_0` and so on.
        anomaly_description: a text for each metric, the column `description`; default its own.
        severities: a text for each metric, or None; default none.
        window_size, step: a number and a unit, '6 ms'; needed where a metric has an aggregate.
        round_time: which of the two tables of alignment sizes applies to a long step.
        precision: the unit of time: month, day, minute, second, ms or ns.
        garbage_size: 1 or more; accepted as the source has it, and without effect.
        arrival: the column that numbers the events by arrival: a whole number that only grows.
        not_after: the latest time that an event may have, as one SQL expression over its columns of
            the same type as `ts`, 'received_at + interval 1 hour'. A later one is a late row, and
            makes no other row late. Default: no bound.

    Returns:
        detection_id, detector, keys, starts_at, ends_at, current_value, baseline_value, severity,
        description, arrival, as all detectors do; and the time, anomaly_type, window_start,
        window_end, left_text, right_text, place. `order by arrival, place` is the order in which
        the source reports them. The values are those of the two sides of a comparison.

    Raises:
        DetectionError: the definition is invalid, or the table was built by another one.

    Source: DolphinDB, anomaly detection engine.
    """
    # Spark is loaded when it is needed.
    from strandline.detection.plan.analyser import analyser_of
    from strandline.detection.plan.bound import check_bound
    from strandline.detection.plan.engine import Engine
    from strandline.detection.plan.state import keep_error

    job = current_job()
    try:
        definition = define(
            dict(source.dtypes),
            name=name,
            ts=ts,
            keys=keys,
            metrics=metrics,
            texts={
                "detectors": detectors,
                "anomaly_description": anomaly_description,
                "severities": severities,
            },
            window_size=window_size,
            step=step,
            round_time=round_time,
            precision=precision,
            garbage_size=garbage_size,
            arrival=arrival,
            not_after=not_after,
            file_format=None if job is None else job.file_format,
            analyse=analyser_of(source),
        )
        check_bound(source, definition)
        engine = Engine(session, definition, dbt.this, is_build=not dbt.is_incremental)
        outcome = engine.run(source)
        if job is not None:
            job.engines.append(EngineRun(name, outcome.is_left_to_next_run))
        return outcome.found
    except Exception as error:
        with suppress(Exception):  # a failure here must not hide the error
            keep_error(session, f"`{dbt.this.schema}`.`{name}_state`", str(error))
        raise
