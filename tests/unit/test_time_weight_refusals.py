"""What is refused before any SQL is written: each argument with what was given and what is allowed."""

from __future__ import annotations

import pytest
from jinja2.exceptions import UndefinedError
from tests.unit.jinja_macros import Refused, macros

m = macros()
GAP = "; write a length of time above 0 such as '30 minutes' or 'PT30M' (weeks to microseconds), or none for a signal without gaps"
METHOD = "; write one of locf, linear, trapezoidal"
UNIT = "; write one of microseconds, milliseconds, seconds, minutes, hours, days, weeks"
BOUND = "`length` as a length of time above 0 such as '1 hour' (weeks to microseconds), or `end` as an expression of the bucket's end"
KEYS = "; write a list of columns, such as ['sensor'], or [] for one signal"
DAY = ["2022-01-01 00:00:00", "2022-01-02 00:00:00"]


def message(macro: str, *args, **kwargs) -> str:
    with pytest.raises(Refused) as refused:
        getattr(m, macro)(*args, **kwargs)
    return str(refused.value)


def shown(value) -> str:
    return "none" if value is None else f"'{value}'"


def of_bound(length: str | None, end: str | None) -> str:
    """The fault of the end of a bucket: of what was given, and of nothing else."""
    if length is None and end is None:
        return f"`length` and `end` are missing; write one of the two: {BOUND}"
    if end is None:
        return f"`length` is '{length}'; write {BOUND}"
    return f"`length` is '{length}' and `end` is '{end}'; write one of the two: {BOUND}"


@pytest.mark.parametrize("gap", ["0 minutes", "-5 minutes", "PT0S", "1 month", "P1Y", "30", 1800, "", "1.5 hours", "soon", "none"])  # fmt: skip
def test_gap(gap):
    assert message("time_weight", "ts", "v", method="locf", gap=gap) == (
        f"time_weight of v:\n  - `gap` is '{gap}'{GAP}"
    )
    assert message("state_agg", "ts", "state", gap=gap) == (
        f"state_agg of state:\n  - `gap` is '{gap}'{GAP}"
    )


def test_nulls():
    assert message("time_weight", "ts", "v", method="locf", nulls="ends") == (
        "time_weight of v:\n  - `nulls` is 'ends'; write 'ignore' (a row without a value is no point) "
        "or 'end' (it ends the value before it)"
    )


def test_every_fault_is_named_at_once():
    assert message("time_weight", "ts", "v", method="cubic", gap="a while") == (
        f"time_weight of v:\n  - `method` is 'cubic'{METHOD}\n  - `gap` is 'a while'{GAP}"
    )
    assert message("state_agg", "ts", "state", gap="0 s", form="short") == (
        f"state_agg of state:\n  - `gap` is '0 s'{GAP}\n"
        "  - `form` is 'short'; write 'full' (with the timeline) or 'compact' (durations only)"
    )


@pytest.mark.parametrize("method", ["LOCF", "Locf", "locf", "LINEAR", "Trapezoidal"])
def test_methods_in_any_case(method):
    stored = "locf" if method.lower() == "locf" else "linear"
    assert m.time_weight("ts", "v", method=method) == m.time_weight("ts", "v", method=stored)


@pytest.mark.parametrize("method", ["last", "", None, "lin ear"])
def test_unknown_method(method):
    assert f"`method` is {shown(method)}{METHOD}" in message(
        "time_weight", "ts", "v", method=method
    )


def test_a_gap_in_any_spelling():
    def sql(gap):
        return m.time_weight("ts", "v", method="locf", gap=gap)

    assert sql("30 minutes") == sql("PT30M")
    assert "1800000000L" in sql("PT30M")


@pytest.mark.parametrize("unit", ["month", "year", "", "hou", None, 3600])
def test_unknown_unit(unit):
    bucket = {"start": "bucket", "length": "1 hour", "unit": unit}
    for who in ("integral", "elapsed_time", "gap_time"):
        assert message(who, "tw", unit=unit) == f"{who} of tw:\n  - `unit` is '{unit}'{UNIT}"
    assert f"`unit` is '{unit}'{UNIT}" in message("interpolated_integral", "tw", **bucket)
    assert f"`unit` is '{unit}'{UNIT}" in message("interpolated_elapsed_time", "tw", **bucket)


@pytest.mark.parametrize(
    "bound",
    [{"length": None, "end": None}, {"length": "1 hour", "end": "stop"}, {"length": "1 month", "end": None},
     {"length": "0 s", "end": None}, {"length": "stop", "end": None}, {"length": "-1 days", "end": None}],
)  # fmt: skip
def test_length_or_end(bound):
    fault = f"  - {of_bound(**bound)}"
    for who in ("interpolated_average", "interpolated_integral", "interpolated_elapsed_time"):
        assert message(who, "tw", start="bucket", **bound) == f"{who}:\n{fault}"
    assert message("interpolated_duration_in", "tw", "on", start="bucket", **bound) == (
        f"interpolated_duration_in of tw:\n{fault}"
    )
    for who in ("duration_in", "interpolated_state_periods"):
        assert message(who, "tw", "on", start="bucket", **bound) == f"{who} of tw:\n{fault}"
    assert message("interpolated_state_timeline", "tw", start="bucket", **bound) == (
        f"interpolated_state_timeline of tw:\n{fault}"
    )


@pytest.mark.parametrize("bound", [{"length": "1 hour"}, {"end": "stop"}])
def test_a_range_begins_somewhere(bound):
    assert message("duration_in", "tw", "on", **bound) == (
        "duration_in of tw:\n  - `start` is missing; write where the range begins, or leave `length` and `end` out as well"
    )


@pytest.mark.parametrize("state", [1.5, True, None, ["on"]])
def test_state(state):
    fault = f"of s:\n  - `state` is {state}; write a text or a whole number"
    assert message("duration_in", "s", state) == f"duration_in {fault}"
    assert message("state_periods", "s", state) == f"state_periods {fault}"
    for who in ("interpolated_duration_in", "interpolated_state_periods"):
        assert message(who, "s", state, start="b", length="1 h") == f"{who} {fault}"


@pytest.mark.parametrize("of", ["average", "Time_weight", "", None])
def test_kind_of_a_rollup(of):
    assert message("rollup", "tw", of=of) == (
        f"rollup of tw:\n  - `of` is {shown(of)}; write which kind of summary it is: time_weight, counter_agg, state_agg, heartbeat_agg"
    )


@pytest.mark.parametrize("length", ["0 s", "1 month", None, "b"])
def test_heartbeats(length):
    assert message("heartbeat_agg", "ts", "start", length, length) == (
        f"heartbeat_agg of ts:\n  - `length` is {shown(length)}; write how long the range that begins at `start` is, such as '1 hour'\n"
        f"  - `interval` is {shown(length)}; write how long a heartbeat keeps alive, such as '10 minutes'"
    )


def test_trimmed_to_what():
    assert message("trim_to", "beats") == (
        "trim_to of beats:\n  - `start`, `length` and `end` are missing; write where the narrower range begins, how long it is, or where it ends"
    )
    for bound in ({"length": "1 hour", "end": "stop"}, {"length": "1 month", "end": None}):
        assert message("trim_to", "beats", "begin", **bound) == (
            f"trim_to of beats:\n  - {of_bound(**bound)}"
        )


@pytest.mark.parametrize("keys", ["sensor", None, {"sensor": "a"}])
def test_interpolated_table(keys):
    assert message("interpolated_table", "tw", "1 month", DAY, keys, of="states") == (
        "interpolated_table of tw:\n  - `length` is '1 month'; write the length of the relation's buckets, such as '1 hour'\n"
        f"  - `keys` is {shown(keys)}{KEYS}\n"
        "  - `of` is 'states'; write which kind of summary it is: time_weight, counter_agg, state_agg, heartbeat_agg"
    )
    assert "whose start is not before its end; the first must be earlier" in message("interpolated_table", "tw", "1 hour", DAY[::-1])  # fmt: skip
    assert "interpolated_table of tw:\n  - `within` is 'noon'; write a pair" in message("interpolated_table", "tw", "1 hour", "noon")  # fmt: skip


SIGNAL = type("Relation", (), {"identifier": "signal"})()
POINTS = {"source": SIGNAL, "keys": ["sensor"], "ts": "ts", "bucket": "1 hour"}
WEIGHTS = {"value": "v", "method": "locf", "gap": "1 h"}
COLUMN = "write the name of a column (compute expressions in a staging model)"
OWN = "and summary and names that begin with agg_ are columns of the table itself; rename it in a staging model"
BUCKET = "write the length of a bucket such as '1 hour' (for months and years, roll up the days of such a table, or put time_weight into the `select` of an aggregation)"


def faults(macro="time_weight_table", own=WEIGHTS, **given):
    """The faults of a call with the columns of a signal, and none if dbt's `config` is reached."""
    with pytest.raises((Refused, UndefinedError)) as refused:
        getattr(m, macro)(**POINTS | own | given)
    who, *lines = str(refused.value).split("\n  - ")
    assert who == (f"{macro}:" if lines else "'config' is undefined")
    return lines


def test_tables_of_summaries():
    assert faults() == []
    assert faults(source=None) == [
        "`source` is none; pass a relation: ref('signal') or source('plant', 'signal')"
    ]
    assert faults(source="signal") == [
        "`source` is 'signal'; pass a relation: ref('signal') or source('plant', 'signal')"
    ]
    assert faults(keys="sensor", gap="0 h") == [f"`keys` is 'sensor'{KEYS}", f"`gap` is '0 h'{GAP}"]
    assert faults(keys=["agg_room", "Summary", "__t"], ts=" ", arrival=5) == [
        "`ts` is ' '; name the column of the points' time",
        f"`keys` has '__t'; {COLUMN}; a name has no line break and no ${{, and does not begin with __",
        f"`keys` has the column 'agg_room', {OWN}",
        f"`keys` has the column 'Summary', {OWN}",
        f"`arrival` is '5'; {COLUMN}",
    ]
    assert faults(keys=["air temp", "größe", "select"], ts="agg_timestamp", arrival="a`b") == []
    assert faults(not_after=5) == [
        "`not_after` is '5'; write one SQL expression over the columns of the source, such as 'received_at + interval 1 hour'"
    ]
    assert faults(bucket="1 month") == [f"`bucket` is '1 month'; {BUCKET}"]


def test_tables_of_heartbeats():
    own = {"interval": "a while"}
    assert faults("heartbeat_agg_table", own, keys="host", bucket="1 month") == [
        f"`bucket` is '1 month'; {BUCKET}",
        f"`keys` is 'host'{KEYS}",
        "`interval` is 'a while'; write how long a heartbeat keeps alive, such as '10 minutes'",
    ]


def test_a_table_of_late_points_takes_a_relation():
    assert faults("time_weight_late", table="signal_hours") == [
        "`table` is 'signal_hours'; pass the table of the points' summaries, such as ref('signal_hours'), or leave it out"
    ]
    assert faults("time_weight_late", table=None) == []
