"""A project of windows for one test: `windows.land(rows)`, `windows.run()`, `windows.stays(name, columns)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.aggregation.conftest import small, small_project
from tests.engine.windows.on_spark import OnSpark

__all__ = ["small", "small_project", "windows"]


@pytest.fixture
def windows(
    spark: Any, tmp_path_factory: pytest.TempPathFactory, write_files: Callable
) -> Iterator[OnSpark]:
    folder = tmp_path_factory.getbasetemp() / "windows" / "windowed"
    project = OnSpark(spark, folder, write_files, "windowed")
    yield project
    drop_schema(spark, project.schema)
