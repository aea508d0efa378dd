"""`plants`: a plant that a test disturbs, its twin, and the warm server of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.crash.plants import Plants

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def plants(tmp_path: Path, spark: SparkSession) -> Iterator[Plants]:
    with Plants(tmp_path, spark) as made:
        yield made
