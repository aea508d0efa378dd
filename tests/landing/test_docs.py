"""The example of docs/landing.md gives what the page says."""

import re
import shlex
from pathlib import Path

import click
from click.testing import CliRunner

from strandline.cli.land import land as command

PAGE = Path(__file__).parents[2] / "docs" / "landing.md"


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
    result = place.land(asked["schema"], asked["file_format"])

    header = "| order_id | paid_at | amount | arrival | landed_from |"
    columns = [name.strip() for name in header.strip("|").split("|")]
    assert shown(place.rows(*columns)) == table(page, header)
    header = "| arrival | landed_from | line | raw | reason |"
    columns = [name.strip() for name in header.strip("|").split("|")]
    assert shown(place.faulty(*columns)) == table(page, header)
    assert result.landed + result.quarantined == len(text.splitlines()) - 1


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
