"""The page that ends the demo: what was built, what the data say, where to look next."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from strandline_demo.landings import HOME
from strandline_demo.states import State

if TYPE_CHECKING:
    from strandline.cli.build import Build
    from strandline_demo.landings import Landed
    from strandline_demo.results import Alerts, Totals, Windows

BAR = 30
NEXT = {
    "look": "target/strandline_report.html, in a browser: series, anomalies, alerts, windows",
    "query": "{home}.venv/bin/dbt show --profiles-dir profiles --limit 9 --inline "
    "\"select * from {{ ref('mart_carrier_delays') }} where carrier = 'UA'\"",
    "read": "docs/demo.md, what all of it is; docs/tutorial.md, from a file of yours to an alert",
}


@dataclass(frozen=True)
class Outcome:
    """The results of one run of the demo."""

    before: dict[str, int]
    after: dict[str, State]
    builds: list[Build]
    events: int
    reports: int
    totals: Totals
    alerts: Alerts
    windows: Windows
    seconds: float
    unusable: dict[str, int] = field(default_factory=dict)  # rows of quarantine and late events
    home: str = ""  # where the tables are, if it is not the profile's own folder


def landing_words(landed: Landed) -> str:
    """One landing in a few words."""
    if not landed.rows and not landed.quarantined:
        return "nothing new to land"
    refused = f", {landed.quarantined:,} in quarantine" if landed.quarantined else ""
    rows = f"{landed.flights.landed:,} events, {landed.weather.landed:,} weather reports"
    return rows + refused


def standing_words(stored: int, standing: int) -> str:
    """What is there before the run."""
    if not standing:
        return f"{stored} tables to be made"
    return f"{standing} of {stored} tables are there from an earlier run"


def build_words(build: Build) -> str:
    """One build in a few words."""
    tested = f", {build.tests()} tests passed" if build.tests() else ""
    if build.unchanged_tests():
        tested += f" ({build.unchanged_tests()} of unchanged tables)"
    return f"{len(build.stored())} tables{tested}"


def backfill_words(run: Build) -> str:
    """The run on one day in a few words: what it wrote to the anomalies."""
    return next(node.message for node in run.nodes if node.name == "flight_anomalies")


def show(console: Console, outcome: Outcome) -> None:
    """Print the whole page, at most one screen."""
    console.print(_tables(outcome))
    for sentence in _sentences(outcome):
        console.print()
        console.print(sentence, highlight=False)
    console.print("\n[bold]Mean departure delay in minutes, by month[/]")
    console.print(_bars(outcome.totals))
    console.print()
    home = f"{HOME}={shlex.quote(outcome.home)} " if outcome.home else ""
    for verb, text in NEXT.items():
        what = text.replace("{home}", home)
        # The terminal wraps the line, so that a command is copied in one piece.
        console.print(f"[bold]{verb:<7}[/]{what}", soft_wrap=True, highlight=False)


def unusable_words(rows: dict[str, int]) -> str:
    """The rows in tables of late events and of faulty rows."""
    lines = [f"{count:,} in {table}" for table, count in rows.items() if count]
    if not lines:
        return "No event is late, no row is in quarantine."
    return f"Rows that could not be used: {', '.join(lines)}"


def _tables(outcome: Outcome) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("table", no_wrap=True)
    table.add_column("rows", justify="right")
    table.add_column("version", justify="right")
    for run in ["build"] if len(outcome.builds) == 1 else ["1st build", "2nd build"]:
        table.add_column(run, justify="right")
    took = [{node.relation: node.seconds for node in build.nodes} for build in outcome.builds]
    # The landed tables, then the others in the order of the build.
    shown = {node.relation: node.name for node in outcome.builds[-1].stored()}
    landed = {name: name for name in outcome.after if name not in shown}
    for name, label in {**landed, **shown}.items():
        state = outcome.after[name]
        seconds = [f"{run[name]:.1f} s" if name in run else "-" for run in took]
        table.add_row(
            label, f"{state.rows:,}", _versions(outcome.before.get(name), state), *seconds
        )
    return table


def _versions(before: int | None, after: State) -> str:
    if before is None or before == after.version:
        return str(after.version)
    return f"{before} → {after.version}"


def changed(before: dict[str, int], after: dict[str, State]) -> list[str]:
    """The tables that got a new version, or are new."""
    return [name for name, state in after.items() if before.get(name) != state.version]


def _sentences(outcome: Outcome) -> list[Text]:
    totals = outcome.totals
    written = changed(outcome.before, outcome.after)
    total = Text.assemble(
        (f"{totals.flights:,} flights", "bold"),
        f", {totals.never_departed:,} of them never departed. ",
        f"All in {outcome.seconds:.0f} s.",
    )
    if not written:
        text = (
            f"Incremental: nothing new. All {len(outcome.after)} tables are up to date and nothing "
            "was written:\neach still has the version that it had before."
        )
    elif outcome.before:
        text = (
            f"Incremental: {outcome.events:,} new events and {outcome.reports:,} weather reports.\n"
            f"{len(written)} of {len(outcome.after)} tables got a new version."
        )
    else:
        text = (
            f"{outcome.events:,} events and {outcome.reports:,} weather reports landed in two "
            "runs.\nThe second build was incremental. Run it again: nothing will be written."
        )
    text += f"\n{unusable_words(outcome.unusable)}"
    return [
        Text("\n").join([total, Text(text)]),
        Text("\n".join(_alerts(outcome.alerts))),
        Text("\n".join(_windows(outcome.windows))),
    ]


def _alerts(alerts: Alerts) -> list[str]:
    text = f"{alerts.notified:,} notifications."
    if alerts.departed:
        are = "is" if alerts.departed == 1 else "are"
        text += f" {alerts.departed} {are} outdated: flights that waited at midnight left."
    if alerts.late_carriers or alerts.cancelling_carriers:
        text += (
            f"\n{alerts.late_carriers:,} of hours in which a carrier was over three hours late, "
            f"{alerts.cancelling_carriers:,} in which it cancelled flights."
        )
    if len(alerts.late_day) < 2:
        return [text]
    first, *_, now = alerts.late_day
    return [
        text,
        f"8 February, American: its file was missing, {first.departures} departures of "
        f"{first.usual} were notified.",
        f"It came late: outdated by the run on that day, which notifies what stays, "
        f"{now.departures}.",
    ]


def _windows(windows: Windows) -> list[str]:
    departures = ", ".join(f"{name} {now:,} ({most:,})" for name, now, most in windows.departures)
    delays = ", ".join(f"{dest} {minutes / 60:,.0f}" for dest, minutes in windows.destinations)
    known = {"fine": 0, "cancelled": 0, "diverted or lost": 0, **windows.outcomes}
    outcomes = ", ".join(f"{flights:,} {outcome}" for outcome, flights in known.items())
    return [
        f"Departed in the last 30 minutes (most): {departures}.",
        f"Hours of delay in 30 days: {delays}.",
        f"{windows.planes:,} planes left two airports within six hours, {windows.changes:,} times.",
        f"Outcomes of the flights: {outcomes}.",
    ]


def _bars(totals: Totals) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for side in ("left", "left", "right"):
        table.add_column(justify=side)
    longest = max([abs(minutes) for _, minutes in totals.delays] or [1.0]) or 1.0
    for month, minutes in totals.delays:
        bar = "█" * max(1, round(BAR * abs(minutes) / longest))
        table.add_row(month, Text(bar, "cyan"), f"{minutes:.1f}")
    return table
