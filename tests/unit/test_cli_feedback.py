"""`strandline ack`, `feedback` and `mute` without Spark: what is written where, and wrong use."""

from __future__ import annotations

import json
from contextlib import nullcontext
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from strandline.cli.main import cli
from strandline.cli.people import AnomalyTable, Kept, add_row
from strandline.cli.relations import kept_of, silences_of
from strandline.literals import micros_of

HEADER = "anomaly_id,verdict,note,noted_by,noted_at\n"
FIRST, LAST = (micros_of(datetime(2013, 2, day, 5, tzinfo=timezone.utc)) for day in (8, 10))
UA = {
    "incident_id": "29d684c1aa", "anomaly_id": None, "first": FIRST, "last": LAST,
    "key": json.dumps({"detector": "carrier_day", "carrier": "UA", "origin": None}),
}  # fmt: skip


class Spark:
    """A session in which the anomalies have these incidents, and tables these columns."""

    def __init__(self) -> None:
        self.incidents: list[dict[str, Any]] = [UA]
        self.columns = ["anomaly_id", "note"]
        self.statements: list[str] = []

    def table(self, _name: str) -> Any:
        return SimpleNamespace(columns=self.columns)

    def sql(self, statement: str) -> Any:
        self.statements.append(" ".join(statement.split()))
        return SimpleNamespace(collect=lambda: self.incidents)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project with one table of anomalies, whose feedback and silences are seeds."""
    (tmp_path / "dbt_project.yml").write_text("name: plant\n")
    (tmp_path / "seeds").mkdir()
    feedback, silences = tmp_path / "seeds" / "told.csv", tmp_path / "seeds" / "silences.csv"
    feedback.write_text(HEADER)
    silences.write_text("starts_at,ends_at,carrier,note\n")
    spark = Spark()
    found = SimpleNamespace(
        folder=tmp_path, spark=spark, feedback=feedback, silences=silences,
        tables=[AnomalyTable("s.falls", ("detector",), Kept("s.told", "seed", feedback))],
        silenced=Kept("s.silences", "seed", silences),
    )  # fmt: skip
    monkeypatch.setattr("strandline.cli.project.Project.anomaly_tables", lambda _: found.tables)
    monkeypatch.setattr("strandline.cli.project.Project.silences", lambda *_: found.silenced)
    monkeypatch.setattr("strandline.spark.connection_for", lambda *_: nullcontext(spark))
    monkeypatch.setattr("strandline.spark.check_profile", lambda *_, **__: None)
    monkeypatch.setattr("getpass.getuser", lambda: "desk")
    return found


def call(plant: SimpleNamespace, *arguments: str) -> Result:
    return CliRunner().invoke(cli, [*arguments, "--project-dir", str(plant.folder)])


def test_an_incident_is_acknowledged_in_the_seed(plant: SimpleNamespace) -> None:
    done = call(plant, "ack", "29d684", "--note", 'It is "closed", today')
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-1] == (
        "carrier_day · UA, 2013-02-08 05:00 to 2013-02-10 05:00 UTC: acknowledged."
        " Written to seeds/told.csv: the next run that loads the seeds reads it."
    )
    [row] = plant.feedback.read_text().splitlines()[1:]
    assert row.startswith('29d684c1aa,acknowledged,"It is ""closed"", today",desk,')
    assert (
        "startswith(anomaly_id, '29d684') or startswith(incident_id, '29d684')"
        in (plant.spark.statements[0])
    )


def test_feedback_is_of_the_anomaly_that_was_named(plant: SimpleNamespace) -> None:
    plant.spark.incidents = [UA | {"anomaly_id": "084f2200bb"}]
    done = call(plant, "feedback", "084f22", "--verdict", "no_anomaly", "--by", "loading")
    assert done.exit_code == 0, done.output
    [row] = plant.feedback.read_text().splitlines()[1:]
    assert row.startswith("084f2200bb,no_anomaly,,loading,20")
    done = call(plant, "ack", "084f22")
    assert plant.feedback.read_text().splitlines()[-1].startswith("29d684c1aa,acknowledged,")


def test_feedback_goes_into_a_table_of_others(plant: SimpleNamespace) -> None:
    plant.tables = [AnomalyTable("s.falls", (), Kept("desk.notes", "source"))]
    done = call(plant, "ack", "29d684", "--note", "it's known")
    assert done.exit_code == 0, done.output
    assert "Written to desk.notes: the next run reads it." in done.output
    insert = plant.spark.statements[-1]
    assert insert.startswith("insert into desk.notes (`anomaly_id`, `note`) values ('29d684c1aa', ")
    assert "known" in insert or "6b6e6f776e" in insert.lower()


def test_a_range_is_muted(plant: SimpleNamespace) -> None:
    done = call(plant, "mute", "carrier=UA", "--from", "2013-12-24", "--for", "P1D")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-1] == (
        "carrier=UA is muted from 2013-12-24 00:00 to 2013-12-25 00:00 UTC."
        " Written to seeds/silences.csv: the next run that loads the seeds reads it."
    )
    done = call(
        plant, "mute", "--all", "--from", "2013-12-24", "--until", "2013-12-24 06:00:00 +01:00"
    )
    assert done.exit_code == 0, done.output
    assert plant.silences.read_text() == (
        "starts_at,ends_at,carrier,note\n"
        "2013-12-24 00:00:00,2013-12-25 00:00:00,UA,\n"
        "2013-12-24 00:00:00,2013-12-24 05:00:00,,\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("ack", "29d6"), 2, "ID is '29d6'; write at least its first 6 characters."),
        (("feedback", "29d684"), 2, "Missing option '--verdict'."),
        (("mute", "--for", "P1D"), 2, "Write what is muted, such as carrier=UA, or --all; one of the two."),
        (("mute", "carrier=UA", "--all", "--for", "P1D"), 2, "or --all; one of the two."),
        (("mute", "carrier=UA"), 2, "Write how long, --for PT4H, or --until INSTANT; one of the two."),
        (("mute", "carrier", "--for", "P1D"), 2, "'carrier' is no COLUMN=VALUE, such as carrier=UA."),
        (("mute", "note=x", "--for", "P1D"), 2, "'note=x': note is given by an option, or twice."),
        (("mute", "origin=JFK", "--for", "P1D"), 2,
         "seeds/silences.csv has no column origin; it has starts_at, ends_at, carrier, note."),
        (("mute", "--all", "--from", "2013-12-24", "--until", "2013-12-23"), 2,
         "--until 2013-12-23 00:00:00 is not after --from 2013-12-24 00:00:00."),
        (("mute", "--all", "--for", "P1M"), 2, "'P1M' is no length of time"),
    ],
)  # fmt: skip
def test_wrong_use(
    plant: SimpleNamespace, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = call(plant, *arguments)
    assert done.exit_code == code
    assert message in " ".join(done.output.split())
    assert plant.feedback.read_text() == HEADER
    assert plant.silences.read_text() == "starts_at,ends_at,carrier,note\n"


def test_an_id_that_is_unknown_or_of_several(plant: SimpleNamespace) -> None:
    plant.spark.incidents = [UA, UA | {"incident_id": "29d684c1bb"}]
    done = call(plant, "ack", "29d684c1")
    assert done.exit_code == 1
    assert (
        "29d684c1 is the beginning of several ids:\n"
        "  29d684c1aa  carrier_day · UA, 2013-02-08 05:00 to 2013-02-10 05:00 UTC\n"
        "  29d684c1bb  carrier_day · UA" in done.output
    )
    plant.spark.incidents = []
    assert "No anomaly has the id 29d684c1; looked into: s.falls." in (
        call(plant, "ack", "29d684c1").output
    )
    plant.tables = []
    assert "This project has no table of anomalies." in call(plant, "ack", "29d684c1").output


def test_a_project_without_feedback_or_silences_is_told_how(plant: SimpleNamespace) -> None:
    plant.tables = [AnomalyTable("s.falls", (), None)]
    done = call(plant, "ack", "29d684")
    assert done.exit_code == 1
    assert "s.falls has no feedback: write seeds/falls_feedback.csv" in done.output
    assert "feedback=ref('falls_feedback')" in done.output
    plant.silenced = None
    done = call(plant, "mute", "--all", "--for", "P1D")
    assert done.exit_code == 1
    assert "notifications has no silences: write seeds/silences.csv" in done.output


def test_a_model_is_not_written_to(plant: SimpleNamespace) -> None:
    plant.tables = [AnomalyTable("s.falls", (), Kept("s.notes", "model"))]
    plant.spark.columns = ["anomaly_id"]
    done = call(plant, "ack", "29d684")
    assert done.exit_code == 1
    assert "s.notes is a model of the project, which dbt writes" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a,b", "a,b\n1,\n"),
        ("a,b\r\n2,3\r\n", "a,b\r\n2,3\r\n1,\r\n"),
        ("\ufeffb,A\n", "b,A\n,1\n"),
    ],
)
def test_a_row_is_added_to_the_file_as_it_is(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "seed.csv"
    file.write_text(before, encoding="utf-8", newline="")
    spark: Any = Spark()
    add_row(spark, Kept("s.seed", "seed", file), {"a": "1"})
    assert file.read_bytes().decode() == after
    assert [each.name for each in tmp_path.iterdir()] == ["seed.csv"]


def node(name: str, kind: str, reads: tuple[str, ...] = (), *macros: str) -> Any:
    return SimpleNamespace(
        unique_id=f"{kind}.plant.{name}", name=name, resource_type=kind, relation_name=f"`s`.`{name}`",
        root_path="/plant", original_file_path=f"seeds/{name}.csv",
        depends_on=SimpleNamespace(nodes=[*reads], macros=[f"macro.strandline.{it}" for it in macros]),
    )  # fmt: skip


def test_silences_are_what_the_outbox_reads_beside_its_anomalies() -> None:
    reads = ("model.plant.falls", "model.plant.parts", "seed.plant.quiet")
    nodes = [
        node("falls", "model", (), "anomalies"),
        node("parts", "model", (), "change_contribution"),
        node("quiet", "seed"),
        node("notifications", "model", reads, "anomaly_notifications"),
        node("others", "model", ("model.plant.falls",), "anomaly_notifications"),
    ]
    assert silences_of(nodes, "notifications") == "`s`.`quiet`"
    assert silences_of(nodes, "s.notifications") == "`s`.`quiet`"
    assert silences_of(nodes, "others") is None
    assert silences_of(nodes, "none") is None
    assert kept_of(nodes, "`s`.`quiet`") == Kept("s.quiet", "seed", Path("/plant/seeds/quiet.csv"))
    assert kept_of(nodes, "s.falls") == Kept("s.falls", "model")
    assert kept_of(nodes, "s.none") is None
