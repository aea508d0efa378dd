"""A dbt project over several runs: land events, run, kill, resend, and compare every table.

`Runs` holds the project and its tables; after each run they must have the rows that
`oracle.py` gives for all events landed so far, and those of a full refresh of the same project.
"""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from tests.conftest import ROOT, Dbt, drop_schema, profile, said
from tests.engine.runs.compare import Difference, compare_bags, compare_rows
from tests.engine.runs.definition import Definition, Event
from tests.engine.runs.kill import Killed, killing
from tests.engine.runs.oracle import Expected, fold, partition

PROJECT = """
name: runs
version: "1.0"
profile: runs
models: {runs: {read: {+materialized: view}}}
"""
# Each project has partitions of its own width; none is what the rows give.
WIDTHS = ("hour", "day", "week", "month", "year", None)
# What Spark does where the session is not ours: `${…}` in a statement becomes a variable's value.
AS_PLAIN_SPARK = 'server_side_parameters: {spark.sql.variable.substitute: "true"}'
NUMBERS = ("tinyint", "smallint", "int", "bigint", "double", "decimal", "date", "string", "boolean")


class Runs:
    """A dbt project of these definitions, each over a source table of its own."""

    def __init__(
        self, spark: Any, folder: Path, schema: str, definitions: Sequence[Definition],
        package: Path = ROOT, width: str | None = "",
    ) -> None:  # fmt: skip
        self.spark, self.schema, self.folder = spark, schema, folder / schema
        self.definitions = {definition.name: definition for definition in definitions}
        self.landed: dict[str, list[Event]] = {name: [] for name in self.definitions}
        if width == "":
            width = WIDTHS[zlib.crc32(schema.encode()) % len(WIDTHS)]
        files = {
            "dbt_project.yml": PROJECT + (f"vars: {{strandline_partition: {width}}}\n" if width else ""),
            "profiles/profiles.yml": profile("runs", schema, f"threads: 2, lock_timeout: 1, {AS_PLAIN_SPARK}"),
            "packages.yml": f"packages:\n  - local: {package}\n",
            "models/_sources.yml": f"sources: [{{name: feed, schema: {schema}, tables: ["
            + ", ".join(f"{{name: {name}_events}}" for name in self.definitions) + "]}]",
        }  # fmt: skip
        for definition in definitions:
            files |= definition.files()
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self._dbt = Dbt(folder / "work", profiles_dir=self.folder / "profiles")
        if not (self.folder / "dbt_packages").exists():
            self._dbt("deps", project_dir=self.folder)
        spark.sql(f"create schema {schema}")
        for definition in definitions:
            columns = ", ".join(f"{name} {kind}" for name, kind in definition.columns.items())
            spark.sql(f"create table {schema}.{definition.name}_events ({columns}) using delta")

    def drop(self) -> None:
        drop_schema(self.spark, self.schema)
        for made in ("models", "macros"):
            shutil.rmtree(self.folder / made)
        (self.folder / "viewed").unlink(missing_ok=True)

    def land(self, name: str, events: Iterable[Event]) -> None:
        """Adds events to the source in one commit. The same ones again are a resend."""
        events = list(events)
        if not events:
            return
        columns = self.definitions[name].columns
        plain = {c: "bigint" if kind == "timestamp" else kind for c, kind in columns.items()}
        frame = self.spark.createDataFrame(
            [tuple(event[column] for column in columns) for event in events],
            ", ".join(f"{column} {kind}" for column, kind in plain.items()),
        ).selectExpr(
            *(
                f"timestamp_micros({c}) as {c}" if kind == "timestamp" else c
                for c, kind in columns.items()
            )
        )
        frame.coalesce(1).writeTo(f"{self.schema}.{name}_events").append()
        self.landed[name] += events

    def run(self, *args: str) -> dict[str, str]:
        """A run of a schedule; gives the message of each model. One that is skipped has nothing new."""
        results = self._dbt("run", "--select", "path:models/kept", *args, project_dir=self.folder)
        return {result.node.name: said(result.message) for result in results}

    def compiled(self, *args: str) -> dict[str, str]:
        """The compiled body of each model."""
        selected = ("--select", "path:models/kept")
        results = self._dbt("compile", *selected, *args, project_dir=self.folder).results
        return {result.node.name: result.node.compiled_code for result in results}

    def run_only(self, *models: str) -> None:
        """A run that was killed after the commits of these models."""
        self._dbt("run", "--select", *models, project_dir=self.folder)

    def run_killed(self, commit: int, *, before: bool) -> bool:
        """A run that crashes before or after a commit, counted from 1; false when it made fewer."""
        with killing(self.schema, commit, before=before) as crash:
            try:
                self._dbt(
                    "run", "--select", "path:models/kept", "--threads", "1", project_dir=self.folder
                )
            except AssertionError as failed:
                if Killed.MESSAGE not in str(failed):
                    raise
        return crash.happened

    def fails(self, *args: str) -> str:
        return self._dbt.fails(
            "run", "--select", "path:models/kept", *args, project_dir=self.folder
        )

    def versions(self) -> dict[str, int]:
        """The version of each table, which grows with each commit."""
        tables = [table for definition in self.definitions.values() for table in definition.tables]
        history = "describe history {}.{} limit 1"
        return {t: self.spark.sql(history.format(self.schema, t)).first().version for t in tables}

    def refresh(self) -> None:
        self.run("--full-refresh")

    def compare(self, what: str = "") -> None:
        """Every table against the oracle, for all events landed so far."""
        for name in self.definitions:
            self.compare_one(name, fold(self.definitions[name], self.landed[name]), what)

    def compare_one(self, name: str, expected: Expected, what: str = "") -> None:
        definition = self.definitions[name]
        for duration, rows in expected.rows.items():
            compare_rows(f"{name}_{duration} {what}", self.read(name, duration), rows.values(),
                         ["agg_timestamp", *definition.keys])  # fmt: skip
            self.compare_partitions(name, duration)
        late = (
            (reason, *(event[c] for c in definition.columns)) for reason, event in expected.late
        )
        compare_bags(f"{name}_late {what}", self.read_late(name), late, ["", *definition.columns])

    def compare_partitions(self, name: str, duration: str) -> None:
        """Each row is in the partition of its bucket, by the width that is stored with the table."""
        table = f"{self.schema}.{name}_{duration}"
        [shown] = self.spark.sql(f"show tblproperties {table} ('strandline.partition')").collect()
        width = json.loads(shown["value"])["width"]
        zone = ZoneInfo(self.definitions[name].time_zone)
        for row in self.stored(name, duration):
            wanted = partition(row["agg_timestamp"], width, zone)
            assert row["agg_partition"] == wanted, f"{table}, by {width}: {row}"

    def compare_with_full_refresh(self, what: str = "") -> None:
        """Every table, as runs left it, against the same table built at once (which replaces it)."""
        before = {(n, d): (self.read(n, d), self.stored(n, d)) for n, d in self._each()}
        late = {name: self.read_late(name) for name in self.definitions}
        self.refresh()
        for (name, duration), (read, stored) in before.items():
            key = ["agg_timestamp", *self.definitions[name].keys]
            said = f"{name}_{duration} and its full refresh {what}"
            compare_rows(said, read, self.read(name, duration), key)
            compare_rows(said, *map(unpartitioned, (stored, self.stored(name, duration))), key)
        for name, rows in late.items():
            compare_bags(f"{name}_late and its full refresh {what}", rows, self.read_late(name),
                         ["", *self.definitions[name].columns])  # fmt: skip

    def _each(self) -> list[tuple[str, str]]:
        return [(n, d) for n, definition in self.definitions.items() for d in definition.every]

    def read(self, name: str, duration: str) -> list[dict[str, Any]]:
        """The rows as an analyst reads them, with the greatest arrival of each."""
        self._views()
        view = f"{self.schema}.read_{name}_{duration}"
        keys = list(self.definitions[name].keys)
        columns = self._plain_columns(view)
        outputs = ["agg_timestamp", "agg_timezone", *keys, *self.definitions[name].outputs]
        assert [column for column, _ in columns] == outputs, f"{view} has other columns: {columns}"
        rows = self._collect(view, columns)
        by_key = {
            tuple(stored[c] for c in ("agg_timestamp", *keys)): stored
            for stored in self.stored(name, duration)
        }
        if len(by_key) != len(rows):
            raise Difference(
                f"{name}_{duration}", [f"{len(rows)} rows, {len(by_key)} stored keys"], set()
            )
        for row in rows:
            stored = by_key[tuple(row[c] for c in ("agg_timestamp", *keys))]
            row["agg_arrival"] = stored["agg_arrival"]
        return rows

    def stored(self, name: str, duration: str) -> list[dict[str, Any]]:
        """The plain columns of a table; sketches, sets and structs are compared by what they read."""
        table = f"{self.schema}.{name}_{duration}"
        columns = self._plain_columns(table)
        plain = [(c, kind) for c, kind in columns if kind.startswith((*NUMBERS, "timestamp"))]
        return self._collect(table, plain)

    def read_late(self, name: str) -> list[tuple]:
        """The late events, the class of the reason before the columns of the source."""
        table = f"{self.schema}.{name}_late"
        rows = self._collect(table, self._plain_columns(table), seconds=False)
        columns = self.definitions[name].columns
        return [(r["late_reason"].split(":")[0], *(r[column] for column in columns)) for r in rows]

    def _plain_columns(self, table: str) -> list[tuple[str, str]]:
        return self.spark.table(table).dtypes

    def _collect(
        self, table: str, columns: list[tuple[str, str]], seconds: bool = True
    ) -> list[dict]:
        """Rows as mappings: buckets as Unix seconds, other instants as Unix microseconds."""
        texts = {"date": "cast({0} as string)", "timestamp": "unix_micros({0})"}
        picked = ", ".join(f"{texts.get(kind, '{0}').format(c)} as {c}" for c, kind in columns)
        found = self.spark.sql(f"select {picked} from {table}").collect()
        rows = [{c: _hashable(value) for c, value in row.asDict().items()} for row in found]
        if seconds:
            for row in rows:
                row["agg_timestamp"], rest = divmod(row["agg_timestamp"], 1_000_000)
                assert rest == 0, f"a bucket of {table} begins inside a second"
        return rows

    def _views(self) -> None:
        if not (self.folder / "viewed").exists():
            self._dbt("run", "--select", "path:models/read", project_dir=self.folder)
            (self.folder / "viewed").touch()


def unpartitioned(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows without their partition: its width is chosen again in each full refresh."""
    return [{c: value for c, value in row.items() if c != "agg_partition"} for row in rows]


def _hashable(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray) else value
