"""The project of a plant, with every kind of table, and a tick: land, run, notify, purge.

Two plants of one home, in schemas of their own, get the same files; one of them is killed.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

COLUMNS = "id STRING, machine STRING, ts TIMESTAMP, kind STRING, value DOUBLE"
PROFILES = """
plant:
  target: connect
  outputs:
    connect: {{type: strandline, method: connect, schema: {schema}, threads: 2, home: "{home}"}}
    remote: {{type: strandline, method: connect, remote: "{{{{ env_var('PLANT_REMOTE', 'sc://nowhere') }}}}",
      schema: {schema}, threads: 2, home: "{home}"}}
    local: {{type: strandline, method: session, schema: {schema}, threads: 2, home: "{home}", lock_timeout: 60}}
"""
AGGREGATION = """
{% macro readings_aggregation() %}
    {{ return(strandline.aggregation(
        name='readings', source=source('raw', 'readings'), keys=['machine'], ts='ts', event_id='id',
        select={'readings': 'count(*)', 'mean': 'avg(value)', 'most': 'max(value)'},
        every='minute...day', retention={'minute': '3 hours'})) }}
{% endmacro %}
"""
POINTS = (
    "source('raw', 'readings'), keys=['machine'], ts='ts', value='value', method='locf', gap='2 hours', "
    "bucket='1 hour'"
)
WINDOW = "source=source('raw', 'readings'), ts='ts', store='last 30 minutes'"
DETECTION = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="hot_engine", source=dbt.source("raw", "readings"), ts="ts",
        keys=["machine"], metrics=["value > 90", "avg(value) > 55"], detectors=["hot", "warm"],
        window_size="1 hour", step="30 minutes",
    )
"""
MODELS = {
    "macros/readings.sql": AGGREGATION,
    "models/_sources.yml": "sources: [{name: raw, schema: '{{ target.schema }}_raw', tables: "
    "[{name: readings}, {name: readings_quarantine}]}]",
    **{
        f"models/readings_{each}.sql": f"{{{{ strandline.aggregation_table(readings_aggregation(), '{each}') }}}}"
        for each in ("minutes", "hours", "days")
    },
    "models/readings_late.sql": "{{ strandline.aggregation_late(readings_aggregation()) }}",
    "models/readings_ledger.sql": "{{ strandline.aggregation_ledger(readings_aggregation(), "
    "quarantine=source('raw', 'readings_quarantine')) }}",
    "models/weights.sql": f"{{{{ strandline.time_weight_table({POINTS}) }}}}",
    "models/weights_late.sql": f"{{{{ strandline.time_weight_late({POINTS}) }}}}",
    "models/weights_ledger.sql": "{{ strandline.points_ledger(source('raw', 'readings'), table=ref('weights'), "
    "late=ref('weights_late'), quarantine=source('raw', 'readings_quarantine')) }}",
    "models/starts.sql": f"{{{{ strandline.window_table({WINDOW}, where=\"kind = 'start'\") }}}}",
    "models/stops.sql": f"{{{{ strandline.window_table({WINDOW}, where=\"kind = 'stop'\") }}}}",
    "models/unstopped.sql": "{{ strandline.correlation_table(streams={"
    "'begun': {'window': ref('starts'), 'on': 'machine'}, 'ended': {'window': ref('stops'), 'on': 'machine'}}, "
    "when=['begun and not ended', 'begun and ended'], select={'machine': 'begun.machine', 'since': 'begun.ts'}) }}",
    "models/hot.py": DETECTION,
    "models/hot_late.sql": "{{ strandline.detection_late(ref('hot'), name='hot_engine') }}",
    "models/hot_status.sql": "{{ strandline.detection_status(ref('hot'), name='hot_engine') }}",
    "models/hot_ledger.sql": "{{ strandline.detection_ledger(source('raw', 'readings'), status=ref('hot_status'), "
    "late=ref('hot_late'), quarantine=source('raw', 'readings_quarantine')) }}",
    "models/hourly.sql": "select * from {{ strandline.aggregation_within(readings_aggregation(), per='hours', "
    "within=['2020-01-01 00:00:00', '2030-01-01 00:00:00']) }}",
    "models/high.sql": "{{ strandline.threshold_detector(ref('hourly'), detector='high', keys=['machine'], "
    "ts='agg_timestamp', value='mean', granularity='PT1H', max=50) }}",
    "models/anomalies.sql": "{{ strandline.anomalies(detections=[ref('high')], keys=['detector', 'machine'], "
    "granularity='PT1H', mutability_period='P2D', "
    "clock='(select max(ts) from ' ~ source('raw', 'readings') ~ ')') }}",
    "models/notifications.sql": "{{ strandline.anomaly_notifications(ref('anomalies')) }}",
}
STORED = ("readings_minutes", "readings_hours", "readings_days", "readings_late", "weights", "weights_late", "starts", "stops",
          "unstopped", "hot", "hot_engine_late", "anomalies")  # fmt: skip


class Part(NamedTuple):
    """Models of the project, and the steps of a tick of them."""

    models: tuple[str, ...]
    steps: tuple[str, ...]

    def has(self, table: str) -> bool:
        """Whether it makes the table; an engine has its late rows beside its model."""
        return table.removesuffix("_engine_late") in self.models

    def files(self) -> dict[str, str]:
        common = ("readings", "_sources")
        return {
            name: text
            for name, text in MODELS.items()
            if Path(name).stem in (*common, *self.models)
        }


WHOLE = Part(tuple(Path(name).stem for name in MODELS), ("land", "run", "notify", "purge"))
# For a short test: one model of each kind of table that has a state of its own.
FEW = Part(("readings_minutes", "weights", "starts", "hot"), ("land", "run"))
TICK = """
import sys
from strandline.cli.main import cli

target, schema, columns, *steps = sys.argv[1:]
commands = {
    "land": ["--source", "incoming", "--format", "csv", "--table", f"{schema}_raw.readings", "--schema", columns],
    "purge": ["--compact"],
}
for step in steps:
    print("step", step, flush=True)
    cli.main([step, *commands.get(step, []), "--target", target], standalone_mode=False)
print("done", flush=True)
"""
