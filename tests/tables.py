"""Two tables that must have the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def assert_same_rows(found: DataFrame, expected: DataFrame, what: str) -> None:
    """exceptAll counts duplicates and takes null as equal to null."""
    assert found.columns == expected.columns, what
    assert expected.exceptAll(found).limit(5).collect() == [], f"lost from {what}"
    assert found.exceptAll(expected).limit(5).collect() == [], f"too much in {what}"
    assert found.count() == expected.count(), what
