"""The format of a table: Delta, and any other one that a project sets is refused."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import Refused, macros, macros_with


@pytest.mark.parametrize("config", [{}, {"file_format": None}, {"file_format": "delta"}])
def test_delta_is_allowed_and_the_default(config: dict) -> None:
    m = macros_with(config=config, model=SimpleNamespace(name="sums", config=config))
    assert m._file_format() == "delta"
    m._check_file_format()


def test_without_a_model_it_is_delta() -> None:
    assert macros()._file_format() == "delta"


@pytest.mark.parametrize("name", ["iceberg", "parquet", "hudi"])
def test_another_one_reaches_the_run_and_is_refused_there(name: str) -> None:
    config = {"file_format": name}
    m = macros_with(config=config, model=SimpleNamespace(name="sums", config=config))
    assert m._file_format() == name
    with pytest.raises(Refused) as refused:
        m._check_file_format()
    assert str(refused.value) == (
        f"sums:\n  - `file_format` is '{name}', and this table can only be a Delta table: its runs "
        "need `replace where` and Delta's record of commits; write `+file_format: delta` for its "
        "folder in dbt_project.yml, or leave it out. What it reads may have any format"
    )
