"""What a model reads: tables through views, by the texts of the views and the logs of the tables."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from dbt.adapters.strandline.unchanged.upstream import Relations
from dbt.adapters.strandline.unchanged.view_text import changes_by_itself, tables_of


class Warehouse:
    """Tables of one schema, each with a log, and views with a text."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shown = folder, {}
        self.versions: dict[str, int] = {}

    def commit(self, name: str, columns: bool = False) -> None:
        self.versions[name] = version = self.versions.get(name, -1) + 1
        log = self.folder / name / "_delta_log"
        log.mkdir(parents=True, exist_ok=True)
        actions = [{"commitInfo": {"timestamp": version, "txnId": f"{name} {version}"}}]
        actions += [{"metaData": {}}] if columns or not version else []
        text = "".join(json.dumps(action) + "\n" for action in actions)
        (log / f"{version:020}.json").write_text(text)
        self.shown[name] = f"Name: {name}\nLocation: {(self.folder / name).as_uri()}\n"

    def view(self, name: str, text: str, note: str | None = None) -> None:
        properties = f"Table Properties: [strandline.view={note}]\n" if note else ""
        self.shown[name] = (
            f"Type: VIEW\nView Text: {text}\nView Original Text: {text}\n{properties}"
        )

    def find(self, _schema: str, name: str) -> SimpleNamespace | None:
        shown = self.shown.get(name)
        return shown and SimpleNamespace(information=shown, is_view="Type: VIEW" in shown)

    def relations(self) -> Relations:
        return Relations(self.find, lambda _: None)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    made = Warehouse(tmp_path)
    made.commit("events")
    made.commit("carriers")
    made.view("departures", "select *\nfrom s.events where event = 'departed'")
    made.view("named", "with d as (select * from `s`.`departures`) select * from d join s.carriers")
    return made


def test_tables_are_found_through_views(warehouse: Warehouse) -> None:
    found = warehouse.relations().upstream_of(["`spark_catalog`.`s`.`named`"])
    assert not found.unknown
    assert {name: commit.version for name, (_, commit) in found.commits.items()} == {
        "s.events": 0,
        "s.carriers": 0,
    }
    assert sorted(found.views) == ["s.departures", "s.named"]


def test_a_view_of_this_run_has_its_new_text(warehouse: Warehouse) -> None:
    relations = warehouse.relations()
    relations.note_view("s.departures", "select * from s.carriers\n")
    found = relations.upstream_of(["s.departures"])
    assert list(found.commits) == ["s.carriers"]
    assert found.views == {"s.departures": "select * from s.carriers"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("select * from s.events where at < current_timestamp()", "s.bad reads is not known"),
        ("select * from s.nothing", "s.nothing is no Delta table"),
        ("select * from somewhere", "s.bad reads is not known"),
        ("select * from", "s.bad reads is not known"),
    ],
)
def test_what_is_not_known_is_said(warehouse: Warehouse, text: str, why: str) -> None:
    warehouse.view("bad", text)
    assert why in warehouse.relations().upstream_of(["s.bad"]).unknown


def test_a_view_that_names_itself_ends(warehouse: Warehouse) -> None:
    warehouse.view("bad", "select * from s.bad")
    found = warehouse.relations().upstream_of(["s.bad"])
    assert (found.unknown, list(found.views), found.commits) == ("", ["s.bad"], {})


def test_a_table_of_another_catalog_is_not_known(warehouse: Warehouse) -> None:
    found = warehouse.relations().upstream_of(["other.s.events"])
    assert found.unknown == "other.s.events is not schema.name in spark_catalog"


def test_tables_that_a_query_names() -> None:
    assert tables_of("select * from a.b as c join `D`.`E` on (select max(x) from f.g) > 1") == (
        "a.b",
        "d.e",
        "f.g",
    )
    assert tables_of("with recent as (select * from a.b) select * from recent") == ("a.b",)
    assert tables_of("select 1") == ()
    assert tables_of("select * from range(10)") is None
    assert tables_of("select * from spark_catalog.a.b") == ("a.b",)
    assert tables_of("select * from other.a.b") is None


@pytest.mark.parametrize(
    ("sql", "changes"),
    [
        ("select now()", True),
        ("where at > current_date", True),
        ("select uuid()", True),
        ("unix_timestamp( )", True),
        ("unix_timestamp(at)", False),
        ("select known, randomly, currents from t", False),
        ("select random(), n from t", True),
        ('-- strandline: {"store": {"kind": "random", "seed": 3}}', False),
        ("select now, random, uuid from t", False),
    ],
)
def test_functions_that_change_by_themselves(sql: str, changes: bool) -> None:
    assert changes_by_itself(sql) == changes


# Views that are left as they are.

TEXT = "select * from s.departures"


def is_left(warehouse: Warehouse, text: str = TEXT, settings: str = "{}") -> bool:
    relations = warehouse.relations()
    note = relations.view_note(text, settings)
    assert note is not None
    return relations.is_same_view(warehouse.find("s", "late"), note)


@pytest.fixture
def made(warehouse: Warehouse) -> Warehouse:
    warehouse.view("late", TEXT, warehouse.relations().view_note(TEXT, "{}"))
    return warehouse


def test_a_view_is_left_while_its_tables_get_rows_only(made: Warehouse) -> None:
    assert is_left(made)
    made.commit("events")
    assert is_left(made)


def test_a_view_is_made_again_if_anything_is_different(made: Warehouse) -> None:
    assert not is_left(made, TEXT + " where true")
    assert not is_left(made, settings='{"grants": {}}')
    made.view("departures", "select * from s.events")
    assert not is_left(made)


def test_a_view_is_made_again_if_a_table_has_other_columns(made: Warehouse) -> None:
    made.commit("events", columns=True)
    assert not is_left(made)


def test_a_view_is_recreated_if_a_table_was_replaced_in_its_place(made: Warehouse) -> None:
    log = made.folder / "events" / "_delta_log" / f"{0:020}.json"
    log.write_text(log.read_text().replace("events 0", "other 0"))
    assert not is_left(made)


def test_a_view_is_recreated_after_many_commits(made: Warehouse) -> None:
    for _ in range(51):
        made.commit("events")
    assert not is_left(made)


def test_a_view_without_a_note_is_made(warehouse: Warehouse) -> None:
    warehouse.view("late", TEXT)
    assert not is_left(warehouse)
    assert warehouse.relations().view_note("select now()", "{}") is not None  # its text is the same
    assert warehouse.relations().view_note("select * from s.nothing", "{}") is None


def test_a_table_that_this_run_makes_is_found_as_soon_as_it_is_there(warehouse: Warehouse) -> None:
    places: dict[str, str] = {}
    relations = Relations(warehouse.find, places.get)
    assert relations.commit_of_table("s.made") is None
    warehouse.commit("made")
    places["s.made"] = warehouse.shown.pop("made").split("Location: ")[1].strip()
    assert relations.upstream_of(["s.made"]).commits["s.made"][1].version == 0


def test_the_columns_of_a_relation_stay_until_what_they_follow_from_changes(
    warehouse: Warehouse,
) -> None:
    relations = warehouse.relations()
    before = relations.state_of("`s`.`events`")
    assert before is not None
    assert relations.state_of("s.events") == before
    warehouse.commit("events")
    assert relations.state_of("s.events") not in (None, before)
    assert relations.state_of("s.nothing") is None
    assert relations.state_of("departures__dbt_tmp") is None
    # A hook may have made the view again: the cache has the text from the start of the run.
    assert relations.state_of("s.departures") is None
    relations.note_view("s.departures", "select * from s.events")
    first = relations.state_of("s.departures")
    assert first is not None
    relations.note_view("s.departures", "select * from s.carriers")
    assert relations.state_of("s.departures") not in (None, first)
    assert relations.state_of("s.named") is None  # it reads a noted view, and is none itself
