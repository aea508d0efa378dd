"""`strandline demo`: flights and weather of 2013, landed twice and built twice: a real increment.

Every step may be killed and taken again: files are written whole or not at all, a file is landed
once however often it is offered, and a build goes on from what its tables hold.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import click

EXAMPLES = """
\b
Examples:
  strandline demo                    in a Spark of its own
  strandline demo --target connect   through a server that `strandline serve` keeps warm
"""


@click.command(epilog=EXAMPLES)
@click.option("--target", default="local", show_default=True, help="The target of profiles.yml.")
@click.option(
    "--project-dir",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    default=".",
    help="A clone of Strandline (default: here).",
)
@click.option("--months", type=click.IntRange(1, 12), default=12, hidden=True)
def demo(target: str, project_dir: Path, months: int) -> None:
    """Replay every flight that left New York in 2013, and the weather, and build every table.

    The year up to 30 December is landed and built, then its last day, as two runs of a schedule
    would. A second `strandline demo` finds nothing to land and shows that nothing is written.
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
    replay(project_dir, target, Year(months))


@dataclass(frozen=True)
class Days:
    """The dates of New York [first, end) whose flights and weather are landed together."""

    name: str
    first: date
    end: date
    is_last: bool


@dataclass(frozen=True)
class Year:
    """2013, or only its first months."""

    months: int = 12

    def landings(self) -> list[Days]:
        """All days but the last, then the last one."""
        from strandline.flights import FIRST, LAST

        after = date(2014, 1, 1) if self.months == 12 else date(2013, self.months + 1, 1)
        last_day = after - timedelta(days=1)
        eve = last_day - timedelta(days=1)
        # Flights of the last evening arrive in the new year: the whole year takes them along.
        end = LAST if self.months == 12 else after
        return [
            Days(f"1 January to {eve.day} {eve:%B}", FIRST, last_day, is_last=False),
            Days(f"{last_day.day} {last_day:%B}", last_day, end, is_last=True),
        ]


def replay(folder: Path, target: str, year: Year) -> None:
    """Land, build, land, build, show. The terminal has the story, the logs have everything."""
    from rich.console import Console

    from strandline.cli import summary
    from strandline.cli.build import Project
    from strandline.cli.landings import FLIGHTS, WEATHER, Landings
    from strandline.cli.progress import Steps
    from strandline.cli.quiet import everything_to
    from strandline.cli.tables import states
    from strandline.cli.taste import FLIGHTS_OF_2013, NEVER_DEPARTED, taste
    from strandline.spark import close, close_session, credentials_for, open_session

    os.chdir(folder)  # dbt takes the relative paths of its profile from here
    profiles, logs = folder / "profiles", folder / "logs"
    began = time.monotonic()
    with everything_to(logs / "demo.log") as terminal, ExitStack() as at_the_end:
        at_the_end.callback(close)
        console = Console(file=terminal)
        steps = Steps(console, of=2 + 2 * len(year.landings()))
        with steps.step("reading the project and starting Spark") as line:
            project = Project(folder, profiles, target, logs)
            relations = project.relations()
            credentials = credentials_for(folder, target, profiles)
            spark = open_session(credentials)
            at_the_end.callback(close_session, spark)
            tables = [FLIGHTS, WEATHER, *relations.stored]
            before = states(spark, tables)
            line.tell(summary.standing_words(len(tables), len(before)))
        landings = Landings(spark, Path(credentials.home))
        events, reports, builds = 0, 0, []
        for days in year.landings():
            with steps.step(f"landing flights and weather of {days.name}") as line:
                result = landings.land(days.first, days.end)
                events += result.flights.landed
                reports += result.weather.landed
                line.tell(summary.landing_words(result))
            with steps.step(f"dbt build with {days.name}") as line:
                # Without news one build is enough, and the last one is it.
                if result.rows or days.is_last:
                    builds.append(project.build(line))
                    line.tell(summary.build_words(builds[-1]))
                else:
                    line.tell("not needed")
        with steps.step("reading what was built") as line:
            after = states(spark, tables)
            shown = taste(spark, relations.by_name)
        seconds = time.monotonic() - began
        summary.show(console, summary.Story(before, after, builds, events, reports, shown, seconds))
    if year.months == 12 and not shown.is_the_whole_year():
        raise click.ClickException(
            f"The tables hold {shown.flights:,} flights, {shown.never_departed:,} without a "
            f"departure; 2013 had {FLIGHTS_OF_2013:,} and {NEVER_DEPARTED:,}."
        )
