"""Files that go or change: while they are read, and after they have landed."""

import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from strandline.landing import LandingResult

SCHEMA = "id INT"
FAILED = "land: the batch failed and is not done; correct the cause and land again: "


def test_deleted_between_discovery_and_batch(place, before_reading) -> None:
    place.write("a.csv", "id\n1\n")
    gone = place.write("b.csv", "id\n2\n")
    before_reading(gone.unlink)
    message = (
        f"file {gone} was found, and is gone before its batch was done; put it back, or an empty "
        "file in its place if it is not wanted"
    )
    assert place.refuses(SCHEMA) == FAILED + message
    assert place.refuses(SCHEMA) == f"land:\n- {message}"
    assert place.rows("id") == []
    place.write("b.csv", "")
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 1, 1)


def test_it_grows_while_it_is_read(place, before_reading) -> None:
    """A cut line may fit the schema: 12 of 12.50. So nothing lands until it is complete."""
    growing = place.write("a.csv", "id\n1")
    place.write("b.csv", "id\n2\n")
    before_reading(lambda: place.append_to(growing, "1\n12\n13\n"))
    assert place.refuses(SCHEMA) == (
        f"{FAILED}file {growing} changed while it was read; land again when it is complete: write "
        "a new file as _name, then rename it"
    )
    assert place.rows("id") == []
    os.utime(growing, (1, 1))
    assert place.land(SCHEMA) == LandingResult(4, 0, 1, 1, 4)
    assert place.rows("arrival", "id") == [(1, 11), (2, 12), (3, 13), (4, 2)]
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)


def test_a_file_that_comes_late_lands_the_next_time(place, before_reading) -> None:
    """It was not checked: Spark alone would fill the missing column with nulls."""
    one = pa.array([1], pa.int32())
    pq.write_table(pa.table({"id": one, "n": one}), place.source / "a.parquet")
    late = pa.table({"id": one})
    before_reading(lambda: pq.write_table(late, place.source / "b.parquet"))
    assert place.land("id INT, n INT", "parquet") == LandingResult(1, 0, 1, 1, 1)
    assert place.refuses("id INT, n INT", "parquet") == (
        "land:\n- file b.parquet: column n INT is missing; given id; expected id, n"
    )
    assert place.rows("id") == [(1,)]


@pytest.mark.parametrize(
    "how",
    [
        "grown",
        pytest.param("same size", marks=pytest.mark.soak),
        pytest.param("same time", marks=pytest.mark.soak),
    ],
)
def test_changed_after_it_was_landed(place, how: str) -> None:
    """Not read again, and never ignored in silence."""
    path = place.write("deep/a.csv", "id\n1\n")
    place.write("b.csv", "id\n2\n")
    place.land(SCHEMA)
    text = "id\n9\n" if how == "same size" else "id\n1\n3\n"
    place.write(
        "deep/a.csv", text, modified=int(path.stat().st_mtime) if how == "same time" else None
    )
    changed = ("deep/a.csv",)
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None, changed=changed)
    place.write("c.csv", "id\n3\n")
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 3, 3, changed=changed)
    path.unlink()
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)
    assert place.rows("id") == [(1,), (2,), (3,)]


def test_a_time_within_a_second_is_the_same_in_spark_and_here(place) -> None:
    path = place.write("a.csv", "id\n1\n")
    os.utime(path, ns=(0, 1_400_000_000_123_999_999))
    for expected in (LandingResult(1, 0, 1, 1, 1), LandingResult(0, 0, 0, None, None)):
        assert place.land(SCHEMA) == expected
    place.append_to(path, "2\n")
    assert place.land(SCHEMA).changed == ("a.csv",)
