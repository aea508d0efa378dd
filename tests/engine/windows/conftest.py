"""A project of windows for one test: `windows.land(rows)`, `windows.run()`, `windows.stays(name, columns)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.windows.on_spark import OnSpark


@pytest.fixture
def windows(spark: Any, tmp_path: Path, write_files: Callable) -> Iterator[OnSpark]:
    project = OnSpark(spark, tmp_path / "windowed", write_files, "windowed")
    yield project
    drop_schema(spark, project.schema)
