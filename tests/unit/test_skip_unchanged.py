"""`skip_unchanged` in a model's `meta`: what is allowed, and that it is needed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import Refused, macros_with

RUNS = {"note": None, "is_unchanged": False}


def inputs(meta: dict | None) -> dict:
    """What a model reads that is not run in a session of ours: nothing is looked up."""
    m = macros_with(
        config={"meta": meta}, model=SimpleNamespace(name="sums"), _in_session=lambda: False
    )
    return m._inputs("select 1", False, False)


@pytest.mark.parametrize("meta", [None, {}, {"owner": "desk"}, {"skip_unchanged": False}])
def test_it_may_be_left_out(meta: dict | None) -> None:
    assert inputs(meta) == RUNS


@pytest.mark.parametrize("value", ["no", "false", 0, None])
def test_anything_but_true_and_false_is_refused(value: object) -> None:
    with pytest.raises(Refused) as refused:
        inputs({"skip_unchanged": value})
    assert str(refused.value) == (
        f"sums:\n  - `skip_unchanged` in `meta` is '{value}'; write false to run the model even if "
        "nothing that it reads has changed, or leave it out"
    )
