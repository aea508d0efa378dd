"""What happens to a landing: it is killed, or a table loses what was committed to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strandline.delta_log import folder_of
from strandline.landing import batch

if TYPE_CHECKING:
    import pytest
    from pyspark.sql import SparkSession


def kill_before(monkeypatch: pytest.MonkeyPatch, stop: str) -> None:
    """The next landing stops before it appends to this table."""
    real = batch.append

    def append(landings: Any, rows: Any, table: str, number: int) -> None:
        if table == stop:
            monkeypatch.setattr(batch, "append", real)
            raise RuntimeError("killed")
        real(landings, rows, table, number)

    monkeypatch.setattr(batch, "append", append)


def lose_last_commit(spark: SparkSession, table: str) -> None:
    """Removes the newest commit of a table, as after a crash of the machine."""
    found = spark.sql(f"DESCRIBE DETAIL {table}").first()["location"]
    log = folder_of(found) / "_delta_log"
    newest = max(path.stem for path in log.glob("*.json"))
    for path in (*log.glob(f"{newest}.*"), *log.glob(f".{newest}.*")):
        path.unlink()
    spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
