"""A place to land: a folder, a checkpoint and two tables that no other test uses."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from tests.landings import kill_before, lose_last_commit

from strandline.landing import LandingError, LandingResult, land, reading

FIRST_TIME = 1_400_000_000  # any instant: files get it, and one second more each


@dataclass
class Place:
    """A folder to write files in, and the tables they land in."""

    spark: object
    folder: Path
    table: str
    files: int = 0

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint"

    @property
    def landings(self) -> str:
        return f"{self.table}_landings"

    @property
    def has_begun(self) -> bool:
        return self.spark.catalog.tableExists(self.landings)

    @property
    def quarantine(self) -> str:
        return f"{self.table}_quarantine"

    def write(self, name: str, text: str, modified: int | None = None) -> Path:
        """A file whose modification time follows the one written before, unless given.

        A character such as \\udce9 in `text` is the byte e9, which is not UTF-8.
        """
        return self.write_bytes(name, text.encode("utf-8", "surrogateescape"), modified)

    def write_bytes(self, name: str, content: bytes, modified: int | None = None) -> Path:
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.files += 1
        seconds = FIRST_TIME + self.files if modified is None else modified
        os.utime(path, (seconds, seconds))
        return path

    def append_to(self, path: Path, text: str) -> None:
        """More text at the end of a file; its modification time is now."""
        with path.open("a", encoding="utf-8") as file:
            file.write(text)

    def land(
        self,
        schema: str,
        file_format: str = "csv",
        options: Mapping[str, str] | None = None,
        **more,
    ) -> LandingResult:
        arguments = {"checkpoint": self.checkpoint} | more
        return land(
            self.spark, self.source, self.table, schema, file_format, options=options, **arguments
        )

    def refuses(self, *arguments: str, **more) -> str:
        """What a landing says that must fail."""
        with pytest.raises(LandingError) as refused:
            self.land(*arguments, **more)
        return str(refused.value)

    def rows(self, *columns: str) -> list[tuple]:
        """Rows of the events table in their order of arrival."""
        return self._rows(self.table, columns)

    def faulty(self, *columns: str) -> list[tuple]:
        """Rows of the quarantine in their order of arrival."""
        return self._rows(self.quarantine, columns)

    def landed(self, *columns: str) -> list[tuple]:
        """Rows of the table of what has landed, in the order of arrival."""
        rows = self.spark.table(self.landings).orderBy("batch", "arrival", "quarantine_arrival")
        return [tuple(row) for row in rows.selectExpr(*columns).collect()]

    def columns(self) -> list[str]:
        """Those of the events table, in their order."""
        return self.spark.table(self.table).columns

    def version(self) -> tuple[int, int]:
        """Delta versions of both tables."""
        return tuple(
            self.spark.sql(f"DESCRIBE HISTORY {name} LIMIT 1").first()["version"]
            for name in (self.table, self.quarantine)
        )

    def lose_last_commit(self, table: str) -> None:
        """Removes the newest commit of a table, as after a crash of the machine."""
        lose_last_commit(self.spark, table)

    def _rows(self, table: str, columns: tuple[str, ...]) -> list[tuple]:
        return [
            tuple(row)
            for row in self.spark.table(table).orderBy("arrival").selectExpr(*columns).collect()
        ]


@pytest.fixture
def place(spark, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    name = re.sub(r"\W+", "_", request.node.name.lower())[:60]
    # A folder as people name theirs, with what a URI or a pattern would read otherwise.
    folder = tmp_path / "in *? [1] {a,b} %20 O'Neil ä"
    made = Place(spark, folder, f"landing_test.{name}")
    made.source.mkdir(parents=True)
    return made


@pytest.fixture
def before_reading(monkeypatch) -> Callable[[Callable[[], object]], None]:
    """Does something, once, when Spark has found the files and has not read them."""

    def at(does: Callable[[], object]) -> None:
        real = reading.parse

        def parse(*arguments):
            monkeypatch.setattr(reading, "parse", real)
            does()
            return real(*arguments)

        monkeypatch.setattr(reading, "parse", parse)

    return at


@pytest.fixture
def killed_before(monkeypatch) -> Callable[[str], None]:
    """The next landing stops before it appends to a table."""

    return partial(kill_before, monkeypatch)
