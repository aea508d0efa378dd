"""Draws docs/images/detectors.svg: what each detector evaluates of a series, and what it finds.

    .venv/bin/python scripts/draw_detectors.py

Needs Spark. The rows are those of the detectors themselves, as `strandline report` reads them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import altair
import vl_convert

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.seasons import Method, smoothed
from tests.unit.jinja_macros import macros_with

IMAGE = Path(__file__).parents[1] / "docs" / "images" / "detectors.svg"
FIRST = datetime(2024, 3, 4, tzinfo=timezone.utc)  # a Monday
HOURS, SHOWN = 21 * 24, 5 * 24
VALUE, BAND, FOUND, OTHERS = "#0b57a4", "#9ecbf5", "#d62728", "#c4ccd4"
WIDTH, HEIGHT, COLUMNS = 330, 110, 2
# Hours from the end of the series: requests triple for three hours, and nearly stop on a morning.
MORE, LESS, FLAT, GAP, ODD = (
    range(-86, -83),
    range(-36, -33),
    range(-60, -50),
    range(-40, -31),
    range(-50, -44),
)


def noise(n: int) -> float:
    """The same for each number, between -1 and 1."""
    return (n * 7919 % 23) / 11 - 1


def requests(n: int) -> float:
    """Requests an hour: few at night, fewer at weekends."""
    day = 60 - 45 * math.cos(2 * math.pi * (n % 24 - 3) / 24)
    usual = day * (0.6 if n // 24 % 7 >= 5 else 1) + 4 * noise(n)
    return round(usual * (2.6 if n - HOURS in MORE else 0.15 if n - HOURS in LESS else 1), 1)


def temperature(n: int, machine: int = 0) -> float:
    """Of a machine: the same for all of them but for the first, which is too warm for six hours."""
    usual = 21 + 3 * math.sin(2 * math.pi * n / 24) + 0.4 * noise(n + 5 * machine)
    return round(usual + (4 if machine == 0 and n - HOURS in ODD else 0), 2)


def stuck(n: int) -> float:
    """A sensor that does not move for ten hours."""
    return temperature(HOURS + FLAT[0], 1) if n - HOURS in FLAT else temperature(n, 1)


Rows = list[tuple[str, int, float]]


def one(value: Callable[[int], float]) -> Rows:
    return [("m0", n, value(n)) for n in range(HOURS)]


SERIES: dict[str, Rows] = {
    "requests": one(requests),
    "machines": [(f"m{m}", n, temperature(n, m)) for m in range(6) for n in range(HOURS)],
    "sensor": one(stuck),
    "gaps": [row for row in one(requests) if row[1] - HOURS not in GAP],
}
# The title of each panel, its series, and the call.
PANELS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("threshold_detector: min=10, max=150", "requests", "threshold_detector",
     {"min": 10, "max": 150}),
    ("percentage_change_detector: 60 % of a week before", "requests", "percentage_change_detector",
     {"offset": "P7D", "percentage": 60}),
    ("absolute_change_detector: 60 from an hour before", "requests", "absolute_change_detector",
     {"offset": "PT1H", "change": 60}),
    ("mean_variance_detector: 3 deviations, hours of a day", "requests", "mean_variance_detector",
     {"lookback": "P14D", "seasonality": "P1D", "deviations": 3, "min_values": 5}),
    ("median_detector: 8 deviations, hours of a week", "requests", "median_detector",
     {"lookback": "P14D", "seasonality": "P7D", "min_values": 2, "min_change": 25}),
    ("quantile_detector: 1 to 99 per cent, and 10 beyond", "requests", "quantile_detector",
     {"lookback": "P14D", "lower": 0.01, "upper": 0.99, "min_change": 10}),
    ("seasonal_detector: 4 deviations from what it has learned", "requests", "seasonal_detector",
     {"deviations": 4}),
    ("peer_detector: one of six machines", "machines", "peer_detector", {}),
    ("missing_data_detector: three hours without a row", "gaps", "missing_data_detector",
     {"sla": "PT3H", "value": None, "combine": False}),
    ("flat_line_detector: six hours without a move", "sensor", "flat_line_detector",
     {"duration": "PT6H"}),
]  # fmt: skip


def drawn(spark: Any) -> str:
    """The picture, as SVG."""
    prepare(spark)
    panels = [
        panel(title, series, evaluated(spark, series, macro, call))
        for title, series, macro, call in PANELS
    ]
    lines = [altair.hconcat(*panels[n : n + COLUMNS]) for n in range(0, len(panels), COLUMNS)]
    whole = altair.vconcat(*lines).configure_view(stroke="#d1d9e0")
    whole = whole.configure_title(anchor="start", fontSize=12).configure(background="white")
    return str(vl_convert.vegalite_to_svg(whole.to_dict()))


def prepare(spark: Any) -> None:
    """The series, and what a seasonal table has of one, as views."""
    for name, rows in SERIES.items():
        load(spark, name, rows)
    load_expected(spark)


def load(spark: Any, name: str, rows: Rows) -> None:
    frame = spark.createDataFrame(rows, "machine string, n int, value double").coalesce(1)
    start = int(FIRST.timestamp())
    frame.selectExpr(
        "machine", f"timestamp_seconds({start} + n * 3600) as ts", "value"
    ).createOrReplaceTempView(name)


def load_expected(spark: Any) -> None:
    """What a seasonal table of the requests has: weeks are learned from two of them."""
    method = Method(length=7 * 24, seasons=2)
    series = [(n, n % (7 * 24), value) for _, n, value in SERIES["requests"]]
    expected, _ = smoothed(method, series)
    rows = [
        (n, value, *found) for (n, _, value), found in zip(series, expected, strict=True) if found
    ]
    frame = spark.createDataFrame(rows, "n int, value double, expected double, deviation double")
    start = int(FIRST.timestamp())
    frame.coalesce(1).selectExpr(
        "'m0' as machine",
        f"timestamp_seconds({start} + n * 3600) as ts",
        "value",
        "expected",
        "deviation",
    ).createOrReplaceTempView("expected")


def evaluated(spark: Any, series: str, macro: str, call: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the first machine in the hours that are shown."""
    source = "expected" if macro == "seasonal_detector" else series
    given = {"source": f"(select * from {source})", "keys": ["machine"], "ts": "ts",
             "value": "value", "granularity": "PT1H"}  # fmt: skip
    query = getattr(macros_with(_is_evaluation=lambda: True), macro)(**given | call)
    since = int((FIRST + timedelta(hours=HOURS - SHOWN)).timestamp())
    rows = spark.sql(f"""
        select unix_millis(starts_at) as t, unix_millis(ends_at) as end, current_value as v,
            baseline_value as base, lower_bound as lower, upper_bound as upper,
            detection_id is not null as found
        from ({query}) where machine = 'm0' and starts_at >= timestamp_seconds({since}) order by t
    """).collect()
    # What is evaluated of these two is how long, or how far: the values are drawn without a band.
    if macro in ("missing_data_detector", "flat_line_detector"):
        return [row.asDict() | dict.fromkeys(("v", "base", "lower", "upper")) for row in rows]
    # The baseline of a threshold is the bound itself.
    own = {"base": None} if macro == "threshold_detector" else {}
    return [row.asDict() | own for row in rows]


def panel(title: str, series: str, rows: list[dict[str, Any]]) -> Any:
    """The values of one series, the bounds of the first machine, and what is found."""
    values = [
        {"t": (FIRST + timedelta(hours=n)).timestamp() * 1_000, "v": value, "machine": machine}
        for machine, n, value in with_gaps(SERIES[series])
        if n >= HOURS - SHOWN
    ]
    found = [row for row in rows if row["found"]]
    layers = [spans(found), *band(rows), *lines(values), points(found)]
    return altair.layer(*layers).properties(title=title, width=WIDTH, height=HEIGHT)


def with_gaps(rows: Rows) -> Iterator[tuple[str, int, float | None]]:
    """The rows, and null where one is missing, so that no line is drawn there."""
    by_place = {(machine, n): value for machine, n, value in rows}
    for machine in sorted({machine for machine, _, _ in rows}):
        for n in range(HOURS):
            yield machine, n, by_place.get((machine, n))


def chart(values: list[dict[str, Any]]) -> Any:
    return altair.Chart(altair.InlineData(values=values))


def time(name: str = "t") -> Any:
    axis = altair.Axis(format="%a", tickCount={"interval": "day", "step": 1}, grid=False)
    return altair.X(f"{name}:T", title=None, scale=altair.Scale(type="utc"), axis=axis)


def up(name: str) -> Any:
    axis = altair.Axis(tickCount=4, grid=False, minExtent=28)
    return altair.Y(f"{name}:Q", title=None, scale=altair.Scale(zero=False), axis=axis)


def spans(rows: list[dict[str, Any]]) -> Any:
    return chart(rows).mark_rect(color=FOUND, opacity=0.15).encode(x=time(), x2="end:T")


def band(rows: list[dict[str, Any]]) -> list[Any]:
    both = [row for row in rows if row["lower"] is not None and row["upper"] is not None]
    area = chart(both).mark_area(color=BAND, opacity=0.5, interpolate="step-after")
    return [
        area.encode(x=time(), y=up("lower"), y2="upper:Q"),
        chart(rows)
        .mark_line(
            color=VALUE, strokeWidth=1, strokeDash=[3, 2], opacity=0.6, interpolate="step-after"
        )
        .encode(x=time(), y=up("base")),
    ]


def lines(values: list[dict[str, Any]]) -> list[Any]:
    others = [row for row in values if row["machine"] != "m0"]
    own = [row for row in values if row["machine"] == "m0"]
    drawn = [
        chart(own)
        .mark_line(color=VALUE, strokeWidth=1.5, interpolate="step-after")
        .encode(x=time(), y=up("v"))
    ]
    if others:
        drawn.insert(
            0,
            chart(others)
            .mark_line(color=OTHERS, strokeWidth=1)
            .encode(x=time(), y=up("v"), detail="machine:N"),
        )
    return drawn


def points(rows: list[dict[str, Any]]) -> Any:
    return (
        chart(rows)
        .mark_point(color=FOUND, filled=True, size=35, opacity=1)
        .encode(x=time(), y=up("v"))
    )


def main() -> None:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.sql.session.timeZone", "UTC")
    IMAGE.write_text(drawn(spark.getOrCreate()), encoding="utf-8")


if __name__ == "__main__":
    main()
