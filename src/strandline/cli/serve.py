"""`strandline serve`: the warm Spark server of this project."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.console import Terminal

if TYPE_CHECKING:
    from strandline.spark.server import Server
    from strandline.spark.settings import Credentials

console = Terminal(soft_wrap=True)
errors = Terminal(stderr=True, soft_wrap=True)


@click.command()
@click.option("--stop", "action", flag_value="stop", help="Stop the server.")
@click.option("--status", "action", flag_value="status", help="Show whether it runs.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Port on 127.0.0.1. Default: 15002, or a free one if that is in use.",
)
@click.option("--target", "-t", help="Target whose `home` and settings it uses. Default: connect.")
@click.option("--profiles-dir", type=click.Path(path_type=Path), help="Folder of profiles.yml.")
@click.option(
    "--project-dir",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The dbt project. Default: this folder.",
)
def serve(
    action: str | None,
    port: int | None,
    target: str | None,
    profiles_dir: Path | None,
    project_dir: Path,
) -> None:
    """Keep a Spark server warm, so that dbt starts its first model at once.

    The server works on the tables of target `local`, listens on this machine only, and runs until
    it is stopped. While it runs, use `--target connect`: embedded runs on the same tables are
    refused.

    \b
    Examples:
      strandline serve
      dbt build --target connect
      strandline serve --status
      strandline serve --stop

    Exit codes: 0 done (or running), 1 failed (or not running), 2 wrong use.
    """
    from dbt_common.exceptions import DbtBaseException

    from strandline.spark import StrandlineSparkError, credentials_for, home_for

    if action is not None and port is not None:
        raise click.UsageError(f"--port means nothing with --{action}: the server has its port.")
    try:
        credentials = credentials_for(project_dir, target or "connect", profiles_dir)
        home = home_for(credentials, project_dir)
        if action == "stop":
            _stop(home)
        elif action == "status":
            _status(home)
        else:
            _start(credentials, home, port)
    except (StrandlineSparkError, DbtBaseException) as error:
        errors.print(f"strandline serve: {error}")
        raise SystemExit(1) from None


def _start(credentials: Credentials, home: Path, port: int | None) -> None:
    from strandline.spark.server import running_server
    from strandline.spark.server_start import start_server

    server = running_server(home)
    if server is not None:
        console.print(f"It runs already: {_named(server)}.")
        return
    began = time.monotonic()
    with console.status("Starting Spark …"):
        server = start_server(credentials, home, port)
    console.print(
        f"Warm after {time.monotonic() - began:.0f} s: {_named(server)}.\n"
        "Use it:   dbt build --target connect\n"
        "End it:   strandline serve --stop"
    )


def _status(home: Path) -> None:
    from strandline.spark.server import answers, running_server

    server = running_server(home)
    if server is None:
        console.print("No server runs. Start one: strandline serve")
        raise SystemExit(1)
    if not answers(server):
        errors.print(
            f"It runs but does not answer: {_named(server)}. Its log is {home / 'logs/spark.log'};"
            " end it with `strandline serve --stop`."
        )
        raise SystemExit(1)
    console.print(f"It runs and answers: {_named(server)}.")


def _stop(home: Path) -> None:
    from strandline.spark.server import stop_server

    server = stop_server(home)
    console.print("No server runs." if server is None else f"Stopped: {_named(server)}.")


def _named(server: Server) -> str:
    return f"{server.url}, process {server.pid}, since {server.since}"
