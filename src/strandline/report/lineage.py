"""Which anomalies are shown with which series: by dbt's graph, not by the names of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from strandline.report.found import Found


@dataclass(frozen=True)
class Graph:
    """The nodes of a project by their ids.

    Attributes:
        parents: what each node reads.
        ids: the node of each relation, which is written schema.name in lower case.
    """

    parents: Mapping[str, Sequence[str]]
    ids: Mapping[str, str]

    def id_of(self, relation: str) -> str:
        parts = relation.replace("`", "").lower().split(".")
        return self.ids.get(".".join(parts[-2:]), relation)

    def ancestors(self, node: str, end: frozenset[str] = frozenset()) -> set[str]:
        """What a node reads, directly or not; what the nodes of `end` read is left out."""
        found: set[str] = set()
        waiting = list(self.parents.get(node, ()))
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                if one not in end:
                    waiting += self.parents.get(one, ())
        return found


@dataclass(frozen=True)
class Shown:
    """Anomalies of a series: those of a table, by its place in the report.

    `detections` are the relations whose detectors are shown; None: all of the table. Those of an
    ephemeral model cannot be read, and all are shown.
    """

    table: int
    detections: tuple[str, ...] | None


def anomalies_of(found: Found, graph: Graph) -> list[list[Shown]]:
    """Of each series the anomalies whose detections read it.

    A detection that reads tables of series belongs to these. One that reads none belongs to the
    series that are made of what it reads: a rule over events beside an aggregation of them.
    """
    tables = [
        frozenset(graph.id_of(table.relation) for table in one.tables) for one in found.series
    ]
    inputs = [_inputs(each, graph) for each in tables]
    names = {node: relation for relation, node in graph.ids.items()}
    shown: list[list[Shown]] = [[] for _ in tables]
    for place, one in enumerate(found.anomalies):
        detections = _detections(graph.id_of(one.relation), graph)
        read = {node: _series_of(node, graph, tables, inputs) for node in detections}
        for series, entries in enumerate(shown):
            own = [node for node in detections if series in read[node]]
            if own:
                is_known = len(own) < len(detections) and all(node in names for node in own)
                relations = tuple(names[node] for node in own) if is_known else None
                entries.append(Shown(place, relations))
    return shown


def anomalies_of_evaluations(found: Found, graph: Graph) -> list[list[Shown]]:
    """Of each model with evaluated values the anomalies that are made of it."""
    shown: list[list[Shown]] = [[] for _ in found.evaluations]
    for place, one in enumerate(found.anomalies):
        for node in _detections(graph.id_of(one.relation), graph):
            read = {node} | graph.ancestors(node)
            for each, entries in zip(found.evaluations, shown, strict=True):
                if graph.id_of(each.relation) in read:
                    entries.append(Shown(place, (node,)))
    return shown


def with_forecasts(found: Found, forecasts: Sequence[str], graph: Graph) -> Found:
    """Each model with the forecast of the season that it is, or reads."""
    seasons = {graph.id_of(each.relation) for each in found.evaluations if each.kind == "season"}
    of: dict[str, str] = {}
    for relation in sorted(forecasts, reverse=True):
        node = graph.id_of(relation)
        of |= dict.fromkeys(seasons & set(graph.parents.get(node, ())), relation)
    evaluations = []
    for each in found.evaluations:
        node = graph.id_of(each.relation)
        read = sorted(({node} | graph.ancestors(node)) & of.keys())
        evaluations.append(replace(each, forecast=of[read[0]] if read else None))
    return replace(found, evaluations=tuple(evaluations))


def _inputs(tables: frozenset[str], graph: Graph) -> set[str]:
    """What the tables of a series are made of."""
    return {node for table in tables for node in graph.parents.get(table, ())} - tables


def _detections(anomalies: str, graph: Graph) -> list[str]:
    """What a table of anomalies reads, without its clock: what its detections read themselves."""
    read = graph.parents.get(anomalies, ())
    above: set[str] = set().union(*(graph.ancestors(node) for node in read))
    return sorted(set(read) - above)


def _series_of(
    node: str, graph: Graph, tables: Sequence[frozenset[str]], inputs: Iterable[set[str]]
) -> set[int]:
    """The places of the series that a detection reads, or else shares its events with."""
    reached = graph.ancestors(node, end=frozenset().union(*tables))
    nearest = {place for place, own in enumerate(tables) if own & reached}
    return nearest or {place for place, own in enumerate(inputs) if own & reached}
