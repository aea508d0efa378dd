"""The harness as a fixture: `project = runs("splits", definition, …)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.runs.definition import Definition
from tests.runs.harness import Runs


@pytest.fixture
def runs(spark: Any, tmp_path: Any) -> Iterator[Callable[..., Runs]]:
    """Makes projects, each in a schema of its own; their tables go when the test ends."""
    made: list[Runs] = []

    def make(schema: str, *definitions: Definition, **options: Any) -> Runs:
        made.append(Runs(spark, tmp_path, schema, definitions, **options))
        return made[-1]

    yield make
    for project in made:
        project.drop()
