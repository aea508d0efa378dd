"""The statements of each kind of run of an incremental table: points, aggregations, anomalies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from scripts.rendering.arguments import RANGE, Relation
from scripts.rendering.run import MICROS, Run

# The name of a macro, and what it renders.
Texts = Iterator[tuple[str, str | list[str]]]

_POINTS = {"source": Relation("signal"), "keys": ["symbol"], "ts": "ts", "bucket": "1 hour"}
WEIGHT = {**_POINTS, "value": "price", "gap": "90 minutes"}
_STATE = {**_POINTS, "state": "state", "gap": "90 minutes"}
_COUNTER = {**_POINTS, "value": "price"}
_BEAT = {**_POINTS, "interval": "10 minutes"}

# Bodies of incremental models of points, and of what these do not count.
TABLES: dict[str, list[dict[str, Any]]] = {
    "counter_agg_late": [_COUNTER],
    "counter_agg_table": [_COUNTER],
    "heartbeat_agg_late": [_BEAT, {**_BEAT, "table": Relation("signal_summaries")}],
    "heartbeat_agg_table": [_BEAT],
    "state_agg_late": [_STATE],
    "state_agg_table": [_STATE],
    "time_weight_late": [{**WEIGHT, "method": "linear", "not_after": "ts + interval 1 hour"}],
    "time_weight_table": [{**WEIGHT, "method": each} for each in ("linear", "locf")],
}

AGGREGATION: dict[str, Any] = {
    "name": "trades",
    "source": Relation("trades"),
    "keys": ["symbol"],
    "ts": "ts",
    "select": {
        "avg_price": "avg(price)",
        "spread": "stddev(price)",
        "ids": "distinctCount(quantity)",
        "about": "approx_count_distinct(quantity)",
        "median": "quantile(price, 0.5)",
        "opened": "first(price)",
        "closed": "last(price)",
        "newest": "price * quantity",
        "low": "min(price)",
        "high": "max(price)",
        "trades": "count(*)",
        "volume": "sum(quantity)",
        "weighted": "time_weight(price, 'locf', '90 minutes')",
    },
}
# The forms that an aggregation can have, by what differs from `AGGREGATION`.
DEFINITIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "zones": {
        "ts": "written",
        "time_zone": "America/New_York",
        "event_id": "event_id",
        "every": "hour...year",
    },
    "future": {"not_after": "ts + interval 1 hour", "every": "hour, day"},
    "buffer": {"buffer_size": 2, "ignore_events_older_than_buffer": True, "event_id": "event_id"},
    "late_counts": {"buffer_size": 2, "select": {"trades": "count(*)"}},
    "mutable": {
        "mutability_period": "3 days",
        "every": "day, month",
        "retention": {"day": "1 year"},
    },
}


def points() -> Texts:
    """Tables of summaries of points: the first build, and a later run."""
    for name, cases in TABLES.items():
        for case in cases:
            run = Run()
            body = getattr(run.macros, name)(**case).strip()
            if name.endswith("_late"):
                write_late(run, body, run.macros._late_points)
            else:
                run.create(body, {})
                run.write(run.macros._points_change(run.this, run.task(body)))
            yield name, run.statements
    run = Run()
    body = run.macros.points_ledger(
        Relation("signal"), table=Relation("signal_hours"), late=Relation("trades_late")
    )
    yield "points_ledger", kept_by(run, body)
    run = Run()
    body = run.macros.detection_ledger(
        Relation("signal"), status=Relation("signal_status"), late=Relation("trades_late")
    )
    yield "detection_ledger", kept_by(run, body)
    run = Run()
    body = run.macros.window_ledger(Relation("signal"), window=Relation("last_requests"))
    yield "window_ledger", kept_by(run, body)


def aggregations() -> Texts:
    """Tables of aggregations: the first build, later runs, backfills; late events; retrievals."""
    backfill = {"strandline_from": "2013-01-01 00:00:00", "strandline_to": "2013-01-02 00:00:00"}
    for form, changes in DEFINITIONS.items():
        for variables in ({}, backfill) if "buffer_size" not in changes else ({},):
            run = Run(**variables)
            definition = run.macros.aggregation(**{**AGGREGATION, **changes})
            for duration in definition["durations"]:
                yield f"aggregation_table-{form}", aggregation(run, definition, duration)
        yield f"aggregation_late-{form}", late(Run(), definition)
    yield "aggregation_ledger", ledger(Run())
    run = Run()
    definition = run.macros.aggregation(**AGGREGATION)
    yield (
        "aggregation_within",
        run.macros.aggregation_within(definition, within=RANGE, per="hours", on="symbol = 'A'"),
    )
    for within in (["b.start_time", "b.end_time"], "b.start_time", "2013-01-** **:**:**"):
        for per in ("b.per", "days"):
            yield "aggregation_join", run.macros.aggregation_join(
                definition, requests=Relation("requests"), within=within, per=per,
                select=["a.symbol", "a.volume", "b.carrier"], on="b.symbol = a.symbol",
            )  # fmt: skip


def aggregation(run: Run, definition: Any, duration: str) -> list[str]:
    """The statements of one table of an aggregation."""
    macros, run.statements = run.macros, []
    purged = {"strandline.purged_before": "2012-01-01 00:00:00",
              "strandline.upstream_purged_before": "2012-01-01 00:00:00"}  # fmt: skip
    body = macros.aggregation_table(definition, duration).strip()
    task = run.task(body)
    run.create(body, macros._aggregation_properties(task))
    macros._late_events_of_empty(run.this, task)
    time_range = macros._recomputed_range(run.this, task)
    if not task["is_base"]:
        run.write(macros._rollup_change(run.this, task, purged, time_range))
    elif time_range:
        run.write(macros._recomputed_change(run.this, task, purged, time_range))
    else:
        run.write(macros._events_change(run.this, task, purged))
    return run.statements


def late(run: Run, definition: Any) -> list[str]:
    """The statements of the table of late events of an aggregation."""
    write_late(run, run.macros.aggregation_late(definition).strip(), run.macros._late_events)
    return run.statements


def write_late(run: Run, body: str, classified: Callable[[Relation, Any], Any]) -> None:
    """The first build of a late table, and a later run; `classified` is what each classifies."""
    stored = {"strandline.watermark": '{"arrival": "7L", "newest": "1000"}'}
    for is_new, properties in ((True, {}), (False, stored)):
        begun = {"task": run.task(body), "is_new": is_new, "properties": properties}
        run.macros._write_late(begun, body, classified(run.this, begun))


def ledger(run: Run) -> list[str]:
    """The statements of the ledger of an aggregation."""
    definition = run.macros.aggregation(**AGGREGATION)
    return kept_by(
        run, run.macros.aggregation_ledger(definition, quarantine=Relation("trades_quarantine"))
    )


def kept_by(run: Run, body: str) -> list[str]:
    """The statements of a ledger: what it looks up, its first build, and one more row."""
    macros, body = run.macros, body.strip()
    task = run.task(body)
    last = macros._ledger_last(run.this)
    found = macros._ledger_found(task, last)
    row = macros._ledger_row(task, found, last)
    run.statements.append(macros._create_table(run.this, task, row, {}))
    run.write({"sql": row, "watermark": last["run"], "column": "run"})
    run.statements.append(body)
    return run.statements


def anomalies() -> Texts:
    """Tables of anomalies: the first build, and a later run that changes and notifies, by a session
    with settings and by one without."""
    settings = {
        "detections": [Relation("detected"), Relation("more")],
        "keys": ["detector", "carrier"], "labels": "labels", "re_notify_absolute_threshold": 5,
        "re_notify_percentage_threshold": 10, "mutability_period": "2 days", "completed": True,
        "feedback": Relation("feedback"), "notify_look_back": "P2D",
        "not_after": "starts_at + interval 1 day", "upstream": [Relation("hours")],
    }  # fmt: skip
    later = MICROS - 86400000000
    for watermark, has_settings in ((None, True), (later, True), (later, False)):
        run = Run(strandline_session_settings=has_settings)
        macros = run.macros
        task = run.task(macros.anomalies(**settings).strip())
        properties = {} if watermark is None else {
            "strandline.watermark": macros._micros_text(watermark),
            "strandline.arrivals": json.dumps({"shop.detected": ["4", "bigint"]}),
            "strandline.set_back_from": "2099-01-01 00:00:00",
        }  # fmt: skip
        reads = json.dumps(macros._anomaly_reads(task))
        analysed = macros._anomaly_run(task, properties)
        stored = macros._no_anomalies(task) if watermark is None else f"select * from {run.this}"
        changed = macros._staged_changes(run.this, task, analysed, stored)
        if watermark is None:
            stored = macros._run_properties(properties, analysed, changed["counts"], 1, reads)
            run.statements.append(
                macros._create_anomalies(run.this, task, changed["changes"], stored)
            )
        else:
            macros._write_anomalies(
                run.this, task, analysed, changed, macros._state_of(run.this), properties, reads
            )
        macros._warn_of_unstored(run.this, task, analysed)
        macros._warn_of_clock(run.this, task, analysed, watermark is None)
        macros._drop_staged(run.this)
        yield "anomalies", run.statements
    run = Run()
    macros = run.macros
    body = macros.anomaly_ledger(Relation("detected")).strip()
    task = run.task(body)
    run.statements.append(body)
    for relation in (None, run.this):
        rows = macros._new_ledger_runs(task, relation)["runs"]
        run.statements.append(macros._anomaly_ledger_rows(rows))
    yield "anomaly_ledger", run.statements
