"""`strandline demo`: flights and weather of 2013, landed twice and built twice: a real increment.

One carrier's day comes late, with the second landing; then its range of time is recomputed.

Every step can be repeated after a kill: files are written whole or not at all, a file is landed
once, and a build continues from its tables. The runs have the times that they would have on a
schedule, so that the times of notifications do not depend on the day of the demo.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from strandline_demo.year import Year

EXAMPLES = """
\b
Examples:
  strandline demo                    in a Spark of its own
  strandline demo --year             the whole year, in .strandline-year
  strandline demo --target connect   through a server that `strandline serve` keeps warm
"""
# Where the year is, so that it does not meet the tables of January and February.
HOME_OF_THE_YEAR = ".strandline-year"


@click.command(epilog=EXAMPLES)
@click.option("--year", is_flag=True, help="All of 2013, in a folder of its own.")
@click.option("--target", default="local", show_default=True, help="The target of profiles.yml.")
@click.option(
    "--project-dir",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    default=".",
    help="A clone of Strandline (default: here).",
)
@click.option("--months", type=click.IntRange(1, 12), default=2, hidden=True)
def demo(year: bool, target: str, project_dir: Path, months: int) -> None:
    """Replay the flights that left New York in January and February 2013, and build every table.

    The flights and the weather up to 27 February are landed and built, then the last day, as two
    runs of a schedule would. The flights of American on 8 February come with the last day only:
    what was notified of them is corrected by a run on that day. A second `strandline demo` finds
    nothing to land and shows that nothing is written.

    With --year it is all of 2013. Its tables are in .strandline-year, or where STRANDLINE_HOME
    says.
    """
    from strandline.preflight import problem

    missing = problem()
    if missing:
        raise click.ClickException(missing)
    if not (project_dir / "dbt_project.yml").is_file():
        raise click.UsageError(
            f"{project_dir} holds no dbt_project.yml: run the demo in a clone of Strandline, "
            "or name one with --project-dir."
        )
    from strandline_demo.flights.source import data_folder
    from strandline_demo.landings import HOME
    from strandline_demo.year import Year

    data_folder()  # refuses at once if the data are not installed
    if year:
        os.environ.setdefault(HOME, HOME_OF_THE_YEAR)
    replay(project_dir, target, Year(12 if year else months))


def replay(folder: Path, target: str, year: Year) -> None:
    """Land, build, show, land, build, backfill, show. Terminal: the steps; logs: the rest."""
    from rich.console import Console

    from strandline.cli.progress import Steps
    from strandline.cli.workspace import everything_to
    from strandline.spark import close
    from strandline_demo import results, summary
    from strandline_demo.replay import Replay

    os.chdir(folder)  # dbt resolves the relative paths of its profile here
    first, last = year.landings()
    backfill = year.backfill()
    with everything_to(folder / "logs" / "demo.log") as terminal, ExitStack() as at_the_end:
        at_the_end.callback(close)
        console = Console(file=terminal)
        replayed = Replay(folder, target, year, Steps(console, of=8 if backfill else 7), at_the_end)
        replayed.land(first)
        # The last day is landed after the first build was done, and not before.
        if replayed.have_begun(last):
            replayed.pass_over(f"dbt build with {first.name}")
            replayed.pass_over("a first report")
        else:
            # What the first build makes is tested with what the second makes of it.
            replayed.build(first, with_tests=False)
            replayed.first_report()
        replayed.land(last)
        replayed.build(last, with_tests=True)
        if backfill:
            replayed.run(backfill)
        outcome = replayed.end()
        summary.show(console, outcome)
    results.check(outcome.totals, year)
