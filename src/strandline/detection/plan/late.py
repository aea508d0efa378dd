"""The table `<name>_late`: every event that was not judged, as it came, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.detection.sql import quoted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition
    from strandline.detection.plan.state import Told

_BUILD = "strandline.build"


class Late:
    """Late rows of one engine. They are known by their arrival, so that none is told twice."""

    def __init__(self, session: SparkSession, table: str, definition: Definition) -> None:
        self._session, self._table, self._definition = session, table, definition

    def deliver(self, events: DataFrame, late: DataFrame, told: Told) -> None:
        """Adds those of a run that the table has not; the first run of a build begins it anew."""
        if told.progress.run == 0 and not self._is_of(told.progress.build):
            rows = self._rows(events, late).writeTo(self._table).using("delta")
            rows.tableProperty(_BUILD, told.progress.build).createOrReplace()
        elif told.late is not None:
            arrival = quoted(self._definition.arrival)
            known = self._session.table(self._table).agg(F.max(arrival)).collect()[0][0]
            if known is None or known < told.late:
                self._rows(events, late).writeTo(self._table).append()

    def _is_of(self, build: str) -> bool:
        if not self._session.catalog.tableExists(self._table):
            return False
        told = self._session.sql(f"show tblproperties {self._table}").collect()
        return (_BUILD, build) in {(row["key"], row["value"]) for row in told}

    def _rows(self, events: DataFrame, late: DataFrame) -> DataFrame:
        """The events of these arrivals; of one that was sent twice, one."""
        arrival = quoted(self._definition.arrival)
        late = late.dropDuplicates(["__arrival"]).withColumnRenamed("reason", "late_reason")
        rows = events.join(F.broadcast(late), F.expr(f"cast({arrival} as bigint) = __arrival"))
        return rows.drop("__arrival").dropDuplicates([self._definition.arrival])
