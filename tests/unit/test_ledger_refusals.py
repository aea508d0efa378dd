"""A ledger that cannot be kept is refused, all faults in one message."""

from __future__ import annotations

from typing import Any

import pytest
from scripts.rendering.arguments import Relation
from scripts.rendering.run import Run
from scripts.rendering.tables import AGGREGATION

COUNTED = {"select": {"events": "count(*)"}, "every": "hour, day"}


def refusal(arguments: dict[str, Any], **given: Any) -> str:
    macros = Run().macros
    definition = macros.aggregation(**{**AGGREGATION, **arguments})
    with pytest.raises(Exception, match="aggregation_ledger") as refused:
        macros.aggregation_ledger(definition, **given)
    return str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "given", "faults"),
    [
        (
            COUNTED | {"select": {"total": "sum(quantity)"}},
            {},
            ["`select` does not count the events; add an output such as 'events': 'count(*)'"],
        ),
        (
            COUNTED | {"retention": {"hour": "2 days", "day": "9 days"}},
            {"quarantine": "rejected"},
            [
                "`retention` removes rows of every duration, and what was counted in them is not known any more; "
                "keep one duration ('all')",
                "`quarantine` is 'rejected'; pass a relation such as source('raw', 'orders_quarantine'), or leave it out",
            ],
        ),
        (
            COUNTED,
            {"quarantined": None},
            [
                "there is no argument `quarantined`; did you mean `quarantine`?",
                "its arguments are definition, quarantine",
            ],
        ),
    ],
    ids=["no count", "nothing kept and a text", "unknown"],
)
def test_what_is_refused(
    arguments: dict[str, Any], given: dict[str, Any], faults: list[str]
) -> None:
    assert refusal(arguments, **given) == "\n  - ".join(
        ["aggregation_ledger of 'trades':", *faults]
    )


def test_what_a_ledger_of_points_refuses() -> None:
    with pytest.raises(Exception, match="points_ledger") as refused:
        Run().macros.points_ledger(
            "signal", table="signal_hours", late=Relation("signal_late"), arrival=" ", quarantine="rejected"
        )  # fmt: skip
    assert str(refused.value) == "\n  - ".join(
        [
            "points_ledger in a_model:",
            "`source` is 'signal'; pass a relation: ref('signal') or source(…)",
            "`table` is 'signal_hours'; pass a table of time_weight_table, state_agg_table or heartbeat_agg_table: ref('signal_hours')",
            "`arrival` is ' '; write the name of a column (compute expressions in a staging model)",
            "`quarantine` is 'rejected'; pass a relation such as source('raw', 'orders_quarantine'), or leave it out",
        ]
    )
    with pytest.raises(Exception, match="points_ledger") as refused:
        Run().macros.points_ledger(Relation("signal"), table=Relation("signal_hours"))
    assert "pass a table of time_weight_late, state_agg_late or heartbeat_agg_late: ref(…)" in str(
        refused.value
    )


def test_a_ledger_of_points_looks_at_their_columns() -> None:
    with pytest.raises(Exception, match="points_ledger") as refused:
        Run().macros.points_ledger(
            Relation("signal"), table=Relation("signal_late"), late=Relation("signal_hours"), arrival="arival"
        )  # fmt: skip
    said = str(refused.value).split("\n  - ")
    assert said[3].startswith(
        "`arrival` names the column 'arival', which signal does not have; it has "
    )
    assert said[3].endswith("did you mean 'arrival'?")
    assert said[1:3] == [
        "`table` is signal_late, which has no column agg_count; pass a table of time_weight_table, "
        "state_agg_table or heartbeat_agg_table: ref(…)",
        "`late` is signal_hours, which has no column late_reason; pass a table of time_weight_late, "
        "state_agg_late or heartbeat_agg_late: ref(…)",
    ]


def test_what_a_ledger_of_an_engine_refuses() -> None:
    with pytest.raises(Exception, match="detection_ledger") as refused:
        Run().macros.detection_ledger(
            Relation("sensor"), status="sensor_status", late="sensor_late"
        )
    assert str(refused.value) == "\n  - ".join(
        [
            "detection_ledger in a_model:",
            "`status` is 'sensor_status'; pass the model of detection_status: ref('sensor_status')",
            "`late` is 'sensor_late'; pass the model of detection_late: ref('sensor_late')",
        ]
    )
    with pytest.raises(Exception, match="detection_ledger") as refused:
        Run().macros.detection_ledger(
            Relation("signal"), status=Relation("signal_late"), late=Relation("signal_hours")
        )
    assert str(refused.value).split("\n  - ")[1:] == [
        "`status` is signal_late, which has no column last_arrival; pass the model of detection_status: ref(…)",
        "`late` is signal_hours, which has no column late_reason; pass the model of detection_late: ref(…)",
    ]


def test_what_a_ledger_of_a_window_refuses() -> None:
    with pytest.raises(Exception, match="window_ledger") as refused:
        Run().macros.window_ledger("requests", window=Relation("signal"), arrival=" ")
    assert str(refused.value) == "\n  - ".join(
        [
            "window_ledger in a_model:",
            "`source` is 'requests'; pass a relation: ref('requests') or source(…)",
            "`window` is signal, which has no column window_progress; pass a table of window_table: ref(…)",
            "`arrival` is ' '; write the name of a column (compute expressions in a staging model)",
        ]
    )
    with pytest.raises(Exception, match="window_ledger") as refused:
        Run().macros.window_ledger(Relation("signal"), window=Relation("signal_hours"))
    assert str(refused.value).split("\n  - ")[1:] == [
        "`window` is signal_hours, which has no column window_progress; pass a table of window_table: ref(…)"
    ]


def test_a_ledger_is_of_a_window_that_reads_events() -> None:
    with pytest.raises(Exception, match="window_ledger") as refused:
        Run().macros.window_ledger(Relation("last_requests"), window=Relation("busy_requests"))
    assert str(refused.value).split("\n  - ")[1:] == [
        "`source` is last_requests, which is a window; pass the table of events, and the window that reads it"
    ]
    with pytest.raises(Exception, match="window_ledger") as refused:
        Run().macros.window_ledger(Relation("signal"), window=Relation("busy_requests"))
    assert str(refused.value).split("\n  - ")[1:] == [
        "`window` is busy_requests, which reads another window; pass the window that reads the events"
    ]
