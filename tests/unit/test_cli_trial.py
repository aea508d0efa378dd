"""`strandline trial` without Spark: what it shows of the past, and wrong use."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from strandline.cli.main import cli
from strandline.cli.trial import OTHERS, drawn, trial_of

DETECTION = [
    "detection_id", "detector", "carrier", "starts_at", "ends_at", "current_value"
]  # fmt: skip
ROWS = [
    ("2013-01-07", '{"carrier":"UA"}', 3, 9),
    ("2013-01-21", '{"carrier":"AA"}', 1, 1),
    ("2013-01-21", '{"carrier":null}', 1, 2),
    ("2013-01-28", '{"carrier":"UA"}', 0, 4),
]


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project with a view `few_flights` and a table `stored`; `rows` are what Spark counts."""
    (tmp_path / "dbt_project.yml").touch()
    recorded = SimpleNamespace(
        folder=tmp_path, columns=DETECTION, rows=ROWS, queries=[], error=None
    )
    project = SimpleNamespace(
        folder=tmp_path, target=None, profiles=tmp_path,
        relations=lambda: SimpleNamespace(
            by_name={"few_flights": "marts.few_flights", "stored": "marts.stored"},
            stored=["marts.stored"],
        ),
        query_of=lambda relation, _: f"select 1 as {relation.replace('.', '_')}",
    )  # fmt: skip

    def sql(query: str) -> Any:
        recorded.queries.append(query)
        if recorded.error:
            raise recorded.error
        return SimpleNamespace(columns=recorded.columns, collect=lambda: recorded.rows)

    @contextmanager
    def connected(*_: Any) -> Any:
        yield SimpleNamespace(sql=sql)

    monkeypatch.setattr("strandline.cli.workspace.Project", lambda *_: project)
    monkeypatch.setattr("strandline.spark.connection_for", connected)
    return recorded


def trial(plant: SimpleNamespace, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["trial", "--project-dir", str(plant.folder), *arguments])


def test_incidents_by_week_and_series(plant: SimpleNamespace) -> None:
    result = trial(plant, "few_flights")
    assert result.exit_code == 0, result.output
    lines = [line.rstrip() for line in result.output.splitlines()]
    assert lines[-11:] == [
        "few_flights: 5 incidents of 16 detections in 3 weeks, 1.7 a week",
        "",
        "week        incidents",
        "2013-01-07          3  ████████████████████████████████████████",
        "2013-01-14          0",
        "2013-01-21          2  ███████████████████████████",
        "",
        "series  incidents",
        "UA              3",
        "AA              1",
        "null            1",
    ]


def test_figures_for_machines(plant: SimpleNamespace) -> None:
    result = trial(plant, "few_flights", "--json")
    assert json.loads(result.stdout) == {
        "model": "few_flights", "detections": 16, "incidents": 5,
        "weeks": {"2013-01-07": 3, "2013-01-14": 0, "2013-01-21": 2},
        "keys": {"UA": 3, "AA": 1, "null": 1},
    }  # fmt: skip


def test_nothing_found(plant: SimpleNamespace) -> None:
    plant.rows = []
    assert trial(plant, "few_flights").output.splitlines()[-1] == "few_flights: no incident."


def test_many_weeks_and_many_series(plant: SimpleNamespace) -> None:
    plant.rows = [
        ("2013-01-07", "", 40, 40),
        *(("2014-01-06", f'{{"carrier":"C{n:02}","origin":"JFK"}}', 20 - n, 20) for n in range(12)),
    ]
    lines = [line.rstrip() for line in trial(plant, "few_flights").output.splitlines()]
    assert "23 weeks before         40" in lines
    assert "C00, JFK             20" in lines
    assert lines[-1] == "and 3 others         30"


def test_what_is_read(plant: SimpleNamespace) -> None:
    options = ("--since", "2013-06-01", "--merge-gap", "PT3H", "--time-zone", "America/New_York")
    trial(plant, "few_flights", *options)
    described, counted = plant.queries
    assert described == "select * from (\nselect 1 as marts_few_flights\n) where false"
    assert "select 1 as marts_few_flights" in counted
    assert "to_json(struct(`carrier`)" in counted
    assert "where starts_at >= timestamp'2013-06-01T00:00:00Z'" in counted
    assert "10800000000L" in counted
    assert "'America/New_York'" in counted
    trial(plant, "stored")
    assert "select * from marts.stored" in plant.queries[-1]


def test_a_picture_has_the_largest_series_in_colours_of_their_own(
    plant: SimpleNamespace, tmp_path: Path
) -> None:
    file = tmp_path / "few.svg"
    assert trial(plant, "few_flights", "--picture", str(file)).exit_code == 0
    picture = file.read_text()
    assert picture.startswith("<svg")
    assert "few_flights: 5 incidents" in picture
    many = trial_of("few", [("2013-01-07", f'{{"carrier":"C{n}"}}', 9 - n, 9) for n in range(9)])
    assert OTHERS in drawn(many)
    assert "C8" not in drawn(many)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("few_flight",), "MODEL is 'few_flight', and the project has no model of this name; did you mean 'few_flights'?"),
        (("nothing",), "MODEL is 'nothing', and the project has no model of this name."),
        (("few_flights", "--since", "june"), "'june' is no instant"),
        (("few_flights", "--merge-gap", "0"), "'0' is no length of time"),
    ],
)  # fmt: skip
def test_wrong_use(plant: SimpleNamespace, arguments: tuple[str, ...], message: str) -> None:
    result = trial(plant, *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_model_that_is_no_detector(plant: SimpleNamespace) -> None:
    plant.columns = ["carrier", "starts_at"]
    result = trial(plant, "few_flights")
    assert result.exit_code == 2
    assert (
        "MODEL is 'few_flights', which is no detector: it has no columns detector" in result.output
    )


def test_a_detector_whose_models_are_not_built(plant: SimpleNamespace) -> None:
    """The plan that Spark puts behind its message is not shown."""
    plant.error = RuntimeError(
        "[TABLE_OR_VIEW_NOT_FOUND] `marts`.`days` cannot be found. SQLSTATE: 42P01; line 3 pos 5;\n"
        "'WithCTE\n:- CTERelationDef 0, false\n"
    )
    result = trial(plant, "few_flights")
    assert result.exit_code == 1
    assert result.output.endswith(
        "Error: few_flights cannot be evaluated: [TABLE_OR_VIEW_NOT_FOUND] `marts`.`days` cannot be"
        " found. SQLSTATE: 42P01; line 3 pos 5\n"
        "If it reads models that are not built yet, build them: strandline run --select"
        " +few_flights\n"
    )
