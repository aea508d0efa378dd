"""The table `<name>_late`: every event that was not judged, as it came, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.detection.sql import quoted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition

_BUILD = "strandline.build"


class Late:
    """Late rows of one engine. They are known by their arrival, so that none is told twice."""

    def __init__(self, session: SparkSession, table: str, definition: Definition) -> None:
        self._session, self.table, self._definition = session, table, definition

    def begin(self, events: DataFrame, late: DataFrame, build: str) -> None:
        """Makes the table anew for a build, with the late rows of its first run."""
        told = (
            self._session.sql(f"show tblproperties {self.table}").collect() if self.exists() else []
        )
        if (_BUILD, build) not in {(row["key"], row["value"]) for row in told}:
            rows = self._rows(events, late).writeTo(self.table).using("delta")
            rows.tableProperty(_BUILD, build).createOrReplace()

    def append(self, events: DataFrame, late: DataFrame) -> None:
        self._rows(events, late).writeTo(self.table).append()

    def exists(self) -> bool:
        return self._session.catalog.tableExists(self.table)

    def _rows(self, events: DataFrame, late: DataFrame) -> DataFrame:
        """The events of these arrivals; of one that was sent twice, one."""
        arrival = quoted(self._definition.arrival)
        late = late.dropDuplicates(["__arrival"]).withColumnRenamed("reason", "late_reason")
        rows = events.join(F.broadcast(late), F.expr(f"cast({arrival} as bigint) = __arrival"))
        return rows.drop("__arrival").dropDuplicates([self._definition.arrival])
