"""`strandline follow`: land, run and notify, again and again, in one warm process."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import FrameType
from typing import Any

import click

from strandline.cli.instants import length
from strandline.cli.terminal import one_line, say
from strandline.cli.workspace import project_options
from strandline.errors import StrandlineError

EXAMPLES = """
\b
Examples:
  strandline follow --every '30 seconds' \\
      --land '--source incoming --format csv --table raw.orders --schema-file orders.ddl'
  strandline follow --every '1 minute' --no-notify \\
      --land '--kafka broker:9092 --topic orders --table raw.orders --schema-file orders.ddl'
  strandline follow --every PT5M --run '--test' --notify '--together 20'
"""
LEFT_OUT = 3  # of `land`: all has landed but some files, which it has named
STOPPING = "Stopping when the step in hand is done; the next signal stops at once."

Call = Callable[[str, list[str]], tuple[int, str]]


class StepFailedError(StrandlineError):
    """A step of a tick that did not succeed; the next tick tries it again."""


@dataclass(frozen=True)
class Steps:
    """What a tick does, as arguments of the commands.

    Attributes:
        land: those of each landing.
        run: of the run.
        notify: of the notifying; None leaves it out.
        project: the options by which each of them finds the project.
    """

    land: Sequence[list[str]]
    run: list[str]
    notify: list[str] | None
    project: list[str]


@click.command(epilog=EXAMPLES)
@click.option(
    "--every", type=length, required=True, metavar="DURATION", help="From tick to tick: '1 minute'."
)
@click.option(
    "--land", "landings", multiple=True, metavar="OPTIONS", help="A landing's options. Repeatable."
)
@click.option(
    "--run", "running", default="", metavar="OPTIONS", help="Options of `strandline run`."
)
@click.option("--notify", "notifying", metavar="OPTIONS", help="Options of `strandline notify`.")
@click.option("--no-notify", is_flag=True, help="Send nothing.")
@click.option("--ticks", type=click.IntRange(min=1), help="Stop after so many ticks.")
@project_options
def follow(
    every: timedelta,
    landings: tuple[str, ...],
    running: str,
    notifying: str | None,
    no_notify: bool,
    ticks: int | None,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Land, run and notify tick by tick, in one process with a warm Spark, until it is stopped.

    A tick that takes longer than the interval delays the next one, and says so. A step that fails
    is said and tried again at the next tick: what was committed stays. SIGTERM and Ctrl-C end it
    after the step in hand; a second one ends it at once.

    Exit codes: 0 stopped, or all ticks are done; 1 the last tick failed; 2 wrong use.
    """
    if no_notify and notifying is not None:
        raise click.UsageError("Give --notify or --no-notify, not both.")
    project = ["--project-dir", str(project_dir)]
    project += ["--target", target] if target else []
    project += ["--profiles-dir", profiles_dir] if profiles_dir else []
    steps = Steps(
        land=[_words("--land", each) for each in landings],
        run=_words("--run", running),
        notify=None if no_notify else _words("--notify", notifying or ""),
        project=project,
    )
    with _until_stopped() as stop:
        is_done = ticking(steps, every, ticks, stop, called)
    if not is_done:
        click.get_current_context().exit(1)


def ticking(
    steps: Steps, every: timedelta, ticks: int | None, stop: threading.Event, call: Call
) -> bool:
    """Do the ticks; whether the last one succeeded."""
    number, is_done = 0, True
    while not stop.is_set() and (ticks is None or number < ticks):
        number += 1
        begin = time.monotonic()
        now = datetime.now(timezone.utc).strftime("%H:%M:%S")
        try:
            said, is_done = "; ".join(_tick(steps, stop, call)), True
        except StepFailedError as error:
            said, is_done = str(error), False
        seconds = time.monotonic() - begin
        say(f"{now}  {said or 'stopped'}, {seconds:.1f} s")
        left = every.total_seconds() - seconds
        if left < 0 and not stop.is_set() and number != ticks:
            say(f"{now}  longer than {every.total_seconds():g} s: the next tick begins at once")
        if number != ticks:
            stop.wait(max(0.0, left))
    return is_done


def called(command: str, arguments: list[str]) -> tuple[int, str]:
    """Call a command of this program in this process: its exit code, and what it printed."""
    from strandline.cli.main import cli

    context = click.Context(cli, info_name="strandline")
    found = cli.get_command(context, command)
    assert found is not None
    with _printed() as printed:
        try:
            code = found.main(arguments, prog_name=f"strandline {command}", standalone_mode=False)
        except click.ClickException as error:
            return error.exit_code, error.format_message()
        except StrandlineError as error:
            return 1, str(error)
    return code if isinstance(code, int) else 0, printed[0]


@contextmanager
def _printed() -> Iterator[list[str]]:
    """What is printed meanwhile, as the one text of the list.

    It is taken at the file descriptor: a command turns it to its log while dbt and Spark print.
    """
    found: list[str] = []
    sys.stdout.flush()
    before = os.dup(1)
    with tempfile.TemporaryFile() as file, open(1, "w", encoding="utf-8", closefd=False) as out:
        os.dup2(file.fileno(), 1)
        try:
            with redirect_stdout(out):
                yield found
        finally:
            out.flush()
            os.dup2(before, 1)
            os.close(before)
            file.seek(0)
            found.append(file.read().decode("utf-8"))


def _tick(steps: Steps, stop: threading.Event, call: Call) -> Iterator[str]:
    """The steps of a tick, each with what it has done; none after a signal to stop."""
    todo: list[tuple[str, list[str], Callable[[Any], str]]] = [
        ("land", arguments, _landed) for arguments in steps.land
    ]
    todo.append(("run", steps.run, _ran))
    if steps.notify is not None:
        todo.append(("notify", steps.notify, _notified))
    for command, arguments, words in todo:
        if stop.is_set():
            return
        code, printed = call(command, [*arguments, *steps.project, "--json"])
        if code not in (0, LEFT_OUT if command == "land" else 0):
            raise StepFailedError(f"{command} failed: {one_line(printed.strip())}")
        yield words(json.loads(printed))


def _landed(found: dict[str, Any]) -> str:
    quarantined = f" ({found['quarantined']:,} quarantined)" if found["quarantined"] else ""
    return f"{found['landed']:,} rows in {found['table']}{quarantined}"


def _ran(nodes: list[dict[str, Any]]) -> str:
    warned = sum(node["status"] == "warn" for node in nodes)
    return f"{len(nodes):,} models" + (f" ({warned} warnings)" if warned else "")


def _notified(receivers: list[dict[str, Any]]) -> str:
    accepted = sum(each["accepted"] for each in receivers)
    return f"{accepted:,} notifications"


def _words(option: str, text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise click.BadParameter(f"{option} '{text}': {error}; quote it as in a shell") from None
    if "--json" in words:
        raise click.BadParameter(f"{option} '{text}': leave out --json, which follow gives itself")
    return words


@contextmanager
def _until_stopped() -> Iterator[threading.Event]:
    """An event that the first SIGTERM or Ctrl-C sets; the second one does what it did before."""
    stop = threading.Event()
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.getsignal(number) for number in numbers}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        restore()
        say(STOPPING)

    for number in numbers:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, on_signal)
    try:
        yield stop
    finally:
        restore()
