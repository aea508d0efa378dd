"""The entry point: the group `strandline` and what all its commands share.

Exit codes: 0 done, 1 failed, 2 wrong use.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import click

from strandline import __version__

# Where each command lives and what `strandline --help` says about it. A command's module is
# imported when it is called and not before, so that --help does not wait for Spark and dbt.
COMMANDS = {
    "demo": ("strandline.cli.demo:demo", "Replay the flights of 2013 and build every table."),
    "land": ("strandline.cli.land:land", "Land new files in a Delta table, each row once."),
    "notify": ("strandline.cli.notify:notify", "Send what waits in the outbox through Apprise."),
    "purge": ("strandline.cli.purge:purge", "Remove rows older than their aggregation keeps them."),
    "run": ("strandline.cli.run:run", "Run dbt, or compute a stretch of time anew."),
    "serve": ("strandline.cli.serve:serve", "Keep a warm Spark server for quick runs."),
    "status": ("strandline.cli.status:status", "Tell how the engines of detection are doing."),
}


class LazyGroup(click.Group):
    """A group that imports a command on its first use and ends errors in one clean message."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        return getattr(importlib.import_module(module), attribute)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, COMMANDS[name][1]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if ctx.params["debug"]:
                raise
            raise click.ClickException(_in_one_message(error)) from error


def _in_one_message(error: Exception) -> str:
    """Our own errors speak for themselves; of any other the type is named, and how to see more."""
    text = str(error).strip() or "no message"
    if type(error).__module__.split(".")[0] == "strandline":
        return text
    return f"{type(error).__name__}: {text}\n(`strandline --debug …` shows where it happened)"


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`strandline COMMAND --help` shows examples.",
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
    cli.main(args=args, prog_name="strandline")
