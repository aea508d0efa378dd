"""A landing of version 0.1.0 goes on: its checkpoint is read once, and nothing lands twice."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from strandline.landing import LandingResult

SCHEMA = "id INT NOT NULL"
QUERY = "8ce93cfd-7f0a-435e-ab03-5fc3b054536e"
ZIPPED = "it is not a .gz file"


@pytest.fixture
def old(place):
    """The first batch has landed; of the second one a kill has left out the faulty rows."""
    place.write("a+b c.csv", "id\n1\nbad\n2\n")
    place.write("deep/z.csv.gz", "id\n")
    place.write("b.csv", "id\n3\nworse\n")
    place.spark.sql("CREATE SCHEMA IF NOT EXISTS landing_test")
    first, second = "a+b c.csv", "b.csv"
    commit(place, place.table, 0, [(1, 1, first), (2, 2, first)])
    faults = [
        (1, first, 3, "bad", None, "column id: 'bad' is not an INT"),
        (2, "deep/z.csv.gz", None, None, None, ZIPPED),
    ]
    commit(place, place.quarantine, 0, faults)
    commit(place, place.table, 1, [(3, 3, second)])
    write(place.checkpoint, {
        "metadata": [{"id": QUERY}],
        "commits/0": ["v1", {"nextBatchWatermarkMs": 0}],
        "offsets/0": ["v1", {"batchWatermarkMs": 0}, {"logOffset": 0}],
        "offsets/1": ["v1", {"batchWatermarkMs": 0}, {"logOffset": 1}],
        "sources/0/0": ["v1", found(place, first, 1, 0), found(place, "deep/z.csv.gz", 2, 0)],
        "sources/0/1": ["v1", found(place, second, 3, 1)],
        "read/0": [{
            "rows": [2, 2], "arrivals": [2, 2], "unreadable": {"deep/z.csv.gz": ZIPPED},
            "files": {**read(place, first, 1, 11), **read(place, "deep/z.csv.gz", 2, 3)},
        }],
        "read/1": [{
            "rows": [1, 1], "arrivals": [3, 3], "unreadable": {}, "files": read(place, second, 3, 11),
        }],
    })  # fmt: skip
    return place


def test_what_was_begun_is_completed_and_new_files_land(old) -> None:
    old.write("c.csv", "id\n4\n")
    assert old.land(SCHEMA) == LandingResult(1, 1, 2, 4, 4)
    assert old.rows("arrival", "id", "landed_from") == [
        (1, 1, "a+b c.csv"), (2, 2, "a+b c.csv"), (3, 3, "b.csv"), (4, 4, "c.csv"),
    ]  # fmt: skip
    assert old.faulty("arrival", "landed_from", "raw") == [
        (1, "a+b c.csv", "bad"), (2, "deep/z.csv.gz", None), (3, "b.csv", "worse"),
    ]  # fmt: skip
    assert sorted(old.landed("batch", "part", "landed", "quarantined", "reason")) == [
        (0, "a+b c.csv", 2, 1, None), (0, "deep/z.csv.gz", 0, 1, ZIPPED),
        (1, "b.csv", 1, 1, None), (2, "c.csv", 1, 0, None),
    ]  # fmt: skip
    assert old.land(SCHEMA) == LandingResult(0, 0, 0, None, None)
    # It is read once: whoever drops the tables lands all files again.
    for table in (old.table, old.quarantine, old.landings):
        old.spark.sql(f"DROP TABLE {table}")
    assert old.land(SCHEMA).landed == 4


@pytest.mark.soak
def test_a_file_that_changed_since_is_named(old) -> None:
    old.write("a+b c.csv", "id\n1\nbad\n2\n5\n", modified=1_400_000_001)
    assert old.land(SCHEMA) == LandingResult(0, 1, 1, None, None, changed=("a+b c.csv",))


def commit(place, table: str, batch: int, rows: list[tuple]) -> None:
    """What version 0.1.0 has appended to a table."""
    columns = "id INT NOT NULL, arrival BIGINT NOT NULL, landed_from STRING NOT NULL"
    if table == place.quarantine:
        columns = (
            "arrival BIGINT NOT NULL, landed_from STRING NOT NULL, line BIGINT, raw STRING, "
            "raw_bytes BINARY, reason STRING NOT NULL"
        )
    place.spark.sql(f"CREATE TABLE IF NOT EXISTS {table} ({columns}) USING delta")
    (
        place.spark.createDataFrame(rows, columns).write.format("delta").mode("append")
        .option("txnAppId", f"strandline:{QUERY}").option("txnVersion", batch)
        .option("userMetadata", f"strandline:{QUERY}:{batch}").saveAsTable(table)
    )  # fmt: skip


def found(place, name: str, second: int, entry: int) -> dict[str, object]:
    """A file in the log of Spark's file source."""
    uri = "file://" + quote(str(place.source / name), safe="/+")
    return {"path": uri, "timestamp": (1_400_000_000 + second) * 1000, "batchId": entry}


def read(place, name: str, second: int, size: int) -> dict[str, list[int]]:
    """A file in the record of a batch."""
    return {str(place.source / name): [(1_400_000_000 + second) * 1000, size]}


def write(checkpoint: Path, files: dict[str, list]) -> None:
    for name, lines in files.items():
        path = checkpoint / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(each if each == "v1" else json.dumps(each) for each in lines))
