"""What a new project is about, and whether it can be so."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from strandline.errors import StarterError, refuse
from strandline.starter.columns import Column, Sample
from strandline.starter.csv_text import PLAIN
from strandline.starter.proposal import UNKNOWN, Proposal
from strandline.starter.resent import LEAST_DIFFERENT, identified
from strandline.starter.rhythm import USUAL, Rhythm

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PROJECT = re.compile(r"[A-Za-z][A-Za-z0-9_]*")  # dbt has them in both cases


@dataclass(frozen=True)
class Answers:
    """The answers to the questions of `strandline init`.

    Attributes:
        project: the name of the dbt project, and of its schema.
        profile: the name of its profile.
        events: what an event is called, in the plural: the table, and the begin of each model.
        ts: the column with the time of an event.
        keys: the columns that identify a series.
        value: the column of numbers that is averaged; None: events are only counted.
        above, below: an hour is detected beyond these; both None: by the proposal.
        columns: those of the files; empty if the events are in a model.
        options: of the landing of the files.
        file_format, suffix: of the files.
        zone: of times without an offset; None is UTC.
        model: the model that has the events, or the source and its table with a point between them;
            None: they come from files.
        event_id: the columns that identify an event; empty: a row that is sent again counts again.
        proposal: the settings of the detector without bounds.
        rhythm: how often a series has a row.
    """

    project: str
    profile: str
    events: str
    ts: str
    keys: tuple[str, ...]
    value: str | None
    above: float | None = None
    below: float | None = None
    columns: tuple[Column, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    file_format: str = "csv"
    suffix: str = ".csv"
    zone: str | None = None
    model: str | None = None
    event_id: tuple[str, ...] = ()
    proposal: Proposal = UNKNOWN
    rhythm: Rhythm = USUAL


def check(answers: Answers, sample: Sample | None) -> None:
    """Raise StarterError with everything that cannot be so."""
    faults = [
        f"{what} '{name}' must have {letters}, digits and _ only, and begin with a letter"
        for what, name, letters, pattern in (
            ("--name", answers.project, "letters", _PROJECT),
            ("--events", answers.events, "lower-case letters", _NAME),
        )
        if not pattern.fullmatch(name)
    ]
    if answers.project.lower() == "strandline":
        faults.append(f"--name '{answers.project}' is the package's own name: take another one")
    faults += _faults_of_columns(answers, sample) if sample else _faults_of_names(answers)
    faults += [
        f"{option} names a column twice: {', '.join(names)}"
        for option, names in (("--keys", answers.keys), ("--event-id", answers.event_id))
        if len(set(names)) < len(names)
    ]
    below, above = answers.below, answers.above
    faults += [
        f"{option} {bound} is no bound; write a number"
        for option, bound in (("--below", below), ("--above", above))
        if bound is not None and not math.isfinite(bound)
    ]
    if below is not None and above is not None and below >= above:
        faults.append(f"--below {number(below)} must be less than --above {number(above)}")
    refuse("strandline init", faults, StarterError)


def number(value: float) -> str:
    """All digits of a number, without a point where it is whole."""
    return repr(value).removesuffix(".0")


def _faults_of_names(answers: Answers) -> list[str]:
    named: list[tuple[str, str | None]] = [
        ("--model", part) for part in (answers.model or "").split(".", 1)
    ]
    named += [("--ts", answers.ts), ("--value", answers.value)]
    named += [("--keys", key) for key in answers.keys]
    named += [("--event-id", name) for name in answers.event_id]
    faults = []
    if len(answers.event_id) > 1:
        faults.append(
            f"--event-id {','.join(answers.event_id)}: with --model it is one column; put them"
            " together in a model"
        )
    return faults + [
        f"{option} '{name}' must be a plain name: letters, digits and _"
        for option, name in named
        if name is not None and not PLAIN.fullmatch(name)
    ]


def _faults_of_columns(answers: Answers, sample: Sample) -> list[str]:
    faults = []
    types = {column.name: column.type for column in sample.columns}
    named = [("--ts", answers.ts), *(("--keys", key) for key in answers.keys)]
    named += [("--value", answers.value)] if answers.value else []
    named += [("--event-id", name) for name in answers.event_id]
    for option, name in named:
        if name not in types:
            faults.append(f"{option} '{name}' is no column; there are {', '.join(types)}")
    if types.get(answers.ts, "TIMESTAMP") != "TIMESTAMP":
        faults.append(
            f"--ts '{answers.ts}' is {types[answers.ts]}; needed are instants such as "
            "2026-01-31T23:59:00Z"
        )
    numbers = {column.name for column in sample.columns if column.is_number}
    if answers.value in types and answers.value not in numbers:
        faults.append(f"--value '{answers.value}' is {types[answers.value]}, and no number")
    if answers.ts in answers.keys:
        faults.append(f"--keys names the time, {answers.ts}")
    if answers.event_id and types.keys() >= set(answers.event_id):
        faults += _faults_of_id(answers.event_id, sample)
    return faults


def _faults_of_id(event_id: tuple[str, ...], sample: Sample) -> list[str]:
    """An id by which events would be lost: one that many rows have, or that rows have not."""
    found = identified(sample, event_id)
    named = f"--event-id {','.join(event_id)}"
    if found.without:
        return [
            f"{named} has no value in {found.without:,} of {found.rows:,} rows, which would not be"
            " counted; take columns that have one in each row"
        ]
    if found.ids < found.rows * LEAST_DIFFERENT:
        return [
            f"{named} has {found.ids:,} different values in {found.rows:,} rows, and of those with"
            " an equal one only the first would be counted; add columns that tell them apart"
        ]
    return []
