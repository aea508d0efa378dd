"""A disk that is full or read-only, commits that are damaged, a metastore that is gone.

The home is a small file system of its own, which takes root. After the repair that the message
names and one more tick, every table equals its twin's.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.crash.plants import Plants

from strandline.spark.warehouse import Table, tables_in

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.soak
KB = 1024


@pytest.fixture(scope="module")
def plants(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Plants]:
    folder = tmp_path_factory.mktemp("plants")
    home = folder / "home"
    home.mkdir()
    own_disk = mounted("-t", "tmpfs", "-o", "size=1200m", "tmpfs", home)
    with own_disk, Plants(folder, spark) as made:
        made.begin()
        yield made


@contextmanager
def mounted(*arguments: str | Path) -> Iterator[None]:
    subprocess.run(["mount", *arguments], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", arguments[-1]], check=True)


@contextmanager
def full(home: Path, leaving: int) -> Iterator[None]:
    """A file takes all of the disk but some bytes."""
    ballast = home / "ballast"
    size = shutil.disk_usage(home).free - leaving
    with ballast.open("wb") as file, suppress(OSError):  # the server writes, too
        for _ in range(size // KB):
            file.write(bytes(KB))
    try:
        yield
    finally:
        ballast.unlink()


def test_a_first_commit_that_is_damaged(plants: Plants) -> None:
    """The table is removed, and rebuilt from its source. It is the first test: the next ones commit more."""
    names = ("plant.weights", "plant.starts", "plant.unstopped", "plant.hot")
    tables = [it for it in tables_in(plants.home) if it.name in names]
    assert {it.newest["json"] for it in tables} == {0}
    damaged(plants, tables, "empty")
    plants.bring()
    plants.end()


@pytest.mark.parametrize("leaving", [0, 64 * KB, 300 * KB])
def test_a_full_disk(plants: Plants, leaving: int) -> None:
    plants.bring()
    with full(plants.home, leaving):
        said = plants.plant.done(fails=True)
    assert "No space left on device" in said, said
    plants.end()


def test_a_read_only_warehouse(plants: Plants) -> None:
    plants.bring()
    warehouse = plants.home / "warehouse"
    with mounted("--bind", warehouse, warehouse):
        subprocess.run(["mount", "-o", "remount,ro,bind", warehouse], check=True)
        said = plants.plant.done(fails=True)
    assert "Read-only file system" in said, said
    plants.end()


def test_a_read_only_home(plants: Plants) -> None:
    plants.bring()
    plants.plant.command("strandline", "serve", "--stop")
    with mounted("--bind", plants.home, plants.home):
        subprocess.run(["mount", "-o", "remount,ro,bind", plants.home], check=True)
        said = plants.plant.command("strandline", "serve", fails=True)
    assert "cannot be written: Read-only file system. A run keeps its lock" in said, said
    plants.serve()
    plants.end()


def test_a_metastore_that_is_gone(plants: Plants) -> None:
    plants.plant.command("strandline", "serve", "--stop")
    shutil.rmtree(plants.home / "metastore")
    plants.serve()
    plants.bring()
    plants.end()


@pytest.mark.parametrize("damage", ["empty", "missing"])
@pytest.mark.parametrize("share", [1, 0.3])
def test_newest_commits_that_are_damaged(plants: Plants, damage: str, share: float) -> None:
    plants.bring()
    plants.end()
    tables = [it for it in tables_in(plants.home) if it.schema in ("plant", "plant_raw")]
    # A checkpoint of the same version has all that is in a commit: without the file nothing is lost.
    tables = [it for it in tables if it.newest["json"] > max(0, it.newest["checkpoint"])]
    chosen = plants.random.sample(tables, max(1, round(share * len(tables))))
    damaged(plants, chosen, damage)
    plants.bring()
    plants.end()


def damaged(plants: Plants, tables: list[Table], damage: str) -> None:
    """The newest commits are damaged; the server is started after the commands that it names."""
    plants.plant.command("strandline", "serve", "--stop")
    for table in tables:
        commit = max(table.log.glob("*.json"))
        commit.write_text("") if damage == "empty" else commit.unlink()
    said = plants.plant.command("strandline", "serve", fails=True)
    named = re.findall(r"- (\S+): commit \d+ is (\w+): rm ", said)
    assert sorted(named) == sorted((table.name, damage) for table in tables)
    for command in re.findall(r": (rm .+)$", said, re.MULTILINE):
        subprocess.run(shlex.split(command), check=True)
    plants.serve()
