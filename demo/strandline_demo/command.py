"""`strandline demo`: flights and weather of 2013, landed twice and built twice: a real increment.

One carrier's day comes late, with the second landing; then its range of time is recomputed.

Every step can be repeated after a kill: files are written whole or not at all, a file is landed
once, and a build continues from its tables. The runs have the times that they would have on a
schedule, so that the times of notifications do not depend on the day of the demo.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from strandline_demo.states import State
    from strandline_demo.year import Year

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
    would. The flights of American on 8 February come with the last day only: what was notified
    of them is corrected by a run on that day. A second `strandline demo` finds nothing to land and
    shows that nothing is written.
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
    from strandline_demo.year import Year

    data_folder()  # refuses at once if the data are not installed
    replay(project_dir, target, Year(months))


def replay(folder: Path, target: str, year: Year) -> None:
    """Land, build, land, build, backfill, show. The terminal has the story, the logs the rest."""
    from rich.console import Console

    from strandline.cli.progress import Steps
    from strandline.cli.project import Project
    from strandline.cli.report_contents import FILE, write_report
    from strandline.cli.workspace import everything_to
    from strandline.spark import close, close_session, credentials_for, open_session
    from strandline_demo import results, shown, summary
    from strandline_demo.landings import FLIGHTS, QUARANTINES, WEATHER, Landings
    from strandline_demo.states import States
    from strandline_demo.year import NEW_YORK

    os.chdir(folder)  # dbt resolves the relative paths of its profile here
    profiles, logs, report = folder / "profiles", folder / "logs", folder / FILE
    before_last, last = year.landings()
    backfill = year.backfill()
    began = time.monotonic()
    with everything_to(logs / "demo.log") as terminal, ExitStack() as at_the_end:
        at_the_end.callback(close)
        console = Console(file=terminal)
        steps = Steps(console, of=7 if backfill else 6)
        with steps.step("reading the project and starting Spark") as line:
            project = Project(folder, profiles, target, logs)
            relations = project.relations()
            credentials = credentials_for(folder, target, profiles)
            spark = open_session(credentials)
            at_the_end.callback(close_session, spark)
            tables = [FLIGHTS, WEATHER, *relations.stored]
            states = States(spark, Path(credentials.home, "demo_rows.json"))
            before = states.versions(tables)
            line.report(summary.standing_words(len(tables), len(before)))
        landings = Landings(spark, Path(credentials.home))
        events, reports, builds = 0, 0, []
        for days in (before_last, last):
            with steps.step(f"landing flights and weather of {days.name}") as line:
                result = landings.land(days)
                events += result.flights.landed
                reports += result.weather.landed
                line.report(summary.landing_words(result))
            with steps.step(f"dbt build with {days.name}") as line:
                # The last day is landed after the first build was done, and not before.
                if days is last or not landings.have_begun(last):
                    seeds = not _hold_rows(states.of(relations.seeds), relations.seeds)
                    # What the first build made is tested with what the second makes of it.
                    builds.append(
                        project.build(line, days.as_of, with_seeds=seeds, with_tests=days is last)
                    )
                    line.report(summary.build_words(builds[-1]))
                else:
                    line.report("not needed")
        if backfill:
            with steps.step(f"strandline run on {backfill.name}") as line:
                built = project.run(line, backfill.select, backfill.variables)
                line.report(summary.backfill_words(built))
        with steps.step("reading what was built, and writing the report") as line:
            late = [name for name in relations.stored if name.endswith("_late")]
            unusable = [*QUARANTINES, *late, *relations.late]
            after = states.of(tables)

            def read() -> shown.Shown:
                write_report(project, spark, str(NEW_YORK), report, line.report)
                return shown.read(spark, relations.by_name, year, unusable)

            state = states.of_all([*tables, *relations.by_name.values(), *QUARANTINES])
            kept = Path(credentials.home, "demo_page.json")
            figures = shown.kept(kept, state, year, report, read)
            line.report("")
        seconds = time.monotonic() - began
        story = summary.Story(
            before,
            after,
            builds,
            events,
            reports,
            figures.totals,
            figures.alerts,
            figures.windows,
            seconds,
            figures.unusable,
        )
        summary.show(console, story)
    if year.months == 12 and not figures.totals.is_the_whole_year():
        raise click.ClickException(
            f"The tables hold {figures.totals.flights:,} flights, "
            f"{figures.totals.never_departed:,} without a "
            f"departure; 2013 had {results.FLIGHTS_OF_2013:,} and {results.NEVER_DEPARTED:,}."
        )


def _hold_rows(found: Mapping[str, State], tables: Sequence[str]) -> bool:
    """Whether all these tables exist and none is empty."""
    return len(found) == len(tables) and all(state.rows for state in found.values())
