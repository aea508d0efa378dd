"""The steps of a command, as a pipe and as a terminal see them."""

from __future__ import annotations

import time
from io import StringIO

import pytest
from rich.console import Console

from strandline.cli.progress import Steps


def steps(of: int, *, terminal: bool = False, every: float = 60) -> tuple[Steps, StringIO]:
    out = StringIO()
    return Steps(Console(file=out, width=100, force_terminal=terminal), of, every), out


def test_in_a_pipe_a_step_is_a_line_when_it_begins_and_one_when_it_ends() -> None:
    progress, out = steps(of=2)
    with progress.step("landing") as line:
        line.report("working on it")
        line.report("1,234 events")
    with progress.step("building"):
        pass
    assert out.getvalue().splitlines() == [
        "  1/2 landing …",
        "✓ 1/2 landing  0 s  1,234 events",
        "  2/2 building …",
        "✓ 2/2 building  0 s",
    ]


def test_a_log_gets_a_line_again_and_again_while_a_step_works() -> None:
    progress, out = steps(of=1, every=0.01)
    with progress.step("dbt build") as line:
        line.started("model.a", "flights_days", 40)
        line.finished("model.a")
        line.started("model.b", "flights_months", 40)
        end = time.monotonic() + 10
        while "1 of 40" not in out.getvalue():
            assert time.monotonic() < end, out.getvalue()
            time.sleep(0.01)
    first, *signs, last = out.getvalue().splitlines()
    assert (first, last) == ("  1/1 dbt build …", "✓ 1/1 dbt build  0 s")
    assert "    0 s  1 of 40  flights_months" in signs


def test_a_long_line_stays_one_line_in_a_pipe() -> None:
    progress, out = steps(of=1)
    with progress.step("landing") as line:
        line.report("much " * 40)
    assert len(out.getvalue().splitlines()) == 2


def test_a_step_that_fails_has_a_cross_and_its_error_is_raised() -> None:
    progress, out = steps(of=1)
    with pytest.raises(ZeroDivisionError), progress.step("landing"):
        1 / 0  # noqa: B018
    assert out.getvalue().splitlines()[-1] == "✗ 1/1 landing  0 s"


def test_on_a_terminal_a_build_shows_its_progress_and_the_longest_running_model() -> None:
    progress, out = steps(of=1, terminal=True)
    with progress.step("dbt build") as line:
        line.started("model.a", "days", 3)
        line.started("model.b", "months", 3)
        assert line.shown() == "0 of 3  days"
        line.finished("model.a")
        assert line.shown() == "1 of 3  months"
        line.finished("model.without_a_start")
        assert line.shown() == "1 of 3  months"
        line.started("test.c", "split_invariant_and_a_name_of_many_words_more", 3)
        line.finished("model.b")
        assert line.shown() == "2 of 3  split_invariant_and_a_name_of_"
        line.report("3 tables")
    assert "3 tables" in out.getvalue()
