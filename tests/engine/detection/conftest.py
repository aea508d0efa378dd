"""`engines`: engines of detection, each in a schema of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.aggregation.conftest import small, small_project
from tests.engine.detection.on_spark import Engine

__all__ = ["engines", "small", "small_project"]


@pytest.fixture
def engines(spark: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Engine]]:
    """Makes engines, each in a schema of its own; their tables go when the test ends."""
    made: list[Engine] = []

    def make(metrics: list[str], precision: str = "ms", **arguments: Any) -> Engine:
        schema = f"detect_{request.node.name.split('[')[0][5:55]}_{len(made)}"
        made.append(Engine(spark, schema, metrics, precision, **arguments))
        return made[-1]

    yield make
    for engine in made:
        drop_schema(spark, engine.schema)
