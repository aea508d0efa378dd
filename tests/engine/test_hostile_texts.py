"""Hostile texts in the data of one project: every table, message and page has them unchanged."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.conftest import EVALUATED, ROOT, Dbt, drop_schema, profile
from tests.hostile import TEXTS, obeyed
from tests.unit.jinja_macros import macros
from tests.unit.test_report_page import Parts

from strandline.cli.main import cli
from strandline.notify.outbox import DeltaOutbox
from strandline.notify.send import Acceptance
from strandline.report.alerts import read_notifications

pytestmark = pytest.mark.soak  # `make check` is at its limit of time

ALL = list(TEXTS.values())
START = datetime(2014, 3, 1, 10, tzinfo=timezone.utc)
YEAR = "2014-**-** **:**:**"
ODD = "it's a `key` ${env:HOME} {{ 1+1 }}"  # the name of a column

# All texts in five: each of a definition costs time, each of a row does not.
PARTS = ["|".join(ALL[place::5]) for place in range(5)]

FEEDS = {
    "events": "arrival bigint, k string, ts timestamp, n int",
    "requests": "id string, k string, during string, per string",
    "detections": "detector string, k string, starts_at timestamp, ends_at timestamp, current_value double,"
    " baseline_value double, severity string, labels array<string>, is_ignored boolean",
}  # fmt: skip
WINDOW = "{{ strandline.window_table(source=source('feed', 'events'), ts='ts', store='last 5 hours', where='n = %s') }}"
MODELS = {
    "ev_days": "{{ strandline.aggregation_table(ev(), 'days') }}",
    "ev_join": "{{ strandline.aggregation_join(ev(), requests=source('feed', 'requests'), within='b.during',"
    " per='b.per', select=['b.id', 'a.k', 'a.total'], on='b.k = a.k') }}",
    "states": "{{ strandline.state_agg_table(source=source('feed', 'events'), ts='ts', state='k', bucket='1 day') }}",
    "first": WINDOW % 1,
    "second": WINDOW % 2,
    "both": "{{ strandline.correlation_table(streams={'one': {'window': ref('first'), 'on': 'k'},"
    " 'two': {'window': ref('second'), 'on': 'k'}}, when=['one and two'], select={'k': 'one.k'}) }}",
    "anomalies": "{{ strandline.anomalies(detections=source('feed', 'detections'), keys=['detector', 'k'],"
    " granularity='PT1H', labels='labels', feedback=ref('feedback')) }}",
    "notifications": "{{ strandline.anomaly_notifications(ref('anomalies'), unit={'d': '${env:HOME}'}) }}",
    "own": "select k as notification_key, 'new' as kind, ts as notified_at, ts as starts_at, ts as ends_at,"
    f" k as `{ODD.replace('`', '``').replace('{{', '{{ opened() }}')}` from {{{{ source('feed', 'events') }}}} where n = 1",
}  # fmt: skip
DETECT = """
import json

from strandline.detection import detect

TEXTS = json.loads(bytes.fromhex("%s"))  # dbt allows no Jinja in a Python model


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="engine1", source=dbt.source("feed", "events"), ts="ts", keys=["k"],
        metrics=["n = 1"] * 3, detectors=TEXTS[:3], anomaly_description=TEXTS[1:4], severities=TEXTS[2:],
    )
"""


def feed_rows() -> dict[str, list[tuple]]:
    rows: dict[str, list[tuple]] = {name: [] for name in FEEDS}
    for place, text in enumerate(ALL):
        at = START + timedelta(seconds=place)
        for n in (1, 2):
            later = at + timedelta(minutes=10 * (n - 1))
            rows["events"].append((place + 1 + (n - 1) * len(ALL), text, later, n))
        rows["requests"] += [
            (f"right {place}", text, YEAR, "days"),
            (f"during {place}", text, text, "days"),
            (f"per {place}", text, YEAR, text),
        ]
        hours = (START + timedelta(hours=place), START + timedelta(hours=place + 1))
        rows["detections"].append(("d", text, *hours, 1.0, 2.0, text, [text], False))
    return rows


def seed() -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("anomaly_id", "note"), *((text, text) for text in of_seeds())])
    return out.getvalue()


def of_seeds() -> list[str]:
    """Python 3.10 reads no CSV with a NUL."""
    return [text for text in ALL if "\x00" not in text]


def as_seeded(text: str) -> str | None:
    """What dbt makes of a cell: line ends are those of Unix, and blank is null."""
    is_null = text.strip().lower() in ("", "null")
    return None if is_null else text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.fixture(scope="module")
def built(
    spark: Any, tmp_path_factory: pytest.TempPathFactory, write_files: Callable
) -> Iterator[SimpleNamespace]:
    """The project, built; with a function for its rows."""
    folder = tmp_path_factory.mktemp("hostile") / "hostile"
    sources = ", ".join(f"{{name: {name}}}" for name in FEEDS)
    files = {
        "dbt_project.yml": f'name: hostile\nversion: "1.0"\nprofile: hostile\n{EVALUATED}',
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
        "profiles/profiles.yml": profile("hostile", more="threads: 2"),
        "models/_sources.yml": f"sources: [{{name: feed, schema: hostile, tables: [{sources}]}}]",
        "macros/ev.sql": "{% macro ev() %}{{ return(strandline.aggregation(name='ev', source=source('feed', 'events'),"
        " select={'total': 'sum(n)', 'latest': 'last(k)',"
        """ 'marked': "count(if(k = '{" ~ "{ 1+1 }}', 1, null))"}, keys=['k'], ts='ts', every='day')) }}{% endmacro %}"""
        "{% macro opened() %}{{ return('{' ~ '{') }}{% endmacro %}",
        "seeds/feedback.csv": seed(),
        "seeds/_seeds.yml": "seeds: [{name: feedback, config: {column_types: {anomaly_id: string, note: string}}}]",
        "models/engine.py": DETECT % json.dumps(PARTS).encode().hex(),
        **{f"models/{name}.sql": text for name, text in MODELS.items()},
    }  # fmt: skip
    write_files(folder, files)
    dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    spark.sql("create schema hostile")
    try:
        for name, rows in feed_rows().items():
            made = spark.createDataFrame(rows, FEEDS[name]).coalesce(1)
            made.write.format("delta").saveAsTable(f"hostile.{name}")
        dbt("build", project_dir=folder)

        def rows(query: str) -> list[tuple]:
            return [tuple(row) for row in spark.sql(query).collect()]

        yield SimpleNamespace(folder=folder, rows=rows, dbt=dbt)
    finally:
        drop_schema(spark, "hostile")


def test_keys_states_and_ids_are_the_texts(built: SimpleNamespace) -> None:
    marked = [(text, 3, text, 2 if text == "{{ 1+1 }}" else 0) for text in ALL]
    within = "{{ strandline.aggregation_within(ev(), per='days', within='2014-**-** **:**:**') }}"
    [shown] = built.dbt("compile", "--inline", within, project_dir=built.folder)
    found = built.rows(f"select k, total, latest, marked from ({shown.node.compiled_code})")
    assert sorted(found) == sorted(marked)

    assert sorted(built.rows("select k from hostile.both where row_kind = 'row'")) == sorted(
        (text,) for text in ALL
    )


def test_each_state_has_its_time(built: SimpleNamespace) -> None:
    seconds = dict.fromkeys(ALL, 2.0)
    seconds[ALL[-1]] = 600.0 - (len(ALL) - 1)  # until the first one comes again
    columns = ", ".join(macros().duration_in("summary", text) for text in ALL)
    [found] = built.rows(f"select {columns} from hostile.states")
    assert dict(zip(ALL, found, strict=True)) == seconds
    values = macros().into_values("summary")
    assert {each.state for [row] in built.rows(f"select {values} from hostile.states") for each in row} == set(ALL)  # fmt: skip


def test_requests_are_answered_or_refused_with_their_text(built: SimpleNamespace) -> None:
    found = {row[0]: row[1:] for row in built.rows("select id, k, total, request_error from hostile.ev_join")}  # fmt: skip
    for place, text in enumerate(ALL):
        assert found.pop(f"right {place}") == (text, 3, None)
        for column in ("during", "per"):
            key, total, error = found.pop(f"{column} {place}")
            assert (key, total) == (None, None)
            assert error.startswith(f"{column} '{text}' is not a ")
    assert found == {}


def test_detections_anomalies_and_feedback(built: SimpleNamespace) -> None:
    found = built.rows("select k, detector, description, severity from hostile.engine")
    assert sorted(found) == sorted(
        (key, *texts) for key in ALL for texts in zip(PARTS[:3], PARTS[1:4], PARTS[2:], strict=True)
    )
    anomalies = built.rows("select k, severity, labels, status from hostile.anomalies")
    assert sorted(anomalies) == sorted((text, text, [text], "new") for text in ALL)
    assert sorted(built.rows("select anomaly_id, note from hostile.feedback"), key=repr) == sorted(
        ((as_seeded(text), as_seeded(text)) for text in of_seeds()), key=repr
    )


@pytest.mark.usefixtures("built")
def test_the_outbox_has_them_and_forgets_none(spark: Any) -> None:
    rows = DeltaOutbox(spark, "hostile.notifications").waiting(["ops"])["ops"]
    assert sorted((row.keys["k"], row.severity, row.labels, row.unit) for row in rows) == sorted(
        (text, text, text, "${env:HOME}") for text in ALL
    )

    own = DeltaOutbox(spark, "hostile.own")
    rows = own.waiting(["ops"])["ops"]
    assert sorted((row.key, row.keys[ODD]) for row in rows) == sorted((text, text) for text in ALL)
    own.note([Acceptance(row.key, "ops", START) for row in rows])
    assert own.waiting(["ops"])["ops"] == []
    shown = read_notifications(spark, "hostile.own")["rows"]
    assert sorted(row["key"][ODD] for row in shown) == sorted(ALL)
    assert {tuple(row["accepted"]) for row in shown} == {("ops",)}


def strandline(built: SimpleNamespace, *arguments: str) -> Result:
    where = ("--project-dir", str(built.folder), "--profiles-dir", str(built.folder / "profiles"))
    result = CliRunner().invoke(cli, [*arguments, *where], color=True)
    assert result.exit_code == 0, result.output
    return result


def test_the_commands_show_them_and_the_report_is_a_page(built: SimpleNamespace) -> None:
    for arguments in (("status",), ("status", "--select", "engine1"), ("notify", "--dry-run")):
        assert obeyed(strandline(built, *arguments).output) == []
    strandline(built, "report")
    page = (built.folder / "target" / "strandline_report.html").read_text(encoding="utf-8")
    parts = Parts(page)
    assert [kind for kind, _ in parts.scripts] == ["application/json"] * 2 + ["module"] * 2
    report = json.loads(parts.scripts[0][1])
    [anomalies], [outbox] = report["anomalies"], report["notifications"]
    for rows in (anomalies["rows"], outbox["rows"]):
        assert sorted(row["key"]["k"] for row in rows) == sorted(ALL)
    [states] = report["states"]
    assert {name for bucket in states["states"] for name, _ in bucket} == set(ALL)
    windows = {one["name"]: one for one in report["windows"]}
    assert {row[windows["first"]["columns"].index("k")] for row in windows["first"]["rows"]} == set(ALL)  # fmt: skip
