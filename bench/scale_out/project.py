"""A model of each kind over one source, and a profile for any master."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from bench.aggregation.project import DURATIONS, MACRO, TRADES
from bench.project import DbtProject

SOURCE = "events"
AGGREGATION = tuple(f"{TRADES}_{duration}" for duration in DURATIONS)
STREAMS = ("first", "second", "third")
# What is built after the aggregation; each reads the source, `matched` the three streams.
OTHERS = ("signal_hours", "last_100", "last_30_minutes", *STREAMS, "matched", "detections")
MODELS = AGGREGATION + OTHERS


@dataclass(frozen=True)
class Place:
    """Where a project runs.

    Attributes:
        name: of the place, of its schema and of its folder.
        master: Spark's URL.
        settings: `server_side_parameters`.
    """

    name: str
    master: str
    settings: dict[str, str]


@dataclass(frozen=True)
class Took:
    """One model of a run: when it ran, in milliseconds since 1970, and what it said."""

    model: str
    began: int
    ended: int

    @property
    def seconds(self) -> float:
        return (self.ended - self.began) / 1000


class Project(DbtProject):
    """The project of one place; every place of a home reads the same source."""

    def __init__(self, folder: Path, home: Path, schema: str, place: Place) -> None:
        files = {
            "profiles/profiles.yml": _profile(home, place),
            "models/_sources.yml": (
                f"sources: [{{name: feed, schema: {schema}, tables: [{{name: {SOURCE}}}]}}]\n"
            ),
            "macros/trades_aggregation.sql": MACRO.format(name=TRADES, more=""),
        }
        for name, body in _bodies().items():
            files[f"models/{name}.sql"] = f"{{{{ {body} }}}}\n"
        files["models/detections.py"] = _DETECTIONS
        super().__init__(folder / place.name, home, place.name, "1g", SOURCE, files)

    def run(self, models: tuple[str, ...], full_refresh: bool = False) -> list[Took]:
        """Runs these models. Raises RuntimeError if one fails or is not there."""
        more = ("--full-refresh",) if full_refresh else ()
        results = self._dbt("run", "--select", *models, *more).results
        if len(results) != len(models):
            raise RuntimeError(f"dbt ran {len(results)} models, {len(models)} were meant")
        return [
            Took(each.node.name, *(_millis(time) for time in (step.started_at, step.completed_at)))
            for each in results
            for step in each.timing
            if step.name == "execute"
        ]


def _millis(time: object) -> int:
    """A time of dbt's, which is in UTC and may not say so."""
    from datetime import datetime, timezone

    assert isinstance(time, datetime)
    return round(time.replace(tzinfo=timezone.utc).timestamp() * 1000)


def _profile(home: Path, place: Place) -> str:
    """A profile as JSON, which is YAML."""
    output = {
        "type": "strandline", "method": "session", "master": place.master, "schema": place.name,
        "home": str(home), "java_options": "", "server_side_parameters": place.settings,
        "threads": 1,
    }  # fmt: skip
    return json.dumps({"bench": {"target": "here", "outputs": {"here": output}}}, indent=2)


def _bodies() -> dict[str, str]:
    """The calls of the package's macros, by model."""
    feed = f"source=source('feed', '{SOURCE}'), ts='ts'"
    bodies = {
        f"{TRADES}_{duration}": f"strandline.aggregation_table(trades_aggregation(), '{duration}')"
        for duration in DURATIONS
    }
    bodies["signal_hours"] = (
        f"strandline.time_weight_table({feed}, keys=['symbol'], value='price', method='locf', "
        "gap='90 minutes', bucket='1 hour')"
    )
    bodies["last_100"] = f"strandline.window_table({feed}, keys=['symbol'], store='last 100')"
    bodies["last_30_minutes"] = (
        f"strandline.window_table({feed}, keys=['symbol'], store='last 30 minutes', "
        "aggregates={'n': 'count(quantity)', 'total': 'sum(quantity)'})"
    )
    for number, name in enumerate(STREAMS, start=1):
        bodies[name] = (
            f"strandline.window_table({feed}, store='last 30 seconds', where='stream = {number}')"
        )
    streams = ", ".join(f"'{it}': {{'window': ref('{it}'), 'on': 'id'}}" for it in STREAMS)
    bodies["matched"] = (
        f"strandline.correlation_table(streams={{{streams}}}, "
        "when=['first and second and third', 'first and second and not third'], "
        "select={'id': 'first.id', 'first_at': 'first.ts', 'third_at': 'third.ts', "
        "'quantity': 'first.quantity'})"
    )
    return bodies


_DETECTIONS = f"""
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="prices", source=dbt.source("feed", "{SOURCE}"), ts="ts",
        keys=["symbol"], window_size="10 minutes", step="1 minute",
        metrics=["price > 999", "avg(price) > 700", "price > percentile(price, 99)"],
    )
"""
