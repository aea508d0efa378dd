"""One replay of the demo: its steps, and what they have found so far."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from strandline.cli.build import Build
from strandline.cli.progress import Steps
from strandline.cli.project import Project
from strandline.cli.report_contents import FILE, write_report
from strandline.spark import close_session, credentials_for, open_session
from strandline_demo import shown, summary
from strandline_demo.landings import FLIGHTS, HOME, QUARANTINES, WEATHER, Landings
from strandline_demo.states import State, States
from strandline_demo.year import NEW_YORK, Backfill, Days, Year


class Replay:
    """The steps of one replay, each with its line on the console.

    Args:
        folder: the clone.
        target: of its profiles.yml.
        year: the months.
        steps: where each step is shown.
        at_the_end: closes the session.
    """

    def __init__(
        self, folder: Path, target: str, year: Year, steps: Steps, at_the_end: ExitStack
    ) -> None:
        self._began = time.monotonic()
        self._year, self._steps = year, steps
        self._report = folder / FILE
        self._builds: list[Build] = []
        self._events = self._weather = 0
        with steps.step("reading the project and starting Spark") as line:
            profiles = folder / "profiles"
            credentials = credentials_for(folder, target, profiles)
            self._home = Path(credentials.home)
            Landings.refuse_others(self._home, year.landings())
            self._project = Project(folder, profiles, target, folder / "logs")
            with ThreadPoolExecutor(1) as pool:
                opened = pool.submit(open_session, credentials)
                self._relations = self._project.relations()
                self._spark = opened.result()
            at_the_end.callback(close_session, self._spark)
            self._tables = [FLIGHTS, WEATHER, *self._relations.stored]
            self._states = States(self._spark, self._home / "demo_rows.json")
            self._before = self._states.versions(self._tables)
            line.report(summary.standing_words(len(self._tables), len(self._before)))
        self._landings = Landings(self._spark, self._home)

    def have_begun(self, days: Days) -> bool:
        """Whether the landing of these days was begun, now or by a replay before."""
        return self._landings.have_begun(days)

    def land(self, days: Days) -> None:
        with self._steps.step(f"landing flights and weather of {days.name}") as line:
            result = self._landings.land(days, line.report)
            self._events += result.flights.landed
            self._weather += result.weather.landed
            line.report(summary.landing_words(result))

    def build(self, days: Days, *, with_tests: bool) -> None:
        with self._steps.step(f"dbt build with {days.name}") as line:
            seeds = self._relations.seeds
            with_seeds = not _hold_rows(self._states.of(seeds), seeds)
            built = self._project.build(
                line, days.as_of, with_seeds=with_seeds, with_tests=with_tests
            )
            self._builds.append(built)
            line.report(summary.build_words(built))

    def run(self, backfill: Backfill) -> None:
        with self._steps.step(f"strandline run on {backfill.name}") as line:
            built = self._project.run(line, backfill.select, backfill.variables)
            line.report(summary.backfill_words(built))

    def pass_over(self, title: str) -> None:
        """A step that a replay before this one has done."""
        with self._steps.step(title) as line:
            line.report("not needed")

    def first_report(self) -> None:
        """Write what there is after the first build, for a first look while the rest is done."""
        with self._steps.step("a first report") as line:
            self._write_report(line.report)
            line.report(f"look at {FILE}")

    def end(self) -> summary.Outcome:
        """Read what was built, write the report, and give what the closing page says."""
        with self._steps.step("reading what was built, and writing the report") as line:
            late = [name for name in self._relations.stored if name.endswith("_late")]
            unusable = [*QUARANTINES, *late, *self._relations.late]
            everything = [*self._tables, *self._relations.by_name.values(), *QUARANTINES]
            # Most of a query's time is its planning, which one thread does for each.
            with ThreadPoolExecutor(2) as pool:
                line.report("rows of the tables")
                counted = pool.submit(self._states.of, self._tables)

                def read() -> shown.Shown:
                    figures = pool.submit(
                        shown.read, self._spark, self._relations.by_name, self._year, unusable
                    )
                    self._write_report(line.report)
                    return figures.result()

                figures = shown.kept(
                    self._home / "demo_page.json",
                    self._states.of_all(everything),
                    self._year,
                    self._report,
                    read,
                )
                after = counted.result()
            line.report("")
        return summary.Outcome(
            self._before,
            after,
            self._builds,
            self._events,
            self._weather,
            figures.totals,
            figures.alerts,
            figures.windows,
            time.monotonic() - self._began,
            figures.unusable,
            home=os.environ.get(HOME, ""),
        )

    def _write_report(self, show: Callable[[str], None]) -> None:
        write_report(self._project, self._spark, str(NEW_YORK), self._report, show)


def _hold_rows(found: Mapping[str, State], tables: Sequence[str]) -> bool:
    """Whether all these tables exist and none is empty."""
    return len(found) == len(tables) and all(state.rows for state in found.values())
