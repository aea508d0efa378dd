"""Beside the model's table: `<name>_late`, events that were not evaluated, and `<name>_status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.connection import properties_of
from strandline.delta_log import mapping_for
from strandline.detection.plan.cache import settings
from strandline.detection.plan.rows import keys_of
from strandline.detection.sql import quoted
from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition
    from strandline.detection.plan.state import Checkpoint, State

_BUILD = "strandline.build"


class Late:
    """Late rows of one engine. They are known by their arrival, so that each is written once."""

    def __init__(
        self, session: SparkSession, table: str, definition: Definition, state: State
    ) -> None:
        self._session, self.table, self._definition = session, table, definition
        self._state = state

    def create(self, events: DataFrame, checkpoint: Checkpoint) -> None:
        """Creates the table for a build, with the late rows of its first run."""
        build = checkpoint.progress.build
        exists = self._session.catalog.tableExists(self.table)
        known = properties_of(self._session, self.table) if exists else {}
        if known.get(_BUILD) != build:
            rows = self._rows(events, checkpoint).writeTo(self.table).using("delta")
            with settings(self._session, mapping_for(events.columns)):
                rows.tableProperty(_BUILD, build).createOrReplace()

    def append(self, events: DataFrame, checkpoint: Checkpoint) -> None:
        """Appends the late rows of a commit that are not there: they are in order of arrival.

        Some are there if the state was taken back to an older commit.
        """
        arrival = quoted(self._definition.arrival)
        # The statement reads the table that it writes: Delta lets one of two runs at once commit.
        newest = f"(select max({arrival}) from {self.table})"
        rows = self._rows(events, checkpoint).where(f"coalesce({arrival} > {newest}, true)")
        rows.writeTo(self.table).append()

    def _rows(self, events: DataFrame, checkpoint: Checkpoint) -> DataFrame:
        """The events of the late arrivals; of one that was sent twice, one."""
        if checkpoint.last_late is None:
            return events.where("false").withColumn("late_reason", F.lit(None).cast("string"))
        arrival = quoted(self._definition.arrival)
        # Between literal bounds, so that no older file is read.
        events = events.where(
            f"{arrival} between {checkpoint.first_late} and {checkpoint.last_late}"
        )
        late = self._state.late().dropDuplicates(["__arrival"])
        late = F.broadcast(late.withColumnRenamed("reason", "late_reason"))
        rows = events.join(late, F.expr(f"cast({arrival} as bigint) = __arrival"))
        return rows.drop("__arrival").dropDuplicates([self._definition.arrival])


_STATUS = """
create or replace view {view} as
select
    {name} as name,
    max(engine.user) as user,
    if(count_if(kind = 'error') > 0, 'ERROR', 'OK') as status,
    max(if(kind = 'error', reason, null)) as last_error,
    {groups} as groups,
    max(engine.rows) as rows,
    {metric_count} as metric_count,
    max(from_json(get_json_object(engine.meaning, '$.metrics'), 'array<string>')) as metrics,
    max(engine.until) as last_arrival,
    max(if(kind = 'late', __arrival, null)) as last_late,
    max(engine.consumed_at) as consumed_at,
    {garbage_size}L as garbage_size,
    count_if(kind = 'row') as rows_kept
from {table}
"""


def show_status(session: SparkSession, view: str, state: State, definition: Definition) -> None:
    """Replaces the view. Its figures are those of the last commit at the time of a query."""
    keys = ", ".join(keys_of(definition))
    of_rows = f"count(distinct if(kind = 'row', struct({keys}), null))"
    groups = f"nullif({of_rows}, 0)" if keys else "1"
    session.sql(
        _STATUS.format(
            view=view, table=state.table, name=text_sql(definition.name), groups=groups,
            metric_count=len(definition.rules.metrics), garbage_size=definition.garbage_size,
        )
    )  # fmt: skip
