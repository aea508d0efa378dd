"""`strandline init` on files of the kinds that people have; their rows are in `engine/landing`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.conftest import ROOT
from tests.odd_csv import FILES, Odd
from tests.pages import cells

from strandline.cli.main import cli
from strandline.starter.columns import sample_of
from strandline.starter.staging import settled


@pytest.mark.parametrize("odd", FILES.values(), ids=FILES.keys())
def test_a_file_is_understood_or_asked_about(tmp_path: Path, odd: Odd) -> None:
    file, plant = tmp_path / "events.csv", tmp_path / "plant"
    file.write_bytes(odd.text.encode("utf-8", "surrogateescape"))
    plant.mkdir()
    command = ["init", "--yes", "--csv", str(file), "--project-dir", str(plant), *odd.says]
    done = CliRunner().invoke(cli, command)
    if odd.refusal:
        assert (done.exit_code, list(plant.iterdir())) == (odd.code, [])
        assert odd.refusal in " ".join(done.output.split())
        return
    assert done.exit_code == 0, done.output
    sample = sample_of(file, *hints_of(odd))
    found = settled(sample, sample.times[0] if len(sample.times) == 1 else "ts", None)
    assert ", ".join(f"{column.name} {column.type}" for column in found.columns) == odd.columns
    for column in found.columns:
        assert f"  {column.name} " in done.output
        shown = " ".join(done.output.split())
        assert all(" ".join(note.split()) in shown for note in column.notes if len(note) < 30)


def hints_of(odd: Odd) -> tuple[bool | None, str | None]:
    day_first = {"--day-first": True, "--month-first": False}.get(odd.says[0] if odd.says else "")
    decimal = odd.says[1] if odd.says[:1] == ("--decimal",) else None
    return day_first, decimal


def test_the_example_of_the_page(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "messy_files.md").read_text()
    file = tmp_path / "export.csv"
    file.write_text(page.split("```csv\n")[1].split("```")[0])
    sample = sample_of(file)
    found = settled(sample, "ts", None)
    _, table = cells(page[page.index("| column | type") :].split("\n\n")[0])
    assert [(it.name, it.type, it.example, "; ".join(it.notes)) for it in found.columns] == table
