"""A project that sets another format for its tables: ours say that they are Delta tables."""

from __future__ import annotations

import pytest
from tests.e2e.consumer.conftest import PROJECT, Shop


@pytest.mark.parametrize("name", ["iceberg", pytest.param("parquet", marks=pytest.mark.soak)])
def test_another_format_is_refused_before_anything_is_written(shop: Shop, name: str) -> None:
    (shop.folder / "dbt_project.yml").write_text(
        f"{PROJECT}\nmodels: {{shop: {{+file_format: {name}}}}}\n"
    )
    said = shop.fails("run", "--select", "trade_aggregation_hours", "trade_aggregation_late")
    for model in ("trade_aggregation_hours", "trade_aggregation_late"):
        assert f"{model}:\n    - `file_format` is '{name}', and this table can only be" in said
    assert "write `+file_format: delta` for its folder in dbt_project.yml" in said
    assert shop.versions() == {}

    # Delta by its name is what they are.
    (shop.folder / "dbt_project.yml").write_text(
        f"{PROJECT}\nmodels: {{shop: {{+file_format: delta}}}}\n"
    )
    shop.dbt("run", "--select", "trade_aggregation_hours")
    assert shop.versions() == {"trade_aggregation_hours": 0}
