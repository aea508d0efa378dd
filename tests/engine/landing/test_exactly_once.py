"""Nothing lost and nothing doubled: again, later, and after a kill at each point."""

from datetime import datetime, timedelta, timezone

import pytest

from strandline.cli.observed import LandingStatus, landings
from strandline.landing import LandingResult

SCHEMA = "id INT NOT NULL"


def test_again_writes_nothing_and_only_new_files_land(place) -> None:
    place.write("b.csv", "id\n1\nbad\n2\n")
    assert place.land(SCHEMA) == LandingResult(2, 1, 1, 1, 2)
    versions = place.version()
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)
    assert place.version() == versions

    # Years older than the file before, which a file source of a week's memory would ignore.
    place.write("deep/down/a b+c.csv", "id\n3\nworse\n", modified=1_000_000_000)
    place.write("_hidden.csv", "id\n4\n")
    assert place.land(SCHEMA) == LandingResult(1, 1, 1, 3, 3)
    assert place.rows("arrival", "id", "landed_from") == [
        (1, 1, "b.csv"),
        (2, 2, "b.csv"),
        (3, 3, "deep/down/a b+c.csv"),
    ]
    assert place.faulty("arrival", "raw", "line", "landed_from") == [
        (1, "bad", 3, "b.csv"),
        (2, "worse", 3, "deep/down/a b+c.csv"),
    ]
    # What `strandline status` shows of it, beside a table that is no landing's.
    [status] = landings(place.spark, [place.table, place.quarantine, "raw.nothing"])
    assert status == LandingStatus(
        place.table, str(place.source), 2, 3, 2, 3, landed_at=status.landed_at
    )
    assert abs(datetime.now(timezone.utc) - status.landed_at) < timedelta(hours=1)


def test_arrival_is_dense_over_blocks_and_follows_files_and_lines(place) -> None:
    """Files of several blocks, with a faulty line now and then, in the order of their times."""
    settings = {"spark.sql.files.maxPartitionBytes": "4096", "spark.sql.files.openCostInBytes": "1"}
    before = {key: place.spark.conf.get(key) for key in settings}
    lines = {
        name: [f"{start + n}" if n % 100 else "bad" for n in range(3000)]
        for name, start in (("z.csv", 100_000), ("a.csv", 200_000))
    }
    for name, values in lines.items():  # z.csv is older, so it comes first
        place.write(name, "\n".join(["id", *values]) + "\n")
    for key, value in settings.items():
        place.spark.conf.set(key, value)
    try:
        result = place.land(SCHEMA)
    finally:
        for key, value in before.items():
            place.spark.conf.set(key, value)

    both = [(name, line, value) for name in ("z.csv", "a.csv")
            for line, value in enumerate(lines[name], start=2)]  # fmt: skip
    good = [(name, int(value)) for name, _, value in both if value != "bad"]
    bad = [(name, line) for name, line, value in both if value == "bad"]
    assert place.rows("arrival", "landed_from", "id") == [
        (arrival, *row) for arrival, row in enumerate(good, start=1)
    ]
    assert place.faulty("arrival", "landed_from", "line") == [
        (arrival, *row) for arrival, row in enumerate(bad, start=1)
    ]
    assert result == LandingResult(5940, 60, 1, 1, 5940)


@pytest.mark.parametrize("stop", ["events", pytest.param("quarantine", marks=pytest.mark.soak)])
def test_killed_before_a_commit(place, killed_before, stop: str) -> None:
    """The batch stops before its first, or between its two commits; the next call heals it."""
    place.write("a.csv", "id\n1\nbad\n2\n")
    killed_before({"events": place.table, "quarantine": place.quarantine}[stop])
    with pytest.raises(RuntimeError, match="killed"):
        place.land(SCHEMA)
    assert len(place.rows("id")) == (2 if stop == "quarantine" else 0)
    assert place.faulty("raw") == []

    place.write("b.csv", "id\n3\n")
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    assert place.faulty("arrival", "raw") == [(1, "bad")]


def test_what_has_landed_is_a_table(place) -> None:
    """A row for each file, in the order of arrival; one without it does not land again."""
    place.write("b.csv", "id\n1\nbad\n2\n")
    place.write("a.csv", "id\n3\n")
    place.write_bytes("c.csv.gz", b"no gzip")
    place.land(SCHEMA)
    place.write("d.csv", "id\n")
    place.land(SCHEMA)
    columns = ("batch", "part", "size", "landed", "quarantined", "arrival", "quarantine_arrival")
    assert place.landed(*columns, "reason") == [
        (0, "b.csv", 11, 2, 1, 2, 1, None),
        (0, "a.csv", 5, 1, 0, 3, 1, None),
        (0, "c.csv.gz", 7, 0, 1, 3, 2, "it is not a .gz file"),
        (1, "d.csv", 3, 0, 0, 3, 2, None),
    ]
    assert place.landed("source", "cast(modified as string)")[0] == (
        str(place.source),
        "2014-05-13 16:53:21",
    )


def test_a_file_lands_again_when_its_row_is_deleted(place) -> None:
    """Also the only one of the last batch, and if its rows were deleted as well."""
    for name in "ab":
        place.write(f"{name}.csv", f"id\n{'ab'.index(name)}\n")
        place.land(SCHEMA)
    place.spark.sql(f"DELETE FROM {place.landings} WHERE part = 'b.csv'")
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 3, 3)
    place.spark.sql(f"DELETE FROM {place.landings} WHERE part = 'b.csv'")
    place.spark.sql(f"DELETE FROM {place.table} WHERE landed_from = 'b.csv'")
    place.write("b.csv", "id\n7\n")
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 4, 4)
    assert place.rows("arrival", "id", "landed_from") == [(1, 0, "a.csv"), (4, 7, "b.csv")]


@pytest.mark.first
def test_a_table_without_its_landings_is_refused_unless_asked_for(place) -> None:
    place.write("a.csv", "id\n1\n")
    place.land(SCHEMA)
    place.spark.sql(f"DROP TABLE {place.landings}")
    assert place.refuses(SCHEMA) == (
        f"land:\n- table {place.table} or {place.quarantine} has rows, but {place.landings}, which "
        "knows what has landed, is missing: what is in the table would land a second time; bring "
        "it back, land to a new table, or say new_checkpoint (--new-checkpoint) if the events are "
        "others"
    )
    place.land(SCHEMA, new_checkpoint=True)
    assert place.rows("arrival", "id") == [(1, 1), (2, 1)]
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
def test_no_arrival_is_given_twice(place) -> None:
    """A user has deleted the newest rows: later tables have their watermarks behind them."""
    place.write("a.csv", "id\n1\nbad\n2\n")
    place.land(SCHEMA)
    for table in (place.table, place.quarantine):
        place.spark.sql(f"DELETE FROM {table}")
    place.write("b.csv", "id\n3\n")
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 3, 3)
    place.write("c.csv", "id\nworse\n")
    assert place.land(SCHEMA) == LandingResult(0, 1, 1, None, None)
    assert place.rows("arrival", "id") == [(3, 3)]
    assert place.faulty("arrival", "raw") == [(2, "worse")]


@pytest.mark.soak
@pytest.mark.parametrize("lost", ["events", "quarantine"])
def test_a_commit_that_is_lost_lands_again(place, lost: str) -> None:
    """The files are known, and a table does not have their rows, after a crash of the machine."""
    place.write("a.csv", "id\n1\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\nbad\nworse\n3\n")
    place.land(SCHEMA)
    place.lose_last_commit({"events": place.table, "quarantine": place.quarantine}[lost])
    place.write("c.csv", "id\n4\n")
    rows = (3, 0, 2, 2, 4) if lost == "events" else (1, 2, 2, 4, 4)
    assert place.land(SCHEMA) == LandingResult(*rows)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert place.faulty("arrival", "raw") == [(1, "bad"), (2, "worse")]
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
def test_two_commits_that_are_lost(place) -> None:
    for name in "abc":
        place.write(f"{name}.csv", f"id\n{'abc'.index(name)}\n")
        place.land(SCHEMA)
    for _ in range(2):
        place.lose_last_commit(place.table)
    place.write("d.csv", "id\n3\n")
    assert place.land(SCHEMA) == LandingResult(3, 0, 3, 2, 4)
    place.write("e.csv", "id\n4\n")
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]


@pytest.mark.soak
def test_each_table_has_lost_another_batch(place) -> None:
    place.write("a.csv", "id\n1\nbad\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\n")
    place.land(SCHEMA)
    place.lose_last_commit(place.table)  # the second batch
    place.lose_last_commit(place.quarantine)  # the first one
    place.write("c.csv", "id\n3\nworse\n")
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    assert place.faulty("arrival", "raw") == [(1, "bad"), (2, "worse")]


@pytest.mark.soak
def test_a_table_has_a_batch_after_the_lost_one(place) -> None:
    """A batch is known by its own files, so it lands again also when later ones have landed."""
    place.write("a.csv", "id\n1\nbad\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\n")
    place.land(SCHEMA)
    place.lose_last_commit(place.quarantine)
    place.write("c.csv", "id\n3\n")
    assert place.land(SCHEMA) == LandingResult(1, 1, 2, 3, 3)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    assert place.faulty("arrival", "raw") == [(1, "bad")]


@pytest.mark.soak
def test_a_file_has_changed_whose_rows_are_lost(place) -> None:
    path = place.write("a.csv", "id\n1\nbad\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\nworse\n")
    place.land(SCHEMA)
    for _ in range(2):
        place.lose_last_commit(place.quarantine)
    place.append_to(path, "3\n")
    place.write("c.csv", "id\n")
    assert place.refuses(SCHEMA) == (
        f"land:\n- file {path} changed when only its good rows had landed; put back the file of 9 "
        "bytes modified at 2014-05-13T16:53:21.000+00:00, or an empty file in its place if its "
        "faulty rows are not wanted"
    )
    place.write("a.csv", "")
    assert place.land(SCHEMA) == LandingResult(0, 1, 3, None, None)
    assert place.faulty("arrival", "raw") == [(2, "worse")]


@pytest.mark.parametrize(
    "others",
    [
        (),
        pytest.param(("quarantine",), marks=pytest.mark.soak),
        pytest.param(("events", "quarantine"), marks=pytest.mark.soak),
    ],
)
def test_the_landings_have_lost_a_commit(place, others: tuple[str, ...]) -> None:
    """The rows in the tables say which files were read; nothing lands twice, nothing is lost."""
    place.write("a.csv", "id\n1\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\nbad\n")
    place.write("c.csv", "id\n3\n")
    place.write("d.csv", "id\nworse\n")
    place.land(SCHEMA)
    place.lose_last_commit(place.landings)
    for table in others:
        place.lose_last_commit({"events": place.table, "quarantine": place.quarantine}[table])
    place.write("e.csv", "id\n4\n")
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert place.faulty("arrival", "raw") == [(1, "bad"), (2, "worse")]
    assert sorted(place.landed("part", "landed", "quarantined")) == [
        ("a.csv", 1, 0), ("b.csv", 1, 1), ("c.csv", 1, 0), ("d.csv", 0, 1), ("e.csv", 1, 0),
    ]  # fmt: skip
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
def test_the_landings_have_lost_two_commits(place) -> None:
    for name in "abc":
        place.write(f"{name}.csv", f"id\n{'abc'.index(name)}\n")
        place.land(SCHEMA)
    for _ in range(2):
        place.lose_last_commit(place.landings)
    assert place.refuses(SCHEMA) == (
        f"land:\n- table {place.landings} has lost several batches, of which {place.table} or "
        f"{place.quarantine} has rows; bring it back from a copy, or land all again: drop the three "
        "tables"
    )


@pytest.mark.soak
def test_a_table_that_is_gone(place) -> None:
    place.write("a.csv", "id\n1\nbad\n")
    place.land(SCHEMA)
    place.spark.sql(f"DROP TABLE {place.quarantine}")  # its rows were dealt with
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\nworse\n")
    place.land(SCHEMA)
    assert place.faulty("arrival", "raw") == [(2, "worse")]
    place.spark.sql(f"DROP TABLE {place.table}")
    for new in ((), ("c.csv",)):  # nothing to land, and something
        for name in new:
            place.write(name, "id\n3\n")
        assert place.refuses(SCHEMA) == (
            f"land:\n- table {place.table} is gone, with all that was landed in it; bring it back,"
            f" or land all again: drop the tables {place.quarantine} and {place.landings}"
        )
    for table in (place.quarantine, place.landings):
        place.spark.sql(f"DROP TABLE {table}")
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.soak
def test_a_batch_that_was_begun_with_another_schema(place, killed_before) -> None:
    """Its faulty rows would be others than those that its good rows have left."""
    place.write("a.csv", "id\n1\nbad\n")
    killed_before(place.quarantine)
    with pytest.raises(RuntimeError, match="killed"):
        place.land("id INT")
    said = place.refuses("id INT", options={"null_value": "bad"})
    assert said == (
        "land: batch 0 had 1 good and 1 faulty rows when it was begun, and has 2 and 0 now; give "
        "the schema and the options of that landing, and change them when the batch is done"
    )
    place.land("id INT")
    assert place.faulty("arrival", "raw") == [(1, "bad")]
