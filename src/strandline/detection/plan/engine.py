"""One run of an engine: what is new, what it shows, and where the next run goes on."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from strandline.detection.errors import DetectionError
from strandline.detection.plan.outcome import outcome
from strandline.detection.plan.rows import Span, keys_of, new_rows
from strandline.detection.plan.side_tables import Late, show_status
from strandline.detection.plan.state import Progress, State, Told, buckets_in, buckets_sql
from strandline.detection.sql import quoted
from strandline.detection.units import units_sql
from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition


@dataclass(frozen=True)
class News:
    """What came since the last run: its span, the time of its first row, the buckets it is in."""

    span: Span
    first: int | None
    buckets: Sequence[str]


class Engine:
    """The engine of one definition, with its tables beside the model's."""

    def __init__(
        self, session: SparkSession, definition: Definition, this: Any, *, is_build: bool
    ) -> None:
        self._session, self._definition, self._is_build = session, definition, is_build
        self._target = f"`{this.schema}`.`{this.identifier}`"
        beside = f"`{this.schema}`.`{definition.name}_{{}}`"
        self._state = State(session, beside.format("state"), definition)
        self._late = Late(session, beside.format("late"), definition, self._state)
        self._status = beside.format("status")

    def run(self, events: DataFrame) -> DataFrame:
        """The detections to be merged. Everything else is written when this returns."""
        if self._is_build:
            return self._build(events)
        told = self._checked(self._state.told())
        is_delivered = self._finish(told, events)
        waiting = None if is_delivered else self._state.found()
        news = self._news(events, told.progress)
        if news is None:
            if told.failed:
                self._state.forget_error()
            return self._detections(waiting)
        mine = self._take(events, news, told.progress, waiting)
        now = self._state.told()
        if now is not None and now.late is not None and now.progress.run_id == mine.run_id:
            self._late.append(events, now)
        return self._detections(self._state.found())

    def _build(self, events: DataFrame) -> DataFrame:
        there = self._session.catalog.tableExists(self._target)
        start = Progress(
            build=uuid.uuid4().hex, run=-1, run_id="", until=-1, rows=0, newest=None, grid=None,
            built_over=self._version() if there else None,
            meaning=self._definition.meaning(), garbage_size=self._definition.garbage_size,
            user="", consumed_at=_now(),
        )  # fmt: skip
        news = self._news(events, None) or News(Span(-1, -1, 0, None), None, ())
        self._take(events, news, start, None)
        self._late.begin(events, self._checked(self._state.told()))
        show_status(self._session, self._status, self._state, self._definition)
        return self._detections(self._state.found())

    def _take(
        self, events: DataFrame, news: News, last: Progress, waiting: DataFrame | None
    ) -> Progress:
        """The one commit of a run, unless another run has made it."""
        definition, state = self._definition, self._state
        grid = last.grid
        if grid is None and news.first is not None and definition.rules.has_windows:
            grid = definition.grid(news.first)
        progress = last.moved(
            until=news.span.until, rows=last.rows + news.span.count, newest=news.span.newest,
            run_id=uuid.uuid4().hex, grid=grid, garbage_size=definition.garbage_size,
            consumed_at=_now(),
            user=self._session.sql("select current_user()").collect()[0][0],
        )  # fmt: skip
        new = new_rows(events, definition, news.span)
        is_first = last.run < 0
        kept = None if is_first else state.rows(news.buckets)
        has_held = not is_first and definition.rules.has_windows
        held = state.windows(news.buckets) if has_held else None
        size = news.span.count + (0 if is_first else state.size())
        with outcome(new, kept, held, definition, news.span, grid, size) as frame:
            if waiting is not None:
                frame = frame.unionByName(waiting.drop("part"), allowMissingColumns=True)
            if is_first:
                state.create(frame, progress)
            else:
                state.replace(frame, progress, news.buckets)
        return progress

    def _news(self, events: DataFrame, last: Progress | None) -> News | None:
        """None when nothing came."""
        definition = self._definition
        arrival = quoted(definition.arrival)
        units = units_sql(definition.time_column, definition.time_type, definition.rules.precision)
        buckets = buckets_sql(quoted(column) for column in definition.key_columns)
        if last is not None:
            events = events.where(f"{arrival} > {last.until}L or {arrival} is null")
        told = events.selectExpr(
            f"max({arrival}) as until", f"min({arrival}) as earliest", "count(1) as many",
            f"count_if({arrival} is null) as nameless", f"max({units}) as newest",
            f"min_by({units}, if({units} is null, null, {arrival})) as first",
            f"{buckets} as buckets",
        ).collect()[0]  # fmt: skip
        if told.nameless:
            raise DetectionError(
                f"detect {definition.name!r}: {told.nameless} events have no"
                f" `{definition.arrival}`; number every event as it comes, and never with null"
            )
        if not told.many:
            return None
        newest = [n for n in (told.newest, last.newest if last else None) if n is not None]
        since = told.earliest - 1 if last is None else last.until
        span = Span(since, told.until, told.many, max(newest, default=None))
        return News(span, told.first, buckets_in(told.buckets))

    def _checked(self, told: Told | None) -> Told:
        """What the last run told, if it was of this definition."""
        if told is None:
            raise DetectionError(
                f"detect {self._definition.name!r}: {self._target} is there, and its state"
                f" {self._state.table} is not; build both anew with --full-refresh"
            )
        self._definition.refuse_other(told.progress.meaning)
        return told

    def _finish(self, told: Told, events: DataFrame) -> bool:
        """Does what a run that died left undone. Whether the model's table has its detections."""
        last = told.progress
        if last.run == 0:
            self._late.begin(events, told)
            if last.built_over is not None and self._version() == last.built_over:
                whole = self._detections(self._state.found()).write.format("delta")
                whole = whole.mode("overwrite").option("overwriteSchema", "true")
                whole.saveAsTable(self._target)
                show_status(self._session, self._status, self._state, self._definition)
                return True
        arrival = quoted(self._definition.arrival)
        # One of the detections of a commit speaks for all: they are merged in one.
        found, same = told.found is not None, "false"
        if found:
            same = f"arrival = {told.found} and detection_id = {text_sql(told.detection_id or '')}"
        known = self._session.sql(
            f"select (select max({arrival}) from {self._late.table}) as late,"
            f" (select count(1) from {self._target} where {same}) as found",
        ).collect()[0]
        if told.late is not None and (known.late is None or known.late < told.late):
            self._late.append(events, told)
        return not found or known.found > 0

    def _detections(self, found: DataFrame | None) -> DataFrame:
        """The rows of the model, of the rows of the state."""
        definition = self._definition
        found = self._state.found().where("false") if found is None else found
        keys = zip(keys_of(definition), definition.key_columns, strict=True)
        rows = found.selectExpr(
            f"found.time as {quoted(definition.time_column)}",
            *(f"{key} as {quoted(column)}" for key, column in keys),
            "found.anomaly_type", "found.anomaly_string", "found.window_start", "found.window_end",
            "found.left_value", "found.right_value", "found.left_text", "found.right_text",
            "found.detection_id", "__arrival as arrival", "found.place",
        )  # fmt: skip
        return rows if definition.rules.is_ordered else rows.dropDuplicates(["detection_id"])

    def _version(self) -> int:
        history = self._session.sql(f"describe history {self._target} limit 1")
        return int(history.collect()[0]["version"])


def _now() -> datetime:
    """When the run was, for people; nothing is worked out from it."""
    return datetime.now(timezone.utc)
