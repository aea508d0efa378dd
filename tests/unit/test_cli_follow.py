"""`strandline follow` calls the commands tick by tick, until it is stopped."""

from __future__ import annotations

import json
import os
import signal
import threading
from datetime import timedelta

import click
import pytest
from click.testing import CliRunner

from strandline.cli import follow as module
from strandline.cli.follow import STOPPING, Steps, called, follow, ticking

LANDED = json.dumps({"landed": 1200, "quarantined": 2, "table": "raw.a"})
RAN = json.dumps([{"status": "success"}, {"status": "warn"}])
SENT = json.dumps([{"accepted": 3}, {"accepted": 1}])
PRINTED = {"land": (0, LANDED), "run": (0, RAN), "notify": (0, SENT)}


class Calls:
    """Answers as the commands do, and keeps what they were called with."""

    def __init__(self, **answers: tuple[int, str]) -> None:
        self.answers = PRINTED | answers
        self.seen: list[str] = []

    def __call__(self, command: str, arguments: list[str]) -> tuple[int, str]:
        self.seen.append(" ".join([command, *arguments]))
        return self.answers[command]


def steps(*land: str, notify: bool = True) -> Steps:
    return Steps([each.split() for each in land], ["--test"], [] if notify else None, ["-p"])


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What was said, without times."""
    return [line.partition("  ")[2] or line for line in capsys.readouterr().out.splitlines()]


def test_each_tick_lands_runs_and_notifies(capsys) -> None:
    call = Calls(land=(3, LANDED))  # files were left out, which is no failure
    assert ticking(steps("--a", "--b"), timedelta(seconds=0.01), 2, threading.Event(), call)
    tick = ["land --a -p --json", "land --b -p --json", "run --test -p --json", "notify -p --json"]
    assert call.seen == tick * 2
    rows = "1,200 rows in raw.a (2 quarantined)"
    assert lines(capsys)[0].startswith(
        f"{rows}; {rows}; 2 models (1 warnings); 4 notifications, 0.0 s"
    )


def test_a_failure_ends_the_tick_and_the_next_one_tries_again(capsys) -> None:
    call = Calls(run=(1, "model a:\nno space"))
    assert not ticking(steps("--a"), timedelta(0), 2, threading.Event(), call)
    assert call.seen == ["land --a -p --json", "run --test -p --json"] * 2
    said = lines(capsys)
    assert said[0] == "run failed: model a:\\nno space, 0.0 s"
    call.answers = PRINTED
    assert ticking(steps("--a", notify=False), timedelta(0), 1, threading.Event(), call)


def test_a_long_tick_delays_the_next_and_says_so(capsys) -> None:
    ticking(steps(notify=False), timedelta(seconds=-1), 2, threading.Event(), Calls())
    assert lines(capsys)[1] == "longer than -1 s: the next tick begins at once"


def test_a_signal_ends_it_after_the_step_in_hand(monkeypatch) -> None:
    seen = []

    def call(command: str, arguments: list[str]) -> tuple[int, str]:  # noqa: ARG001
        seen.append(command)
        os.kill(os.getpid(), signal.SIGTERM)
        return PRINTED[command]

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(module, "called", call)
    result = CliRunner().invoke(follow, ["--every", "1 hour", "--land", "--source a"])
    assert (result.exit_code, seen) == (0, ["land"])
    said = result.output.splitlines()
    assert said[0] == STOPPING
    assert "1,200 rows in raw.a (2 quarantined), 0.0 s" in said[1]
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--notify", "-x", "--no-notify"], "Give --notify or --no-notify, not both."),
        (["--land", "'a"], "--land ''a': No closing quotation; quote it as in a shell"),
        (["--run", "--json"], "--run '--json': leave out --json, which follow gives itself"),
        (["--every", "soon"], "'soon' is no length of time;"),
    ],
)
def test_what_cannot_be_asked_for(given: list[str], said: str) -> None:
    result = CliRunner().invoke(follow, ["--every", "1 minute", *given])
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_the_last_tick_decides_the_exit_code(monkeypatch) -> None:
    monkeypatch.setattr(module, "called", Calls(run=(1, "no space")))
    result = CliRunner().invoke(follow, ["--every", "1 minute", "--ticks", "1"])
    assert result.exit_code == 1


def test_a_command_is_called_in_this_process(monkeypatch) -> None:
    @click.command("land")
    @click.option("--fail", is_flag=True)
    @click.option("--leave", is_flag=True)
    def land(fail: bool, leave: bool) -> None:
        if fail:
            raise click.ClickException("no space")
        click.echo("{}")
        if leave:
            click.get_current_context().exit(3)

    monkeypatch.setattr("strandline.cli.main.LazyGroup.get_command", lambda *_: land)
    assert called("land", []) == (0, "{}\n")
    assert called("land", ["--leave"]) == (3, "{}\n")
    assert called("land", ["--fail"]) == (1, "no space")
    assert called("land", ["--wrong"])[0] == 2
