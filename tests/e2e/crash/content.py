"""The rows of a table without what differs between runs of the same events: times and ids of runs."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

# Of the tables of anomalies: when a run was, in the machine's time.
RUN_TIMES = ("created_run_at", "changed_run_at")
NOTIFIED = ("notified", "notified_completed", "withheld")
# What a full refresh finds again; what was outdated, and when each was first seen, are lost.
REFOUND = ("detector", "machine", "starts_at", "ends_at", "current_value", "is_parent")


def without_runs(table: DataFrame) -> DataFrame:
    """Whether something was notified stays, and by which anomaly; when it was does not."""
    if "window_progress" in table.columns:  # a window or a correlation: ids of builds are random
        progress = F.col("window_progress").dropFields("builds")
        table = table.withColumn("window_progress", progress)
        # That of a window has the arrival of a row that arrived in this run.
        is_window = "position" in table.schema["window_state"].dataType.names
        return table.drop("window_state") if is_window else table
    if "notified_completed" not in table.columns:
        return table
    named = {each: F.col(each)["anomaly_id"] for each in NOTIFIED}
    is_notified = F.col("notified_at").isNotNull()
    severities = F.col("notified_severities")["severity"]
    named["notified_severities"] = severities
    return table.drop(*RUN_TIMES).withColumns({**named, "notified_at": is_notified})


def refound(table: DataFrame) -> DataFrame:
    """Of a table of anomalies what is the same after a full refresh; any other table as it is."""
    if "notified_completed" not in table.columns:
        return table
    return table.where("status != 'outdated'").select(*REFOUND)
