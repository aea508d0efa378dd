"""One run of an engine: its commit, and the recovery of a crashed run."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame

from strandline.delta_log import mapping_for, version_of
from strandline.detection.errors import DetectionError
from strandline.detection.plan.batch import Batch, new_batch
from strandline.detection.plan.cache import settings
from strandline.detection.plan.detections import rows_of_model
from strandline.detection.plan.outcome import outcome
from strandline.detection.plan.rows import Span, new_rows
from strandline.detection.plan.side_tables import Late, show_status
from strandline.detection.plan.state import Checkpoint, Progress, State
from strandline.detection.sql import quoted
from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition


@dataclass(frozen=True)
class Outcome:
    """What a run gives: the detections to be written, and whether another run has written the state
    meanwhile, so that the new events were not read."""

    found: DataFrame
    is_left_to_next_run: bool = False


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

    def run(self, events: DataFrame) -> Outcome:
        """The detections to be written. Everything else is written when this returns."""
        if self._is_build:
            return Outcome(self._build(events))
        version = self._state.version()  # before what is read of it
        checkpoint = self._checked(self._state.checkpoint())
        is_delivered = self._recover(checkpoint, events)
        # A metastore was lost, or the view reads what is stored no more.
        if not self._session.catalog.tableExists(self._status) or self._state.is_of_0_1():
            show_status(self._session, self._status, self._state, self._definition)
        undelivered = None if is_delivered else self._state.found()
        batch = new_batch(events, self._definition, checkpoint.progress)
        if batch is None:
            if checkpoint.failed:
                self._state.delete_error()
            return Outcome(self._detections(undelivered))
        written = self._commit(events, batch, checkpoint.progress, version, undelivered)
        current = self._state.checkpoint()
        is_own = current is not None and current.progress.run_id == written.run_id
        if current is not None and is_own and current.last_late is not None:
            self._late.append(events, current)
        return Outcome(self._detections(self._state.found()), is_left_to_next_run=not is_own)

    def _build(self, events: DataFrame) -> DataFrame:
        start = Progress(
            build=uuid.uuid4().hex, run=-1, run_id="", until=-1, rows=0, newest=None, grid=None,
            built_over=self._version_of_target(),
            meaning=self._definition.meaning(), user="", consumed_at=_now(),
        )  # fmt: skip
        batch = new_batch(events, self._definition, None) or Batch(Span(-1, -1, 0, None), None, ())
        written = self._commit(events, batch, start, None, None)
        version = self._state.version()
        current = self._checked(self._state.checkpoint())
        if current.progress.run_id != written.run_id:
            raise DetectionError(
                f"detect {self._definition.name!r}: another run has written to {self._state.table}"
                " while this one was about to replace it; nothing was written; run it again"
            )
        self._late.create(events, current)
        show_status(self._session, self._status, self._state, self._definition)
        # Of this version: another run may continue from this state before dbt has written them.
        return self._detections(self._state.found(version))

    def _commit(
        self,
        events: DataFrame,
        batch: Batch,
        last: Progress,
        version: int | None,
        undelivered: DataFrame | None,
    ) -> Progress:
        """The one commit of a run; nothing is written if another run has made it.

        version: that of the state which the run continues; None for a build.
        """
        definition, state = self._definition, self._state
        grid = last.grid
        if grid is None and batch.first_time is not None and definition.rules.has_windows:
            grid = definition.grid(batch.first_time)
        progress = last.advanced(
            until=batch.span.until, rows=last.rows + batch.span.count, newest=batch.span.newest,
            run_id=uuid.uuid4().hex, grid=grid, consumed_at=_now(),
            user=self._session.sql("select current_user()").collect()[0][0],
        )  # fmt: skip
        new = new_rows(events, definition, batch.span)
        is_first = version is None
        kept = None if is_first else state.rows(batch.buckets)
        has_closed = not is_first and definition.rules.has_windows
        last_closed = state.windows(batch.buckets) if has_closed else None
        size = batch.span.count + (0 if is_first else state.size())
        with outcome(new, kept, last_closed, definition, batch.span, grid, size) as frame:
            if undelivered is not None:
                frame = frame.unionByName(undelivered.drop("part"), allowMissingColumns=True)
            if version is None:
                state.create(frame, progress)
            else:
                state.replace(frame, progress, batch.buckets, version)
        return progress

    def _checked(self, checkpoint: Checkpoint | None) -> Checkpoint:
        """The checkpoint, which must exist and be of this definition."""
        if checkpoint is None:
            raise DetectionError(
                f"detect {self._definition.name!r}: {self._target} exists, but its state"
                f" {self._state.table} does not; rebuild both with --full-refresh"
            )
        self._definition.refuse_other(checkpoint.progress.meaning)
        return checkpoint

    def _recover(self, checkpoint: Checkpoint, events: DataFrame) -> bool:
        """Completes a run that crashed. Returns whether the model's table has its detections."""
        last = checkpoint.progress
        if last.run == 0:
            self._late.create(events, checkpoint)
            if self._version_of_target() == last.built_over:  # the build has not replaced it
                if last.built_over is None:
                    self._session.sql(f"drop table {self._target}")
                found = self._detections(self._state.found())
                writer = found.write.format("delta").mode("overwrite")
                with settings(self._session, mapping_for(found.columns)):
                    writer.option("overwriteSchema", "true").saveAsTable(self._target)
                show_status(self._session, self._status, self._state, self._definition)
                return True
        arrival = quoted(self._definition.arrival)
        # The detections of a commit are written at once: if the last is there, all are.
        is_last, last_late = "false", checkpoint.last_late
        if checkpoint.last_found is not None:
            detection_id = text_sql(checkpoint.detection_id or "")
            is_last = f"arrival = {checkpoint.last_found} and detection_id = {detection_id}"
        written = self._session.sql(
            f"select (select max({arrival}) from {self._late.table}) as late,"
            f" (select count(1) from {self._target} where {is_last}) as found",
        ).collect()[0]
        if last_late is not None and (written.late is None or written.late < last_late):
            self._late.append(events, checkpoint)
        return checkpoint.last_found is None or written.found > 0

    def _version_of_target(self) -> int | None:
        """The version of the model's table; None if it is none of Delta: dbt drops it then."""
        if not self._session.catalog.tableExists(self._target):
            return None
        try:
            return version_of(self._session, self._target)
        except AnalysisException:
            return None

    def _detections(self, found: DataFrame | None) -> DataFrame:
        """The rows of the model, from those of the state."""
        found = self._state.found().where("false") if found is None else found
        return rows_of_model(found, self._definition)


def _now() -> datetime:
    """The time of the run, for people; nothing is computed from it."""
    return datetime.now(timezone.utc)
