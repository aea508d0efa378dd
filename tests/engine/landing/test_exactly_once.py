"""Nothing lost and nothing doubled: again, later, and after a kill at each point."""

import shlex
from pathlib import Path
from shutil import rmtree

import pytest
from tests.engine.landing.remedy import follow

from strandline.landing import LandingError, LandingResult, batch

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


@pytest.mark.parametrize(
    "killed_before", ["events", pytest.param("quarantine", marks=pytest.mark.soak)]
)
def test_killed_before_a_commit(place, monkeypatch, killed_before: str) -> None:
    """The batch stops before its first, or between its two commits; the next call heals it."""
    place.write("a.csv", "id\n1\nbad\n2\n")
    real = batch.append

    def stops(rows, table: str, checkpoint: Path, batch_id: int) -> None:
        if (table == place.quarantine) == (killed_before == "quarantine"):
            raise RuntimeError("killed")
        real(rows, table, checkpoint, batch_id)

    monkeypatch.setattr(batch, "append", stops)
    with pytest.raises(LandingError, match="land again"):
        place.land(SCHEMA)
    monkeypatch.setattr(batch, "append", real)
    assert len(place.rows("id")) == (2 if killed_before == "quarantine" else 0)
    assert place.faulty("raw") == []

    place.write("b.csv", "id\n3\n")
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    assert place.faulty("arrival", "raw") == [(1, "bad")]


@pytest.mark.first
def test_killed_between_the_tables_and_the_checkpoint(place) -> None:
    """Both tables have the batch, the checkpoint does not know: Spark runs it again."""
    place.write("a.csv", "id\n1\nbad\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\n")
    place.land(SCHEMA)
    versions = place.version()
    for commit in place.checkpoint.glob("commits/*1*"):
        commit.unlink()
    assert place.land(SCHEMA) == LandingResult(0, 0, 1, None, None)
    assert place.version() == versions
    assert place.rows("arrival", "id") == [(1, 1), (2, 2)]
    assert place.faulty("arrival", "raw") == [(1, "bad")]


def test_a_new_checkpoint_is_refused_unless_asked_for(place) -> None:
    """Its batches count from 0 again, which must not pass for those of the old one."""
    place.write("a.csv", "id\n1\n")
    place.land(SCHEMA)
    with pytest.raises(LandingError, match="checkpoint other is new: files that are in the table"):
        place.land(SCHEMA, checkpoint=place.folder / "other")
    place.land(SCHEMA, checkpoint=place.folder / "other", new_checkpoint=True)
    assert place.rows("arrival", "id") == [(1, 1), (2, 1)]


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
def test_a_commit_that_is_lost(place, lost: str) -> None:
    """The checkpoint says that the batch is done, and a table does not have it."""
    place.write("a.csv", "id\n1\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\nbad\nworse\n3\n")
    place.land(SCHEMA)
    table = {"events": place.table, "quarantine": place.quarantine}[lost]
    place.lose_last_commit(table)
    place.write("c.csv", "id\n4\n")
    said = place.refuses(SCHEMA)
    commits = place.checkpoint / "commits"
    remedy = ["rm", str(commits / "1"), str(commits / ".1.crc")]
    assert said == (
        f"land:\n- table {table} has lost the last commit that was landed in it;"
        f" `{shlex.join(remedy)}` and land again: these files are read again, and what is"
        " missing is written"
    )
    for path in remedy[1:]:
        Path(path).unlink()
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert place.faulty("arrival", "raw") == [(1, "bad"), (2, "worse")]


@pytest.mark.soak
def test_two_commits_that_are_lost(place) -> None:
    for name in "abc":
        place.write(f"{name}.csv", f"id\n{'abc'.index(name)}\n")
        place.land(SCHEMA)
    for _ in range(2):
        place.lose_last_commit(place.table)
    place.write("d.csv", "id\n3\n")
    said = place.refuses(SCHEMA)
    assert said.startswith(
        f"land:\n- table {place.table} has lost the last 2 commits that were landed in"
    )
    follow(said)
    place.land(SCHEMA)
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
    said = place.refuses(SCHEMA)
    assert f"- table {place.table} has lost the last commit that was landed in it; `rm " in said
    assert (
        f"- table {place.quarantine} has lost the last commit that was landed in it; `rm " in said
    )
    follow(said)
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    assert place.faulty("arrival", "raw") == [(1, "bad"), (2, "worse")]


@pytest.mark.parametrize("is_done", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_a_table_has_a_batch_after_the_lost_one(place, is_done: bool) -> None:
    """Spark would read the files of the later batch under another number: nothing may be read again."""
    place.write("a.csv", "id\n1\nbad\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\n")
    place.land(SCHEMA)
    if not is_done:  # killed before Spark noted that the batch is done
        (place.checkpoint / "commits" / "1").unlink()
    place.lose_last_commit(place.quarantine)
    place.write("c.csv", "id\n3\n")
    assert place.refuses(SCHEMA) == (
        f"land:\n- table {place.quarantine} has lost a commit that was landed in it; bring it back from a"
        f" copy, or land all files again: drop the tables {place.table} and {place.quarantine}, and"
        f" remove the checkpoint {place.checkpoint}"
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
            f" or land all files again: drop table {place.quarantine} and remove the checkpoint"
            f" {place.checkpoint}"
        )
    place.spark.sql(f"DROP TABLE {place.quarantine}")
    rmtree(place.checkpoint)
    place.land(SCHEMA)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
