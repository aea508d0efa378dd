"""Points that were removed from the source after they were counted: their buckets keep them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import EVALUATED, Dbt, drop_schema
from tests.engine.aggregation.conftest import PROFILE, Small
from tests.engine.mutated import package_with
from tests.engine.runs.kill import killing
from tests.engine.time_weight.cases import MINUTE
from tests.engine.time_weight.removed import (
    BETWEEN,
    KINDS,
    MONDAY,
    Point,
    Table,
    insert,
    project,
    some_points,
    stored,
    stored_late,
)

ALL = list(KINDS)


def at(arrival: int, minute: int, value: float = 1.0) -> Point:
    t = MONDAY + minute * MINUTE
    return Point(arrival, "a", t, value, "ABC"[t // MINUTE % 3])


def remove_before(small: Any, minute: int) -> None:
    small.spark.sql(
        f"delete from small.feed_signal where first < timestamp_micros({MONDAY + minute * MINUTE})"
    )


class History:
    """Runs of the tables, each compared with the simulator."""

    def __init__(self, small: Any, kinds: list[str], nulls: str = "ignore") -> None:
        project(small, kinds, nulls)
        self.small, self.tables = small, {kind: Table(kind, nulls) for kind in kinds}
        self.source: list[Point] = []

    def run(self, arrived: list[Point]) -> dict[str, str]:
        insert(self.small, arrived)
        messages = self.small.run()
        self.advance(arrived)
        self.compare()
        return messages

    def advance(self, arrived: list[Point]) -> None:
        for table in self.tables.values():
            table.run(self.source, arrived)
        self.source += arrived

    def remove_before(self, minute: int) -> None:
        remove_before(self.small, minute)
        self.source = [point for point in self.source if point.t >= MONDAY + minute * MINUTE]

    def compare(self) -> None:
        for kind, table in self.tables.items():
            assert stored(self.small, kind) == table.rows(), kind
            assert stored_late(self.small, kind) == table.late(), kind


@pytest.mark.soak
def test_late_points_of_a_bucket_whose_points_were_removed(small: Any) -> None:
    play(small)


def play(small: Any) -> None:
    history = History(small, ALL)
    history.run([at(1, 0), at(2, 6, 3.0), at(3, 16, 5.0)])
    history.remove_before(15)
    # After all of them, before one that has just arrived, and between the removed ones.
    messages = history.run([at(4, 9, 7.0), at(5, 8), at(6, 3)])
    count = {kind: stored(small, kind)["a", MONDAY][0] for kind in ALL}
    assert count == {"time_weight": 3, "state_agg": 3, "heartbeat_agg": 5}
    assert [row[0] for row in stored_late(small, "time_weight")] == [5, 6]
    assert messages["time_weight"] == (
        f"rewrote 1 partition, from 2013-01-07; 2 of 3 points are late: {BETWEEN}"
    )
    # As many of the refused points as were counted do not look like the removed ones.
    history.run([at(7, 2), at(8, 9), at(9, 12), at(10, 11)])
    assert set(small.run().values()) == {"nothing new"}


@pytest.mark.soak
@pytest.mark.parametrize(
    ("seed", "runs", "nulls"),
    [*((seed, 4, "ignore") for seed in (1, 2, 3, 4)), (5, 4, "end"), (6, 4, "end")],
)
def test_histories_with_a_retention(small: Any, seed: int, runs: int, nulls: str) -> None:
    chance = random.Random(seed)  # noqa: S311
    history = History(small, ["time_weight"] if nulls == "end" else ALL, nulls)
    for number in range(runs):
        arrived = some_points(chance, chance.randrange(10, 40), len(history.source) * 100 + 1)
        arrived = [Point(1000 * number + n, *point.row[1:]) for n, point in enumerate(arrived, 1)]
        history.run(arrived)
        history.remove_before(chance.randrange(-30, 30))
    refused = [bucket.refused for bucket in history.tables["time_weight"].buckets.values()]
    assert any(refused), "no point is between removed ones"


@pytest.mark.soak
def test_a_crash_between_the_two_tables_is_healed(small: Any) -> None:
    history = History(small, ["time_weight"])
    history.run([at(1, 0), at(2, 6, 3.0)])
    history.remove_before(15)
    arrived = [at(3, 4), at(4, 20)]
    insert(small, arrived)
    with killing("small", 2, before=True) as crash:
        small.fails()
    assert crash.happened
    assert stored(small, "time_weight")["a", MONDAY][:3] == (2, 3, [3])
    small.run()
    history.advance(arrived)
    history.compare()


@pytest.mark.soak
def test_the_ledger_balances(small: Any) -> None:
    history = History(small, ["time_weight"])
    ledger = "source('feed', 'feed_signal'), table=ref('time_weight'), late=ref('time_weight_late'), arrival='newest'"
    small.change("ledger", f"{{{{ strandline.points_ledger({ledger}) }}}}")
    history.run([at(1, 0), at(2, 6, 3.0)])
    history.remove_before(15)
    history.run([at(3, 4), at(4, 20)])
    rows = small.rows("select run, received, applied, late from small.ledger order by run")
    assert rows == [(1, 2, 2, 0), (2, 4, 3, 1)]


MUTATIONS = {
    "buckets are rewritten from what is left": (
        "_pruned_buckets",
        "(__stored.agg_late is not null or __source_counts.__points < __stored.agg_count)",
        "false",
    ),
    "refused points look like removed ones": (
        "_pruned_buckets",
        "__stored.agg_late is not null or ",
        "",
    ),
    "points in between are added": ("_new_points_of_pruned", "{{ 'true' if is_beat", "{{ 'true' if true"),
    "late tables do not read what was refused": ("_points_with_reason", "when __listed.__t is not null", "when false"),
}  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS)
def test_mutations_are_found(
    mutation: tuple[str, str, str], tmp_path: Path, spark: Any, write_files: Any
) -> None:
    package = package_with([mutation], tmp_path / "package")
    files = {
        "dbt_project.yml": 'name: small\nversion: "1.0"\nprofile: small\n' + EVALUATED,
        "profiles/profiles.yml": PROFILE,
        "packages.yml": f"packages:\n  - local: {package}\n",
    }
    folder = tmp_path / "small"
    write_files(folder, files)
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    spark.sql("create schema small")
    try:
        with pytest.raises(AssertionError) as found:
            play(Small(spark, dbt, folder, write_files))
        assert "failed:" not in str(found.value), "the mutation is no SQL"
    finally:
        drop_schema(spark, "small")
