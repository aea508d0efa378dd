"""After a crash the metastore knows the tables that are in the warehouse, and no others there."""

from __future__ import annotations

from types import SimpleNamespace

from tests.unit.test_warehouse import COMMIT, log_of

from strandline.spark.metastore import known_tables, match_tables, remove_uncreated


class Metastore:
    """A session whose metastore knows these tables: their locations by name, none for a view."""

    def __init__(self, **known):
        self.known, self.dropped, self.made = known, [], []
        self.catalog = SimpleNamespace(createTable=lambda *given: self.made.append(given))

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
    (tmp_path / "nothing_waits.json").write_text("{}")
    session = Metastore(known=f"{tmp_path}/warehouse/s.db/known", a_view=None)
    match_tables(session, tmp_path, known_tables(session))
    assert not (tmp_path / "last_runs.json").exists()  # no model is skipped that makes a view
    assert not (tmp_path / "nothing_waits.json").exists()
    assert session.made == [("`it's`.`a`", f"{tmp_path}/warehouse/it's.db/a", "delta")]
    assert session.dropped == []
    assert "did not know 1 of its tables, which it knows again: it's.a." in caplog.text


def test_tables_whose_folder_is_gone_are_forgotten(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    session = Metastore(
        gone=f"{tmp_path}/warehouse/s.db/gone", elsewhere=f"{tmp_path}/elsewhere", far="/not/here"
    )
    match_tables(session, tmp_path, known_tables(session))
    assert session.dropped == ["drop table `s`.`gone`"]


def test_what_is_left_of_a_creation_is_removed(tmp_path, caplog):
    for folder in ("known", "incomplete", "with_rows", "with_data"):
        log_of(tmp_path, f"s.db/{folder}", c0=COMMIT)
    (log_of(tmp_path, "s.db/begun") / ".0.json.tmp").write_text("{")
    tables = tmp_path / "warehouse" / "s.db"
    (tables / "with_rows" / "_delta_log" / f"{1:020}.json").write_text(COMMIT)
    (tables / "with_data" / "part-0.parquet").write_text("rows")
    remove_uncreated(tmp_path, {"s.known"})
    assert sorted(it.name for it in tables.iterdir()) == ["known", "with_data", "with_rows"]
    assert "The creation of s.begun had not ended; the next run creates it." in caplog.text
    assert "The creation of s.incomplete had not ended; the next run creates it." in caplog.text
