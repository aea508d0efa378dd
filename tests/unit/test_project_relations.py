"""Which models of a project call a detector, by its manifest."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from strandline.cli.relations import detectors_of


def calling(*macros: str) -> Any:
    return SimpleNamespace(depends_on=SimpleNamespace(macros=[f"macro.{each}" for each in macros]))


def model(name: str, *macros: str, kind: str = "model", relation: str | None = "`s`.`m`") -> Any:
    return SimpleNamespace(
        name=name, resource_type=kind, relation_name=relation, **vars(calling(*macros))
    )


MACROS = {
    "macro.strandline._detections": calling(),
    "macro.strandline.median_detector": calling("strandline._detections"),
    "macro.strandline.anomalies": calling("strandline._arguments"),
    "macro.plant.own_detector": calling("strandline.median_detector"),
}


def test_a_detector_is_called_by_name_or_by_a_macro_of_the_project() -> None:
    nodes = [
        model("falls", "strandline.median_detector"),
        model("drops", "plant.own_detector"),
        model("all_anomalies", "strandline.anomalies"),
        model("none_stored", "strandline.median_detector", relation=None),
        model("a_test", "strandline.median_detector", kind="test"),
    ]
    assert detectors_of(nodes, MACROS) == ["drops", "falls"]
