"""Windows on Spark: a project of models over one table of events, run by dbt and read back.

Times are seconds since a midnight. A cycle is read as `at`, `at/arrival` while the clock stands
still, and `at.step` for a later step.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tests.conftest import ROOT, Dbt, profile, said
from tests.engine.runs.kill import killing

MIDNIGHT = int(datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp())
SOURCES = (
    "sources: [{{name: feed, schema: {schema}, tables: [{{name: events}}, {{name: chosen}}]}}]"
)


class OnSpark:
    """A project whose models read `source('feed', 'events')`.

    Tests of one process take the same folder, one after the other: dbt parses the package once.
    """

    def __init__(
        self, spark: Any, folder: Path, write_files: Callable, schema: str, package: Path = ROOT
    ) -> None:
        self.spark, self.schema = spark, schema
        self._write, self._folder = write_files, folder
        shutil.rmtree(folder / "models", ignore_errors=True)
        write_files(
            folder,
            {
                "dbt_project.yml": f'name: {schema}\nversion: "1.0"\nprofile: {schema}\n',
                "profiles/profiles.yml": profile(schema),
                "packages.yml": f"packages:\n  - local: {package}\n",
                "models/_sources.yml": SOURCES.format(schema=schema),
            },
        )
        self.dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
        if not (folder / "dbt_packages").exists():
            self.dbt("deps", project_dir=folder)
        spark.sql(f"create schema {schema}")

    def events(self, columns: str) -> None:
        """Makes the table of events: arrival, ts and the given columns."""
        self.spark.sql(
            f"create or replace table {self.schema}.events "
            f"(arrival bigint, ts timestamp, {columns}) using delta"
        )

    def land(self, rows: Iterable[tuple]) -> None:
        """Adds events: arrival, seconds, and the other columns in their order."""
        table = self.spark.table(f"{self.schema}.events")
        names = [each.name.replace("`", "``") for each in table.schema]
        types = [each.dataType.simpleString() for each in table.schema]
        shown = ", ".join(f"`{name}` {type}" for name, type in zip(names, types, strict=True))
        frame = self.spark.createDataFrame(list(rows), shown.replace("ts` timestamp", "ts` bigint"))
        frame = frame.withColumn("ts", (frame.ts + MIDNIGHT).cast("timestamp"))
        frame.select([f"`{name}`" for name in names]).coalesce(1).writeTo(
            f"{self.schema}.events"
        ).append()

    def models(self, **bodies: str) -> None:
        """The models by name; what begins with no braces is the arguments of window_table."""
        self._write(
            self._folder,
            {
                f"models/{name}.sql": body
                if body.startswith("{{")
                else "{{ strandline.window_table(" + body + ") }}"
                for name, body in bodies.items()
            },
        )

    def run(self, *args: str, as_of: str | None = None) -> list[str]:
        """Runs all models; gives their messages. A model that is skipped has nothing new, too."""
        return [said(message) for message in self.messages(*args, as_of=as_of).values()]

    def messages(self, *args: str, as_of: str | None = None, **settings: str) -> dict[str, str]:
        """Runs all models; gives the message of each."""
        settings |= {"strandline_as_of": as_of} if as_of else {}
        results = self.dbt("run", *args, project_dir=self._folder, settings=settings)
        return {result.node.name: result.message for result in results}

    def run_killed(self, commit: int, as_of: str | None = None) -> None:
        """A run that is killed after this commit, counted from 1, or before it."""
        with killing(self.schema, commit, before=commit % 2 == 0) as crash:
            settings = {"strandline_as_of": as_of} if as_of else {}
            self.dbt.invoke("run", project_dir=self._folder, settings=settings)
        assert crash.happened, f"the run made {crash.commits} commits only"

    def warnings(self) -> list[str]:
        """The warnings of the runs since the last call."""
        log = self._folder.parent / "work" / self._folder.name / "logs" / "dbt.log"
        text, size = log.read_text(), getattr(self, "_read", 0)
        self._read = len(text)
        new = re.sub(r"\x1b\[[0-9;]*m", "", text[size:])
        found = re.findall(r"\[warn \] \[[^]]*\]: (.*?)(?=\n\d\d:\d\d:|\Z)", new, re.DOTALL)
        return [" ".join(each.split()) for each in found]

    def fails(self, *args: str) -> str:
        return self.dbt.fails("run", *args, project_dir=self._folder)

    def refusals(self) -> dict[str, str]:
        """Runs all models; gives the message of each, on one line, that failed."""
        done = self.dbt.invoke("run", project_dir=self._folder)
        return {
            result.node.name: " ".join((result.message or "").split())
            for result in done.result.results
            if result.status == "error"
        }

    def stays(self, name: str, columns: str) -> list[tuple]:
        """The rows of a window: some columns, entered, expelled; in the order of entering."""
        rows = self.spark.sql(
            f"select {columns}, entered, expelled from {self.schema}.{name} "
            "where row_kind = 'row' order by entered, entry"
        ).collect()
        return [(*row[:-2], cycle(row[-2]), cycle(row[-1])) for row in rows]

    def kinds(self, name: str, kind: str, columns: str) -> list[tuple]:
        rows = self.spark.sql(
            f"select {columns} from {self.schema}.{name} where row_kind = '{kind}' order by entry"
        ).collect()
        return [tuple(row) for row in rows]


def cycle(struct: Any) -> str | None:
    """A cycle in short: '10', '10/7' with an arrival number, '10.2' with a step that is not 0."""
    if struct is None:
        return None
    at = (struct.at.replace(tzinfo=timezone.utc).timestamp() - MIDNIGHT) if struct.at else None
    text = ("none" if at is None else f"{at:g}") + (
        f"/{struct.arrival}" if struct.arrival is not None else ""
    )
    return text + "".join(f".{step}" for step in struct.step if any(struct.step))
