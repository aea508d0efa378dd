"""One shape for what every benchmark measures, in memory and as JSON.

A benchmark makes a `Result` for each figure and writes them with `save`. `python -m bench` merges
these files into bench/results.json:

    {"results": [{
        "benchmark": "aggregation", "kind": "full refresh",
        "what": "full refresh of six tables, 10 million events", "rows": 10000000, "unit": "s",
        "ours": {"runs": [56.1, 57.0, 56.7], "median": 56.7, "min": 56.1, "max": 57.0,
                 "heap": 2579},
        "peers": {"plain Spark": {"runs": …}}, "ratios": {"plain Spark": 0.93},
        "goals": [{"text": "at most 1.15 × plain Spark", "most": 1.15, "peer": "plain Spark",
                   "value": 0.93, "held": true}],
        "note": "", "series": "", "x": null, "on": {"date": …, "commit": …, "machine": …}
    }]}

Medians, ratios and goals are derived: they are written for readers and computed anew when read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any

from bench.goals import outcomes
from bench.occasion import Occasion


@dataclass(frozen=True)
class Runs:
    """What the counted runs of one engine took, in the unit of the result.

    `heap` is the peak of the driver's Java heap in MiB, none where no JVM of ours works.
    """

    runs: tuple[float, ...]
    heap: float | None = None

    @classmethod
    def of(cls, runs: Iterable[float], heap: float | None = None) -> Runs:
        return cls(tuple(runs), heap)

    @property
    def median(self) -> float:
        return median(self.runs)

    @property
    def low(self) -> float:
        return min(self.runs)

    @property
    def high(self) -> float:
        return max(self.runs)

    def as_json(self) -> dict[str, Any]:
        spread = {"median": self.median, "min": self.low, "max": self.high}
        told = {"runs": list(self.runs)} | spread | ({"heap": self.heap} if self.heap else {})
        return {key: _rounded(value) for key, value in told.items()}


@dataclass(frozen=True)
class Result:
    """One figure, beside its peers.

    Attributes:
        benchmark: the folder below bench/.
        kind: which figure; goals and plots find it by this (see bench/goals.py).
        what: the figure in words, with the size: "full refresh of six tables, 10 million events".
        ours: our runs.
        on: when, where and at which commit it was measured.
        peers: the runs of the others, measured in turn with ours, by their names in bench/goals.py.
        rows: rows in the source; none where that means nothing.
        unit: of all figures, seconds unless stated.
        note: what a reader must know beside the figure: memory, Spark jobs, what a peer cannot do.
        series: for growth, what grows ("events", "keys", …); empty else.
        x: for growth, the value of what grows.
    """

    benchmark: str
    kind: str
    what: str
    ours: Runs
    on: Occasion
    peers: Mapping[str, Runs] = field(default_factory=dict)
    rows: int | None = None
    unit: str = "s"
    note: str = ""
    series: str = ""
    x: float | None = None

    @cached_property
    def ratios(self) -> dict[str, float]:
        """Our median as a multiple of each peer's."""
        return {
            name: self.ours.median / peer.median
            for name, peer in self.peers.items()
            if peer.median > 0
        }

    def as_json(self) -> dict[str, Any]:
        """With everything that is derived."""
        return {
            "benchmark": self.benchmark, "kind": self.kind, "what": self.what, "rows": self.rows,
            "unit": self.unit, "ours": self.ours.as_json(),
            "peers": {name: peer.as_json() for name, peer in self.peers.items()},
            "ratios": {name: _rounded(ratio) for name, ratio in self.ratios.items()},
            "goals": [asdict(goal) | {"value": _rounded(goal.value)} for goal in outcomes(self)],
            "note": self.note, "series": self.series, "x": self.x, "on": asdict(self.on),
        }  # fmt: skip

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Result:
        """What `as_json` gave; what is derived is computed anew."""
        return cls(
            ours=_runs(told["ours"]), on=Occasion(**told["on"]),
            peers={name: _runs(peer) for name, peer in told["peers"].items()},
            **{
                key: told[key]
                for key in ("benchmark", "kind", "what", "rows", "unit", "note", "series", "x")
            },
        )  # fmt: skip


def load(path: Path) -> list[Result]:
    """The results of a file; none if there is no such file."""
    if not path.exists():
        return []
    return [Result.from_json(one) for one in json.loads(path.read_text())["results"]]


def save(path: Path, results: Iterable[Result]) -> None:
    """Writes the results, whole or not at all."""
    text = json.dumps({"results": [one.as_json() for one in results]}, indent=1, ensure_ascii=False)
    new = path.with_name(f".{path.name}.new")
    new.write_text(text + "\n")
    new.replace(path)


def merged(old: Iterable[Result], new: Iterable[Result]) -> list[Result]:
    """The old results, and the new ones in the place of those of the same benchmark and series.

    What was measured earlier of other benchmarks stays. The order is that of the names.
    """
    new = list(new)
    replaced = {(one.benchmark, one.series) for one in new}
    kept = [one for one in old if (one.benchmark, one.series) not in replaced]
    return sorted(kept + new, key=lambda one: (one.benchmark, one.series))


def _runs(told: Mapping[str, Any]) -> Runs:
    return Runs.of(told["runs"], told.get("heap"))


def _rounded(value: Any) -> Any:
    """To the millisecond: no clock here is better."""
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 3)
