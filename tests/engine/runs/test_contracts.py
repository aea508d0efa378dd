"""`contract: {enforced: true}` is checked for each kind of table of the package."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.engine.aggregation.conftest import Small, small, small_project

__all__ = ["small", "small_project"]

POINTS = "source('feed', 'feed_x'), keys=['k'], ts='ts', value='v', gap='1 hour', bucket='1 hour'"
DETECTOR = (
    "select k, ts as starts_at, ts + interval 1 hour as ends_at, v as current_value,"
    " 1D as baseline_value, 'high' as severity from {{ source('feed', 'feed_x') }}"
)
# One model of each materialization.
MODELS = {
    "x_hours": "{{ strandline.aggregation_table(x(), 'hours') }}",
    "x_days": "{{ strandline.aggregation_table(x(), 'days') }}",
    "x_late": "{{ strandline.aggregation_late(x()) }}",
    "x_ledger": "{{ strandline.aggregation_ledger(x()) }}",
    "points": f"{{{{ strandline.time_weight_table({POINTS}, method='locf') }}}}",
    "points_late": f"{{{{ strandline.time_weight_late({POINTS}, method='locf') }}}}",
    "inside": "{{ strandline.window_table(source=source('feed', 'feed_x'), ts='ts', store='last 2') }}",
    "pairs": "{{ strandline.correlation_table(streams={'a': {'window': ref('inside'), 'on': 'k'},"
    " 'b': {'window': ref('inside'), 'on': 'k'}}, when=['a and b'], select={'k': 'a.k'}) }}",
    "anomalous": "{{ strandline.anomalies(detections=[ref('found')], keys=['k']) }}",
}


@pytest.fixture
def plant(small: Small) -> Small:
    """A source with one event, and a model of each kind that reads it."""
    small.define(
        "x",
        "arrival bigint, k string, ts timestamp, v double",
        [],
        "select={'n': 'count(*)'}, keys=['k'], ts='ts', every='hour, day'",
    )
    small.change("found", DETECTOR)
    for name, body in MODELS.items():
        small.change(name, body)
    small.feed("x", "1, 'a', timestamp'2024-01-01 00:10:00Z', 5D")
    return small


@pytest.fixture
def contract(plant: Small, write_files: Callable) -> Callable[..., None]:
    """Writes the contracts: `{model: {column: type}}`."""

    def write(
        columns: dict[str, dict[str, str]], constraints: dict[str, Any] | None = None
    ) -> None:
        models = [
            {
                "name": model,
                "config": {"contract": {"enforced": True}},
                "columns": [
                    {"name": name, "data_type": kind, "quote": True, **(constraints or {})}
                    for name, kind in types.items()
                ],
            }
            for model, types in columns.items()
        ]
        write_files(plant._folder, {"models/contracts.yml": json.dumps({"models": models})})

    return write


def types_of(plant: Small, model: str) -> dict[str, str]:
    fields = plant.spark.table(f"small.{model}").schema.fields
    return {field.name: field.dataType.simpleString() for field in fields}


def test_a_table_without_the_columns_of_its_contract_is_not_created(
    plant: Small, contract: Callable
) -> None:
    contract(
        {
            model: {"agg_timestamp": "string", "nonsense": "int"}
            for model in MODELS
            if model != "inside"
        }
    )
    said = plant.fails()
    assert said.count("This model has an enforced contract that failed.") == len(MODELS) - 3
    assert "| agg_timestamp | timestamp       | string        | data type mismatch    |" in said
    assert "| nonsense      |                 | int           | missing in definition |" in said
    made = {
        row[1] for row in plant.rows("show tables in small") if not row[2]
    }  # no temporary views
    assert made == {"feed_x", "found", "inside"}


@pytest.mark.soak  # a minute
def test_a_contract_that_fits_is_kept_from_run_to_run(plant: Small, contract: Callable) -> None:
    plant.run()
    fitting = {model: types_of(plant, model) for model in MODELS}
    contract(fitting)
    plant.run("--full-refresh")
    plant.feed("x", "2, 'a', timestamp'2024-01-01 03:10:00Z', 6D")
    plant.run()
    assert {model: types_of(plant, model) for model in MODELS} == fitting

    # Another contract fails without a new row in the source, too.
    contract({"x_hours": {**fitting["x_hours"], "agg_count": "int"}})
    said = plant.fails("--select", "x_hours")
    assert "| agg_count" in said
    assert "data type mismatch" in said

    contract({"x_hours": fitting["x_hours"]}, {"constraints": [{"type": "not_null"}]})
    assert (
        "x_hours:\n    - its contract has constraints (not_null), which this table would lose at each rebuild;"
        " write a data test instead, such as not_null, and leave names and types in the contract"
    ) in plant.fails("--select", "x_hours")
