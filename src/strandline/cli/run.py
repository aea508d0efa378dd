"""`strandline run`: models and snapshots, and a range of time recomputed from the source."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.instants import instant
from strandline.cli.workspace import entered, project_options
from strandline.explained import OF_RUN, PHASES

if TYPE_CHECKING:
    from rich.table import Table

    from strandline.cli.build import Build, Node

EXAMPLES = """
\b
Examples:
  strandline run
  strandline run --test
  strandline run --explain
  strandline run --json | jq '.[] | select(.status != "success") | .name'
  strandline run --select "trade_aggregation_*"
  strandline run --from "2014-02-15 00:00:00" --to "2014-02-16 00:00:00"
  strandline run --from "2014-02-15 00:00:00 +05:30" --to "2014-02-16 00:00:00 +05:30"
  strandline run --from 2014-02-01 --to 2014-03-01
  strandline run --from 2014-02-01 --to 2014-03-01 --accept-removed
  strandline run --select flight_anomalies+ --from 2013-02-08 --to 2013-02-10
  strandline run --select flight_anomalies+ --watermark 2013-02-08
"""


@click.command(epilog=EXAMPLES)
@click.option("--from", "start", type=instant, help="Recompute from here (GMT, or an offset).")
@click.option("--to", "end", type=instant, help="… to before here.")
@click.option("--accept-removed", is_flag=True, help="Remove what the source no longer has, too.")
@click.option(
    "--watermark", type=instant, help="Set the watermark of anomalies back to here, once."
)
@click.option("--select", multiple=True, help="Models, as dbt selects them. Repeatable.")
@click.option("--test", "with_tests", is_flag=True, help="Test what was run, too.")
@click.option("--seed", "with_seeds", is_flag=True, help="Load the seeds first, too.")
@click.option("--explain", is_flag=True, help="Say why each model ran or did not, and what it did.")
@click.option("--json", "as_json", is_flag=True, help="A list of models and tests, for machines.")
@project_options
def run(
    start: datetime | None,
    end: datetime | None,
    accept_removed: bool,
    watermark: datetime | None,
    select: tuple[str, ...],
    with_tests: bool,
    with_seeds: bool,
    explain: bool,
    as_json: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Run the models and snapshots of a project and show what was written to each.

    With --from and --to, the buckets that begin in this range of time, the end not included, are
    recomputed from the source: for events that were corrected or removed there. Select all tables
    of an aggregation, or nothing: each one rolls up the one before. Anomalies whose end is in the
    range are classified again; select what depends on them, too.

    If the source has fewer events of such a bucket than were counted, nothing is recomputed. With
    --accept-removed they are removed from the tables as well.

    With --watermark, tables of anomalies whose watermark is later first get this one, such as after
    a clock of the future: they analyse from there on again. What was notified is kept. Anomalies
    that are stored after what this run analyses become outdated, until a run finds them again.

    Models whose inputs have not changed are skipped. With --test a test is not read again if it
    has passed on the same tables. With --seed, seeds are loaded before the models, as `dbt build`
    does; without, they stay as they are.

    With --explain the models run one after the other. Of each it shows why it ran, or why it was
    skipped; its statements and jobs of Spark; and the seconds in which it looked up tables and
    settings, read, computed what several statements read, and wrote. The rest of its seconds is
    dbt's. It needs a target of `type: strandline`.

    Exit codes: 0 done, 1 failed, 2 wrong use.
    """
    variables = time_range(start, end)
    if accept_removed:
        if not variables:
            raise click.UsageError("--accept-removed is for a range: give --from and --to, too.")
        variables["strandline_accept_removed"] = "true"
    if watermark and variables:
        raise click.UsageError("Give --from and --to, or --watermark, not both.")

    from strandline.cli.console import Terminal
    from strandline.cli.progress import Steps

    title = "dbt run"
    if variables:
        title += f" of {variables['strandline_from']} to {variables['strandline_to']} UTC"
    if watermark:
        variables = {"strandline_watermark": watermark.isoformat(" ")}
        title += f", watermarks back to {watermark} UTC"
    with (
        entered(project_dir, profiles_dir, target, "run.log", needs="dbt") as opened,
        OF_RUN.on() if explain else nullcontext(),
    ):
        project, terminal = opened
        if explain and project.home() is None:
            raise click.UsageError(
                "--explain needs a target of `type: strandline`, whose adapter counts what a model"
                " does. Take such a target, or leave it out."
            )
        steps = Steps(Terminal(file=terminal, quiet=as_json), of=1)
        with steps.step(title) as line:
            built = project.run(
                line,
                select,
                variables,
                with_tests=with_tests,
                with_seeds=with_seeds,
                one_by_one=explain,
            )
    if not built.nodes:
        raise click.UsageError(
            f"--select {' '.join(select)} names no model of {project_dir}."
            if select
            else f"{project_dir} holds no models."
        )
    if as_json:
        click.echo(json.dumps([plain_node(node, explain) for node in built.nodes], indent=2))
        return
    Terminal().print(_explained(built) if explain else _written(built))


def time_range(start: datetime | None, end: datetime | None) -> dict[str, str]:
    """The variables that the macros read; none without a range of time."""
    if (start is None) != (end is None):
        raise click.UsageError("Give both --from and --to, or neither of them.")
    if start is None or end is None:
        return {}
    if start >= end:
        raise click.UsageError(f"--from {start} UTC is not before --to {end} UTC.")
    return {"strandline_from": start.isoformat(" "), "strandline_to": end.isoformat(" ")}


def plain_node(node: Node, explain: bool = False) -> dict[str, object]:
    """A model or test for machines."""
    names = ("name", "kind", "relation", "status", "message", "seconds")
    plain = {name: getattr(node, name) for name in names}
    return {**plain, "explained": asdict(OF_RUN.of(node.unique_id))} if explain else plain


def _explained(built: Build) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("model", overflow="fold")
    for head in ("s", *PHASES, "rows", "statements", "jobs"):
        table.add_column(head, justify="right", no_wrap=True)
    for node in built.nodes:
        account = OF_RUN.of(node.unique_id)
        table.add_row(
            "\n  ".join((node.name, *said_of(account.why, node.message))),
            f"{node.seconds:.2f}",
            *(f"{account.seconds[phase]:.2f}" for phase in PHASES),
            "" if account.rows is None else f"{account.rows:,}",
            str(account.statements),
            str(account.jobs),
        )
    return table


def said_of(why: str, message: str) -> list[str]:
    """Why a model ran, and what it did."""
    if message.startswith("unchanged"):
        return [f"unchanged: {why}" if why else message]
    first, *others = why.split("; ")
    reasons = [f"because {first}", *(f"and {each}" for each in others)] if why else []
    return [*reasons, message] if message else reasons


def _written(built: Build) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("model", no_wrap=True)
    table.add_column("written")
    table.add_column("", justify="right")
    tests = [node for node in built.nodes if node.is_test]
    for node in built.nodes:
        if not node.is_test:
            table.add_row(node.name, node.message, f"{node.seconds:.1f} s")
    if tests:
        warned = sum(each.status == "warn" for each in tests)
        words = f"{len(tests) - warned} passed, {built.unchanged_tests()} of them not read again"
        words += f"; {warned} warned" if warned else ""
        table.add_row("tests", words, f"{sum(each.seconds for each in tests):.1f} s")
    return table
