"""`strandline.anomalies` on Spark, run by dbt and read back as the oracle's rows.

Times are minutes since a midnight, identities are tuples, as in the oracle: so both are compared whole.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from tests.conftest import EVALUATED, ROOT, Dbt, profile
from tests.engine.anomalies.oracle import Consolidation
from tests.engine.anomalies.oracle_ranges import AnalysedRange
from tests.engine.anomalies.oracle_rows import Anomaly, Detection, Id, Notification, parent_id
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.anomalies.properties_notified import open_incidents

MIDNIGHT = datetime(2024, 1, 1, tzinfo=timezone.utc)
DURATIONS = {
    "mutability_period", "granularity", "completeness_delay", "merge_max_gap", "merge_max_duration",
    "min_length", "notify_look_back",
}  # fmt: skip
SOURCES = "sources: [{{name: feed, schema: {schema}, tables: [{{name: detections}}, {{name: feedback}}]}}]"
COLUMNS = """case_id int, detector string, carrier string, starts_at timestamp, ends_at timestamp,
current_value double, baseline_value double, severity string, labels array<string>,
is_ignored boolean, arrival bigint"""


def at(minutes: int) -> datetime:
    return MIDNIGHT + timedelta(minutes=minutes)


def text(minutes: float) -> str:
    return at(int(minutes)).strftime("%Y-%m-%d %H:%M:%S")


def arguments(settings: Settings) -> str:
    given = {
        name: f"PT{value}M" if name in DURATIONS and value is not None else value
        for name, value in vars(settings).items()
    }
    return ", ".join(f"{name}={value!r}".replace("None", "none") for name, value in given.items())


class OnSpark:
    """A project with one table of detections, one of feedback, and `anomalies` over both.

    Tests of one process take the same folder, one after the other: dbt parses the package once.
    """

    def __init__(
        self,
        spark: Any,
        folder: Path,
        write_files: Callable,
        schema: str = "consolidated",
        package: Path = ROOT,
    ) -> None:
        self.spark, self.schema = spark, schema
        self._write, self._folder = write_files, folder
        self.ids: dict[int, dict[Id, str]] = {}
        shutil.rmtree(folder / "models", ignore_errors=True)
        write_files(
            folder,
            {
                "dbt_project.yml": f'name: {schema}\nversion: "1.0"\nprofile: {schema}\n'
                + EVALUATED,
                "profiles/profiles.yml": profile(schema),
                "packages.yml": f"packages:\n  - local: {package}\n",
                "models/_sources.yml": SOURCES.format(schema=schema),
                "models/notifications.sql": "{{ config(materialized='view') }}"
                "{{ strandline.anomaly_notifications(ref('anomalies')) }}",
            },
        )
        self.dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
        if not (folder / "dbt_packages").exists():
            self.dbt("deps", project_dir=folder)
        spark.sql(f"create schema {schema}")
        spark.sql(f"create table {schema}.detections ({COLUMNS}) using delta")
        spark.sql(f"create table {schema}.feedback (anomaly_id string) using delta")

    def define(self, settings: Settings = Settings(), more: str = "") -> None:  # noqa: B008
        self.model(
            "detections=[source('feed', 'detections')], keys=['case_id', 'detector', 'carrier'], "
            f"severity='severity', labels='labels', feedback=source('feed', 'feedback'), {arguments(settings)}{more}"
        )

    def model(self, call: str) -> None:
        self._write(
            self._folder, {"models/anomalies.sql": f"{{{{ strandline.anomalies({call}) }}}}"}
        )

    def also(self, models: Mapping[str, str]) -> None:
        """More models beside `anomalies`."""
        self._write(self._folder, {f"models/{name}.sql": text for name, text in models.items()})

    def sources(self, *more: str) -> None:
        """More tables of the source."""
        names = ", ".join(f"{{name: {name}}}" for name in ("detections", "feedback", *more))
        listed = f"sources: [{{name: feed, schema: {self.schema}, tables: [{names}]}}]"
        self._write(self._folder, {"models/_sources.yml": listed})

    def detect(self, found: Mapping[int, Iterable[Detection]]) -> None:
        """Puts all that is found, by case, in the place of what was."""
        rows = [
            (case, *one.key, at(one.start), at(one.end), _float(one.current), _float(one.baseline),
             one.severity, list(one.labels), one.ignored, one.arrival)
            for case, each in found.items() for one in each
        ]  # fmt: skip
        self._replace("detections", rows, COLUMNS)

    def give_feedback(self, engines: Iterable[Consolidation]) -> None:
        """As the oracle has it; to what Spark has found too."""
        ids = [
            (self.ids[case][each],)
            for case, engine in enumerate(engines)
            for each in engine.feedback
            if each in self.ids.get(case, {})
        ]
        self._replace("feedback", ids, "anomaly_id string")

    def _replace(self, table: str, rows: list[tuple], columns: str) -> None:
        table_rows = self.spark.createDataFrame(rows, columns).coalesce(1)
        table_rows.write.mode("overwrite").format("delta").saveAsTable(f"{self.schema}.{table}")

    def run(
        self,
        now: int | None = None,
        analysed: AnalysedRange | None = None,
        *args: str,
        select="anomalies",
        watermark: int | None = None,
    ) -> str:
        """One run of dbt as of a time, over a backfill range if one is given; gives its message."""
        given = self._given(now, analysed, watermark)
        [result] = self.dbt("run", "--select", select, *args, **given)
        return result.message

    def fails(
        self,
        now: int | None = None,
        analysed: AnalysedRange | None = None,
        *args: str,
        select="anomalies",
    ) -> str:
        return self.dbt.fails("run", "--select", select, *args, **self._given(now, analysed))

    def _given(
        self, now: int | None, analysed: AnalysedRange | None, watermark: int | None = None
    ) -> dict[str, Any]:
        given = {} if now is None else {"strandline_as_of": text(now)}
        if watermark is not None:
            given |= {"strandline_watermark": text(watermark)}
        if analysed:
            given |= {"strandline_from": text(analysed.start), "strandline_to": text(analysed.end)}
        return {"settings": given, "project_dir": self._folder}

    @property
    def version(self) -> int:
        return self.spark.sql(f"describe history {self.schema}.anomalies limit 1").first().version

    @property
    def watermark(self) -> int | None:
        shown = self.spark.sql(f"show tblproperties {self.schema}.anomalies").collect()
        watermark = {row.key: row.value for row in shown}.get("strandline.watermark")
        if watermark is None:
            return None
        since = datetime.fromisoformat(watermark).replace(tzinfo=timezone.utc) - MIDNIGHT
        return int(since.total_seconds() // 60)

    def read(self) -> tuple[dict[int, dict[Id, Anomaly]], dict[int, dict[tuple, Notification]]]:
        """By case: the anomalies, and the outbox."""
        times = [
            "starts_at", "ends_at", "first_seen_at", "changed_at", "created_run_at", "changed_run_at", "notified_at",
            "notified.at", "notified_completed.at", "withheld.at",
        ]  # fmt: skip
        zero = int(MIDNIGHT.timestamp())
        minutes = [
            f"(unix_seconds({each}) - {zero}) div 60 as {each.replace('.at', '_in_run')}"
            for each in times
        ]
        others = [
            "anomaly_id", "case_id", "detector", "carrier", "current_value", "baseline_value", "severity", "labels",
            "generation", "replaces", "incident_id", "parent_id", "is_parent", "status", "notified.anomaly_id as notified",
            "notified_completed.anomaly_id as notified_completed", "withheld.anomaly_id as withheld",
            "notified_severities",
        ]  # fmt: skip
        rows = self.spark.table(f"{self.schema}.anomalies").selectExpr(*others, *minutes).collect()
        return self._as_oracle(rows)

    def _as_oracle(self, rows: list[Any]) -> Any:
        names: dict[str | None, Id | None] = {None: None}
        for row in sorted(rows, key=lambda row: row.is_parent):
            own = (row.detector, row.carrier, row.starts_at, row.ends_at, row.generation)
            named = parent_id(names[row.incident_id]) if row.is_parent else own
            assert row.anomaly_id not in names
            names[row.anomaly_id] = named
        anomalies: dict[int, dict] = {}
        outbox: dict[int, dict] = {}
        self.ids = {}
        for row in rows:
            identity = names[row.anomaly_id]
            assert identity not in anomalies.setdefault(row.case_id, {})
            self.ids.setdefault(row.case_id, {})[identity] = row.anomaly_id
            anomalies[row.case_id][identity] = Anomaly(
                anomaly_id=identity, key=(row.detector, row.carrier), start=row.starts_at, end=row.ends_at,
                current=row.current_value, baseline=row.baseline_value, severity=row.severity,
                labels=tuple(row.labels or ()), generation=row.generation, replaces=names[row.replaces],
                incident_id=names[row.incident_id], parent_id=names[row.parent_id], is_parent=row.is_parent,
                status=row.status, first_seen_at=row.first_seen_at, changed_at=row.changed_at,
                created_run_at=row.created_run_at, changed_run_at=row.changed_run_at, notified_at=row.notified_at,
            )  # fmt: skip
            notes = [
                ("new", row.notified, row.notified_in_run),
                ("completed", row.notified_completed, row.notified_completed_in_run),
                ("withheld", row.withheld, row.withheld_in_run),
            ]  # fmt: skip
            known = row.notified_severities or []
            severity = known[0].severity if known and row.notified is not None else None
            notes = [
                (kind, sent, run_at, severity if kind == "new" else None)
                for kind, sent, run_at in notes
            ]
            notes += [
                (f"raised {each.severity}", each.anomaly_id, _minute(each.at), each.severity)
                for each in known[1:]
            ]
            for kind, sent, run_at, severity in notes:
                if sent is not None:
                    note = Notification(identity, kind, names[sent], run_at, severity)
                    outbox.setdefault(row.case_id, {})[identity, kind] = note
        return anomalies, outbox

    def agrees(self, engines: Iterable[Consolidation]) -> None:
        """The whole table and the whole outbox are what the oracle has, case by case."""
        engines = list(engines)
        anomalies, outbox = self.read()
        assert set(anomalies) <= set(range(len(engines)))
        for case, engine in enumerate(engines):
            for found, meant in ((anomalies, engine.rows), (outbox, engine.outbox)):
                different = _different(found.get(case, {}), meant)
                assert not different, f"case {case}, found and meant:\n" + "\n".join(different)

    def open_agrees(self, engines: Iterable[Consolidation]) -> int:
        """What would be reminded of is what the oracle has, as it is now; how many there are."""
        [result] = self.dbt(
            "compile", "--select", "notifications",
            settings={"strandline_open_incidents": "1"}, project_dir=self._folder,
        )  # fmt: skip
        rows = self.spark.sql(result.node.compiled_code).collect()
        found = sorted((row.incident_id, row.anomaly_id, row.severity or "") for row in rows)
        meant = sorted(
            (ids[root.incident_id], ids[root.anomaly_id], root.severity or "")
            for ids, engine in ((self.ids.get(n, {}), each) for n, each in enumerate(engines))
            for root in open_incidents(engine)
        )
        assert found == meant
        return len(found)


def _different(found: dict, meant: dict) -> list[str]:
    names = [name for name in meant | found if found.get(name) != meant.get(name)]
    return [f"{name}\n  {found.get(name)}\n  {meant.get(name)}" for name in names]


def _minute(instant: datetime) -> int:
    since = instant.astimezone(timezone.utc) - MIDNIGHT
    return int(since.total_seconds() // 60)


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
