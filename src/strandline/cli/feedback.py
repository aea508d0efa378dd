"""`strandline ack`, `feedback` and `mute`: what people say of anomalies."""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from strandline.cli.instants import instant, length
from strandline.cli.people import AnomalyTable, add_row, columns_of, refuse_columns
from strandline.cli.terminal import say
from strandline.cli.workspace import entered, project_options
from strandline.literals import instant_of, text_sql
from strandline.report.values import key_sql

if TYPE_CHECKING:
    from strandline.connection import Connection

ACKNOWLEDGED = "acknowledged"
RANGE = ("starts_at", "ends_at")
LEAST = 6  # characters of an id
ACK_EXAMPLES = """
\b
Examples:
  strandline ack 29d684c1
  strandline ack 29d684c1 --note "The airport is closed." --by desk
"""
FEEDBACK_EXAMPLES = """
\b
Examples:
  strandline feedback 29d684c1 --verdict no_anomaly --note "The file was not delivered."
"""
MUTE_EXAMPLES = """
\b
Examples:
  strandline mute carrier=UA --for P1D --note "The timetable changes."
  strandline mute detector=carrier_day --from 2013-12-24 --until 2013-12-27
  strandline mute --all --for PT2H
"""


@dataclass(frozen=True)
class Incident:
    """One incident: its table of anomalies, its id, the anomaly that was named, and its key."""

    table: AnomalyTable
    incident_id: str
    anomaly_id: str
    key: dict[str, str | None]
    starts_at: datetime
    ends_at: datetime

    @property
    def title(self) -> str:
        """`carrier_day · UA, 2013-02-08 05:00 to 2013-02-10 05:00 UTC`."""
        what = " · ".join(value for value in self.key.values() if value is not None)
        span = f"{self.starts_at:%Y-%m-%d %H:%M} to {self.ends_at:%Y-%m-%d %H:%M} UTC"
        return f"{what}, {span}" if what else span


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--by", metavar="NAME", help="Who says so. Default: the user of this system."),
        click.option("--note", metavar="TEXT", help="A note for people."),
        click.argument("name", metavar="ID"),
    ):
        command = option(command)
    return command


@click.command(epilog=ACK_EXAMPLES)
@_options
@project_options
def ack(
    name: str, note: str | None, by: str | None, target: str | None, project_dir: Path,
    profiles_dir: str | None,
) -> None:  # fmt: skip
    """Say that somebody works on the incident ID.

    From the next run on, no reminder of it and no rise of its severity is sent. ID is an incident
    or an anomaly as a notification has it, or its first characters. The row is written to the
    relation that is `feedback` of the anomalies: a seed of the project, or a source.

    Exit codes: 0 written, 1 failed, 2 wrong use.
    """
    _feed_back(name, ACKNOWLEDGED, note, by, target, project_dir, profiles_dir, of_incident=True)


@click.command(epilog=FEEDBACK_EXAMPLES)
@_options
@click.option("--verdict", metavar="TEXT", required=True, help="Such as anomaly or no_anomaly.")
@project_options
def feedback(
    name: str, verdict: str, note: str | None, by: str | None, target: str | None,
    project_dir: Path, profiles_dir: str | None,
) -> None:  # fmt: skip
    """Say what the anomaly ID was.

    Nothing of it is notified from the next run on. ID is an anomaly as a notification has it, or
    its first characters. The row is written to the relation that is `feedback` of the anomalies: a
    seed of the project, or a source. `anomalies_active` shows it.

    Exit codes: 0 written, 1 failed, 2 wrong use.
    """
    _feed_back(name, verdict, note, by, target, project_dir, profiles_dir, of_incident=False)


def _feed_back(
    name: str, verdict: str, note: str | None, by: str | None, target: str | None,
    project_dir: Path, profiles_dir: str | None, *, of_incident: bool,
) -> None:  # fmt: skip
    if len(name) < LEAST:
        raise click.UsageError(f"ID is '{name}'; write at least its first {LEAST} characters.")
    from strandline.spark import connection_for

    with (
        entered(project_dir, profiles_dir, target, "feedback.log", needs="tables") as (project, _),
        connection_for(project.folder, project.target, project.profiles) as spark,
    ):
        found = incident_in(spark, project.anomaly_tables(), name)
        kept = found.table.feedback
        if kept is None:
            raise click.ClickException(_without_feedback(found.table))
        row = {
            "anomaly_id": found.incident_id if of_incident else found.anomaly_id,
            "verdict": verdict,
            "note": note,
            "noted_by": by or getpass.getuser(),
            "noted_at": datetime.now(timezone.utc).replace(tzinfo=None, microsecond=0),
        }
        # Who and when are written where there are such columns; what was typed must be.
        typed = ["anomaly_id", *(["note"] if note else []), *(["noted_by"] if by else [])]
        columns = columns_of(spark, kept)
        refuse_columns(kept, columns, typed if of_incident else [*typed, "verdict"])
        written = add_row(spark, kept, row)
    say(f"{found.title}: {verdict}. {written}")


def _without_feedback(table: AnomalyTable) -> str:
    name = table.relation.rpartition(".")[2]
    return (
        f"{table.relation} has no feedback: write seeds/{name}_feedback.csv with the line"
        " `anomaly_id,verdict,note,noted_by,noted_at`, give the columns their types, and add the"
        f" argument feedback=ref('{name}_feedback') to its model (docs/notifications.md)."
    )


def incident_in(spark: Connection, tables: Sequence[AnomalyTable], name: str) -> Incident:
    """The incident of an id, or of its first characters. Raises click.ClickException."""
    found = [
        Incident(
            table, row["incident_id"], row["anomaly_id"] or row["incident_id"],
            json.loads(row["key"]),
            instant_of(row["first"]), instant_of(row["last"]),
        )
        for table in tables
        for row in spark.sql(_matching(table, name)).collect()
    ]  # fmt: skip
    if not found:
        known = ", ".join(table.relation for table in tables)
        raise click.ClickException(
            f"No anomaly has the id {name}; looked into: {known}."
            if known
            else "This project has no table of anomalies."
        )
    if len(found) > 1:
        those = "\n".join(f"  {one.incident_id}  {one.title}" for one in found)
        raise click.ClickException(f"{name} is the beginning of several ids:\n{those}")
    return found[0]


def _matching(table: AnomalyTable, name: str) -> str:
    """The incidents of which an anomaly has the id; of each the first such anomaly."""
    text = text_sql(name)
    return f"""
        select coalesce(incident_id, anomaly_id) as incident_id,
            min(if(startswith(anomaly_id, {text}), anomaly_id, null)) as anomaly_id,
            min({key_sql(table.keys)}) as key, unix_micros(min(starts_at)) as first,
            unix_micros(max(ends_at)) as last
        from {table.relation}
        where startswith(anomaly_id, {text}) or startswith(incident_id, {text})
        group by 1
        order by first
    """


@click.command(epilog=MUTE_EXAMPLES)
@click.argument("which", nargs=-1, metavar="[COLUMN=VALUE]...")
@click.option("--all", "mutes_all", is_flag=True, help="All anomalies of the outbox.")
@click.option("--for", "duration", type=length, metavar="DURATION", help="How long, such as PT4H.")
@click.option("--from", "since", type=instant, metavar="INSTANT", help="Default: now.")
@click.option("--until", type=instant, metavar="INSTANT", help="Instead of --for.")
@click.option("--note", metavar="TEXT", help="A note for people.")
@click.option(
    "--outbox", default="notifications", show_default=True, metavar="NAME",
    help="The model of the notifications.",
)  # fmt: skip
@project_options
def mute(
    which: tuple[str, ...], mutes_all: bool, duration: timedelta | None, since: datetime | None,
    until: datetime | None, note: str | None, outbox: str, target: str | None, project_dir: Path,
    profiles_dir: str | None,
) -> None:  # fmt: skip
    """Send nothing of anomalies that lie in a range of time.

    They are stored and shown as before. COLUMN=VALUE restricts it to those of a key or a severity,
    such as carrier=UA. Times are those of the events, UTC. The row is written to the relation that
    is `silences` of the outbox: a seed of the project, or a source. An anomaly that lasts beyond
    the range is notified.

    Exit codes: 0 written, 1 failed, 2 wrong use.
    """
    values = _values_of(which)
    if bool(values) == mutes_all:
        raise click.UsageError("Write what is muted, such as carrier=UA, or --all; one of the two.")
    if (duration is None) == (until is None):
        raise click.UsageError("Write how long, --for PT4H, or --until INSTANT; one of the two.")
    first = since or datetime.now(timezone.utc).replace(tzinfo=None, microsecond=0)
    last = until or first + (duration or timedelta(0))
    if last <= first:
        raise click.UsageError(f"--until {last} is not after --from {first}.")
    from strandline.spark import connection_for

    with entered(project_dir, profiles_dir, target, "mute.log", needs="tables") as (project, _):
        kept = project.silences(outbox)
        if kept is None:
            raise click.ClickException(
                f"{outbox} has no silences: write seeds/silences.csv with the line"
                " `starts_at,ends_at,note` and the columns by which you mute, such as `detector`,"
                f" and add the argument silences=ref('silences') to the model of {outbox}"
                " (docs/notifications.md, Silences)."
            )
        with connection_for(project.folder, project.target, project.profiles) as spark:
            columns = columns_of(spark, kept)
            refuse_columns(kept, columns, [*values, *(["note"] if note else [])])
            row = {**values, "starts_at": first, "ends_at": last, "note": note}
            written = add_row(spark, kept, row)
    what = ", ".join(f"{name}={value}" for name, value in values.items()) or "everything"
    say(f"{what} is muted from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC. {written}")


def _values_of(which: Sequence[str]) -> dict[str, str]:
    """`carrier=UA` by column. Raises click.UsageError."""
    values: dict[str, str] = {}
    for text in which:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise click.UsageError(f"'{text}' is no COLUMN=VALUE, such as carrier=UA.")
        if name.lower() in (*RANGE, "note") or name.lower() in values:
            raise click.UsageError(f"'{text}': {name} is given by an option, or twice.")
        values[name.lower()] = value
    return values
