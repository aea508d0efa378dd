"""What is committed to a table lands in another one, each row once."""

import pytest

from strandline.errors import LandingError, WrongUse
from strandline.landing import LandingResult, land_table

FEED = {"delta.enableChangeDataFeed": "true"}


@pytest.fixture
def source(place):
    """A Delta table to land from, and what lands it."""
    return Source(place)


class Source:
    def __init__(self, place) -> None:
        self.place = place
        self.name = f"{place.table}_source"

    def create(self, columns: str = "id INT, t STRING", **properties) -> None:
        listed = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
        ending = f" TBLPROPERTIES ({listed})" if listed else ""
        self.sql("CREATE SCHEMA IF NOT EXISTS landing_test")
        self.sql(f"CREATE TABLE {self.name} ({columns}) USING delta{ending}")

    def sql(self, statement: str):
        return self.place.spark.sql(statement.replace("{source}", self.name))

    def insert(self, *rows: str) -> None:
        """One commit."""
        self.sql(f"INSERT INTO {self.name} VALUES {', '.join(rows)}")

    def land(self, **more) -> LandingResult:
        place = self.place
        return land_table(place.spark, self.name, place.table, place.checkpoint, **more)

    def refuses(self, **more) -> str:
        with pytest.raises(LandingError) as refused:
            self.land(**more)
        return str(refused.value)


@pytest.mark.parametrize(
    "feed", [{}, pytest.param(FEED, marks=pytest.mark.soak)], ids=["files", "feed"]
)
def test_appended_rows_land_in_the_order_of_commits(source, feed: dict[str, str]) -> None:
    place = source.place
    source.create(**feed)
    source.insert("(3, 'c')", "(1, 'a')")
    source.insert("(2, 'b')")
    assert source.land(order_by=["id"]) == LandingResult(3, 0, 1, 1, 3)
    assert source.land(order_by=["id"]) == LandingResult(0, 0, 0, None, None)

    source.insert("(9, 'x')", "(8, NULL)")
    source.insert("(1, 'y')")
    if not feed:  # the first two commits become one file, and the third stays
        source.sql("OPTIMIZE {source}")
    source.insert("(0, 'z')")
    assert source.land(order_by=["id"]) == LandingResult(4, 0, 1, 4, 7)
    assert place.rows("arrival", "id", "t") == [
        (1, 1, "a"), (2, 2, "b"), (3, 3, "c"),
        (4, 8, None), (5, 9, "x"), (6, 1, "y"), (7, 0, "z"),
    ]  # fmt: skip
    table = source.name
    assert place.rows("landed_from")[2:5] == [(f"{table}@2",), (f"{table}@3",), (f"{table}@3",)]
    last = 5 if feed else 6
    assert place.landed("source", "part", "first", "last", "landed") == [
        (table, "snapshot", 2, 2, 3), (table, "changes", 3, last, 4),
    ]  # fmt: skip


def test_an_update_is_refused_or_lands_as_a_correction(source) -> None:
    place = source.place
    source.create(**FEED)
    source.insert("(1, 'a')", "(2, 'b')")
    source.land()
    source.sql("UPDATE {source} SET t = 'new' WHERE id = 1")
    source.sql("DELETE FROM {source} WHERE id = 2")
    assert source.refuses() == (
        f"land:\n- table {source.name} has updated or deleted rows in version 2, 3, which cannot be "
        "appended; say changes=land (--changes land) to land changed rows once more"
    )
    place.table += "_2"
    source.land(changes="land")
    source.insert("(3, 'c')")
    source.sql("UPDATE {source} SET t = 'newer' WHERE id = 1")
    source.sql("DELETE FROM {source} WHERE id = 3")
    assert source.land(changes="land") == LandingResult(3, 0, 1, 2, 4)
    assert place.rows("arrival", "id", "t", "change_type") == [
        (1, 1, "new", "insert"), (2, 3, "c", "insert"), (3, 1, "newer", "update"),
        (4, 3, "c", "delete"),
    ]  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("feed", [{}, FEED], ids=["files", "feed"])
def test_a_column_that_the_source_gets_lands_from_then_on(source, feed: dict[str, str]) -> None:
    place = source.place
    source.create(**feed)
    source.insert("(1, 'a')")
    source.land()
    source.insert("(2, 'b')")
    source.sql("ALTER TABLE {source} ADD COLUMNS (n INT AFTER id)")
    source.insert("(3, 30, 'c')")
    if not feed:  # both files become one; the one without the column is read as it was
        source.sql("OPTIMIZE {source}")
    assert source.land(order_by=["id"]) == LandingResult(2, 0, 1, 2, 3, added=("n",))
    assert place.columns() == ["id", "n", "t", "arrival", "landed_from"]
    assert place.rows("arrival", "id", "n", "t") == [
        (1, 1, None, "a"), (2, 2, None, "b"), (3, 3, 30, "c"),
    ]  # fmt: skip


@pytest.mark.soak
def test_a_killed_landing_of_versions_before_the_column(source, killed_before) -> None:
    place = source.place
    source.create()
    source.insert("(1, 'a')")
    killed_before(place.table)
    with pytest.raises(RuntimeError, match="killed"):
        source.land()
    source.sql("ALTER TABLE {source} ADD COLUMNS (n INT)")
    source.insert("(2, 'b', 20)")
    source.land()
    assert place.rows("arrival", "id", "n") == [(1, 1, None), (2, 2, 20)]


@pytest.mark.soak
def test_without_a_feed_an_update_names_it(source) -> None:
    source.create()
    source.insert("(1, 'a')")
    source.land()
    source.sql("UPDATE {source} SET t = 'new'")
    assert source.refuses() == (
        f"land:\n- table {source.name} has updated or deleted rows in version 2, which cannot be "
        "appended; turn on its change data feed (delta.enableChangeDataFeed), and say changes=land "
        "(--changes land) to land changed rows once more"
    )


@pytest.mark.soak
def test_versions_that_were_vacuumed(source) -> None:
    place = source.place
    source.create(**{"delta.deletedFileRetentionDuration": "interval 0 seconds"})
    source.insert("(1, 'a')")
    source.land()
    source.insert("(2, 'b')")
    source.insert("(3, 'c')")
    source.sql("OPTIMIZE {source}")
    check = "spark.databricks.delta.retentionDurationCheck.enabled"
    place.spark.conf.set(check, "false")
    try:
        source.sql("VACUUM {source} RETAIN 0 HOURS")
    finally:
        place.spark.conf.unset(check)
    said = source.refuses()
    assert said.startswith(
        f"land:\n- table {source.name}: versions 2 to 6 cannot be read any more: they were "
        "vacuumed, or its log was cleaned ("
    )
    assert said.endswith("and say allow_lost (--allow-lost) to land all rows of the table again")
    assert source.land(allow_lost=True, order_by=["id"]) == LandingResult(3, 0, 1, 2, 4)
    assert place.rows("id") == [(1,), (1,), (2,), (3,)]


@pytest.mark.soak
@pytest.mark.parametrize("feed", [{}, FEED], ids=["files", "feed"])
def test_columns_may_have_the_names_of_our_own(source, feed: dict[str, str]) -> None:
    names = ["key", "raw", "reason", "line", "batch", "part", "größe in m", "a b", "it's"]
    mapped = {"delta.columnMapping.mode": "name"}
    source.create(", ".join(f"`{name}` INT" for name in names), **feed, **mapped)
    row = ", ".join(str(nth) for nth in range(len(names)))
    source.insert(f"({row})")
    assert source.land(order_by=["größe in m"]) == LandingResult(1, 0, 1, 1, 1)
    source.insert(f"({row})")
    assert source.land(order_by=["größe in m"]) == LandingResult(1, 0, 1, 2, 2)
    columns = [f"`{name}`" for name in names]
    assert source.place.rows(*columns) == [tuple(range(len(names)))] * 2


@pytest.mark.soak
def test_many_commits_are_read_from_the_log_once(source) -> None:
    source.create()
    source.insert("(0, 'a')")
    source.land()
    for number in range(1, 40):
        source.insert(f"({number}, 'b')")
    assert source.land() == LandingResult(39, 0, 1, 2, 40)
    assert source.place.rows("id") == [(number,) for number in range(40)]


@pytest.mark.soak
def test_a_table_that_was_made_again(source) -> None:
    source.create()
    source.insert("(1, 'a')")
    source.land()
    source.sql("DROP TABLE {source}")
    source.create()
    source.insert("(2, 'b')")
    assert source.refuses() == (
        f"land:\n- table {source.name} is another one than the one that has landed: it was made "
        "again; say allow_lost (--allow-lost) to land all its rows"
    )
    assert source.land(allow_lost=True) == LandingResult(1, 0, 1, 2, 2)
    assert source.land() == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
@pytest.mark.parametrize("lost", ["killed", "landings"])
def test_nothing_is_lost_or_doubled(source, killed_before, lost: str) -> None:
    place = source.place
    source.create("id INT, t STRING, n INT")
    source.insert("(1, 'a', 1)")
    columns = {"schema": "id INT NOT NULL, t STRING"}
    source.land(**columns)
    source.insert("(2, 'b', 2)", "(NULL, 'bad', 3)", "(3, 'c', 4)")
    if lost == "landings":
        source.land(**columns)
        place.lose_last_commit(place.landings)
    else:
        killed_before(place.quarantine)
        with pytest.raises(RuntimeError, match="killed"):
            source.land(**columns)
    source.insert("(4, 'd', 5)")
    source.land(**columns)
    assert sorted(place.rows("id", "arrival")) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert place.faulty("arrival", "raw", "reason") == [
        (1, '{"t":"bad"}', "column id is required and is empty")
    ]
    assert source.land(**columns) == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kind", "values"),
    [("BIGINT", "5 7 9"), ("TIMESTAMP", "'2020-01-01' '2020-01-02' '2021-01-01'")],
)  # fmt: skip
def test_any_table_with_a_column_that_grows(source, kind: str, values: str) -> None:
    place = source.place
    source.create(f"id INT, at {kind}")
    first, second, third = values.split()
    source.insert(f"(2, {second})", f"(1, {first})")
    assert source.land(grows_by="at") == LandingResult(2, 0, 1, 1, 2)
    source.insert(f"(3, {third})")
    assert source.land(grows_by="at") == LandingResult(1, 0, 1, 3, 3)
    assert source.land(grows_by="at") == LandingResult(0, 0, 0, None, None)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    source.insert("(4, NULL)")
    assert source.refuses(grows_by="at") == (
        f"land:\n- column at of {source.name} is null in 1 rows, which would never land; give it a "
        "value"
    )


@pytest.mark.soak
def test_what_cannot_be_asked_for(source) -> None:
    place = source.place
    source.create("id INT, arrival BIGINT")
    source.sql("CREATE VIEW {source}_view AS SELECT * FROM {source}")
    source.name += "_view"
    with pytest.raises(WrongUse) as refused:
        land_table(place.spark, "a b", place.table, place.checkpoint)
    assert "source table 'a b' is not a name such as schema.name" in str(refused.value)
    with pytest.raises(
        WrongUse, match=r"source table landing_test.nowhere does not exist; name one"
    ):
        land_table(place.spark, "landing_test.nowhere", place.table, place.checkpoint)
    assert source.refuses(changes="keep") == (
        "land:\n"
        "- changes is 'keep'; say refuse or land\n"
        f"- source table {source.name} is a view, and only Delta has versions; name a column that "
        "only grows: grows_by (--grows-by)"
    )
    assert source.refuses(grows_by="id", order_by=["x"], schema="id BIGINT, u INT") == (
        "land:\n"
        f"- source table {source.name}: column u INT is missing\n"
        f"- source table {source.name}: column id is INT, BIGINT was expected\n"
        f"- column x of {source.name} is no column to order by; it has id, arrival"
    )
    assert source.refuses(grows_by="id") == (
        f"land:\n- column arrival of {source.name} is reserved: the landing adds it; name the other "
        "columns by schema (--schema)"
    )
    source.sql("CREATE VIEW {source}_2 AS SELECT arrival AS __x FROM {source}")
    source.name += "_2"
    assert source.refuses(grows_by="__x") == (
        f"land:\n- column __x of {source.name} begins with two underscores, which Strandline keeps for "
        "its own; name the other columns by schema (--schema)"
    )
    source.name = source.name.removesuffix("_2")
    assert source.refuses(grows_by="t", schema="id INT") == (
        f"land:\n- column t of {source.name} is no column; name a column of whole numbers, dates or "
        "times that only grows (--grows-by)"
    )
