"""The table `<name>_late`: every event that was not judged, as it came, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.detection.sql import quoted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition
    from strandline.detection.plan.state import State, Told

_BUILD = "strandline.build"


class Late:
    """Late rows of one engine. They are known by their arrival, so that none is told twice."""

    def __init__(
        self, session: SparkSession, table: str, definition: Definition, state: State
    ) -> None:
        self._session, self.table, self._definition = session, table, definition
        self._state = state

    def begin(self, events: DataFrame, told: Told) -> None:
        """Makes the table anew for a build, with the late rows of its first run."""
        build = told.progress.build
        there = self._session.catalog.tableExists(self.table)
        known = self._session.sql(f"show tblproperties {self.table}").collect() if there else []
        if (_BUILD, build) not in {(row["key"], row["value"]) for row in known}:
            rows = self._rows(events, told).writeTo(self.table).using("delta")
            rows.tableProperty(_BUILD, build).createOrReplace()

    def append(self, events: DataFrame, told: Told) -> None:
        self._rows(events, told).writeTo(self.table).append()

    def _rows(self, events: DataFrame, told: Told) -> DataFrame:
        """The events of the late arrivals; of one that was sent twice, one."""
        if told.late is None:
            return events.where("false").withColumn("late_reason", F.lit(None).cast("string"))
        arrival = quoted(self._definition.arrival)
        # Between literal bounds, so that no older file is read.
        events = events.where(f"{arrival} between {told.first_late} and {told.late}")
        late = self._state.late().dropDuplicates(["__arrival"])
        late = F.broadcast(late.withColumnRenamed("reason", "late_reason"))
        rows = events.join(late, F.expr(f"cast({arrival} as bigint) = __arrival"))
        return rows.drop("__arrival").dropDuplicates([self._definition.arrival])
