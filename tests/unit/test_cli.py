"""What all commands share: help, exit codes, errors in one message."""

from __future__ import annotations

import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from strandline import __version__
from strandline.cli.main import COMMANDS, LazyGroup, cli
from strandline.errors import StrandlineError


def strandline(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(cli, arguments)


def broken_by(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `strandline land` raise this error."""

    @click.command("land")
    def land() -> None:
        raise error

    monkeypatch.setattr(LazyGroup, "get_command", lambda *_: land)


def test_version() -> None:
    result = strandline("--version")
    assert (result.exit_code, result.output) == (0, f"strandline, version {__version__}\n")


def test_help_names_every_command_with_what_it_does() -> None:
    result = strandline("--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output
    for name, (_, what) in COMMANDS.items():
        assert f"{name} " in result.output
        assert what in result.output


def test_help_waits_neither_for_spark_nor_for_dbt() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from strandline.cli.main import cli\n"
        "assert CliRunner().invoke(cli, ['--help']).exit_code == 0\n"
        "print(sorted({'pyspark', 'dbt.cli.main', 'rich', 'pandas'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_each_command_has_help_with_examples(name: str) -> None:
    result = strandline(name, "--help")
    assert result.exit_code == 0, result.output
    assert "Examples:" in result.output
    assert f"strandline {name}" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fly",), "No such command 'fly'."),
        (("stauts",), "No such command 'stauts'. Did you mean 'status'?"),
        (("--fast",), "No such option"),
        (("demo", "--project-dir", "/no/such/folder"), "does not exist"),
        (("demo", "now"), "unexpected extra argument"),
    ],
)
def test_wrong_use_ends_with_2_and_says_what(arguments: tuple[str, ...], said: str) -> None:
    result = strandline(*arguments)
    assert result.exit_code == 2
    assert said in result.output


def test_without_a_command_help_is_shown_and_it_is_wrong_use() -> None:
    result = strandline()
    assert result.exit_code == 2
    assert "Commands:" in result.output


def test_an_error_of_ours_is_its_own_message(monkeypatch: pytest.MonkeyPatch) -> None:
    broken_by(StrandlineError("the table has no column `day`: one of hour, year"), monkeypatch)
    result = strandline("land")
    assert result.exit_code == 1
    assert result.output == "Error: the table has no column `day`: one of hour, year\n"


def test_another_error_is_named_and_the_way_to_its_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken_by(ZeroDivisionError("division by zero"), monkeypatch)
    result = strandline("land")
    assert result.exit_code == 1
    assert result.output == (
        "Error: ZeroDivisionError: division by zero\n"
        "(`strandline --debug …` shows where it happened)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(("--debug", "land"), {}), (("land",), {"STRANDLINE_DEBUG": "1"})],
)
def test_debug_shows_the_error_itself(
    arguments: tuple[str, ...], environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = ZeroDivisionError("division by zero")
    broken_by(error, monkeypatch)
    result = strandline(*arguments, **environment)
    assert result.exit_code == 1
    assert result.exception is error


INTERRUPTED = """
import logging, signal, sys, threading, time, click
from strandline.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it

def fail_when_spark_has_gone(): time.sleep(1); raise ConnectionResetError(104, "Connection reset")

@click.command("land")
def land():
    threading.Thread(target=fail_when_spark_has_gone, daemon=True).start()
    try:
        print("working", flush=True)
        # Short, because a signal just before a sleep is noticed only at its end.
        for _ in range(600): time.sleep(0.1)
    except BaseException as error:
        logging.exception("KeyboardInterrupt while sending command.")  # as Py4J does
        if sys.argv[1] == "error": raise RuntimeError("Answer from Java side is empty") from error
        if sys.argv[1] == "refusal": raise click.ClickException("Spark has gone") from error
        if sys.argv[1] == "done": return
        if sys.argv[1] == "stuck": print("ending", flush=True); time.sleep(60)
        raise

main.LazyGroup.get_command = lambda *_: land
main.main([*sys.argv[2:], "land"])
"""


@pytest.mark.parametrize("how", ["plain", "error", "refusal", "done"])
@pytest.mark.parametrize("options", [(), ("--debug",)])
def test_ctrl_c_is_one_line_and_130(how: str, options: tuple[str, ...]) -> None:
    with interrupted(how, *options) as command:
        out, err = command.communicate(timeout=20)
    assert (command.returncode, out) == (130, "")
    assert err == "Interrupted: what was committed stays, and the next run goes on from there.\n"


def test_a_second_ctrl_c_waits_for_nothing() -> None:
    with interrupted("stuck") as command:
        assert command.stdout.readline() == "ending\n"
        command.send_signal(signal.SIGINT)
        assert command.communicate(timeout=20) == ("", "")
    assert command.returncode == 130


def interrupted(*arguments: str) -> subprocess.Popen[str]:
    """A command that was interrupted while it worked."""
    command = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout.readline() == "working\n"
    command.send_signal(signal.SIGINT)
    return command
