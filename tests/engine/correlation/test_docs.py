"""Every example of docs/correlation.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import ROOT
from tests.pages import assert_examples, examples

pytestmark = pytest.mark.first

PAGE = (ROOT / "docs" / "correlation.md").read_text()


def test_every_example_gives_what_the_page_shows(
    tmp_path: Any, spark: Any, write_files: Any
) -> None:
    assert len(examples(PAGE)) == PAGE.count("```sql") == 1
    assert_examples(PAGE, spark, tmp_path, write_files)
