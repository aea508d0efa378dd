"""`plants`: a plant that a test disturbs, its twin, and the warm server of both.

One pair for the tests of a file: each ends with tables that equal the twin's, and the next continues from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.e2e.crash.plants import Plants

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def plants(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Plants]:
    with Plants(tmp_path_factory.mktemp("plants"), spark) as made:
        made.begin()
        yield made
