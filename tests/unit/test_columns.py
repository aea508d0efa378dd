"""The columns of a relation are described once for each of its states, also by later runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt.adapters.spark.column import SparkColumn

from dbt.adapters.strandline.columns import Columns

PRICE = SparkColumn(
    column="price", dtype="double", table_schema="s", table_name="trades", column_index=0,
    table_stats={"stats:bytes:label": "bytes", "stats:bytes:value": 1_024},
)  # fmt: skip
DAY = SparkColumn(column="day", dtype="date", table_schema="s", table_name="trades", column_index=1)


class Spark:
    """Describes a table; counts how often."""

    def __init__(self) -> None:
        self.columns, self.described = [PRICE, DAY], 0

    def describe(self) -> list[SparkColumn]:
        self.described += 1
        return self.columns


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "columns.json"


def test_they_are_described_once_for_a_state(file: Path) -> None:
    spark = Spark()
    for _ in range(3):
        assert Columns(file).of("s.trades", "a", spark.describe) == [PRICE, DAY]
    assert spark.described == 1
    spark.columns = [DAY]
    assert Columns(file).of("s.trades", "b", spark.describe) == [DAY]
    assert Columns(file).of("s.others", "b", spark.describe) == [DAY]
    assert spark.described == 3


def test_what_is_given_out_may_be_changed(file: Path) -> None:
    spark, columns = Spark(), Columns(file)
    for _ in range(2):
        found = columns.of("s.trades", "a", spark.describe)
        assert found == [PRICE, DAY]
        found.clear()
        spark.columns = [PRICE, DAY]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"s.trades": "a"}',
        '{"s.trades": ["a", [{"price": 1}]]}',
        '{"s.trades": ["a", 1]}',
    ],
)
def test_a_damaged_file_only_costs_a_query(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text)
    spark = Spark()
    assert Columns(file).of("s.trades", "a", spark.describe) == [PRICE, DAY]
    assert spark.described == 1


def test_a_folder_that_cannot_be_written_only_costs_queries(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    spark = Spark()
    for _ in range(2):
        found = Columns(tmp_path / "home" / "columns.json").of("s.trades", "a", spark.describe)
        assert found == [PRICE, DAY]
    assert spark.described == 2
