"""A benchmark that fails is reported, and leaves the results of others: bench/__main__.py."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from bench import __main__ as command
from bench.__main__ import DEFAULT, GROWTH, QUICK, Step, chosen
from bench.results import load, save
from click.testing import CliRunner
from rich.console import Console

FAILING = Step("tick", ("--no-such-option",), 1)
SILENT = Step("tick", ("--help",), 1)


@pytest.fixture(autouse=True)
def _logs_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "LOGS", command.ROOT / "target" / "bench-test" / tmp_path.name)
    monkeypatch.setattr(command, "_LOOK", 0.05)


def test_failures_are_reported_and_the_next_step_runs() -> None:
    kept: list[object] = []
    out = io.StringIO()
    failed = command.run_all([FAILING, SILENT], False, Console(file=out, width=200), kept.append)
    assert failed[0].startswith("tick ended with 2: Error: No such option")
    assert failed[1].startswith("tick gave no figures")
    assert all("its log: target/bench-test/" in line for line in failed)
    assert kept == []
    assert "2/2 tick (0 min gone, about 1 left)" in out.getvalue()


def test_a_failure_ends_with_1_and_keeps_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "chosen", lambda *_: [FAILING])
    results = tmp_path / "results.json"
    save(results, [])
    page = tmp_path / "performance.md"
    page.write_text("<!-- results: goals -->\n<!-- end -->\n")
    done = CliRunner().invoke(command.main, ["--results", str(results), "--page", str(page)])
    assert done.exit_code == 1
    assert "tick ended with 2" in done.output
    assert load(results) == []
    assert "Not measured yet" in page.read_text()


def test_growth_has_no_quick_form() -> None:
    done = CliRunner().invoke(command.main, ["--quick", "--growth"])
    assert done.exit_code == 2
    assert "--growth has no --quick form." in done.output


def test_the_plan_is_shown_without_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "run_all", lambda *_: pytest.fail("ran"))
    done = CliRunner().invoke(command.main, ["--plan", "--only", "tick"])
    assert done.exit_code == 0
    assert "--rounds 5" in done.output
    assert "windows" not in done.output


@pytest.mark.parametrize(
    ("quick", "growth", "steps"),
    [(False, False, DEFAULT), (True, False, QUICK), (False, True, GROWTH)],
)
def test_the_steps_of_each_form(quick: bool, growth: bool, steps: tuple[Step, ...]) -> None:
    assert chosen(quick, growth, ()) == list(steps)
    only = chosen(quick, growth, ["windows"])
    assert {step.benchmark for step in only} == {"windows"}
