"""The entry point: the group `strandline` and what all its commands share.

Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted (Ctrl-C).
"""

from __future__ import annotations

import importlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Any

import click

from strandline import __version__
from strandline.cli.terminal import in_one_message, plain_errors, show_traceback
from strandline.errors import nearest_name

# The module of each command and its line in `strandline --help`. The module is imported when the
# command is called and not before, so that --help does not wait for Spark and dbt.
COMMANDS = {
    "ack": ("strandline.cli.feedback:ack", "Say that somebody works on an incident."),
    "demo": ("strandline_demo.command:demo", "Replay the flights of 2013 and build every table."),
    "feedback": ("strandline.cli.feedback:feedback", "Say what an anomaly was."),
    "follow": ("strandline.cli.follow:follow", "Land, run and notify again and again, warm."),
    "init": ("strandline.cli.init:init", "Begin a project, or add alerts to one, from a file."),
    "land": ("strandline.cli.land:land", "Land files, messages or a table's commits, each once."),
    "mute": ("strandline.cli.feedback:mute", "Send nothing of anomalies for a time."),
    "notify": ("strandline.cli.notify:notify", "Send what waits in the outbox through Apprise."),
    "prepare": ("strandline.cli.prepare:prepare", "Fetch jars and store classes, once a machine."),
    "purge": ("strandline.cli.purge:purge", "Remove rows older than their aggregation keeps them."),
    "report": ("strandline.cli.report:report", "Write a page of HTML with what the tables hold."),
    "run": ("strandline.cli.run:run", "Run dbt, or recompute a range of time."),
    "serve": ("strandline.cli.serve:serve", "Keep a warm Spark server for quick runs."),
    "status": ("strandline.cli.status:status", "Show the state of the engines of detection."),
    "trial": ("strandline.cli.trial:trial", "Count what a detector would have raised in the past."),
}


# Those that start Spark in this environment, or connect to one by Spark Connect.
WITH_SPARK = ("demo", "land", "prepare", "purge", "serve")

CLICKS_OWN = (click.ClickException, click.exceptions.Exit, click.Abort)
INTERRUPTED = 130
JVM_SECONDS = 10
DEMO_PACKAGE = "strandline_demo"
NO_DEMO = (
    "The demo is not part of the installed package: clone Strandline and run `make demo` there."
)
STAYS = "Interrupted: what was committed stays, and the next run goes on from there."


class Interruption:
    """Ctrl-C: the first one ends the command in order, the second one at once."""

    def __init__(self) -> None:
        self.received = False

    def on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self.received:
            os._exit(INTERRUPTED)
        self.received = True
        # Threads that wait for Spark will fail: their log lines and tracebacks are of no use.
        logging.disable()
        threading.excepthook = lambda _: None
        sys.unraisablehook = lambda _: None
        session = sys.modules.get("strandline.spark.session")
        if session is not None:
            session.abandon()
        raise KeyboardInterrupt


interruption = Interruption()


class LazyGroup(click.Group):
    """A group that imports a command on its first use and ends errors in one clean message."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        try:
            command: click.Command = getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            if error.name == DEMO_PACKAGE:
                raise click.ClickException(NO_DEMO) from None
            if cmd_name not in WITH_SPARK:
                raise
            from strandline.spark.extra import check_extra

            check_extra(f"`strandline {cmd_name}`")
            raise
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        near = nearest_name(args[0], COMMANDS)
        if args[0] not in COMMANDS and near:
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{near}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, COMMANDS[name][1]) for name in self.list_commands(ctx)]
        others = [row for row in rows if row[0] not in WITH_SPARK]
        with formatter.section("Commands"):
            formatter.write_dl(others)
        with formatter.section("Commands that need strandline[spark]"):
            formatter.write_dl([row for row in rows if row[0] in WITH_SPARK])

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with plain_errors():
            return super().make_context(*args, **extra)

    @plain_errors()
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BaseException as error:
            if interruption.received:  # an error of any kind, for it follows from the interruption
                raise click.exceptions.Exit(INTERRUPTED) from None
            if not isinstance(error, Exception) or isinstance(error, CLICKS_OWN):
                raise
            if ctx.params["debug"]:
                raise
            raise click.ClickException(in_one_message(error)) from error


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`strandline COMMAND --help` shows examples. Exit codes: 0 done, 1 failed, 2 wrong use, "
    "130 interrupted (Ctrl-C).",
)
@click.version_option(__version__, prog_name="strandline")
@click.option(
    "--debug",
    is_flag=True,
    envvar="STRANDLINE_DEBUG",
    help="Show the traceback of an error (or set STRANDLINE_DEBUG=1).",
)
def cli(debug: bool) -> None:
    """Incremental aggregation, windows, detection and alerts with dbt on Spark.

    \b
    Examples:
      strandline demo                  the flights of 2013, from files to tables
      strandline --debug demo          the same, with tracebacks
    """


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # nohup and & ignore it
        signal.signal(signal.SIGINT, interruption.on_signal)
    sys.excepthook = show_traceback
    try:
        cli.main(args=args, prog_name="strandline")
    finally:
        if interruption.received:
            _leave()


def _leave() -> None:
    """One line, and the end: threads that still wait for Spark are not waited for."""
    print(STAYS, file=sys.stderr, flush=True)
    session = sys.modules.get("strandline.spark.session")
    if session is not None:
        # The lock is free once the JVM has ended. One that is just starting ends without us.
        closing = threading.Thread(target=session.close, daemon=True)
        closing.start()
        closing.join(JVM_SECONDS)
    os._exit(INTERRUPTED)
