"""The charts of the report, as Vega-Lite. The page gives them their data and the range of time."""

from __future__ import annotations

from typing import Any

import altair

WIDTH, HEIGHT, KNOWN_HEIGHT, SMALL_HEIGHT = "container", 320, 60, 90
KNOWN = [-0.1, 1.1]  # with room for whole points at nothing and at everything


def specifications() -> dict[str, Any]:
    """Each chart by its name: a specification whose data sources are named and empty."""
    return {
        "series": _series(),
        "small": _small(),
        "known": _known(),
        "states": _states(),
        "days": _days(),
    }


def _time() -> altair.X:
    """The page gives wall clocks of a zone, as the instants at which UTC's clock shows the same."""
    return altair.X("t:T", title=None, scale=altair.Scale(type="utc"))


def _zoom() -> altair.Parameter:
    """The range of time that is shown, which the page reads and sets by this name."""
    return altair.selection_interval(bind="scales", encodings=["x"], name="zoom")


def _series() -> dict[str, Any]:
    """Lines by key, with the anomalies of the same keys behind them."""
    rows = altair.NamedData(name="rows")
    anomalies = altair.NamedData(name="anomalies")
    bands = (
        altair.Chart(anomalies)
        .mark_rect(opacity=0.25, clip=True)
        .encode(
            x=_time(),
            x2="end:T",
            color=altair.value("#8e44ad"),
            tooltip=["key:N", "status:N", "why:N", "from:N", "to:N"],
        )
    )
    lines = (
        altair.Chart(rows)
        .mark_line(clip=True, interpolate="step-after", point={"size": 25, "filled": True})
        .encode(
            x=_time(),
            y=altair.Y("v:Q", title=None, scale=altair.Scale(zero=False)),
            color=altair.Color("key:N", title=None, legend=altair.Legend(orient="bottom")),
            tooltip=["key:N", "at:N", "v:Q", "known:N"],
        )
        .add_params(_zoom())
    )
    chart = altair.layer(bands, lines).resolve_scale(color="independent")
    return _sized(chart, HEIGHT)


def _small() -> dict[str, Any]:
    """The part of a series around one anomaly."""
    band = (
        altair.Chart(altair.NamedData(name="anomalies"))
        .mark_rect(opacity=0.25)
        .encode(x=_time(), x2="end:T", color=altair.value("#8e44ad"), tooltip=["why:N"])
    )
    line = (
        altair.Chart(altair.NamedData(name="rows"))
        .mark_line(interpolate="step-after")
        .encode(
            x=_time(),
            y=altair.Y("v:Q", title=None, scale=altair.Scale(zero=False)),
            tooltip=["at:N", "v:Q"],
        )
    )
    return _sized(altair.layer(band, line), SMALL_HEIGHT)


def _known() -> dict[str, Any]:
    """How much of each bucket is known: gaps are what is missing to one."""
    chart = (
        altair.Chart(altair.NamedData(name="rows"))
        .mark_point(filled=True, size=25, clip=True)
        .encode(
            x=_time(),
            y=altair.Y(
                "known:Q", title="known", axis=altair.Axis(format="%", values=[0, 0.5, 1]),
                scale=altair.Scale(domain=KNOWN),
            ),
            color=altair.Color("key:N", legend=None),
            tooltip=["key:N", "at:N", altair.Tooltip("known:Q", format=".1%")],
        )
    )  # fmt: skip
    return _sized(chart, KNOWN_HEIGHT)


def _states() -> dict[str, Any]:
    """How long each state lasted in each bucket."""
    chart = (
        altair.Chart(altair.NamedData(name="rows"))
        .mark_rect(clip=True)
        .encode(
            x=_time(),
            x2="end:T",
            y=altair.Y("below:Q", title="hours"),
            y2="above:Q",
            color=altair.Color("state:N", title=None, legend=altair.Legend(orient="bottom")),
            tooltip=["key:N", "state:N", "at:N", "hours:Q"],
        )
        .add_params(_zoom())
    )
    return _sized(chart, HEIGHT)


def _days() -> dict[str, Any]:
    """How many anomalies of each status ended on each day."""
    chart = (
        altair.Chart(altair.NamedData(name="rows"))
        .mark_bar()
        .encode(
            x=altair.X("yearmonthdate(t):T", title=None, scale=altair.Scale(type="utc")),
            y=altair.Y("count():Q", title="anomalies"),
            color=altair.Color("status:N", title=None, legend=altair.Legend(orient="bottom")),
            tooltip=["yearmonthdate(t):T", "status:N", "count():Q"],
        )
    )
    return _sized(chart, KNOWN_HEIGHT * 2)


def _sized(chart: Any, height: int) -> dict[str, Any]:
    specification: dict[str, Any] = chart.properties(width=WIDTH, height=height).to_dict()
    return specification
