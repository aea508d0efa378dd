"""The files of a new project, made from templates."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from strandline.starter.answers import Answers, number
from strandline.starter.columns import Column
from strandline.starter.rhythm import HOURS
from strandline.starter.staging import expression, unread

DURATIONS = ("minutes", "hours", "days")
OUTBOX = "notifications"  # which `strandline notify` sends without an option

# The delimiters differ from dbt's, whose own Jinja is in most of the templates.
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    variable_start_string="[[",
    variable_end_string="]]",
    block_start_string="[%",
    block_end_string="%]",
    comment_start_string="[#",
    comment_end_string="#]",
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=StrictUndefined,
    autoescape=False,  # noqa: S701 - SQL and YAML, of names that were checked
)


def _in_yaml(name: str) -> str:
    """A name as YAML reads it back: `on`, `no` and `null` need quotes."""
    return name if yaml.safe_load(name) == name else f'"{name}"'


_TEMPLATES.filters["in_yaml"] = _in_yaml


@dataclass(frozen=True)
class Place:
    """Where the events of one source are landed from, and the model of their notifications."""

    incoming: str
    outbox: str


def project_files(answers: Answers) -> dict[str, str]:
    """What an empty folder needs to be a dbt project, by path."""
    made = {
        "dbt_project.yml": "dbt_project.yml",
        "profiles.yml": "profiles.yml",
        ".gitignore": "gitignore",
        ".sqlfluff": "sqlfluff",
    }
    return {path: _rendered(template, answers) for path, template in made.items()}


def event_files(answers: Answers, place: Place) -> dict[str, str]:
    """An aggregation of the events, a detector, anomalies and notifications, by path."""
    events = answers.events
    models = f"models/{events}"
    made = {
        f"macros/{events}_aggregation.sql": "aggregation_macro.sql",
        f"{models}/{events}_aggregation_late.sql": "aggregation_late.sql",
        f"{models}/{events}_{answers.rhythm.step.adverb}.sql": "measured.sql",
        f"{models}/{events}_{_detector(answers)}.sql": "detector.sql",
        f"{models}/{events}_anomalies.sql": "anomalies.sql",
        f"{models}/{place.outbox}.sql": "notifications.sql",
        f"{models}/_{events}.yml": "models.yml",
    }
    if answers.columns:
        made[f"{models}/_sources.yml"] = "sources.yml"
        made[f"{models}/{events}.ddl"] = "columns.ddl"
    if _staged(answers):
        made[f"{models}/stg_{events}.sql"] = "staging.sql"
    if _unread(answers):
        made[f"{models}/stg_{events}_unread.sql"] = "staging_unread.sql"
    more = vars(place)
    files = {path: _rendered(template, answers, **more) for path, template in made.items()}
    for duration in DURATIONS:
        path = f"{models}/{events}_aggregation_{duration}.sql"
        files[path] = _rendered("aggregation_table.sql", answers, duration=duration)
    return files


def run_file(answers: Answers, place: Place) -> str:
    """run.sh of a project with one source."""
    return _rendered("run.sh", answers, **vars(place))


def landing_lines(answers: Answers, place: Place) -> str:
    """What run.sh lands of one source; nothing if its events are in a model."""
    return _rendered("land.sh", answers, **vars(place)) if answers.columns else ""


def raw_table(answers: Answers) -> str:
    """The table that the files of a source are landed in."""
    return f"{answers.project.lower()}_raw.{answers.events}"


def packages_file(answers: Answers) -> str:
    return _rendered("packages.yml", answers)


def _rendered(template: str, answers: Answers, **more: Any) -> str:
    return _TEMPLATES.get_template(template).render(_names(answers) | more)


def _names(answers: Answers) -> dict[str, Any]:
    """What the templates may name."""
    keys = list(answers.keys)
    schema = answers.project.lower()
    measure = f"avg_{answers.value}" if answers.value else _counted(answers)
    bounds = {"min": answers.below, "max": answers.above}
    return {
        **vars(answers),
        "keys": keys,
        "anomaly_keys": ["detector", *keys],
        "bucket_key": f"[{', '.join(['agg_timestamp', *map(_in_yaml, keys)])}]",
        "by": " and ".join(keys) + " and " if keys else "",
        "schema": schema,
        "raw": f"{schema}_raw",
        "source": _source(answers),
        "landed": [column for column in answers.columns if not column.parts],
        "options": [
            f"{name}={shlex.quote(value)}" for name, value in sorted(answers.options.items())
        ],
        "staged": _staged(answers),
        "event_id": answers.event_id[0] if answers.event_id else None,
        "unread": _unread(answers),
        "counted": _counted(answers),
        "measure": measure,
        "detector": _detector(answers),
        "min_change": number(answers.proposal.min_change),
        "bounds": ", ".join(
            f"{name}={number(bound)}" for name, bound in bounds.items() if bound is not None
        ),
        "detected": _detected(answers, measure),
        "durations": DURATIONS,
        "step": answers.rhythm.step,
        "is_whole": answers.rhythm.is_whole,
        # The grid of anomalies is that of UTC, on which no day of another zone ends.
        "grid": HOURS.granularity if answers.zone else answers.rhythm.step.granularity,
        "of_zone": f" --time-zone {answers.zone}" if answers.zone else "",
    }


def _source(answers: Answers) -> str:
    if answers.model and "." in answers.model:
        source, table = answers.model.split(".")
        return f"source('{source}', '{table}')"
    if answers.model or _staged(answers):
        return f"ref('{answers.model or f'stg_{answers.events}'}')"
    return f"source('landing', '{answers.events}')"


def _staged(answers: Answers) -> list[tuple[Column, str | None]]:
    """The columns of the staging model, each with its SQL; empty if none needs it."""
    found = [(column, expression(column, answers.zone)) for column in answers.columns]
    return found if any(sql for _, sql in found) else []


def _unread(answers: Answers) -> list[str]:
    """The SQL of what is wrong with a row, for each column that SQL reads."""
    return [it for it in (unread(each, answers.zone) for each in answers.columns) if it]


def _counted(answers: Answers) -> str:
    return f"number_of_{answers.events}"


def _detector(answers: Answers) -> str:
    has_bounds = answers.above is not None or answers.below is not None
    return "out_of_bounds" if has_bounds else "unusual"


def _detected(answers: Answers, measure: str) -> str:
    per = answers.rhythm.step.per.capitalize()
    beyond = [f"above {number(answers.above)}"] if answers.above is not None else []
    beyond += [f"below {number(answers.below)}"] if answers.below is not None else []
    if beyond:
        return f"{per} in which {measure} is {' or '.join(beyond)}."
    return f"{per} in which {measure} is far from the median {answers.proposal.way.words}."
