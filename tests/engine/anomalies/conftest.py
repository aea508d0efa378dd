"""A project of consolidation for one test: `consolidated.define(settings)`, `consolidated.run(now)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.anomalies.on_spark import OnSpark


@pytest.fixture
def consolidated(
    spark: Any, tmp_path_factory: pytest.TempPathFactory, write_files: Callable
) -> Iterator[OnSpark]:
    folder = tmp_path_factory.getbasetemp() / "anomalies" / "consolidated"
    project = OnSpark(spark, folder, write_files)
    yield project
    drop_schema(spark, project.schema)
