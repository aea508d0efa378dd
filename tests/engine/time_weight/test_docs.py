"""Every example of docs/time_weights.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

import pytest
from tests.conftest import ROOT
from tests.pages import assert_examples, examples

pytestmark = pytest.mark.first

PAGE = (ROOT / "docs" / "time_weights.md").read_text()
EVENTS = "select *, 1 as arrival from {{ ref('machine') }}"


def test_every_example_gives_what_the_page_shows(tmp_path, spark, write_files):
    assert len(examples(PAGE)) == PAGE.count("```sql") == 18
    assert_examples(PAGE, spark, tmp_path, write_files, machine_events=EVENTS)
