"""What docs/coming_from.md says of timescaledb-toolkit, where results differ."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.jinja_macros import macros

m = macros()


def states(*given: str) -> str:
    rows = ", ".join(f"(timestamp'2022-01-01 {at}:00', '{state}')" for at, state in
                     (one.split() for one in given))  # fmt: skip
    return f"(select {m.state_agg('ts', 'state')} from values {rows} as given(ts, state))"


def value(spark: Any, sql: str) -> Any:
    return spark.sql(f"select {sql} as x").first()["x"]


@pytest.mark.parametrize(
    ("at", "state"), [("11:59", None), ("12:00", "on"), ("12:30", "off"), ("12:31", None)]
)
def test_state_at_is_null_after_the_last_point(spark: Any, at: str, state: str | None) -> None:
    query = m.state_at("s", f"timestamp'2022-01-01 {at}:00'")
    found = spark.sql(f"select {query} as x from (select {states('12:00 on', '12:30 off')} as s)")
    assert found.first()["x"] == state


def test_parts_touch_in_the_same_state_and_not_in_two(spark: Any) -> None:
    def rolled(first: str, second: str) -> Any:
        parts = f"select explode(array({first}, {second})) as part"
        read = m.duration_in("s", "off")
        query = f"select {read} as x from (select {m.rollup('part', of='state_agg')} as s from ({parts}))"
        return spark.sql(query).first()["x"]

    first = states("12:00 on", "12:30 off")
    assert rolled(first, states("12:30 off", "13:00 on")) == 1800.0
    with pytest.raises(Exception, match="two states at 2022-01-01 12:30:00, off and on"):
        rolled(first, states("12:30 on", "13:00 off"))


def test_prev_must_end_before_the_bucket(spark: Any) -> None:
    def off(prev: str) -> Any:
        read = m.interpolated_duration_in(
            "s", "off", start="timestamp'2022-01-01 12:00:00'", length="1 hour", prev="p"
        )
        return spark.sql(
            f"select {read} as x from (select {states('12:30 on')} as s, {states(prev)} as p)"
        ).first()["x"]

    assert off("11:50 off") == 1800.0
    with pytest.raises(Exception, match="prev"):
        off("12:10 off")
