"""Variance and standard deviation from the moments of panes, which are those of the macros."""

from __future__ import annotations

import random
import statistics
from typing import Any

import pytest

from strandline.detection.metric import Call, Column
from strandline.detection.plan.aggregates import mergeable

SPREADS = {  # each with the values that it needs
    "var": (statistics.variance, 2),
    "std": (statistics.stdev, 2),
    "varp": (statistics.pvariance, 1),
    "stdp": (statistics.pstdev, 1),
}
chance = random.Random(53)  # noqa: S311
WINDOWS: list[list[list[float | None]]] = [  # the values of a window, pane by pane
    [],
    [[None], [None, None]],
    [[None], [5.0], [None]],
    [[0.1], [0.1, 0.1], [None], [0.1]],
    [[1e9 + 1, None], [1e9 + 2, 1e9 + 4], [1e9 - 3]],
    *(
        [[chance.gauss(50, 9) for _ in range(chance.randint(1, 6))] for _ in range(9)]
        for _ in range(20)
    ),
]


def test_moments_of_panes_are_those_of_the_window(spark: Any) -> None:
    steps = {name: mergeable(Call(name, (Column("x"),)), f"__{name}") for name in SPREADS}
    parts = [part for each in steps.values() for part in each.partials]
    rows = [
        (window, pane, value)
        for window, panes in enumerate(WINDOWS)
        for pane, values in enumerate(panes or [[None]])
        for value in values
    ]
    frame = spark.createDataFrame(rows, "window int, pane int, x double").coalesce(1)
    frame.createOrReplaceTempView("moments_rows")
    of_rows = ", ".join(f"{part.of_rows} as {part.name}" for part in parts)
    of_panes = ", ".join(f"{part.of_panes} as {part.name}" for part in parts)
    finished = ", ".join(f"{part.finish.format(part.name)} as {part.name}" for part in parts)
    values = ", ".join(f"{each.value} as {name}" for name, each in steps.items())
    found = spark.sql(f"""
        select window, {values} from (select window, {finished} from (
            select window, {of_panes} from (
                select window, pane, {of_rows} from moments_rows group by window, pane)
            group by window))
    """).collect()
    assert len(found) == len(WINDOWS)
    for row in found:
        given = [value for pane in WINDOWS[row.window] for value in pane if value is not None]
        for name, (of, least) in SPREADS.items():
            if len(given) < least:
                assert row[name] is None
            else:
                assert row[name] == pytest.approx(of(given), rel=1e-7, abs=1e-12)
