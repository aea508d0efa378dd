"""The named cases of `cases.py`: by the oracle, and on Spark as keys of one table in the same four runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from tests.engine.anomalies.cases import ANALYSED, CASES, SETTINGS, Case
from tests.engine.anomalies.oracle import Consolidation
from tests.engine.anomalies.oracle_rows import Anomaly, Detection
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.anomalies.scenarios import Scenario, lines, name
from tests.unit.jinja_macros import macros

RUNS = 4


def detected(case: Case, run: int) -> list[Detection]:
    """What a run is given; the last of a case once more in the runs after it."""
    some = (case.runs[run:] or case.runs[-1:])[0]
    return [replace(one, key=(*one.key, None)) for one in some]


def assert_shows(case: Case, rows: Iterable[Anomaly], notified: Iterable[tuple]) -> None:
    whole = [
        replace(row, anomaly_id=short(row.anomaly_id), current=as_whole(row.current))
        for row in rows
    ]
    assert sorted(lines(whole)) == sorted(case.rows)  # parents may have the same bounds
    assert sorted(name(short(identity)) for identity in notified) == sorted(case.notified)


def play(case: Case) -> Consolidation:
    scenario = Scenario(**SETTINGS)
    for run in range(RUNS):
        scenario.run(ANALYSED.start, ANALYSED.end, *detected(case, run), is_backfill=True)
    return scenario.engine


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_by_the_oracle(case: Case) -> None:
    engine = play(case)
    assert_shows(case, engine.rows.values(), (note.anomaly_id for note in engine.outbox.values()))


@pytest.mark.first
def test_on_spark(consolidated) -> None:
    """Also: the whole table and outbox are the oracle's, and the same run again writes nothing."""
    consolidated.define(Settings(**SETTINGS))
    for run in range(RUNS):
        consolidated.detect({n: detected(case, run) for n, case in enumerate(CASES.values())})
        consolidated.run(run + 1, ANALYSED)

    version = consolidated.version
    assert consolidated.run(RUNS, ANALYSED) == "nothing new"
    assert consolidated.version == version
    engines = [play(case) for case in CASES.values()]
    consolidated.agrees(engines)
    assert consolidated.open_agrees(engines) > 10
    anomalies, outbox = consolidated.read()
    for number, case in enumerate(CASES.values()):
        rows, sent = anomalies.get(number, {}), outbox.get(number, {})
        assert_shows(case, rows.values(), (note.anomaly_id for note in sent.values()))


def test_the_labels_of_a_parent(spark) -> None:
    """Arrays and texts, each member's, and of all of them; null is no label."""
    members = {
        "some": (["snow", "jam", "snow"], None, ["fog"], []),
        "empty": ([], None),
        "none": (None, None),
    }
    rows = [
        (family, labels, None if labels is None else ", ".join(labels))
        for family, each in members.items()
        for labels in each
    ]
    found = spark.createDataFrame(rows, "family string, given array<string>, text string")
    unions = [
        found.withColumnRenamed(column, "labels").selectExpr(
            "family",
            macros()._labels_of_all({"settings": {"labels": kind}}, "over (partition by family)"),
        )
        for kind, column in (("array", "given"), ("text", "text"))
    ]

    arrays, texts = ({row[0]: row[1] for row in union.collect()} for union in unions)

    assert arrays == {"some": ["fog", "jam", "snow"], "empty": [], "none": None}
    assert texts == {"some": "fog, snow, jam, snow", "empty": "", "none": None}


def short(identity: tuple) -> tuple:
    """Without the second column of the key, which the cases do not have."""
    return tuple(part for part in identity if part is not None)


def as_whole(value: float | None) -> float | None:
    return int(value) if value is not None and value == value // 1 else value
