"""Damaged logs of a warehouse are found before Spark reads an older table; tables are found again."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from strandline.spark import StrandlineSparkError
from strandline.spark.home import check_location
from strandline.spark.warehouse import check_logs, match_tables, remove_uncreated, tables_in

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
        ({"c0": COMMIT, "c1": COMMIT[:-9]}, "commit 1 is cut: rm {log}/{1}.json"),
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


def test_a_metastore_that_is_gone_is_asked_before_the_home_is_used(tmp_path):
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
        ({}, False),  # a creation that was cut off before its commit
        ({"c7": COMMIT}, True),  # Delta has removed its oldest commits: it is not new
    ],
)
def test_new_tables_are_compared_with_the_metastore(tmp_path, files, is_known):
    (tmp_path / "metastore").mkdir()
    (tmp_path / "location").write_text(str(tmp_path))
    log_of(tmp_path, "raw.db/new", **files)
    os.utime(tmp_path / "location", (1, 1))
    assert check_location(tmp_path, {}) is is_known
    for path in (tmp_path / "warehouse").rglob("*"):
        os.utime(path, (0, 0))
    assert check_location(tmp_path, {})


class Metastore:
    """A session whose metastore knows these tables: their locations by name, none for a view."""

    def __init__(self, **known):
        self.known, self.dropped, self.made = known, [], []
        self.catalog = SimpleNamespace(
            createTable=lambda *given: self.made.append(given),
            tableExists=lambda name: name in {f"`s`.`{known}`" for known in self.known},
        )

    def sql(self, text):
        shown = [
            {"tableName": name, "information": f"Location: file:{at}\n" if at else "View Text: …"}
            for name, at in self.known.items()
        ]
        if text.startswith("drop table "):
            self.dropped.append(text)
        found = {
            "show schemas": [("s",)], "show table extended in `s` like '*'": shown,
        }  # fmt: skip
        return SimpleNamespace(collect=lambda: found.get(text, []))


def test_tables_that_a_metastore_does_not_know_are_registered(tmp_path, caplog):
    for folder in ("s.db/known", "it's.db/a"):
        log_of(tmp_path, folder, c0=COMMIT)
    (tmp_path / "last_runs.json").write_text("{}")
    session = Metastore(known=f"{tmp_path}/warehouse/s.db/known", a_view=None)
    match_tables(session, tmp_path)
    assert not (tmp_path / "last_runs.json").exists()  # no model is skipped that makes a view
    assert session.made == [("`it's`.`a`", f"{tmp_path}/warehouse/it's.db/a", "delta")]
    assert session.dropped == []
    assert "did not know 1 of its tables, which it knows again: it's.a." in caplog.text


def test_tables_whose_folder_is_gone_are_forgotten(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    session = Metastore(
        gone=f"{tmp_path}/warehouse/s.db/gone", elsewhere=f"{tmp_path}/elsewhere", far="/not/here"
    )
    match_tables(session, tmp_path)
    assert session.dropped == ["drop table `s`.`gone`"]


def test_what_is_left_of_a_creation_is_removed(tmp_path, caplog):
    for folder in ("known", "cut", "with_rows", "with_data"):
        log_of(tmp_path, f"s.db/{folder}", c0=COMMIT)
    (log_of(tmp_path, "s.db/begun") / ".0.json.tmp").write_text("{")
    tables = tmp_path / "warehouse" / "s.db"
    (tables / "with_rows" / "_delta_log" / f"{1:020}.json").write_text(COMMIT)
    (tables / "with_data" / "part-0.parquet").write_text("rows")
    remove_uncreated(Metastore(known="here"), tmp_path)
    assert sorted(it.name for it in tables.iterdir()) == ["known", "with_data", "with_rows"]
    assert "The creation of s.begun had not ended; the next run creates it." in caplog.text
    assert "The creation of s.cut had not ended; the next run creates it." in caplog.text
