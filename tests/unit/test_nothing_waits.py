"""That nothing waits is known without Spark only where no notification could be missed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from dbt.adapters.strandline.handle import SessionCursor
from strandline.cli import nothing_waits
from strandline.cli.nothing_waits import MOST, NothingWaits, memory_for
from strandline.spark import session_for
from strandline.spark.metastore import NOTHING_WAITS

NOW = 1_700_000_000_000_000
VIEW = "select * from `plant`.`anomalies`"


class Home:
    """Tables with logs and views with texts, and the outbox over them as Spark would show it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shown: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        for name in ("anomalies", "notifications_accepted", "feedback"):
            self.commit(name)
        self.view("notifications", VIEW)

    def commit(self, name: str, schema: str = "plant.db", base: str = "warehouse") -> None:
        self.versions[name] = version = self.versions.get(name, -1) + 1
        log = self.log(name, schema, base)
        log.mkdir(parents=True, exist_ok=True)
        info = {"commitInfo": {"timestamp": version, "txnId": f"{name} {version}"}}
        (log / f"{version:020}.json").write_text(json.dumps(info) + "\n")
        self.shown[name] = f"Name: {name}\nLocation: file:{log.parent}\n"

    def log(self, name: str, schema: str = "plant.db", base: str = "warehouse") -> Path:
        return self.folder / base / schema / name / "_delta_log"

    def view(self, name: str, text: str) -> None:
        self.shown[name] = f"Type: VIEW\nView Text: {text}\nView Original Text: {text}\n"

    def sql(self, query: str) -> SimpleNamespace:
        schema, name = re.fullmatch("show table extended in `(.+)` like '(.+)'", query).groups()
        assert schema == "plant"
        rows = [{"tableName": name, "information": self.shown[name]}] if name in self.shown else []
        return SimpleNamespace(collect=lambda: rows)

    def outbox(self, open_query: str | None = None) -> SimpleNamespace:
        return SimpleNamespace(
            spark=self,
            relation="plant.notifications",
            accepted="plant.notifications_accepted",
            has_accepted=lambda: "notifications_accepted" in self.shown,
            open_query=open_query,
        )

    def memory(self, *receivers: str, remind: int | None = None) -> NothingWaits:
        return NothingWaits(self.folder, "plant.notifications", receivers or ("ops",), remind)

    def remembered(self, due: int | None = None, at: int = NOW, **given: int) -> NothingWaits:
        memory = self.memory(**given)
        tables = memory.tables(self.outbox())
        assert tables is not None
        memory.remember(tables, due, at)
        assert memory.is_known(NOW) or due is not None
        return memory


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_it_is_known_while_the_tables_are_the_same(home: Home) -> None:
    assert not home.memory().is_known(NOW)
    assert home.memory().tables(home.outbox()) == [
        [f"file:{home.log('anomalies').parent}", 0, "anomalies 0 0"],
        [f"file:{home.log('notifications_accepted').parent}", 0, "notifications_accepted 0 0"],
    ]
    home.remembered()
    assert home.memory().is_known(NOW)
    home.commit("feedback")  # nothing reads it without reminders
    assert home.memory().is_known(NOW)


@pytest.mark.parametrize("table", ["anomalies", "notifications_accepted"])
def test_any_commit_makes_it_unknown(home: Home, table: str) -> None:
    memory = home.remembered()
    home.commit(table)
    assert not memory.is_known(NOW)
    assert home.remembered().is_known(NOW)


def test_another_table_in_the_same_place_makes_it_unknown(home: Home) -> None:
    memory = home.remembered()
    commit = home.log("anomalies") / f"{0:020}.json"
    commit.write_text(commit.read_text().replace("anomalies 0", "another"))
    assert not memory.is_known(NOW)


def test_what_cannot_be_read_makes_it_unknown(home: Home) -> None:
    memory = home.remembered()
    (home.log("anomalies") / f"{1:020}.json").touch()  # what a full disk leaves
    assert not memory.is_known(NOW)
    memory = home.remembered() if home.commit("anomalies") is None else None
    shutil.rmtree(home.log("anomalies").parent)
    assert not memory.is_known(NOW)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"KEY": null}', '{"KEY": {"tables": []}}',
    '{"KEY": {"tables": [], "due": null}}', '{"KEY": {"tables": [["x"]], "due": null}}',
    '{"KEY": {"tables": [[1, 0, "x"]], "due": null}}', '{"KEY": {"tables": 3, "due": null}}',
    '{"KEY": {"tables": [["x", 0, "x"]], "due": "soon"}}'],
)  # fmt: skip
def test_a_damaged_file_makes_it_unknown(home: Home, content: str) -> None:
    memory = home.remembered()
    file = home.folder / NOTHING_WAITS
    [key] = json.loads(file.read_text())
    file.write_text(content.replace('"KEY"', json.dumps(key)))
    assert not memory.is_known(NOW)


def test_it_is_of_these_receivers_this_outbox_and_this_release(home: Home, monkeypatch) -> None:
    home.remembered()
    assert not home.memory("ops", "desk").is_known(NOW)
    assert not home.memory("desk").is_known(NOW)
    assert not home.memory(remind=1).is_known(NOW)
    assert not NothingWaits(home.folder, "plant.others", ["ops"], None).is_known(NOW)
    both = home.memory("ops", "desk")
    both.remember(both.tables(home.outbox()), None, NOW)
    assert home.memory("desk", "ops").is_known(NOW)
    assert home.memory().is_known(NOW)
    monkeypatch.setattr("strandline.__version__", "9.9.9")
    assert not home.memory().is_known(NOW)


def test_it_ends_when_a_reminder_is_due(home: Home) -> None:
    memory = home.remembered(due=NOW, remind=5)
    assert memory.is_known(NOW - 1)
    assert not memory.is_known(NOW)


def test_reminders_depend_on_the_feedback_as_well(home: Home) -> None:
    query = "select * from plant.anomalies left anti join `plant`.`feedback` as f on true"
    memory = home.memory(remind=5)
    tables = memory.tables(home.outbox(query))
    assert [Path(location).name for location, _, _ in tables] == [
        "anomalies", "notifications_accepted", "feedback",
    ]  # fmt: skip
    memory.remember(tables, None, NOW)
    assert memory.is_known(NOW)
    home.commit("feedback")
    assert not memory.is_known(NOW)
    home.view("feedback", "select * from plant.anomalies")
    assert memory.tables(home.outbox(query)) is None
    assert memory.tables(home.outbox(query.replace("true", "now() > ts"))) is None
    assert memory.tables(home.outbox("select (")) is None


def test_what_may_change_without_a_commit_is_not_remembered(home: Home) -> None:
    def tables(text: str) -> object:
        home.view("notifications", text)
        return home.memory().tables(home.outbox())

    home.view("active", VIEW)
    home.shown["files"] = "Name: files\nProvider: parquet\n"
    home.commit("elsewhere", base="other")
    assert tables(VIEW) is not None
    assert tables("select * from plant.active") is None  # the text of that view may change
    assert tables(f"{VIEW} where at > current_timestamp()") is None
    assert tables("select * from plant.files") is None
    assert tables("select * from plant.nowhere") is None
    assert tables("select * from plant.elsewhere") is None  # dropped, its log may stay
    assert tables("select * from anomalies") is None
    assert tables("select 1 as notification_key") is not None  # of the table of acceptances only
    home.commit("notifications")
    assert home.memory().tables(home.outbox()) is None


def test_an_outbox_of_which_nothing_was_accepted_yet_counts_too(home: Home) -> None:
    del home.shown["notifications_accepted"]
    assert [Path(each[0]).name for each in home.memory().tables(home.outbox())] == ["anomalies"]


def test_the_newest_entries_are_kept(home: Home) -> None:
    (home.folder / NOTHING_WAITS).write_text('{"of another release": 3}')
    for number in range(MOST + 2):
        home.remembered(remind=number, at=NOW + number)
    assert len(json.loads((home.folder / NOTHING_WAITS).read_text())) == MOST
    assert not home.memory(remind=1).is_known(NOW)
    assert home.memory(remind=2).is_known(NOW)


@pytest.mark.parametrize(
    ("statement", "is_kept"),
    [
        ("create or replace view plant.notifications as select 1", False),
        ("/* dbt */\n  CREATE VIEW plant.notifications as select 1", False),
        ("alter view plant.notifications as select 1", False),
        ("drop view if exists plant.notifications", False),
        ("create or replace temporary view kept as select 1", True),
        ("create or replace table plant.anomalies as select 'a view'", True),
        ("select * from plant.notifications", True),
    ],
)
def test_whoever_makes_a_view_removes_it(home: Home, statement: str, is_kept: bool) -> None:
    memory = home.remembered()
    ran = []
    SessionCursor(SimpleNamespace(sql=ran.append), str(home.folder)).execute(statement)
    assert ran == [statement.strip()]
    assert memory.is_known(NOW) == is_kept


def test_whoever_opens_a_session_removes_it(home: Home, monkeypatch) -> None:
    memory = home.remembered()
    credentials = SimpleNamespace(home=str(home.folder))
    monkeypatch.setattr("strandline.spark.profile.credentials_for", lambda *_: credentials)
    monkeypatch.setattr("strandline.spark.profile.open_session", lambda it: it)
    assert session_for() is credentials
    assert not memory.is_known(NOW)
    assert session_for() is credentials  # without the file as well


CREDENTIALS = {"method": "session", "remote": "", "server_side_parameters": {}}


@pytest.mark.parametrize(
    ("given", "is_known"),
    [
        ({}, True),
        ({"method": "connect"}, True),
        ({"method": "connect", "remote": "sc://elsewhere"}, False),
        ({"method": "thrift"}, False),
        ({"server_side_parameters": {"spark.hadoop.hive.metastore.uris": "thrift://x"}}, False),
    ],
)
def test_another_server_or_metastore_may_have_other_views(
    home: Home, monkeypatch, given: dict, is_known: bool
) -> None:
    credentials = SimpleNamespace(home=str(home.folder), **{**CREDENTIALS, **given})
    monkeypatch.setattr("strandline.spark.credentials_for", lambda *_: credentials)
    outboxes = SimpleNamespace(outboxes=["plant.notifications"])
    project = SimpleNamespace(folder="", target=None, profiles="", observed=lambda: outboxes)
    memory = memory_for(project, "plant.notifications", ["ops"], None)
    assert (memory is not None) == is_known
    assert memory_for(project, "plant.others", ["ops"], None) is None


def test_what_is_not_waiting_cannot_be_recorded() -> None:
    assert nothing_waits.EMPTY.waiting(["ops"]) == {"ops": []}
    with pytest.raises(AssertionError):
        nothing_waits.EMPTY.note([])
