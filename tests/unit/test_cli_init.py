"""`strandline init`: what it proposes, prompts for, writes and refuses."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

import strandline
from strandline.cli.main import cli
from strandline.starter.columns import sample_of
from strandline.starter.package import packaged, put_package

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text()

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
        ("1234567890123456789", "BIGINT"),
        ("9223372036854775807", "BIGINT"),
        ("-9223372036854775808", "BIGINT"),
        ("9223372036854775808", "STRING"),
        ("12345678901234567890", "STRING"),
        ("1" * 5_000, "STRING"),
        ("1e3", "DOUBLE"),
        ("1e400", "STRING"),
        ("0.1", "DOUBLE"),
        ("61.50", "DOUBLE"),
        ("0.30000000000000004", "DOUBLE"),  # all of its digits are those of a double
        ("1234567890123456.75", "DOUBLE"),
        ("12345678901234567.89", "DECIMAL(22,2)"),
        ("-12345678901234567890.5", "DECIMAL(24,1)"),
        ("1.2345678901234567891e3", "STRING"),
        (f"{'1' * 38}.5", "STRING"),
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


def test_ids_are_keys_and_are_not_averaged(plant: Path) -> None:
    """Two devices whose ids differ in the last of 19 digits."""
    (plant.parent / "readings.csv").write_text(
        "device,ts,order_id,v\n"
        "1234567890123456789,2026-01-01T00:00:00Z,7,1\n"
        "1234567890123456790,2026-01-01T00:05:00Z,8,2\n"
        "1234567890123456789,2026-01-01T00:10:00Z,9,1\n"
        "1234567890123456790,2026-01-01T00:15:00Z,10,2\n"
    )
    done = with_csv(plant, "--yes")
    assert written(plant, "models/readings/readings.ddl") == (
        "device BIGINT,\nts TIMESTAMP NOT NULL,\norder_id BIGINT,\nv BIGINT\n"
    )
    macro = written(plant, "macros/readings_aggregation.sql")
    assert "keys=['device']," in macro
    assert [line.strip() for line in macro.splitlines() if "avg(" in line] == ["'avg_v': 'avg(v)',"]
    assert (
        "\ntime    ts\nseries  device\naverage v (BIGINT)\n"
        "detect  hours that are far from the median of the week before\n"
        "        The file has too few hours to say how many incidents that finds.\n"
        "ids     order_id: not averaged (--value NAME, if it is a measure)\n"
        "resent  a row that is sent again counts again; with --event-id order_id once\nwrote "
    ) in done.output


@pytest.mark.parametrize(
    ("name", "texts", "is_id"),
    [
        ("device_id", ["1", "2", "1", "2"], True),
        ("orderNumber", ["1", "2", "3", "4"], True),
        ("zip_code", ["10115", "10117", "10115", "10117"], True),
        ("trace", ["1234567890", "1234567891", "1234567892", "1234567893"], True),
        ("device", ["1234567890123456", "1234567890123457", "1234567890123456"], True),
        ("amount_paid", ["1", "2", "3", "4"], False),
        ("bytes", ["1234567890", "1234567891", "1234567890", "1234567893"], False),
        ("bytes", ["1234567890", "234567891", "3456789012"], False),
        ("device_id", ["1.5", "2.5", "3.5"], True),
    ],
)
def test_a_number_is_an_id_by_its_name_or_by_its_digits(
    tmp_path: Path, name: str, texts: list[str], is_id: bool
) -> None:
    file = tmp_path / "one.csv"
    file.write_text("".join(f"a,{text}\n" for text in [name, *texts]))
    sample = sample_of(file)
    assert (sample.ids, sample.numbers) == (([name], []) if is_id else ([], [name]))


def test_a_number_with_fractions_is_averaged_before_a_whole_one(tmp_path: Path) -> None:
    file = tmp_path / "one.csv"
    file.write_text("n,long_one,v\n1,12345678901234567.89,0.5\n2,1.5,0.5\n")
    assert sample_of(file).numbers == ["long_one", "v", "n"]


def test_flags_alone_make_a_project(plant: Path) -> None:
    done = with_csv(
        plant, "--keys", "machine,batch", "--value", "part", "--above", "80", "--below", "1.5"
    )
    assert done.exit_code == 0, done.output
    assert written(plant, "models/readings/readings_out_of_bounds.sql") == (
        "{#- Hours in which avg_part is above 80 or below 1.5.\n"
        "    `strandline trial readings_out_of_bounds` counts them in the past after a change of the\n"
        "    bounds; `min_duration` asks for several in a row. -#}\n"
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
        "  mkdir -p incoming/readings && cp {} incoming/readings/\n"
        "  ./run.sh          # lands, builds, tests, and shows what would be sent\n"
        "  strandline report --open\n".format(plant, plant.parent / "readings.csv")
    )


def test_without_bounds_hours_far_from_a_median_are_detected(plant: Path) -> None:
    assert with_csv(plant).exit_code == 0
    assert written(plant, "models/readings/readings_unusual.sql") == (
        "{#- Hours that are further from the median of the week before than\n"
        "    8 median absolute deviations, and than 6.\n"
        "    The file has too few hours to say how many incidents that finds.\n"
        "    `strandline trial readings_unusual` counts them again after a change. -#}\n"
        "{{ strandline.median_detector(ref('readings_hourly'), detector='unusual',\n"
        "    keys=['machine'], ts='agg_timestamp', value='avg_temperature', granularity='PT1H',\n"
        "    lookback='P7D', deviations=8, min_change=6) }}\n"
    )


def test_the_detector_is_that_of_the_season_in_the_file(plant: Path) -> None:
    rows = [
        f"m{machine},{hour.isoformat()},{20 + 10 * (8 <= hour.hour < 18) * (hour.weekday() < 5)}"
        for machine in (1, 2)
        for hour in hours(12 * 7 * 24)
    ]
    (plant.parent / "readings.csv").write_text("\n".join(["machine,read_at,temperature", *rows]))
    done = with_csv(plant)
    assert "median of the same hour of the week in the 8 weeks before" in done.output
    assert "In the 8 weeks of the file that have bounds it would have found 0 incidents." in done.output  # fmt: skip
    assert "lookback='P56D', seasonality='P7D', deviations=8, min_change=2.5" in written(
        plant, "models/readings/readings_unusual.sql"
    )


def hours(count: int) -> list[datetime]:
    first = datetime(2026, 1, 5, tzinfo=timezone.utc)
    return [first + timedelta(hours=hour) for hour in range(count)]


def test_events_without_series_or_numbers_are_counted(plant: Path) -> None:
    assert with_csv(plant, "--keys", "", "--value", "").exit_code == 0
    macro = written(plant, "macros/readings_aggregation.sql")
    assert "keys=[],\n" in macro
    assert "avg(" not in macro
    detector = written(plant, "models/readings/readings_unusual.sql")
    assert "value='number_of_readings'" in detector


def test_on_a_terminal_it_prompts(plant: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_events_of_a_source(plant: Path) -> None:
    done = init(plant, "--model", "shop.orders", "--ts", "paid_at", "--keys", "", "--value", "")
    assert done.exit_code == 0, done.output
    assert "source=source('shop', 'orders')," in written(plant, "macros/orders_aggregation.sql")
    anomalies = written(plant, "models/orders/orders_anomalies.sql")
    assert "clock='(select max(paid_at) from ' ~ source('shop', 'orders') ~ ')'" in anomalies


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
        f"Error: {plant}:\n- models/readings/readings_hourly.sql is there with another text: "
        "move it away, or take another name with --events\n"
    )


def test_the_same_again_says_what_is_there(plant: Path) -> None:
    first = with_csv(plant)
    again = with_csv(plant)
    assert again.exit_code == 0
    made = [line for line in first.output.splitlines() if line.startswith("wrote")]
    assert [line for line in again.output.splitlines() if line.startswith("wrote")] == [
        "wrote  packages/strandline"
    ]
    assert "left   run.sh: it is there already\n" in again.output
    for path in [line.split()[1] for line in made]:
        if path.startswith(("models", "macros")):
            assert f"left   {path}: it is there already\n" in again.output


SHIPS = "ship,seen_at,speed\na,2026-01-05T06:00:00Z,1.5\na,2026-01-05T07:00:00Z,2.5\n"


def with_ships(plant: Path, *arguments: str) -> Result:
    (plant.parent / "ships.csv").write_text(SHIPS)
    return init(plant, "--csv", str(plant.parent / "ships.csv"), *arguments)


def models(plant: Path) -> list[str]:
    return [path.stem for path in (plant / "models").rglob("*.sql")]


RUN_OF_TWO = """
mkdir -p incoming/readings
strandline land --source incoming/readings --format csv --option glob='*.csv' --table plant_raw.readings \\
    --schema-file models/readings/readings.ddl "$@" || { code=$?; [ $code -eq 3 ] || exit $code; odd_files=3; }
mkdir -p incoming/ships
strandline land --source incoming/ships --format csv --option glob='*.csv' --table plant_raw.ships \\
    --schema-file models/ships/ships.ddl "$@" || { code=$?; [ $code -eq 3 ] || exit $code; odd_files=3; }

strandline run --seed --test "$@"
"""


def test_a_second_source_has_its_own_models_folder_and_outbox(plant: Path) -> None:
    assert with_csv(plant).exit_code == 0
    done = with_ships(plant)
    assert done.exit_code == 0, done.output
    assert "added  run.sh: the lines of ships; the others stay\n" in done.output
    assert (
        f"mkdir -p incoming/ships && cp {plant.parent}/ships.csv incoming/ships/\n" in done.output
    )
    landed, run, notified = written(plant, "run.sh").partition(
        'strandline run --seed --test "$@"\n'
    )
    assert (landed + run).endswith(RUN_OF_TWO)
    # Each outbox in each branch, with the same options.
    lines = [line for line in notified.splitlines() if "strandline notify" in line]
    assert [line.replace(" --outbox ships_notifications", "") for line in lines[1::2]] == lines[::2]
    assert [line for line in lines[::2] if "--outbox" in line] == []
    assert len(lines) == 4
    assert len(set(models(plant))) == len(models(plant))
    assert "ref('ships_anomalies')" in written(plant, "models/ships/ships_notifications.sql")
    assert "- name: ships_notifications\n" in written(plant, "models/ships/_ships.yml")
    before = written(plant, "run.sh")
    for again in (with_ships(plant), with_csv(plant)):
        assert again.exit_code == 0, again.output
        assert "left   run.sh: it is there already\n" in again.output
    assert written(plant, "run.sh") == before
    assert subprocess.run(["sh", "-n", str(plant / "run.sh")]).returncode == 0


@pytest.mark.parametrize("sep", [",", ";"], ids=["no option", "options in lines of their own"])
def test_a_source_is_removed_as_the_tutorial_says(plant: Path, sep: str) -> None:
    with_csv(plant)
    paths = {path for path in plant.rglob("*") if path.is_file()}
    before = written(plant, "run.sh")
    (plant.parent / "ships.csv").write_text(SHIPS.replace(",", sep))
    assert init(plant, "--csv", str(plant.parent / "ships.csv")).exit_code == 0
    assert ("--option sep=" in written(plant, "run.sh")) == (sep == ";")
    new = {path for path in plant.rglob("*") if path.is_file()} - paths
    assert {path.relative_to(plant).parent.as_posix() for path in new} == {"macros", "models/ships"}
    assert [path.name for path in new if path.parent.name == "macros"] == ["ships_aggregation.sql"]
    [command] = re.findall(r"^sed -i .*ships.*$", TUTORIAL, re.MULTILINE)
    subprocess.run(shlex.split(command), cwd=plant, check=True)
    assert written(plant, "run.sh") == before


def test_a_source_that_is_a_model_is_notified_of_and_not_landed(plant: Path) -> None:
    with_csv(plant)
    done = init(plant, "--model", "orders", "--ts", "at", "--keys", "", "--value", "amount")
    assert done.exit_code == 0, done.output
    run = written(plant, "run.sh")
    assert run.count("strandline land") == 1
    assert run.count("strandline notify --outbox orders_notifications") == 2


OF_0_1_0 = """#!/bin/sh
set -eu
cd "$(dirname "$0")"

strandline land --source incoming --format csv --option glob='*.csv' --table plant_raw.readings \\
    --schema-file models/readings/readings.ddl "$@"
strandline run --test "$@"
strandline notify "$@"
"""


def test_beside_a_source_of_0_1_0_a_second_one_lands_another_folder(plant: Path) -> None:
    """The first one lands what is below `incoming`, too."""
    with_csv(plant)
    (plant / "run.sh").write_text(OF_0_1_0)
    sources = plant / "models" / "readings" / "_sources.yml"
    sources.write_text(sources.read_text().replace("incoming/readings/", "incoming/"))
    again = with_csv(plant)
    assert "left   run.sh: it is there already\n" in again.output
    assert "mkdir -p incoming && cp " in again.output
    assert with_ships(plant).exit_code == 0
    run = written(plant, "run.sh")
    assert "--source incoming_ships --format csv" in run
    assert run.index("plant_raw.readings") < run.index("plant_raw.ships") < run.index("run --test")
    assert run.endswith(
        'strandline notify "$@"\nstrandline notify --outbox ships_notifications "$@"\n'
    )


def test_a_run_script_without_a_place_for_the_source_stays_as_it_is(plant: Path) -> None:
    with_csv(plant)
    (plant / "run.sh").write_text("make all\n")
    done = with_ships(plant)
    assert done.exit_code == 1
    assert done.output == (
        f"Error: {plant}:\n- run.sh is there without a line that begins with `strandline run` or"
        " `strandline notify`, beside which this source has its own; move it away, or add to it:\n"
        "    mkdir -p incoming/ships\n"
        "    strandline land --source incoming/ships --format csv --option glob='*.csv'"
        " --table plant_raw.ships \\\n"
        '    --schema-file models/ships/ships.ddl "$@" || { code=$?; [ $code -eq 3 ] || exit $code; odd_files=3; }\n'
        '    strandline notify --outbox ships_notifications "$@"\n'
    )
    assert written(plant, "run.sh") == "make all\n"
    assert not (plant / "models" / "ships").exists()


def test_a_model_of_the_same_name_elsewhere_is_refused(plant: Path) -> None:
    (plant / "models").mkdir()
    (plant / "models" / "readings_hourly.sql").write_text("select 1")
    done = with_csv(plant)
    assert done.output == (
        f"Error: {plant}:\n- models/readings_hourly.sql has the name of"
        " models/readings/readings_hourly.sql: take another name with --events\n"
    )


SPARK = "mill: {target: dev, outputs: {dev: {type: spark, method: session, host: h, schema: s}}}"


def test_a_profile_of_plain_spark_is_refused(plant: Path) -> None:
    (plant / "dbt_project.yml").write_text("name: mill\nprofile: mill\n")
    (plant / "profiles.yml").write_text(SPARK)
    done = with_csv(plant)
    assert done.output == (
        f"Error: {plant}:\n- the profile in {plant / 'profiles.yml'} has no target of"
        " `type: strandline`, on which run.sh lands, runs and notifies; it has dev of `type: spark`:"
        " change one to `type: strandline` and `method: session`, or add one (docs/profiles.md)\n"
    )
    assert not (plant / "run.sh").exists()
    (plant / "profiles.yml").write_text(
        SPARK.replace("outputs: {", "outputs: {own: {type: strandline, schema: s}, ")
    )
    assert with_csv(plant).exit_code == 0


COMMANDS = {
    "land": ["--source", ".", "--format", "csv", "--table", "a.b", "--schema", "a INT"],
    "run": [], "notify": ["--dry-run"], "report": [], "status": [], "purge": [],
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_refuse_plain_spark_before_it_starts(plant: Path, command: str) -> None:
    """One line, without dbt's parsing and without a JVM."""
    (plant / "dbt_project.yml").write_text("name: mill\nprofile: mill\n")
    (plant / "profiles.yml").write_text(SPARK)
    line = [command, *COMMANDS[command], "--project-dir", str(plant)]
    done = CliRunner().invoke(cli, [*line, "--profiles-dir", str(plant)])
    assert done.exit_code == 1
    assert done.output == (
        "Error: Target `dev` is of type spark; this command needs one of `type: strandline`: in"
        f" {plant / 'profiles.yml'} write `type: strandline` and `method: session`, or `connect`,"
        " in the place of its type and method, or name another target with --target.\n"
    )
    assert not (plant / "logs").exists()


def test_run_leaves_other_methods_of_spark_to_dbt(plant: Path) -> None:
    """A Thrift server, Databricks, or a session with settings of its own can have Delta."""
    from strandline.spark import check_profile

    (plant / "dbt_project.yml").write_text("name: mill\nprofile: mill\n")
    for text in (
        SPARK.replace("session", "thrift"),
        SPARK.replace("schema: s", "schema: s, server_side_parameters: {a: b}"),
        SPARK.replace("type: spark", "type: \"{{ env_var('X') }}\""),
        "other: {}",
        "mill:",
    ):
        (plant / "profiles.yml").write_text(text)
        check_profile(plant, None, plant, needs="dbt")


def test_an_update_renews_the_macros_alone(plant: Path) -> None:
    with_csv(plant)
    old = plant / "packages" / "strandline" / "macros" / "removed_later.sql"
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
    own = [*ROOT.glob("macros/*/*.sql"), *ROOT.glob("tests/generic/*.sql")]
    assert macros == {path.relative_to(ROOT) for path in own if "demo" not in path.parts}
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
        ((), "Give --csv FILE, --json FILE or --parquet FILE, or --model NAME."),
        ((*CSV, "--model", "orders"), "Give one of --csv, --json, --parquet and --model."),
        (("--model", "orders"), "With --model, give --ts, --keys and --value, too."),
        ((*CSV, "--ts", "seen_at"), "--ts 'seen_at' is no column; there are machine, read_at, temperature, is_on, batch, part"),
        ((*CSV, "--ts", "part"), "--ts 'part' is BIGINT; needed are instants such as 2026-01-31T23:59:00Z"),
        ((*CSV, "--value", "machine"), "--value 'machine' is STRING, and no number"),
        ((*CSV, "--keys", "read_at"), "--keys names the time, read_at"),
        ((*CSV, "--keys", "machine,machine"), "--keys names a column twice: machine, machine"),
        ((*CSV, "--above", "1", "--below", "2"), "--below 2 must be less than --above 1"),
        ((*CSV, "--above", "nan"), "--above nan is no bound; write a number"),
        (("--update",), "has no packages/strandline, which --update renews: begin without --update."),
        (("--model", "a.b.c", "--ts", "at", "--keys", "", "--value", ""), "--model 'b.c' must be a plain name: letters, digits and _"),
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
        ("", "cannot be read as CSV: it is empty"),
        ("a,b\n1\n2\n", "its first line has 2 values, and most rows have 1; the first line must have the names of the columns, and nothing above it"),
        ("Export of 5 May\nts,v\n2026-01-05,1\n2026-01-06,2\n",
         "its first line has 1 value, and most rows have 2; the first line must have the names of the columns, and nothing above it"),
        ('ts,"v\n(C)"\n2026-01-05,1\n', "a name in its first line has a line break; write the names of the columns on one line"),
        ("ts,v\n3/4/2026,1\n", "3/4/2026 has the day first, or the month: say --day-first or --month-first"),
        ('ts,v\n2026-01-01,"1,234"\n', "1,234 has thousands, or a fraction: say --decimal comma or --decimal point"),
        ("a,b\n", "it has no row below the header: the types of the columns are not known"),
        ("a,b\n1,2\n", "No column has the time of an event, such as 2026-01-31T23:59:00Z, in every row."),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used(plant: Path, text: str, message: str) -> None:
    (plant.parent / "readings.csv").write_text(text)
    done = with_csv(plant)
    assert (done.exit_code, list(plant.iterdir())) == (1, [])
    assert message in done.output
