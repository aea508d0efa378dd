"""The batch of a run: which events are new, and which buckets of keys they change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strandline.detection.errors import DetectionError
from strandline.detection.plan.bound import is_ahead
from strandline.detection.plan.buckets import buckets_in, buckets_sql
from strandline.detection.plan.rows import Span
from strandline.detection.sql import quoted
from strandline.detection.units import units_sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from strandline.detection.definition import Definition
    from strandline.detection.plan.state import Progress


@dataclass(frozen=True)
class Batch:
    """The events of one run: their span, the first one's time, and the buckets of their keys."""

    span: Span
    first_time: int | None
    buckets: Sequence[str]


def new_batch(events: DataFrame, definition: Definition, last: Progress | None) -> Batch | None:
    """The events after the last run; None when there are none."""
    arrival = quoted(definition.arrival)
    units = units_sql(definition.ts, definition.time_type, definition.rules.precision)
    units = f"if(__ahead, null, {units})"
    buckets = buckets_sql(quoted(column) for column in definition.keys)
    if last is not None:
        events = events.where(f"{arrival} > {last.until}L or {arrival} is null")
    new = events.withColumn("__ahead", is_ahead(definition)).selectExpr(
        f"max({arrival}) as until", f"min({arrival}) as earliest", "count(1) as events",
        f"count_if({arrival} is null) as without_arrival", f"max({units}) as newest",
        f"min_by({units}, if({units} is null, null, {arrival})) as first_time",
        f"{buckets} as buckets",
    ).collect()[0]  # fmt: skip
    if new.without_arrival:
        raise DetectionError(
            f"detect {definition.name!r}: {new.without_arrival} events have no"
            f" `{definition.arrival}`; number every event as it comes, and never with null"
        )
    if not new.events:
        return None
    newest = [n for n in (new.newest, last.newest if last else None) if n is not None]
    after = new.earliest - 1 if last is None else last.until
    span = Span(after, new.until, new.events, max(newest, default=None))
    return Batch(span, new.first_time, buckets_in(new.buckets))
