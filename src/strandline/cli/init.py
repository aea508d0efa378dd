"""`strandline init`: a dbt project with an aggregation, a detector and alerts, from a file."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.instants import time_zone
from strandline.cli.terminal import say

if TYPE_CHECKING:
    from strandline.starter.answers import Answers
    from strandline.starter.columns import Sample

DECIMALS = ("comma", "point")
EXAMPLE = 24  # characters of a text of the file that are shown
SHOWN, KEYS_SHOWN = 6, 20  # names that could be taken instead
WIDTH = 120  # of the table, where there is no terminal

EXAMPLES = """
\b
Examples:
  strandline init                                     asks
  strandline init --csv readings.csv                  asks for the rest
  strandline init --parquet readings.parquet --yes
  strandline init --csv readings.csv --ts read_at --keys machine,sensor \\
      --value temperature --above 80
  strandline init --model orders --ts paid_at --keys shop --value amount --yes
  strandline init --csv orders.csv --event-id order_id  rows that are sent again count once
  strandline init --update                            after an upgrade of the package
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--csv",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
    help="A file with a header and events; it is read for its columns only.",
)
@click.option(
    "--json",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
    help="A file of events: an object in each line, or one list.",
)
@click.option(
    "--parquet",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
    help="A file of events in Parquet.",
)
@click.option(
    "--model",
    help="A model of the project that has the events, with `arrival`, or SOURCE.TABLE.",
)
@click.option("--name", help="Of the project. Default: the folder's name.")
@click.option("--events", help="What the events are called. Default: the file's or model's name.")
@click.option("--ts", help="The column with the time of an event.")
@click.option(
    "--keys", help="The columns that tell series apart, separated by commas; '' for none."
)
@click.option("--value", help="The column of numbers that is averaged; '' to count only.")
@click.option(
    "--per",
    type=click.Choice(["hours", "days"]),
    help="What the detector looks at. Default: days, if a series has a row a day, else hours.",
)
@click.option(
    "--event-id",
    metavar="COLUMNS",
    help="The columns that identify an event, of which a further row does not count; '-' for none.",
)
@click.option("--above", type=float, help="Detect hours, or days, above this.")
@click.option("--below", type=float, help="Detect hours, or days, below this.")
@click.option(
    "--day-first/--month-first",
    default=None,
    help="How 3/4/2026 is read, if the file does not show it.",
)
@click.option(
    "--decimal",
    type=click.Choice(DECIMALS),
    help="What is before a fraction, if the file does not show it.",
)
@click.option(
    "--time-zone",
    "zone",
    type=time_zone,
    metavar="NAME",
    help="The zone of times without an offset. Default: UTC.",
)
@click.option("--yes", is_flag=True, help="Ask nothing: take what is proposed.")
@click.option("--update", is_flag=True, help="Only renew packages/strandline.")
@click.option(
    "--project-dir",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    default=".",
    help="The folder (default: here).",
)
def init(
    csv: Path | None,
    json: Path | None,
    parquet: Path | None,
    model: str | None,
    name: str | None,
    events: str | None,
    ts: str | None,
    keys: str | None,
    value: str | None,
    per: str | None,
    event_id: str | None,
    above: float | None,
    below: float | None,
    day_first: bool | None,
    decimal: str | None,
    zone: tzinfo | None,
    yes: bool,
    update: bool,
    project_dir: Path,
) -> None:
    """Begin a project, or add an aggregation, a detector and alerts to one.

    It writes an aggregation by minute, hour and day, a detector over its hours, or over its days if
    a series has a row a day, the anomalies and the outbox of notifications, tests, and run.sh,
    which a schedule calls. The macros of Strandline go to packages/strandline, so that no clone is
    needed. No file is replaced; run.sh gets the lines of a further source, which has models and a
    folder of files of its own. Without --above and --below, hours are detected that are far from a
    median: of the week before, or of the same hour of the day or of the week, whatever predicts the
    file best, with bounds that few of its hours are beyond.

    A file may have another separator, names with blanks, numbers with a comma or a unit, dates with
    the day first, a date and a time of day in two columns, or times as numbers. What it was taken
    for is shown as a table. What the landing cannot read is read by SQL of a staging model.

    Exit codes: 0 written, 1 refused, 2 wrong use.
    """
    from strandline.starter.answers import Answers, check
    from strandline.starter.package import FOLDER, put_package
    from strandline.starter.proposal import proposal_of
    from strandline.starter.resent import described, put_together
    from strandline.starter.rhythm import USUAL, rhythm_of
    from strandline.starter.staging import settled
    from strandline.starter.write import names_of, write_project

    if update:
        if not (project_dir / FOLDER).is_dir():
            raise click.UsageError(
                f"{project_dir} has no {FOLDER}, which --update renews: begin without --update."
            )
        say(f"{put_package(project_dir)} is of the installed version.")
        return
    interactive = not yes and _on_terminal()
    given = {"csv": csv, "json": json, "parquet": parquet}
    files = [(each, file) for each, file in given.items() if file is not None]
    if not files and model is None:
        if not interactive:
            raise click.UsageError(
                "Give --csv FILE, --json FILE or --parquet FILE, or --model NAME."
            )
        files = [_asked_file()]
    if len(files) + (model is not None) > 1:
        raise click.UsageError("Give one of --csv, --json, --parquet and --model.")
    file_format, file = files[0] if files else ("csv", None)
    sample = _understood(file, file_format, day_first, decimal, interactive) if file else None
    if sample is None and None in (ts, keys, value):
        raise click.UsageError("With --model, give --ts, --keys and --value, too.")

    questions = _Questions(interactive, sample)
    new = name or _identifier(project_dir.name)
    project, profile = names_of(project_dir) or (new, new)
    # In the order in which a person is asked.
    time, series, averaged = questions.ts(ts), questions.keys(keys), questions.value(value)
    ids = questions.event_id(event_id, time, series)
    zone_name = questions.zone(zone, time)
    if sample is not None and time in sample.names:
        sample = settled(sample, time, zone_name)
    above, below = questions.bounds(above, below)
    answers = Answers(
        project=project,
        profile=profile,
        events=events or (model or "").rpartition(".")[2] or _identifier(file.stem if file else ""),
        ts=time,
        keys=series,
        value=averaged,
        above=above,
        below=below,
        columns=sample.columns if sample else (),
        options=sample.options if sample else {},
        file_format=file_format,
        suffix=file.suffix if file else ".csv",
        zone=zone_name,
        model=model,
        event_id=ids,
    )
    check(answers, sample)
    if sample is None:
        answers = replace(answers, rhythm=USUAL.by(per))
    elif file is not None:
        rhythm = rhythm_of(sample, time, series, zone_name)
        answers = replace(answers, rhythm=rhythm.by(per))
        if above is None and below is None:
            step = answers.rhythm.step
            proposal = proposal_of(file, sample, time, series, averaged, zone_name, step)
            answers = replace(answers, proposal=proposal)
    resent = described(sample, ids, time, series) if sample else None
    if sample is not None and len(ids) > 1:
        sample = replace(sample, columns=(*sample.columns, column := put_together(sample, ids)))
        answers = replace(answers, columns=sample.columns, event_id=(column.name,))
    written = write_project(project_dir, answers)
    if sample is not None:
        _show(sample)
    for line in _chosen_lines(answers, sample):
        say(line)
    if resent:
        say(f"resent  {resent}")
    for path in written.made:
        say(f"wrote  {path}")
    for path in written.changed:
        say(f"added  {path}: the lines of {answers.events}; the others stay")
    for path in written.left:
        say(f"left   {path}: it is there already")
    say(_next(project_dir, file, written.incoming, zone_name))


def _understood(
    file: Path, file_format: str, day_first: bool | None, decimal: str | None, interactive: bool
) -> Sample:
    """The columns of a file, with what can be read in two ways as a person says.

    Raises:
        StarterError: nobody can be asked.
    """
    from strandline.errors import StarterError, refuse
    from strandline.starter.columns import sample_of

    sample = sample_of(file, day_first, decimal, file_format)
    if not sample.questions:
        return sample
    if not interactive:
        faults = [f"{each.question}: say {each.option}" for each in sample.questions]
        refuse(str(file), faults, StarterError)
    for each in sample.questions:
        if each.is_of_days:
            day_first = click.confirm(f"{each.question}. Is the day first?", default=True)
        else:
            decimal = click.prompt(f"{each.question}. Before a fraction is a",
                                   type=click.Choice(DECIMALS))  # fmt: skip
    return sample_of(file, day_first, decimal, file_format)


def _show(sample: Sample) -> None:
    """What a file was taken for, as one table."""
    from rich import box
    from rich.table import Table

    from strandline.cli.console import Terminal
    from strandline.notify.characters import cut

    table = Table("column", "type", "example", "what is odd", box=box.SIMPLE_HEAD)
    for column in sample.columns:
        example = cut(column.example, EXAMPLE)
        table.add_row(column.name, column.type, example, "; ".join(column.notes))
    Terminal(width=None if _on_terminal() else WIDTH).print(table)
    for note in sample.notes:
        say(f"note    {note}")


def _on_terminal() -> bool:
    return sys.stdin.isatty()


def _identifier(text: str) -> str:
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def _next(folder: Path, file: Path | None, incoming: str, zone: str | None = None) -> str:
    of_zone = f" --time-zone {zone}" if zone else ""
    land = f"  mkdir -p {incoming} && cp {shlex.quote(str(file))} {incoming}/\n" if file else ""
    return (
        f"\nNext, in {folder}:\n"
        f"  dbt deps          # once: it finds strandline in packages/\n{land}"
        "  ./run.sh          # lands, builds, tests, and shows what would be sent\n"
        f"  strandline report --open{of_zone}"
    )


def _asked_file() -> tuple[str, Path]:
    """The format of a file by its suffix, and the file."""
    from strandline.starter.records import SUFFIXES

    kind = click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path)
    file: Path = click.prompt("A file with events: CSV, JSON or Parquet", type=kind)
    return SUFFIXES.get(file.suffix.lower(), "csv"), file


def _chosen_lines(answers: Answers, sample: Sample | None) -> list[str]:
    """What the events are read by, and which numbers are not averaged since they are ids."""
    columns = {column.name: column for column in sample.columns} if sample else {}
    kind = f" ({columns[answers.value].type})" if answers.value in columns else ""
    is_local = answers.ts in columns and columns[answers.ts].is_local and not answers.zone
    utc = ", read as UTC (--time-zone NAME, if it is local)" if is_local else ""
    counted = (
        f"average {answers.value}{kind}" if answers.value else "average none: events are counted"
    )
    lines = [
        f"time    {answers.ts}{utc}",
        f"series  {', '.join(answers.keys) or _one_series(sample)}",
        f"{counted}{_or(sample.numbers if sample else [], answers.value, '--value NAME')}",
    ]
    if answers.above is None and answers.below is None:
        way = answers.proposal.way.words
        per = answers.rhythm.step.per
        lines.append(f"detect  {per} that are far from the median {way}")
        if answers.columns:
            lines.append(f"        {answers.proposal.found}")
    ids = (
        [name for name in sample.ids if name not in (answers.value, *answers.keys)]
        if sample
        else []
    )
    if ids:
        lines.append(f"ids     {', '.join(ids)}: not averaged (--value NAME, if it is a measure)")
    return lines


def _one_series(sample: Sample | None) -> str:
    """What else could tell series apart, the columns with the fewest values first."""
    columns = sorted(sample.columns, key=lambda each: each.values) if sample else []
    categories = sample.categories if sample else []
    found = [each.name for each in columns if each.values > 1 and each.name in categories]
    return "one" + (_or(found, None, "--keys", KEYS_SHOWN) or ": no column tells series apart")


def _or(names: Sequence[str], chosen: str | None, option: str, most: int = SHOWN) -> str:
    """What could be taken instead."""
    others = [name for name in names if name != chosen]
    if not others:
        return ""
    more = f" and {len(others) - most} others" if len(others) > most else ""
    return f"; or {', '.join(others[:most])}{more}: {option}"


class _Questions:
    """An answer for each option that was not given: a person's, or what is proposed."""

    def __init__(self, interactive: bool, sample: Sample | None) -> None:
        self._interactive = interactive
        self._sample = sample

    def ts(self, given: str | None) -> str:
        if given is not None or self._sample is None:
            return given or ""
        times = self._sample.times
        if not times:
            raise click.ClickException(
                "No column has the time of an event, such as 2026-01-31T23:59:00Z, in every row."
            )
        return self._ask("The time of an event", times[0], times)

    def keys(self, given: str | None) -> tuple[str, ...]:
        if given is None and self._sample is not None:
            proposed = ",".join(self._sample.series)
            given = self._ask("Columns that tell series apart ('-': none)", proposed or "-",
                              self._sample.names)  # fmt: skip
        return _names(given)

    def value(self, given: str | None) -> str | None:
        if given is None and self._sample is not None:
            numbers = self._sample.numbers
            given = self._ask("The number that is averaged ('-': only count)",
                              numbers[0] if numbers else "-", numbers)  # fmt: skip
        return None if given in (None, "", "-") else given

    def event_id(self, given: str | None, ts: str, keys: tuple[str, ...]) -> tuple[str, ...]:
        from strandline.starter.resent import proposed_id, repeated

        sample = self._sample
        if given is None and sample is not None and {ts, *keys} <= set(sample.names):
            proposed = proposed_id(sample, ts, keys)
            again = repeated(sample) > 0
            given = ",".join(proposed) if again else "-"
            # The keys and the time identify the rows of most files: no reason to ask.
            if proposed and (again or proposed != (*keys, ts)):
                given = self._ask(
                    "If an event can be sent again: what identifies it, such as "
                    f"{','.join(proposed)} ('-': each row counts)", given, sample.names,
                )  # fmt: skip
        return _names(given)

    def zone(self, given: tzinfo | None, ts: str) -> str | None:
        """The name of the zone of times without an offset; None is UTC."""
        columns = self._sample.columns if self._sample else ()
        is_local = any(column.name == ts and column.is_local for column in columns)
        if given is None and self._interactive and is_local:
            given = click.prompt(
                "Its times have no offset. Of which zone are they?", default="UTC", type=time_zone
            )
        return None if given is None or str(given) == "UTC" else str(given)

    def bounds(self, above: float | None, below: float | None) -> tuple[float | None, float | None]:
        if not self._interactive or above is not None or below is not None:
            return above, below
        above_text, below_text = (
            click.prompt(f"Detect hours {side} (empty: no bound)", default="", show_default=False)
            for side in ("above", "below")
        )
        return _number(above_text), _number(below_text)

    def _ask(self, question: str, proposed: str, allowed: Sequence[str]) -> str:
        if not self._interactive:
            return proposed
        say(f"Columns: {', '.join(allowed)}")
        return str(click.prompt(question, default=proposed))


def _names(text: str | None) -> tuple[str, ...]:
    """Names with commas between them; '-' is none."""
    return tuple(it.strip() for it in (text or "").split(",") if it.strip() not in ("", "-"))


def _number(text: str) -> float | None:
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise click.ClickException(f"'{text}' is no number") from None
