"""A plant with every kind of table, and a tick of its schedule: land, run, notify, purge.

Two plants of one home, in schemas of their own, get the same files; one of them is killed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

from strandline.spark.jars import cache_dir

COLUMNS = "id STRING, machine STRING, ts TIMESTAMP, kind STRING, value DOUBLE"
PROFILES = """
plant:
  target: connect
  outputs:
    connect: {{type: strandline, method: connect, schema: {schema}, threads: 2, home: "{home}"}}
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
TICK = """
import sys
from strandline.cli.main import cli

target, schema, columns = sys.argv[1:]
for step in (
    ["land", "--source", "incoming", "--format", "csv", "--table", f"{schema}_raw.readings", "--schema", columns],
    ["run"],
    ["notify"],
    ["purge", "--compact"],
):
    print("step", step[0], flush=True)
    cli.main([*step, "--target", target], standalone_mode=False)
print("done", flush=True)
"""


@dataclass(frozen=True)
class Plant:
    folder: Path
    home: Path
    schema: str
    url: str

    def make(self) -> None:
        files = MODELS | {
            "profiles.yml": PROFILES.format(schema=self.schema, home=self.home),
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "dbt_project.yml": "name: plant\nversion: '1.0'\nprofile: plant\n",
            "tick.py": TICK,
        }
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.folder / "incoming").mkdir()
        packages = self.folder / "dbt_packages"
        packages.mkdir()
        (packages / "strandline").symlink_to(ROOT)  # as `dbt deps` makes it

    def bring(self, name: str, text: str) -> None:
        """A file comes whole into the folder that is landed."""
        part = self.folder / "incoming" / f"_{name}"
        part.write_text(text)
        part.rename(self.folder / "incoming" / name)

    def command(self, program: str, *arguments: str, fails: bool = False) -> str:
        """What a command says, which must go well, or must fail."""
        done = subprocess.run(
            [Path(sys.executable).parent / program, *arguments], cwd=self.folder, env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        assert bool(done.returncode) == fails, done.stdout
        return done.stdout

    def tick(self, target: str = "connect") -> subprocess.Popen[str]:
        """A tick of the schedule, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "tick.py", target, self.schema, COLUMNS], cwd=self.folder, env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip

    def done(self, target: str = "connect", *, fails: bool = False) -> str:
        """What a tick says that ends by itself, and must go well, or must fail."""
        process = self.tick(target)
        said, _ = process.communicate(timeout=600)
        assert bool(process.returncode) == fails, said
        return said

    def killed(self, after: float, target: str = "connect") -> list[str]:
        """What a tick was at when it was killed with SIGKILL, after some seconds.

        A step, or the models that it was executing; nothing if it had ended by itself.
        """
        logged = self._logged()
        process = self.tick(target)
        try:
            said, _ = process.communicate(timeout=after)
            assert process.returncode == 0, said
            return []
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
        steps = [it.removeprefix("step ") for it in said.splitlines() if it.startswith("step ")]
        text = self._log(logged)
        begun, done = (
            set(re.findall(rf"{what} node model\.plant\.(\w+)", text))
            for what in ("Began executing", "Finished running")
        )
        return sorted(begun - done) or steps[-1:] or ["start"]

    def killed_in(self, model: str) -> bool:
        """Whether a tick executed a model, and was killed with SIGKILL in it."""
        logged, process = self._logged(), self.tick()
        while process.poll() is None:
            if f"Began executing node model.plant.{model}" in self._log(logged):
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.05)
        process.communicate()
        return f"Finished running node model.plant.{model}" not in self._log(logged)

    def _logged(self) -> int:
        log = self.folder / "logs" / "dbt.log"
        return log.stat().st_size if log.exists() else 0

    def _log(self, begin: int) -> str:
        """What dbt has logged since; the log may be a new file by now."""
        log = self.folder / "logs" / "dbt.log"
        if not log.exists():
            return ""
        with log.open() as lines:
            lines.seek(begin if self._logged() >= begin else 0)
            return lines.read()

    @property
    def env(self) -> dict[str, str]:
        own = {"STRANDLINE_NOTIFY_URL": self.url, "STRANDLINE_CACHE": str(cache_dir())}
        return {**os.environ, **own, "STRANDLINE_HOME": str(self.home)}
