"""The relations of a project, found in the nodes of its manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strandline.cli.build import NOT_STORED, plain
from strandline.cli.people import Kept
from strandline.report.lineage import Graph


@dataclass(frozen=True)
class Relations:
    """What a project builds.

    Attributes:
        by_name: the relation of each name.
        stored: those that are tables.
        late: the views of late events, by the macro `detection_late`.
        seeds: its seeds.
    """

    by_name: dict[str, str]
    stored: list[str]
    late: list[str]
    seeds: list[str]


@dataclass(frozen=True)
class Observed:
    """What `strandline status` and `report` read besides tables of the package.

    Attributes:
        schemas: those with Python models.
        anomalies: the relation of each table of anomalies by the name of its model.
        outboxes: the views of notifications, by the macro `anomaly_notifications`.
        forecasts: the models of the macro `forecast_table`.
    """

    schemas: list[str]
    anomalies: dict[str, str]
    outboxes: list[str]
    forecasts: list[str]


def relations_of(nodes: Iterable[Any]) -> Relations:
    """What these nodes build."""
    nodes = [node for node in nodes if getattr(node, "relation_name", None)]
    built = [node for node in nodes if node.resource_type in ("model", "snapshot")]
    return Relations(
        by_name={node.name: plain(node.relation_name) for node in built},
        stored=[
            plain(node.relation_name)
            for node in built
            if node.config.materialized not in NOT_STORED
        ],
        late=_calling("detection_late", built),
        seeds=[plain(node.relation_name) for node in nodes if node.resource_type == "seed"],
    )


def observed_of(nodes: Iterable[Any]) -> Observed:
    """Where engines, anomalies and notifications of these nodes are."""
    nodes = list(nodes)
    models = [node for node in nodes if node.resource_type == "model"]
    return Observed(
        schemas=sorted(
            {node.schema for node in nodes if getattr(node, "language", "") == "python"}
        ),
        anomalies={
            node.name: plain(node.relation_name)
            for node in models
            if node.config.materialized == "strandline_anomalies"
        },
        outboxes=_calling("anomaly_notifications", models),
        forecasts=_calling("forecast_table", models),
    )


def detectors_of(nodes: Iterable[Any], macros: Mapping[str, Any]) -> list[str]:
    """The names of the models that call a detector, by a macro of their own as well.

    Args:
        nodes: of a manifest.
        macros: of the same manifest, by their ids.
    """
    detecting = {"macro.strandline._detections"}
    while True:
        callers = {
            name
            for name, macro in macros.items()
            if name not in detecting and not detecting.isdisjoint(macro.depends_on.macros)
        }
        if not callers:
            break
        detecting |= callers
    return sorted(
        node.name
        for node in nodes
        if node.resource_type == "model"
        and node.relation_name
        and not detecting.isdisjoint(node.depends_on.macros)
    )


def graph_of(nodes: Iterable[Any]) -> Graph:
    """What each node reads; sources and seeds read nothing."""
    nodes = list(nodes)
    return Graph(
        parents={
            node.unique_id: list(node.depends_on.nodes)
            for node in nodes
            if hasattr(getattr(node, "depends_on", None), "nodes")
        },
        ids={
            plain(node.relation_name).lower(): node.unique_id
            for node in nodes
            if getattr(node, "relation_name", None)
        },
    )


def _calling(macro: str, nodes: Iterable[Any]) -> list[str]:
    """The relations of nodes that call a macro of the package."""
    return [
        plain(node.relation_name)
        for node in nodes
        if f"macro.strandline.{macro}" in node.depends_on.macros
    ]


def kept_of(nodes: Iterable[Any], relation: str) -> Kept | None:
    """Where the rows of a relation are; None if it is none of these nodes, sources included."""
    for node in nodes:
        if plain(getattr(node, "relation_name", None) or "").lower() == plain(relation).lower():
            kind = str(node.resource_type)
            file = Path(node.root_path) / node.original_file_path if kind == "seed" else None
            return Kept(plain(relation), kind, file)
    return None


def silences_of(nodes: Iterable[Any], outbox: str) -> str | None:
    """The relation that an outbox reads beside its anomalies and what contributed to them."""
    by_id = {node.unique_id: node for node in nodes}
    others = {
        "macro.strandline.anomalies", "macro.strandline.change_contribution",
    }  # fmt: skip
    for node in by_id.values():
        if node.resource_type != "model" or outbox not in (node.name, plain(node.relation_name)):
            continue
        for parent in map(by_id.get, node.depends_on.nodes):
            if parent is None:
                continue
            called = getattr(getattr(parent, "depends_on", None), "macros", ())
            if others.isdisjoint(called):
                return str(parent.relation_name)
    return None
