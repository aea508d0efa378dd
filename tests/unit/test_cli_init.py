"""`strandline init`: what it proposes, asks, writes and refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

import strandline
from strandline.cli.main import cli
from strandline.starter.columns import sample_of
from strandline.starter.package import packaged, put_package

READINGS = """machine,read_at,temperature,is_on,batch,part
press_1,2026-01-05T06:00:00Z,61.5,true,007,1
press_1,2026-01-05T06:05:00Z,62,false,008,2
press_2,2026-01-05T06:00:00Z,,true,009,3
press_2,2026-01-05T06:05:00Z,58.25,true,010,4
"""


@pytest.fixture
def plant(tmp_path: Path) -> Path:
    folder = tmp_path / "plant"
    folder.mkdir()
    (tmp_path / "readings.csv").write_text(READINGS)
    return folder


def init(plant: Path, *arguments: str, answers: str = "") -> Result:
    command = ["init", "--project-dir", str(plant), *arguments]
    return CliRunner().invoke(cli, command, input=answers)


def with_csv(plant: Path, *arguments: str) -> Result:
    return init(plant, "--csv", str(plant.parent / "readings.csv"), *arguments)


def written(plant: Path, path: str) -> str:
    return (plant / path).read_text()


def test_the_columns_of_a_file(plant: Path) -> None:
    sample = sample_of(plant.parent / "readings.csv")
    assert [f"{column.name} {column.type}" for column in sample.columns] == [
        "machine STRING",
        "read_at TIMESTAMP",
        "temperature DOUBLE",
        "is_on BOOLEAN",
        "batch STRING",  # as a number it would lose its zeros
        "part BIGINT",
    ]
    assert (sample.times, sample.series, sample.numbers) == (
        ["read_at"], ["machine"], ["temperature", "part"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("2026-01-05", "TIMESTAMP"),
        ("2026-01-05 06:00:00+02:00", "TIMESTAMP"),
        ("2026-02-30T06:00:00Z", "STRING"),
        ("06:00", "STRING"),
        ("-12", "BIGINT"),
        ("12345678901234567890", "DOUBLE"),
        ("1e3", "DOUBLE"),
        ("1.5.2", "STRING"),
        ("0", "BIGINT"),
        ("0.5", "DOUBLE"),
        ("TRUE", "BOOLEAN"),
        ("", "STRING"),
    ],
)
def test_the_type_of_a_column(tmp_path: Path, text: str, type_: str) -> None:
    file = tmp_path / "one.csv"
    file.write_text(f"name,value\na,{text}\n")
    assert sample_of(file).columns[1].type == type_


def test_flags_alone_make_a_project(plant: Path) -> None:
    done = with_csv(
        plant, "--keys", "machine,batch", "--value", "part", "--above", "80", "--below", "1.5"
    )
    assert done.exit_code == 0, done.output
    assert written(plant, "models/readings/readings_out_of_bounds.sql") == (
        "{{ strandline.threshold_detector(ref('readings_hourly'), detector='out_of_bounds',\n"
        "    keys=['machine', 'batch'], ts='agg_timestamp', value='avg_part', granularity='PT1H',\n"
        "    min=1.5, max=80) }}\n"
    )
    assert "source=source('landing', 'readings')," in written(
        plant, "macros/readings_aggregation.sql"
    )
    assert "read_at TIMESTAMP NOT NULL,\n" in written(plant, "models/readings/readings.ddl")
    assert "--table plant_raw.readings" in written(plant, "run.sh")
    assert (plant / "run.sh").stat().st_mode & 0o111
    assert "name: plant\n" in written(plant, "dbt_project.yml")
    assert done.output.endswith(
        "Next, in {}:\n"
        "  dbt deps          # once: it finds strandline in packages/\n"
        "  mkdir -p incoming && cp {} incoming/\n"
        "  ./run.sh          # lands, builds, tests, and shows what would be sent\n"
        "  strandline report --open\n".format(plant, plant.parent / "readings.csv")
    )


def test_without_bounds_hours_far_from_their_mean_are_detected(plant: Path) -> None:
    assert with_csv(plant).exit_code == 0
    assert "mean_variance_detector" in written(plant, "models/readings/readings_unusual.sql")


def test_events_without_series_or_numbers_are_counted(plant: Path) -> None:
    assert with_csv(plant, "--keys", "", "--value", "").exit_code == 0
    macro = written(plant, "macros/readings_aggregation.sql")
    assert "keys=[],\n" in macro
    assert "avg(" not in macro
    detector = written(plant, "models/readings/readings_unusual.sql")
    assert "value='number_of_readings'" in detector


def test_on_a_terminal_it_asks(plant: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strandline.cli.init._on_terminal", lambda: True)
    answers = f"{plant.parent / 'readings.csv'}\n\nmachine\n\n80\n\n"
    done = init(plant, answers=answers)
    assert done.exit_code == 0, done.output
    assert "The time of an event [read_at]: " in done.output
    assert "The number that is averaged ('-': only count) [temperature]: " in done.output
    assert "max=80)" in written(plant, "models/readings/readings_out_of_bounds.sql")


def test_into_a_project_that_is_there(plant: Path) -> None:
    (plant / "dbt_project.yml").write_text("name: mill\nprofile: mill\n")
    (plant / "profiles.yml").write_text("mill:\n  target: dev\n")
    (plant / "packages.yml").write_text(
        "# ours\npackages:\n  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n"
    )
    assert with_csv(plant).exit_code == 0
    assert written(plant, "packages.yml") == (
        "# ours\npackages:\n  - local: packages/strandline\n  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n"
    )
    assert written(plant, "dbt_project.yml") == "name: mill\nprofile: mill\n"
    assert written(plant, "profiles.yml") == "mill:\n  target: dev\n"
    assert "--table mill_raw.readings" in written(plant, "run.sh")


def test_a_profile_is_added_under_the_name_that_the_project_has(plant: Path) -> None:
    (plant / "dbt_project.yml").write_text("name: mill\nprofile: work\n")
    (plant / "profiles.yml").write_text("homework:\n  target: dev\n")  # is not `work`
    refused = with_csv(plant)
    assert refused.output == (
        f"Error: {plant}:\n- profiles.yml is there with another text: move it away\n"
    )
    (plant / "profiles.yml").unlink()
    assert with_csv(plant).exit_code == 0
    assert "\nwork:\n" in written(plant, "profiles.yml")
    assert "schema: mill\n" in written(plant, "profiles.yml")


def test_a_bound_keeps_its_digits(plant: Path) -> None:
    assert with_csv(plant, "--above", "1234567.25", "--below", "-3").exit_code == 0
    detector = written(plant, "models/readings/readings_out_of_bounds.sql")
    assert "min=-3, max=1234567.25)" in detector


def test_events_of_a_model(plant: Path) -> None:
    done = init(
        plant, "--model", "orders", "--ts", "paid_at", "--keys", "shop", "--value", "amount"
    )
    assert done.exit_code == 0, done.output
    assert "source=ref('orders')," in written(plant, "macros/orders_aggregation.sql")
    assert "strandline land" not in written(plant, "run.sh")
    assert not (plant / "models/orders/_sources.yml").exists()


def test_names_that_yaml_would_read_as_values_keep_their_letters(plant: Path) -> None:
    (plant.parent / "readings.csv").write_text(READINGS.replace("machine", "on"))
    (plant / "dbt_project.yml").write_text("name: Plant\nprofile: 'no'\n")
    done = with_csv(plant, "--yes", "--above", "80", "--keys", "on")
    assert done.exit_code == 0, done.output
    assert list(yaml.safe_load(written(plant, "profiles.yml"))) == ["no"]
    sources = yaml.safe_load(written(plant, "models/readings/_sources.yml"))["sources"]
    assert sources[0]["schema"] == "plant_raw"
    assert sources[0]["tables"][0]["columns"][0]["name"] == "on"
    assert '{columns: [agg_timestamp, "on"]}' in written(plant, "models/readings/_readings.yml")


def test_a_second_time_nothing_is_replaced(plant: Path) -> None:
    with_csv(plant)
    changed = plant / "models" / "readings" / "readings_hourly.sql"
    changed.write_text("select 1")
    again = with_csv(plant)
    assert (again.exit_code, changed.read_text()) == (1, "select 1")
    assert again.output == (
        f"Error: {plant}:\n- models/readings/readings_hourly.sql is there with another text: move it away\n"
    )


def test_an_update_renews_the_macros_alone(plant: Path) -> None:
    with_csv(plant)
    old = plant / "packages" / "strandline" / "macros" / "removed_since.sql"
    old.touch()
    done = init(plant, "--update")
    assert done.output == f"{plant / 'packages/strandline'} is of the installed version.\n"
    assert not old.exists()


def test_the_package_has_what_a_project_needs_and_no_demo(plant: Path) -> None:
    package = put_package(plant)
    macros = {path.relative_to(package) for path in package.rglob("*.sql")}
    assert {path.parts[0] for path in macros} == {"macros", "tests"}
    assert not [path for path in package.rglob("*") if "demo" in path.parts or "nyc" in path.parts]
    assert f"version: {strandline.__version__}\n" in (package / "dbt_project.yml").read_text()
    assert len(macros) > 100
    assert packaged().joinpath("macros").is_dir()


def test_sqlfluff_understands_what_it_writes(plant: Path) -> None:
    """Also a query of one's own around a macro, whose fault it finds."""
    with_csv(plant, "--above", "80")
    own = plant / "models" / "readings" / "hot_hours.sql"
    own.write_text(
        "select\n    machine,\n    count(*) as hours\n"
        "from {{ strandline.aggregation_within(readings_aggregation(), per='hours',\n"
        "    within='2026-01-** **:**:**') }}\n"
        "group by machine\n"
    )

    def lint() -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("sqlfluff")), "lint", "models"]
        return subprocess.run(command, cwd=plant, capture_output=True, text=True)

    assert lint().returncode == 0, lint().stdout
    own.write_text(own.read_text().replace(" as hours", " hours"))
    assert "Implicit/explicit aliasing of columns" in lint().stdout


CSV = ("--csv", "{0}/readings.csv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Give --csv FILE, or --model NAME."),
        ((*CSV, "--model", "orders"), "Give either --csv or --model."),
        (("--model", "orders"), "With --model, give --ts, --keys and --value, too."),
        ((*CSV, "--ts", "seen_at"), "--ts 'seen_at' is no column; there are machine, read_at, temperature, is_on, batch, part"),
        ((*CSV, "--ts", "part"), "--ts 'part' is BIGINT; needed are instants such as 2026-01-31T23:59:00Z"),
        ((*CSV, "--value", "machine"), "--value 'machine' is STRING, and no number"),
        ((*CSV, "--keys", "read_at"), "--keys names the time, read_at"),
        ((*CSV, "--keys", "machine,machine"), "--keys names a column twice: machine, machine"),
        ((*CSV, "--above", "1", "--below", "2"), "--below 2 must be less than --above 1"),
        ((*CSV, "--above", "nan"), "--above nan is no bound; write a number"),
        (("--update",), "has no packages/strandline, which --update renews: begin without --update."),
        (("--model", "a'b", "--ts", "", "--keys", "c d", "--value", "e"),
         "- --model 'a'b' must be a plain name: letters, digits and _\n"
         "- --ts '' must be a plain name: letters, digits and _\n"
         "- --keys 'c d' must be a plain name: letters, digits and _\n"),
        ((*CSV, "--events", "My Readings"), "--events 'My Readings' must have lower-case letters, digits and _ only, and begin with a letter"),
        ((*CSV, "--name", "strandline"), "--name 'strandline' is the package's own name: take another one"),
        ((*CSV, "--name", "Strandline"), "--name 'Strandline' is the package's own name: take another one"),
        ((*CSV, "--name", "9 plants"), "--name '9 plants' must have letters, digits and _ only, and begin with a letter"),
    ],
)  # fmt: skip
def test_refusals(plant: Path, arguments: tuple[str, ...], message: str) -> None:
    done = init(plant, *(argument.format(plant.parent) for argument in arguments))
    assert done.exit_code != 0
    assert message in done.output
    assert list(plant.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read as CSV: No columns to parse from file"),
        ("a,b\n", "it has no row below the header: the types of the columns are not known"),
        ("read at,b\n1,2\n", "column 'read at': a name has letters, digits and _, and begins with none of the digits"),
        ("arrival,b\n1,2\n", "column 'arrival' is added by `strandline land`; write another name into the header"),
        ("a,b\n1,2\n", "No column has the time of an event, such as 2026-01-31T23:59:00Z, in every row."),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used(plant: Path, text: str, message: str) -> None:
    (plant.parent / "readings.csv").write_text(text)
    done = with_csv(plant)
    assert (done.exit_code, list(plant.iterdir())) == (1, [])
    assert message in done.output
