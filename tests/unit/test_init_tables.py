"""`strandline init` on JSON and Parquet; their rows are in `engine/landing`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.odd_tables import FILES, Table

from strandline.cli.main import cli


@pytest.mark.parametrize("table", FILES.values(), ids=FILES.keys())
def test_a_file_is_understood_or_refused(tmp_path: Path, table: Table) -> None:
    file, plant = table.write(tmp_path), tmp_path / "plant"
    plant.mkdir()
    given = f"--{table.file_format}"
    command = ["init", "--yes", given, str(file), "--project-dir", str(plant), *table.says]
    done = CliRunner().invoke(cli, command)
    shown = " ".join(done.output.split())
    if table.refusal:
        assert (done.exit_code, list(plant.iterdir())) == (1, []), done.output
        assert table.refusal in shown
        return
    assert done.exit_code == 0, done.output
    ddl = (plant / "models" / "events" / "events.ddl").read_text()
    assert ", ".join(ddl.replace(",\n", "\n").split("\n")).strip(", ") == table.schema
    assert all(note in shown for note in table.notes)
    run = (plant / "run.sh").read_text()
    assert f"--format {table.file_format} --option glob='*.{table.file_format}'" in run


def test_lines_of_json_may_have_another_suffix(tmp_path: Path) -> None:
    file, plant = tmp_path / "clicks.ndjson", tmp_path / "plant"
    file.write_text(FILES["lines of JSON"].text)
    plant.mkdir()
    command = ["init", "--yes", "--json", str(file), "--project-dir", str(plant)]
    assert CliRunner().invoke(cli, command).exit_code == 0
    assert "--format json --option glob='*.ndjson'" in (plant / "run.sh").read_text()


def test_no_parquet(tmp_path: Path) -> None:
    file = tmp_path / "events.parquet"
    file.write_text("ts,v\n")
    command = ["init", "--yes", "--parquet", str(file), "--project-dir", str(tmp_path)]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 1
    assert "events.parquet cannot be read as Parquet: " in done.output
