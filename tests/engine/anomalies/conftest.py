"""A project of consolidation for one test: `consolidated.define(settings)`, `consolidated.run(now)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.anomalies.on_spark import OnSpark


@pytest.fixture
def consolidated(spark: Any, tmp_path: Path, write_files: Callable) -> Iterator[OnSpark]:
    project = OnSpark(spark, tmp_path / "consolidated", write_files)
    yield project
    drop_schema(spark, project.schema)
