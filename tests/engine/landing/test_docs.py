"""The example of docs/landing.md gives what the page says."""

import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from strandline.cli.land import land as command
from strandline.cli.landed import landed_lines
from strandline.cli.tables import Unusable, unusable
from strandline.landing import LandingResult

pytestmark = pytest.mark.first

PAGE = Path(__file__).parents[3] / "docs" / "landing.md"


def table(page: str, header: str) -> list[list[str]]:
    """Cells of the Markdown table that begins with `header`."""
    lines = page[page.index(header) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def shown(rows: list[tuple]) -> list[list[str]]:
    return [["" if value is None else str(value) for value in row] for row in rows]


def test_the_example(place) -> None:
    page = PAGE.read_text(encoding="utf-8")
    text = re.search(r"```csv\n(.*?)```", page, re.DOTALL).group(1)
    line = re.search(r"```sh\nstrandline land (.*?)```", page, re.DOTALL).group(1)
    asked = command.make_context("land", shlex.split(line.replace("\\\n", " "))).params
    place.write("orders_1.csv", text)
    checkpoint = place.folder / "landing" / place.table
    result = place.land(asked["schema"], asked["file_format"], checkpoint=checkpoint)

    header = "| order_id | paid_at | amount | arrival | landed_from |"
    columns = [name.strip() for name in header.strip("|").split("|")]
    assert shown(place.rows(*columns)) == table(page, header)
    header = "| arrival | landed_from | line | raw | reason |"
    columns = [name.strip() for name in header.strip("|").split("|")]
    assert shown(place.faulty(*columns)) == table(page, header)
    assert result.landed + result.quarantined == len(text.splitlines()) - 1
    # What `strandline status` finds of it.
    found = unusable(place.spark, [place.table], place.folder)
    assert found == [Unusable(place.quarantine, 2, "reason")]


def test_what_was_not_landed_is_said() -> None:
    assert landed_lines("raw.x", "raw.x_bad", LandingResult(0, 0, 0, None, None)) == [
        "0 rows landed in raw.x, 0 quarantined, 0 batches"
    ]
    links = tuple(f"link{number}" for number in range(7))
    cut = {"b.csv.gz": "the file cannot be read: Unexpected end of input stream"}
    more = {"unreadable": cut, "links": links, "changed": ("a.csv", "c.csv"), "denied": ("d",)}
    result = LandingResult(1_234, 2, 1, 5_000, 6_233, added=("gate", "n"), **more)
    assert landed_lines("raw.x", "raw.x_bad", result) == [
        "1,234 rows landed in raw.x (arrival 5,000 to 6,233), 2 quarantined, 1 batches",
        "The reasons: select reason, landed_from, line, raw from raw.x_bad",
        "New columns of raw.x: gate, n; null in its earlier rows",
        "In quarantine whole: b.csv.gz: the file cannot be read: Unexpected end of input stream",
        "Not readable: d; give this user the permission to read, and the next landing reads them",
        "Changed after it was landed: a.csv, c.csv; new rows there were not read, land them under a "
        "new name",
        "Not followed: link0, link1, link2, link3, link4 and 2 more; links, special files and "
        "names that are not UTF-8 are not read: copy what they lead to into the folder, or rename them",
    ]


def test_the_same_for_machines(tmp_path: Path, monkeypatch) -> None:
    result = LandingResult(
        2, 1, 1, 5, 6, unreadable={"b.csv.gz": "cut"}, links=("a_link",), changed=("c.csv",)
    )
    (tmp_path / "incoming").mkdir()
    credentials = SimpleNamespace(home=str(tmp_path), lock_timeout=0)
    monkeypatch.setattr("strandline.spark.credentials_for", lambda *_: credentials)
    monkeypatch.setattr("strandline.spark.open_session", lambda _: None)
    monkeypatch.setattr("strandline.spark.close_session", lambda _: None)
    monkeypatch.setattr("strandline.landing.land", lambda *_, **__: result)
    asked = ["--source", str(tmp_path / "incoming"), "--format", "csv", "--schema", "a INT"]
    done = CliRunner().invoke(
        command, [*asked, "--table", "raw.x", "--json"], catch_exceptions=False
    )
    assert done.exit_code == 3
    assert json.loads(done.output) == {
        "table": "raw.x", "quarantine": "raw.x_quarantine", "landed": 2, "quarantined": 1, "batches": 1,
        "arrival_from": 5, "arrival_to": 6, "unreadable": {"b.csv.gz": "cut"}, "links": ["a_link"], "changed": ["c.csv"], "denied": [],
        "ignored": [], "lost": {}, "added": [],
    }  # fmt: skip


def test_what_needs_no_spark_is_refused_before_it_starts(tmp_path: Path, monkeypatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.setattr("strandline.spark.open_session", never)
    gone = tmp_path / "gone"
    table = ("--table", "x", "--schema", "a INT", "--option", "sep=::")
    output = " ".join(wrong_use("--source", str(gone), *table).split())
    assert output.endswith(
        r"Error: land: - option sep='::' must be one character (\t is a tab) - table 'x' is not a "
        "name such as schema.name - table 'x_quarantine' is not a name such as schema.name - source "
        f"folder '{gone}' does not exist; give the folder of the files"
    )
    gone.touch()
    table = ("--table", "raw.x", "--schema", "a INT")
    fault = f"source '{gone}' is a file; give the folder that it is in"
    assert fault in " ".join(wrong_use("--source", str(gone), *table).split())


def wrong_use(*arguments: str) -> str:
    result = CliRunner().invoke(command, ["--source", "x", "--format", "csv", *arguments])
    assert result.exit_code == click.UsageError.exit_code == 2
    return result.output


def test_the_command_refuses_wrong_use() -> None:
    table_name = ("--table", "raw.x")
    assert "Give either --schema or --schema-file." in wrong_use(*table_name)
    twice = ("--option", "sep=;", "--option", "sep=,")
    assert "'sep' is given twice" in wrong_use(*table_name, "--schema", "a INT", *twice)
    assert "'sep' is not key=value" in wrong_use(*table_name, "--option", "sep")
    assert "Missing option '--table'" in wrong_use()


def test_the_help_has_examples() -> None:
    assert "Examples:" in CliRunner().invoke(command, ["--help"]).output
