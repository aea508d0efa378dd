"""What a report shows of a project, found in the tasks of its compiled models. No Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from strandline.literals import length_text


@dataclass(frozen=True)
class Measure:
    """A number of each row of a table.

    Attributes:
        name: as the user calls it.
        text: what it is, as the user has written it.
        sql: its expression over the stored columns and the summaries.
        known: the expression of the seconds of its bucket that it knows; None if it has no gaps.
        own: its expression over the stored columns of its bucket alone.
        summary: the expression of a summary of points. The n-th measure with one reads it as
            `__summary_n`, and those of the buckets before and after as `__prev_n` and `__next_n`.
    """

    name: str
    text: str
    sql: str
    known: str | None
    own: str
    summary: str | None = None


@dataclass(frozen=True)
class Table:
    """The buckets of one duration; `ends` is the expression of the end of a bucket."""

    relation: str
    duration: str
    ends: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class Series:
    """An aggregation, or a table of time weights: its tables begin with the longest duration."""

    name: str
    keys: tuple[str, ...]
    zone: str
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class States:
    """A table of the durations of states, by buckets of so many microseconds.

    `sql` gives an array of (state, duration). It reads the summary of a bucket as `__summary`, and
    those before and after it as `__prev` and `__next`.
    """

    name: str
    relation: str
    keys: tuple[str, ...]
    micros: int
    sql: str


@dataclass(frozen=True)
class Window:
    """A window; `store` is what it holds, `inside` the query of the rows that are in it now."""

    name: str
    relation: str
    keys: tuple[str, ...]
    store: str
    inside: str


@dataclass(frozen=True)
class Anomalies:
    """A table of consolidated anomalies."""

    name: str
    relation: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Evaluation:
    """Values with what was expected of them: of the detectors of a model, or of a seasonal table.

    Attributes:
        name: of the model.
        relation: of the model.
        kind: `detector` or `season`.
        query: has the columns of detections, and rows that are not found as well; these have no
            `detection_id`. `description` is what the macro `_evaluated_values` gives.
        forecast: the relation of a forecast of its season, if the project has one.
    """

    name: str
    relation: str
    kind: str
    query: str
    forecast: str | None = None


@dataclass(frozen=True)
class Found:
    """All that is shown of a project, in the order of names."""

    series: tuple[Series, ...]
    states: tuple[States, ...]
    windows: tuple[Window, ...]
    anomalies: tuple[Anomalies, ...]
    evaluations: tuple[Evaluation, ...] = ()

    def relations(self) -> list[str]:
        """All tables of it."""
        tables = (table.relation for one in self.series for table in one.tables)
        others = (self.states, self.windows, self.anomalies, self.evaluations)
        return [*tables, *(one.relation for each in others for one in each)]

    def built(self, is_there: Callable[[str], bool]) -> Found:
        """What is there of it; `is_there` says whether a relation exists."""

        def those(found: Iterable[Any]) -> tuple[Any, ...]:
            return tuple(one for one in found if is_there(one.relation))

        series = [replace(one, tables=those(one.tables)) for one in self.series]
        return Found(
            series=tuple(one for one in series if one.tables),
            states=those(self.states),
            windows=those(self.windows),
            anomalies=those(self.anomalies),
            evaluations=those(self.evaluations),
        )


def found_in(models: Iterable[tuple[str, dict[str, Any], dict[str, Any] | None]]) -> Found:
    """What is shown of these models.

    Args:
        models: of each its relation, its task, and the SQL of what is shown, as the macro
            `_report_queries` gives it.
    """
    tables: dict[str, list[tuple[dict[str, Any], Table]]] = {}
    weights, states, windows, anomalies, seasons = [], [], [], [], []
    for relation, task, shown in sorted(models, key=lambda model: model[0]):
        keys = tuple(task.get("keys", ()))
        name = relation.replace("`", "").rpartition(".")[2]
        if task["kind"] == "anomalies":
            anomalies.append(Anomalies(name, relation, keys))
        elif not shown:
            continue
        elif task["kind"] == "window":
            windows.append(Window(name, relation, keys, store_text(task["store"]), shown["inside"]))
        elif task["kind"] == "seasons":
            seasons.append(Evaluation(name, relation, "season", shown["evaluated"]))
        elif "states" in shown:
            states.append(States(name, relation, keys, task["bucket"], shown["states"]))
        else:
            is_points = task["kind"] == "points"
            duration = length_text(task["bucket"]) if is_points else task["duration"]
            measures = tuple(Measure(**measure) for measure in shown["measures"])
            table = Table(relation, duration, shown["ends"], measures)
            if is_points:
                weights.append(Series(name, keys, "UTC", (table,)))
            else:
                tables.setdefault(task["aggregation"], []).append((task, table))
    series = [_series(name, entries) for name, entries in tables.items()]
    return Found(
        series=tuple(sorted([*series, *weights], key=lambda one: one.name)),
        states=tuple(states),
        windows=tuple(windows),
        anomalies=tuple(anomalies),
        evaluations=tuple(seasons),
    )


def _series(name: str, entries: list[tuple[dict[str, Any], Table]]) -> Series:
    ordered = sorted(entries, key=lambda entry: -entry[0]["position"])
    task = ordered[0][0]
    return Series(name, tuple(task["keys"]), task["time_zone"], tuple(it[1] for it in ordered))


def store_text(store: dict[str, Any]) -> str:
    """What a window holds, of its argument `store` as the macro `_read_store` has read it."""
    kind, by_key = store["kind"], store["by_key"]
    if kind is None:
        return "all rows"
    if by_key:
        return f"the last {by_key} {'of time' if kind == 'time' else 'rows'}"
    if kind == "time":
        most = f", at most {int(store['max']):,} rows" if store["max"] else ""
        return f"the last {length_text(int(store['size']))}{most}"
    number = f"{int(store['count']):,}"
    return {
        "sliding": f"the last {number} rows",
        "tumbling": f"the latest {number} rows, which enter together",
        "random": f"{number} random rows",
        "highest": f"the {number} rows with the highest {store['using']}",
        "lowest": f"the {number} rows with the lowest {store['using']}",
    }[str(kind)]
