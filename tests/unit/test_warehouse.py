"""Damaged logs of a warehouse are found before Spark reads an older table; new tables are noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.conftest import made_metastore

from strandline.spark import StrandlineSparkError
from strandline.spark.home import check_location
from strandline.spark.warehouse import check_logs, tables_in

COMMIT = '{"commitInfo":{}}\n{"add":{"path":"a"}}\n'


def log_of(home: Path, table: str, **files: str) -> Path:
    """The log of a table; a file `c2` is the commit 2, `s2` its checksum, `p2` a checkpoint."""
    names = {"c": "{:020}.json", "s": "{:020}.crc", "p": "{:020}.checkpoint.parquet"}
    log = home / "warehouse" / table / "_delta_log"
    log.mkdir(parents=True)
    for name, text in files.items():
        (log / names[name[0]].format(int(name[1:]))).write_text(text)
    return log


@pytest.mark.parametrize(
    "files",
    [
        {"c0": COMMIT, "s0": "{}", "c1": COMMIT, "s1": "{}"},
        {"c0": "", "c1": COMMIT},  # Spark stops at a commit that is empty and not the newest
        {"c1": "", "s1": "{}", "p1": "whole"},  # a checkpoint has all of a table
        {},
    ],
)
def test_a_log_that_is_sound(tmp_path, files):
    log_of(tmp_path, "s.db/t", **files)
    check_logs(tmp_path)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"c0": COMMIT, "c1": "", "s1": "{}"},
            "commit 1 is empty: rm {log}/{1}.crc {log}/{1}.json",
        ),
        ({"c0": COMMIT, "c1": COMMIT[:-9]}, "commit 1 is incomplete: rm {log}/{1}.json"),
        ({"c0": COMMIT, "c1": " \n"}, "commit 1 is empty: rm {log}/{1}.json"),
        ({"c0": COMMIT, "s1": "{}"}, "commit 1 is missing: rm {log}/{1}.crc"),
        ({"c0": COMMIT, "s1": "{}", "p1": ""},
         "commit 1 is missing: rm {log}/{1}.checkpoint.parquet {log}/{1}.crc {log}/_last_checkpoint"),
        ({"c0": "", "s0": "{}"}, "commit 0 is empty: rm -rf {folder} {home}/location"),
    ],
)  # fmt: skip
def test_a_damaged_newest_commit_is_refused(tmp_path, files, said):
    log = log_of(tmp_path, "s.db/t", **files)
    (log / "_last_checkpoint").write_text("{}")
    log_of(tmp_path, "sound", c0=COMMIT)
    with pytest.raises(StrandlineSparkError) as refused:
        check_logs(tmp_path)
    paths = {"{log}": log, "{folder}": log.parent, "{home}": tmp_path, "{1}": f"{1:020}"}
    line = said
    for name, path in paths.items():
        line = line.replace(name, str(path))
    assert str(refused.value) == (
        f"home '{tmp_path}' has tables whose newest commit is damaged, as a full disk or a loss of"
        " power can leave it. Spark would read them as they were before:\n"
        f"  - s.t: {line}\n"
        "Take each file back from a copy, or run the command beside it; the next runs make again"
        " what was in the commit."
    )


def test_the_tables_of_a_warehouse(tmp_path):
    for folder in ("plain", "raw.db/b", "raw.db/a"):
        log_of(tmp_path, folder, c0=COMMIT)
    (tmp_path / "warehouse" / "raw.db" / "no table").mkdir()
    assert [table.name for table in tables_in(tmp_path)] == ["default.plain", "raw.a", "raw.b"]


def test_a_metastore_that_is_gone_is_rebuilt_before_the_home_is_used(tmp_path):
    log_of(tmp_path, "raw.db/a", c0=COMMIT)
    (tmp_path / "location").write_text(str(tmp_path))
    assert not check_location(tmp_path, {})
    assert not (tmp_path / "location").exists()  # until its tables are registered


def test_a_metastore_elsewhere_is_not_missed(tmp_path):
    log_of(tmp_path, "raw.db/a", c0=COMMIT)
    assert check_location(tmp_path, {"spark.hadoop.hive.metastore.uris": "thrift://one:9083"})


@pytest.mark.parametrize(
    ("files", "is_known"),
    [
        ({"c0": COMMIT, "c1": COMMIT}, False),
        ({}, False),  # a creation that was interrupted before its commit
        ({"c7": COMMIT}, True),  # Delta has removed its oldest commits: it is not new
    ],
)
def test_new_tables_are_compared_with_the_metastore(tmp_path, files, is_known):
    made_metastore(tmp_path)
    (tmp_path / "location").write_text(str(tmp_path))
    log_of(tmp_path, "raw.db/new", **files)
    os.utime(tmp_path / "location", (1, 1))
    assert check_location(tmp_path, {}) is is_known
    for path in (tmp_path / "warehouse").rglob("*"):
        os.utime(path, (0, 0))
    assert check_location(tmp_path, {})
