"""The report of a project: everything that it shows, read with one session, and its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strandline.cli.build import plain
from strandline.cli.last_run import LastRun, Result, Run, in_few_words, last_run, note_run, runs
from strandline.cli.observed import consolidations, engines
from strandline.cli.tables import information_of, unusable
from strandline.errors import StrandlineError
from strandline.report.alerts import detectors_of, read_anomalies, read_notifications
from strandline.report.evaluations import read_evaluation
from strandline.report.found import Evaluation, Found, found_in
from strandline.report.lineage import (
    Shown,
    anomalies_of,
    anomalies_of_evaluations,
    with_forecasts,
)
from strandline.report.page import page_of
from strandline.report.series import extent_of, limits_of, rows_of
from strandline.report.states import read_states
from strandline.report.windows import read_window
from strandline.spark.errors import message_of

if TYPE_CHECKING:
    from strandline.cli.project import Project
    from strandline.connection import Connection

FILE = Path("target", "strandline_report.html")
NUMBERS = 600_000  # in all series and states together, some three and a half megabytes
REASONS = 50  # of one table
RUNS = 100
THREADS = 4  # the time goes into planning, which one thread does for each query


class NothingBuiltError(StrandlineError):
    """None of the tables that a report shows is there."""


def write_report(
    project: Project, spark: Connection, zone: str, file: Path, show: Callable[[str], None]
) -> int:
    """Writes the report of a project, and gives its size in bytes.

    Args:
        project: whose tables are read.
        spark: a session on them.
        zone: the time zone of anomalies and alerts.
        file: is replaced.
        show: gets a word on what is done.

    Raises NothingBuiltError.
    """
    note_run(project.folder)
    run, known = last_run(project.folder), runs(project.folder, RUNS)
    show("compiling the models")
    found, unread = _found(project)
    with ThreadPoolExecutor(THREADS) as pool:
        parts = Parts(project, spark, pool, show)
        shown = {**parts.tables(found), **parts.states()}
    shown["unread"] = unread + shown["unread"]
    now = datetime.now(timezone.utc)
    head = {
        "project": project.name,
        "target": project.target or "of the profile",
        "read_at": f"{now:%Y-%m-%d %H:%M} UTC",
        "read": int(now.timestamp() * 1_000),
        "zone": zone,
        "run": _run(run) if run else _run_of(known[-1]) if known else None,
        "runs": [_brief(each) for each in known],
    }
    page = page_of(head | shown).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(page)
    return len(page)


def _found(project: Project) -> tuple[Found, list[dict[str, str]]]:
    """What there is to show, by the models of the project, and the detectors that fail."""
    found = found_in(project.shown)
    evaluations, failed = project.evaluations()
    detectors = tuple(
        Evaluation(plain(relation).rpartition(".")[2], relation, "detector", query)
        for relation, query in sorted(evaluations)
    )
    found = replace(found, evaluations=(*detectors, *found.evaluations))
    found = with_forecasts(found, project.observed().forecasts, project.graph())
    return found, [{"name": one.name, "message": " ".join(one.message.split())} for one in failed]


def _run(run: LastRun) -> dict[str, Any]:
    """How many models and tests the last run had, and what failed."""

    def named(results: list[Result]) -> list[dict[str, str]]:
        return [
            {"name": each.name, "message": each.message or each.status, "query": each.query}
            for each in results
        ]

    failed, warned = named(run.failed(tests=True)), named(run.warned)
    return _shown(in_few_words(run), named(run.failed(tests=False)), failed, warned)


def _run_of(run: Run) -> dict[str, Any]:
    """The same of a run whose record another command has replaced, such as `dbt show`."""

    def named(names: Sequence[str]) -> list[dict[str, str]]:
        return [{"name": name, "message": "see logs/dbt.log", "query": ""} for name in names]

    return _shown(run, named(run.failed), named(run.failed_tests), named(run.warned))


def _shown(
    run: Run,
    errors: list[dict[str, str]],
    failed: list[dict[str, str]],
    warned: list[dict[str, str]],
) -> dict[str, Any]:
    return {
        "command": run.command, "at": _milliseconds(run.at), "models": run.models,
        "errors": errors, "tests": run.tests, "failed": failed, "warned": warned,
    }  # fmt: skip


def _milliseconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1_000)


def _brief(run: Run) -> dict[str, Any]:
    """A run with the milliseconds at which it ended, and the worst that it had."""
    worst = "failed" if run.failed or run.failed_tests else "warned" if run.warned else "all passed"
    return asdict(run) | {"at": _milliseconds(run.at), "worst": worst}


class Parts:
    """What is there of a project; a table that is not built yet is left out."""

    def __init__(
        self,
        project: Project,
        spark: Connection,
        pool: ThreadPoolExecutor,
        show: Callable[[str], None],
    ) -> None:
        self._project, self._spark, self._pool, self._show = project, spark, pool, show

    def tables(self, found: Found) -> dict[str, Any]:
        """Series, states, windows, anomalies and notifications."""
        spark, names = self._spark, [plain(one) for one in found.relations()]
        outboxes = self._project.observed().outboxes
        there = information_of(spark, [*names, *outboxes])
        if names and not there:
            raise NothingBuiltError(
                f"nothing of {self._project.name} is built yet, so there is nothing to show;"
                " run `dbt build`, then `strandline report`"
            )
        found = found.built(lambda relation: plain(relation).lower() in there)
        share = NUMBERS // max(1, len(found.series) + len(found.states) + len(found.evaluations))
        evaluations = [
            self._read(it.name, read_evaluation, spark, it, share) for it in found.evaluations
        ]
        extents = [self._read(one.name, extent_of, spark, one) for one in found.series]
        others = {
            "states": [self._read(it.name, read_states, spark, it, share) for it in found.states],
            "windows": [self._read(it.name, read_window, spark, it) for it in found.windows],
            "anomalies": [self._read(it.name, read_anomalies, spark, it) for it in found.anomalies],
            "notifications": [
                self._read(it, read_notifications, spark, it)
                for it in outboxes
                if it.lower() in there
            ],
        }
        rows: list[list[Future[Any]]] = []
        for one, waiting in zip(found.series, extents, strict=True):
            extent = waiting.result()
            limits = limits_of(one, extent, share)
            rows.append([])
            for table, limit in zip(one.tables, limits, strict=True):
                name = f"{one.name}, {table.duration}"
                rows[-1].append(self._read(name, rows_of, spark, one, extent, table, limit))
        lineage = [
            [self._anomalies(found, each) for each in entries]
            for entries in anomalies_of(found, self._project.graph())
        ]
        shown = [
            {
                "name": one.name,
                "anomalies": anomalies,
                "zone": one.zone,
                "number_of_keys": extent.result().number_of_keys,
                "tables": [it.result() for it in tables],
            }
            for one, extent, tables, anomalies in zip(
                found.series, extents, rows, lineage, strict=True
            )
        ]
        return {
            "series": shown,
            **self._evaluations(found, evaluations),
            **{kind: [it.result() for it in each] for kind, each in others.items()},
        }

    def _evaluations(
        self, found: Found, waiting: Sequence[Future[list[dict[str, Any]]]]
    ) -> dict[str, list[dict[str, Any]]]:
        """What the detectors have evaluated, each with its anomalies, and what failed."""
        shown, unread = [], []
        lineage = anomalies_of_evaluations(found, self._project.graph())
        for model, future, entries in zip(found.evaluations, waiting, lineage, strict=True):
            # A detector whose source does not fit fails dbt's build; the rest is still shown.
            if failure := future.exception():
                unread.append({"name": model.name, "message": message_of(failure).splitlines()[0]})
                continue
            for one in future.result():
                detectors = [one["name"]] if one["kind"] == "detector" else None
                anomalies = [
                    {"table": place, "detectors": detectors}
                    for place in sorted({entry.table for entry in entries})
                ]
                shown.append(one | {"anomalies": anomalies})
        return {"evaluations": shown, "unread": unread}

    def _anomalies(self, found: Found, shown: Shown) -> dict[str, Any]:
        """The anomalies of a series: their table, and their detectors if it has others, too."""
        detectors = None
        if shown.detections is not None and "detector" in found.anomalies[shown.table].keys:
            there = information_of(self._spark, shown.detections)
            detectors = detectors_of(self._spark, [it for it in shown.detections if it in there])
        return {"table": shown.table, "detectors": detectors}

    def states(self) -> dict[str, Any]:
        """Engines, consolidation, and rows that could not be used."""
        project, spark = self._project, self._spark
        observed, relations = project.observed(), project.relations()
        self._show("engines, late and quarantined rows")
        running = self._pool.submit(engines, spark, observed.schemas)
        consolidated = self._pool.submit(consolidations, spark, observed.anomalies)
        rejected = unusable(spark, [*relations.stored, *relations.late], project.home())
        return {
            "engines": [_plain(asdict(one)) for one in running.result()],
            "consolidations": [_plain(asdict(one)) for one in consolidated.result()],
            "rejected": [
                {
                    "table": one.table,
                    "rows": one.rows,
                    "reasons": _reasons(spark, one.table, one.column) if one.rows else [],
                }
                for one in rejected
            ],
        }

    def _read(self, name: str, read: Callable[..., Any], *arguments: Any) -> Future[Any]:
        def now() -> Any:
            self._show(name)
            return read(*arguments)

        return self._pool.submit(now)


def _reasons(spark: Connection, table: str, column: str) -> list[list[Any]]:
    """The most frequent reasons, with the number of rows of each."""
    rows = spark.sql(
        f"select string({column}) as reason, count(*) as n from {table}"
        f" group by 1 order by n desc, reason limit {REASONS}"
    ).collect()
    return [[row["reason"], row["n"]] for row in rows]


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.isoformat(" ", "seconds") if isinstance(value, datetime) else value
        for name, value in fields.items()
    }
