"""`anomalies` without Spark: its analysed range is that of the oracle, and every refusal has its message."""

from __future__ import annotations

import itertools
import random
from datetime import datetime
from types import SimpleNamespace

import pytest
from tests.engine.anomalies.oracle_ranges import (
    BEGINNING,
    AnalysedRange,
    moved_watermark,
    scheduled_range,
)
from tests.unit.jinja_macros import Refused, macros, macros_with

from strandline.notify.outbox import BOOKKEEPING, TYPES

RELATION = {"identifier": "flight_detections"}  # anything that is no text
COLUMN = "write the name of a column (compute expressions in a staging model)"
RULE = "; a name has no line break and no ${, and does not begin with __"
GIVEN = {"detections": [RELATION], "keys": ["detector", "carrier"]}
SUCH_AS = (
    "write a length of time such as '2 days' or 'PT15M' (months and years have no fixed length)"
)
ABOVE_ZERO = (
    "write a length of time above zero, such as 'PT15M' (months and years have no fixed length)"
)
LOOK_BACK = "write a length of time above zero, such as 'P7D' (months and years have no fixed length), or none (all are notified)"


def faults(**given) -> list[str]:
    with pytest.raises(Refused) as refused:
        macros().anomalies(**GIVEN | given)
    who, *lines = str(refused.value).split("\n  - ")
    assert who == "anomalies:"
    return lines


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mutability_period": "2 moons"}, [f"`mutability_period` is '2 moons'; {SUCH_AS}"]),
        ({"granularity": "P1M"}, [f"`granularity` is 'P1M'; {ABOVE_ZERO}"]),
        ({"merge_max_duration": "P1Y"}, [f"`merge_max_duration` is 'P1Y'; {SUCH_AS}"]),
        ({"merge_max_gap": "-PT1S"}, [f"`merge_max_gap` is '-PT1S'; {SUCH_AS}"]),
        ({"min_length": None}, [f"`min_length` is none; {SUCH_AS}"]),
        *(({"notify_look_back": text}, [f"`notify_look_back` is '{text}'; {LOOK_BACK}"]) for text in ("", "PT0S")),
        ({"completeness_delay": 15}, [f"`completeness_delay` is '15'; {SUCH_AS}"]),
        ({"granularity": "PT0S"}, [f"`granularity` is 'PT0S'; {ABOVE_ZERO}"]),
        *(
            (
                {"re_notify_absolute_threshold": value},
                [f"`re_notify_absolute_threshold` is '{value}'; write a number from 0 up (0 means any change), or leave it out (never)"],
            )
            for value in (-1, "5", float("nan"), True)
        ),
        (
            {"keys": []},
            ["`keys` is '[]'; list the columns that identify an anomaly, such as ['detector', 'carrier']"],
        ),
        (
            {"keys": "carrier"},
            ["`keys` is 'carrier'; list the columns that identify an anomaly, such as ['detector', 'carrier']"],
        ),
        ({"keys": ["a", "A"]}, ["`keys` names a column twice: a, A"]),
        (
            {"keys": ["status"]},
            ["`keys` has the column 'status', which is also a column of the result or its outbox; rename it in a staging model"],
        ),
        (
            {"keys": ["ends_month"]},
            ["`keys` has the column 'ends_month', which is also a column of the result or its outbox; rename it in a staging model"],
        ),
        (
            {"keys": ["detector", "Unit", "members", "kind"]},
            [
                f"`keys` has the column '{name}', which is also a column of the result or its outbox; rename it in a staging model"
                for name in ("Unit", "members", "kind")
            ],
        ),
        *(
            ({"keys": [name]}, [f"`keys` has '{name}'; {COLUMN}{RULE}"])
            for name in ("__kind", "a\nb", "${a}")
        ),
        ({"keys": [" "]}, [f"`keys` has ' '; {COLUMN}"]),
        ({"current": None}, [f"`current` is none; {COLUMN}"]),
        ({"severity": "__a"}, [f"`severity` is '__a'; {COLUMN}{RULE}"]),
        (
            {"detections": []},
            ["`detections` is empty; write ref(…) or source(...), one relation or a list, so that dbt sees what the model depends on"],
        ),
        (
            {"detections": ["found"]},
            ["`detections` has 'found'; write ref('found') or source(...), one relation or a list, so that dbt sees what the model depends on"],
        ),
        (
            {"feedback": "notes"},
            ["`feedback` is 'notes'; write ref('notes') or source(...), a relation with anomaly_id"],
        ),
        ({"completed": "yes"}, ["`completed` is 'yes'; write true or false"]),
        *(
            (
                {"ignored": given},
                [f"`ignored` is {shown}; write the name of a BOOLEAN column, such as 'is_ignored'{rule}"],
            )
            for given, shown, rule in [
                (None, "none", ""), (True, "'True'", ""), (" ", "' '", ""), ("__ok", "'__ok'", RULE)
            ]
        ),
        *(
            (
                {"not_after": given},
                [f"`not_after` is '{given}'; write one SQL expression of a TIMESTAMP, such as 'current_timestamp()', a sub-query in parentheses, or one over the columns of the detections"],
            )
            for given in (" ", True, "now()) or (true", "(select max(ts) from events")
        ),
        (
            {"arrival": " "},
            ["`arrival` is ' '; write the name of a column, or none if the detections have no arrivals"],
        ),
        (
            {"late": "ignore"},
            ["`late` is 'ignore'; write 'analyse' (the time of late detections is analysed again) or 'report' (they are only counted)"],
        ),
        *(
            (
                {"upstream": given},
                ["`upstream` has 'hours'; write ref('hours'), the table of an aggregation that the detectors read"],
            )
            for given in ("hours", ["hours"])
        ),
        (
            {"clock": " "},
            ["`clock` is ' '; write a SQL expression of one TIMESTAMP, such as '(select max(ts) from ' ~ ref('flights') ~ ')'"],
        ),
    ],
)  # fmt: skip
def test_what_is_refused(given, message):
    assert faults(**given) == message


def test_every_fault_is_named_at_once():
    message = faults(
        keys=[], granularity="1x", re_notify_percentage_threshold=-1, detections="found"
    )

    assert [line.split("`")[1] for line in message] == [
        "detections",
        "keys",
        "re_notify_percentage_threshold",
        "granularity",
    ]


def test_the_outbox_wants_a_relation():
    with pytest.raises(Refused, match=r"write ref\('anomalies'\), the model that calls"):
        macros().anomaly_notifications("anomalies")


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        (" ", "`unit` has ' '; write a word such as 'departures'"),
        ({"mean": 3}, "`unit` has '3'; write a word such as 'departures'"),
        ({}, "`unit` is empty; give a word for each detector, such as {'carrier_day': 'departures'}"),
    ],
)  # fmt: skip
def test_units_that_are_refused(unit, message):
    with pytest.raises(Refused) as refused:
        macros().anomaly_notifications("anomalies", unit=unit)

    assert str(refused.value).split("\n  - ") == [
        "anomaly_notifications:",
        "`source` is 'anomalies'; write ref('anomalies'), the model that calls strandline.anomalies",
        message,
    ]


@pytest.mark.parametrize("bounds", ["too_cold", [], [3], {"too_cold": True}])
def test_bounds_that_are_refused(bounds):
    with pytest.raises(Refused) as refused:
        macros().anomaly_notifications("anomalies", bounds=bounds, measured="")

    assert str(refused.value).split("\n  - ")[2:] == [
        "`measured` has ''; write a word such as 'temperature'",
        f"`bounds` is '{bounds}'; write true, or the list of the detectors whose baseline is a bound, such as ['too_cold']",
    ]


@pytest.mark.parametrize(
    ("bounds", "expression"),
    [
        (None, "false"),
        (False, "false"),
        (True, "true"),
        (["a", "b"], "coalesce(cast(__shown.detector as string) in ('a', 'b'), false)"),
    ],
)
def test_detectors_whose_baseline_is_a_bound(bounds, expression):
    faults: list = []

    assert (macros()._baseline_is_bound(bounds, faults), faults) == (expression, [])


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        (None, "cast(null as string)"),
        ("women's shoes", "concat('women', char(39), 's shoes')"),
        (
            {"day": "departures", "it's": "flights"},
            "case cast(__shown.detector as string) when 'day' then 'departures' when concat('it', char(39), 's') then 'flights' end",
        ),
    ],
)
def test_units_of_detectors(unit, message):
    faults: list = []

    assert (macros()._counted_words("unit", unit, "departures", faults), faults) == (message, [])


def test_the_outbox_has_no_column_that_people_would_read_as_a_key():
    """What `notify` takes for a key of the user's is every column that it does not know."""
    columns = set(macros()._anomaly_columns([])) - {
        "notified", "notified_completed", "notified_severities", "withheld",
    }  # fmt: skip
    columns |= {
        "notification_key",
        "kind",
        "notified_at",
        "members",
        "unit",
        "measured_name",
        "is_bound",
        "contributions",
    }

    assert columns == {*TYPES, *BOOKKEEPING}


FEEDBACK = {"identifier": "notes"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": "anomalies"}, ["`source` is 'anomalies'; write ref('anomalies'), the model that calls strandline.anomalies"]),
        ({"feedback": "notes"}, ["`feedback` is 'notes'; write ref('notes') or source(...), a relation with anomaly_id"]),
        ({"order_by": "noted_at"}, ["`order_by` is 'noted_at', but there is no `feedback` to be ordered; give both or leave it out"]),
        (
            {"feedback": FEEDBACK, "order_by": "__at"},
            [f"`order_by` is '__at'; write the name of one column of the feedback{RULE}"],
        ),
        (
            {"source": "a", "feedback": "b"},
            [
                "`source` is 'a'; write ref('a'), the model that calls strandline.anomalies",
                "`feedback` is 'b'; write ref('b') or source(...), a relation with anomaly_id",
            ],
        ),
    ],
)  # fmt: skip
def test_active_anomalies_that_are_refused(given, message):
    with pytest.raises(Refused) as refused:
        macros().anomalies_active(**{"source": RELATION} | given)

    assert str(refused.value).split("\n  - ") == ["anomalies_active:", *message]


NOTED = {"anomaly_id": "string", "note": "string", "noted_at": "timestamp"}


@pytest.mark.parametrize(
    ("anomalies", "noted", "order_by", "message"),
    [
        ({"carrier": "string"}, NOTED, "Noted_At", []),
        ({"carrier": "string"}, NOTED, None, []),
        ({}, {}, "noted_at", []),  # not built yet
        (
            {"feedback": "string"},
            NOTED,
            None,
            ["flight_detections has a column 'feedback', which is the name of the feedback column; rename it in the `keys` of strandline.anomalies"],
        ),
        (
            {},
            {"anomali_id": "string", "note": "string"},
            None,
            ["`feedback` names the column 'anomaly_id', which notes does not have; it has anomali_id, note; did you mean 'anomali_id'?"],
        ),
        (
            {},
            NOTED,
            "note_at",
            ["`order_by` names the column 'note_at', which notes does not have; it has anomaly_id, note, noted_at; did you mean 'noted_at'?"],
        ),
        (
            {},
            NOTED,
            "anomaly_id",
            ["`order_by` is 'anomaly_id', which all notes of an anomaly share; name a column that distinguishes them"],
        ),
        (
            {},
            {"anomaly_id": "string"},
            None,
            ["notes has no column beside anomaly_id; add a column with the notes, or leave out `feedback`"],
        ),
        (
            {},
            NOTED | {"tags": "map<string,string>"},
            None,
            ["notes.tags is MAP<STRING,STRING>; Spark does not order maps: make it an array, a struct or a text"],
        ),
    ],
)  # fmt: skip
def test_feedback_with_columns_that_do_not_fit(anomalies, noted, order_by, message):
    types = {RELATION["identifier"]: anomalies, FEEDBACK["identifier"]: noted}
    call = macros_with(_types_of=lambda each: types[each["identifier"]], execute=True)
    given = {"source": RELATION, "feedback": FEEDBACK, "order_by": order_by}
    if not message:
        assert "as feedback" in call.anomalies_active(**given)
        return
    with pytest.raises(Refused) as refused:
        call.anomalies_active(**given)
    assert str(refused.value).split("\n  - ") == ["anomalies_active:", *message]


def test_analysed_ranges_and_watermarks_are_those_of_the_oracle():
    chance = random.Random(3)  # noqa: S311
    cases = set()
    for _ in range(2_000):
        watermark = chance.choice([None, 15 * chance.randrange(20)])
        granularity, delay = chance.choice([1, 15, 60]), chance.choice([0, 10, 20])
        mutability, now = chance.choice([None, 0, 30, 50, 100]), chance.randrange(-20, 300)
        settings = {
            "granularity": granularity,
            "completeness_delay": delay,
            "mutability_period": mutability,
        }
        expected = scheduled_range(watermark, now, granularity, delay, mutability)
        analysed = macros()._scheduled_range(settings, watermark, now)
        assert (analysed is None) == (expected is None)
        is_backfill = chance.random() < 0.5
        if is_backfill:
            start = chance.randrange(-50, 300)
            expected = AnalysedRange(start, start + chance.randrange(1, 100))
            analysed = {"start": start, "end": expected.end, "is_backfill": True}
        if analysed:
            start = BEGINNING if analysed["start"] is None else analysed["start"]
            assert AnalysedRange(start, analysed["end"]) == expected
            moved = moved_watermark(watermark, expected, is_backfill, granularity, now - delay)
            assert macros()._moved_watermark(watermark, analysed, granularity, now - delay) == moved
            cases.add((is_backfill, watermark is None, moved == watermark))
    assert len(cases) >= 6
    # Before anything is known of the data, a backfill leaves the watermark where it is.
    analysed = {"start": 0, "end": 90, "is_backfill": True}
    assert macros()._moved_watermark(60, analysed, 15) == 60


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["2024-01-02 00:00:00", "2024-01-02 00:00:00"],
            "the backfill range from '2024-01-02 00:00:00' to '2024-01-02 00:00:00' is empty; its end must be after its start",
        ),
        (
            ["2024-01-02 00:00:00", None],
            "the var strandline_to is missing; a backfill range needs both, as yyyy-MM-dd HH:mm:ss[.ffffff] (UTC)",
        ),
        (
            ["Friday", "2024-01-02 00:00:00"],
            "the var strandline_from is 'Friday'; a backfill range needs both, as yyyy-MM-dd HH:mm:ss[.ffffff] (UTC)",
        ),
    ],
)
def test_a_backfill_range_that_is_refused(given, message):
    with pytest.raises(Refused) as refused:
        macros()._backfill_range(given)

    assert str(refused.value) == f"anomalies:\n  - {message}"


SECOND = 1_515_147_630_000_000  # 2018-01-05 10:20:30


@pytest.mark.parametrize(
    ("given", "micros"),
    [
        ("2018-01-05 10:20:30", SECOND),
        ("2018-01-05 10:20:30.123456", SECOND + 123_456),
        ("2018-01-05 10:20:30.5", SECOND + 500_000),
        ("2018-01-05 15:50:30.000001 +05:30", SECOND + 1),
        (datetime(2018, 1, 5, 10, 20, 30, 7), SECOND + 7),  # as YAML reads it without quotes
        (1_515_147_630_001, SECOND + 1_000),
        ("1969-12-31 23:59:59.999999", -1),
        ("2018-01-05 10:20:30.", None),
        ("2018-01-05 10:20:30.1234567", None),
        ("2018-02-30 10:20:30.5", None),
        (1.5, None),
    ],
)
def test_fractions_of_a_second(given, micros):
    assert macros()._instant_micros(given) == micros
    if micros is not None:
        until = "2038-01-01 00:00:00"
        assert macros()._backfill_range([given, until])["start"] == micros
    # A query's `within` takes whole seconds, like the texts of a column, or milliseconds.
    whole = micros is not None and (isinstance(given, int) or micros % 1_000_000 == 0)
    assert macros()._instant_millis(given) == (micros // 1000 if whole else None)


def test_the_time_of_a_run_has_fractions():
    """The vars of dbt stand in for nothing here, so the query shows what was read."""
    query = macros().anomalies_as_of("2018-01-05 10:20:30.123456", history={"name": "h"})
    assert f"dbt_valid_from <= timestamp_micros({SECOND + 123_456}L)" in query


@pytest.mark.parametrize("micros", [0, 1, -1, 1_704_067_200_000_000, 1_704_067_200_500_000])
def test_a_watermark_is_read_as_it_was_written(micros):
    assert macros()._text_micros(macros()._micros_text(micros)) == micros


@pytest.mark.parametrize("macro", ["anomaly_late", "anomaly_ledger"])
def test_what_reads_anomalies_wants_a_relation(macro):
    with pytest.raises(Refused) as refused:
        getattr(macros(), macro)("anomalies")

    assert str(refused.value).split("\n  - ") == [
        f"{macro}:",
        "`source` is 'anomalies'; write ref('anomalies'), the model that calls strandline.anomalies",
    ]


def test_the_view_of_late_detections_refuses_keys_with_the_names_of_its_columns():
    properties = {"strandline.reads": '{"keys": ["carrier", "late_reason", "is_ignored"]}'}
    package = macros_with(
        execute=True, _types_of=lambda _: {"status": "string"}, _properties_of=lambda _: properties
    )

    with pytest.raises(Refused) as refused:
        package.anomaly_late(SimpleNamespace(identifier="anomalies"))

    assert str(refused.value).split("\n  - ") == [
        "anomaly_late:",
        *(
            f"the anomalies have the key '{name}', which is also a column of this view; rename it in a staging model"
            for name in ("late_reason", "is_ignored")
        ),
    ]


NAMES_OF_ONE_COLUMN = ["valid until", "a`b", "größe", "Valid Until"]


@pytest.mark.parametrize("name", NAMES_OF_ONE_COLUMN)
def test_a_bound_over_a_quoted_column_is_no_constant(name):
    types = {each.lower(): "timestamp" for each in NAMES_OF_ONE_COLUMN}
    package = macros_with(
        execute=True, adapter=SimpleNamespace(type=lambda: "spark"),
        _expression_types=lambda texts, _: {text: {"error": None, "type": "timestamp"} for text in texts},
    )  # fmt: skip

    def is_constant(not_after):
        return package._check_detections_not_after({
            "not_after": not_after, "detections": [RELATION], "types": {"detections": [types]},
        })  # fmt: skip

    assert is_constant(f"{package._quoted(name)} + interval 1 hour") is False
    assert is_constant("current_timestamp()") is True


def test_ranges_that_touch_are_one():
    """In the order of their start; none is a bound that a range does not have."""
    given = [(30, 40), (None, 5), (10, 20), (15, 30), (60, 70), (65, None), (4, 6)]

    merged = macros()._merged_ranges([{"start": a, "end": b} for a, b in given])

    assert [(each["start"], each["end"]) for each in merged] == [(None, 6), (10, 40), (60, None)]


def test_of_many_ranges_the_nearest_become_one():
    """Fifty are left, separated by the widest gaps."""
    chance = random.Random(4)  # noqa: S311
    starts = sorted(chance.sample(range(0, 1_000_000, 10), 400))
    ranges = [{"start": start, "end": start + 5} for start in starts]

    fewer = macros()._fewer_ranges(ranges)

    assert len(fewer) <= 50
    assert (fewer[0]["start"], fewer[-1]["end"]) == (starts[0], starts[-1] + 5)
    kept = [b["start"] - a["end"] for a, b in itertools.pairwise(fewer)]
    gaps = sorted(b - a - 5 for a, b in itertools.pairwise(starts))
    assert sorted(kept) == gaps[-len(kept) :]
    few = ranges[:50]
    assert macros()._fewer_ranges(few) == few


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"strandline_watermark": "Friday"}, ["the var strandline_watermark is 'Friday'; write yyyy-MM-dd HH:mm:ss[.ffffff] (UTC), with an offset such as +01:00 if it is another zone's"]),
        (
            {"strandline_watermark": "2026-01-02 00:00:00", "strandline_from": "2026-01-01 00:00:00"},
            ["the vars strandline_watermark and strandline_from are both given; a backfill range never moves the watermark back: give one of them"],
        ),
    ],
)  # fmt: skip
def test_watermarks_that_are_refused(variables, message):
    package = macros_with(model=SimpleNamespace(name="anomalies"), var=variables.get)

    with pytest.raises(Refused) as refused:
        package._set_back_micros(variables["strandline_watermark"])

    assert str(refused.value).split("\n  - ") == ["anomalies:", *message]


def outbox_sql(columns: set[str], older: str) -> str:
    """The outbox over a table with these columns, as dbt renders it in a run."""
    source = SimpleNamespace(identifier="anomalies")
    package = macros_with(
        execute=True,
        _types_of=lambda _: dict.fromkeys({"anomaly_id", "detector", *columns}, "string"),
        env_var=lambda name, default: (
            older if name == "STRANDLINE_OLDER_NOTIFICATIONS" else default
        ),
    )
    return " ".join(package.anomaly_notifications(source).split())


NEW_COLUMNS = {"notified_severities", "withheld"}


@pytest.mark.parametrize(
    ("columns", "older", "has", "has_not"),
    [
        (NEW_COLUMNS, "", ["'completed'", "'raised'", "withheld )"], ["__incident.withheld", "and false"]),
        (NEW_COLUMNS, "1", ["__incident.withheld", "__shown.status not in ('outdated', 'ignored')"], ["'completed'"]),
        # A table of 0.1.0 has no rises, and nothing that was withheld.
        (set(), "", ["'completed'"], ["notified_severities", "withheld", "and false"]),
        (set(), "1", ["where __notification.notified is not null and false"], ["notified_severities", "withheld"]),
    ],
)  # fmt: skip
def test_the_outbox_of_each_table(columns, older, has, has_not):
    shown = outbox_sql(columns, older)

    assert [text for text in has if text not in shown] == []
    assert [text for text in has_not if text in shown] == []


OPEN_TASK = '{"merge_max_gap": 60000000}'


def open_incidents(properties: dict[str, str], types: dict[str, str] | None = None) -> str:
    package = macros_with(execute=True, _properties_of=lambda _: properties)
    source = SimpleNamespace(identifier="plant_anomalies")
    types = {"anomaly_id": "string"} if types is None else types
    return " ".join(package._open_incidents(source, types).split())


@pytest.mark.parametrize("reads", [None, '{"settings": {"late": "analyse"}}'])
def test_reminders_of_a_table_of_an_earlier_release_are_refused(reads: str | None) -> None:
    properties = {"strandline.task": OPEN_TASK} | ({"strandline.reads": reads} if reads else {})
    with pytest.raises(Refused) as refused:
        open_incidents(properties)
    assert str(refused.value) == (
        "anomaly_notifications:\n  - `source` is plant_anomalies, which no run of "
        "strandline.anomalies of this release has written; reminders need its feedback: run that "
        "model first"
    )


def test_what_is_open_follows_from_the_stored_watermark_and_feedback() -> None:
    reads = '{"settings": {"feedback": %s, "min_length": 7}}'
    stored = {"strandline.task": OPEN_TASK, "strandline.reads": reads % "null"}
    alone = open_incidents(stored)
    assert alone.count(" join ") == 1
    assert alone.endswith(
        "where __incident.notified is not null and __incident.notified_completed is null "
        "and unix_micros(__shown.ends_at) - unix_micros(__shown.starts_at) >= 7"
    )
    known = {
        "strandline.watermark": "1970-01-01 00:02:00",
        "strandline.reads": reads % '"`plant`.`notes`"',
    }
    ended = open_incidents(stored | known)
    assert ended.endswith("and __shown.ends_at >= timestamp_micros(60000000L)")
    assert ended.count("left anti join `plant`.`notes` as __feedback on ") == 3


def test_while_dbt_parses_no_table_is_looked_up() -> None:
    assert "__incident.notified is not null" in open_incidents({}, types={})
