"""A project of a file that only SQL reads: its staging model feeds the aggregation, run after run."""

from __future__ import annotations

import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from tests.conftest import Dbt, drop_schema, profile

from strandline.cli.main import cli
from strandline.landing import land

HEADER = "Datum;Uhrzeit;Maschine;Temp (°C);Menge;;\n"
FIRST = """05.01.2026;06:00;Presse 1;61,5;1.234,5;;
05.01.2026;06:05;Presse 1;62,5;12,5;;
05.01.2026;06:00;Presse 2;NA;999,0;;
05.01.2026;06:05;Presse 1;62,5;12,5;;
"""
SECOND = """05.01.2026;06:30;Presse 1;kaputt;1,0;;
05.01.2026;25:00;Presse 2;60,0;1,0;;
05.01.2026;06:45;Presse 2;60,0;1,0;;
"""
SELECTED = (
    *("--select", "stg_odd", "stg_odd_unread", "odd_aggregation_late"),
    *("odd_aggregation_minutes", "odd_aggregation_hours", "--exclude", "test_name:split_invariant"),
)


def test_its_hours_and_what_could_not_be_read(tmp_path: Path, spark: Any) -> None:
    folder, file = tmp_path / "press", tmp_path / "odd.csv"
    folder.mkdir()
    file.write_text(HEADER + FIRST)
    command = [
        "init",
        "--yes",
        "--csv",
        str(file),
        "--project-dir",
        str(folder),
        "--keys",
        "Maschine",
        "--event-id",
        "Maschine,ts",
    ]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    (folder / "profiles.yml").write_text(profile("press"))
    script = (folder / "run.sh").read_text()
    words = shlex.split(script.partition("strandline land ")[2].partition("||")[0])
    options = dict(value.split("=", 1) for option, value in pairwise(words) if option == "--option")
    assert options == {"glob": "*.csv", "header": "skip", "null_value": "NA", "sep": ";"}
    schema = (folder / "models" / "odd" / "odd.ddl").read_text()
    dbt = Dbt(tmp_path / "work", profiles_dir=folder)
    dbt("deps", project_dir=folder)
    incoming = folder / "incoming"
    incoming.mkdir()
    for name, rows in {"first": FIRST, "second": SECOND}.items():
        (incoming / f"{name}.csv").write_text(HEADER + rows)
        land(spark, incoming, "press_raw.odd", schema, "csv", folder / "landing", options=options)
        results = dbt("build", *SELECTED, project_dir=folder)
        found = {result.node.name: str(result.status) for result in results}
        test = next(name for name in found if name.startswith("strandline_no_late_rows_above_stg"))
        late = next(name for name in found if name.startswith("strandline_no_late_rows_above_odd"))
        # A row that is there twice is no fault.
        status = "pass" if name == "first" else "warn"
        assert (found[test], found[late]) == (status, status)

    def rows_of(query: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in spark.sql(query).collect()]

    assert rows_of(
        "select string(agg_timestamp), Maschine, agg_count, agg_sum_temp_c, agg_count_temp_c"
        " from press.odd_aggregation_hours order by 2"
    ) == [
        ("2026-01-05 06:00:00", "Presse 1", 3, 124.0, 2),
        ("2026-01-05 06:00:00", "Presse 2", 2, 60.0, 1),
    ]
    assert rows_of("select arrival, reason from press.stg_odd_unread order by 1") == [
        (5, "temp_c: kaputt is no number"),
        (6, "ts: 05.01.2026 25:00 is no time"),
    ]
    assert rows_of("select arrival, late_reason from press.odd_aggregation_late order by 1") == [
        (4, "duplicate: an event of this event_id came before"),
        (6, "no event time: ts is null"),
    ]
    for name in ("press", "press_raw"):
        drop_schema(spark, name)
