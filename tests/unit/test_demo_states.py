"""The demo counts the rows of a table once for each of its versions."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from strandline_demo.states import State, States


class Session:
    """A session with the schema `s`; `counted` lists the tables whose rows were counted."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.rows, self.counted, self.views = folder, {}, [], {}
        self.catalog = SimpleNamespace(databaseExists=lambda schema: schema == "s")

    def write(self, name: str, version: int, rows: int) -> None:
        log = self.folder / name / "_delta_log"
        log.mkdir(parents=True, exist_ok=True)
        info = {"commitInfo": {"timestamp": version, "txnId": f"{name} {version}"}}
        (log / f"{version:020}.json").write_text(json.dumps(info))
        self.rows[name] = rows

    def sql(self, query: str) -> Any:
        if query.startswith("show table extended in `s`"):
            rows = [
                {"tableName": name, "information": f"Location: {(self.folder / name).as_uri()}\n"}
                for name in self.rows
            ]
            rows += [
                {
                    "tableName": name,
                    "information": f"Table: {name}\nType: VIEW\nView Text: {text}\n",
                }
                for name, text in self.views.items()
            ]
        else:
            names = [name for name in self.rows if f"from s.{name}" in query]
            self.counted += names
            rows = [{"name": f"s.{name}", "n": self.rows[name]} for name in names]
        return SimpleNamespace(collect=lambda: rows)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session(tmp_path)
    made.write("days", 0, 10)
    made.write("mart", 3, 5)
    return made


TABLES = ("s.days", "s.mart", "s.not_there", "other.days")


def test_rows_are_counted_again_after_a_commit_only(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "demo_rows.json"
    assert States(session, file).of(TABLES) == {"s.days": State(0, 10), "s.mart": State(3, 5)}
    session.counted.clear()
    session.write("mart", 4, 6)
    assert States(session, file).of(TABLES) == {"s.days": State(0, 10), "s.mart": State(4, 6)}
    assert session.counted == ["mart"]


@pytest.mark.parametrize("text", ["", "[]", '{"s.days": ["0 days 0 0", "many"]}'])
def test_a_damaged_file_is_no_obstacle(session: Session, tmp_path: Path, text: str) -> None:
    file = tmp_path / "demo_rows.json"
    file.write_text(text)
    assert States(session, file).of(["s.days"]) == {"s.days": State(0, 10)}


def test_versions_are_known_without_counting(session: Session, tmp_path: Path) -> None:
    states = States(session, tmp_path / "demo_rows.json")
    assert states.versions(TABLES) == {"s.days": 0, "s.mart": 3}
    assert session.counted == []


def test_the_state_of_all_changes_with_a_commit_and_with_a_view(
    session: Session, tmp_path: Path
) -> None:
    states = States(session, tmp_path / "demo_rows.json")
    names = (*TABLES, "s.mart_now")
    found = [states.of_all(names)]
    assert states.of_all(names) == found[0]
    session.write("mart", 4, 5)
    found.append(states.of_all(names))
    session.views["mart_now"] = "select * from s.mart"
    found.append(states.of_all(names))
    session.views["mart_now"] = "select 1 as n from s.mart"
    found.append(states.of_all(names))
    session.rows["not_there"] = 0
    assert len({*found}) == 4
    assert states.of_all(names) is None  # a table whose log cannot be read
    assert session.counted == []
