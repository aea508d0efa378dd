"""The charts of the report, as Vega-Lite. The page gives them their data and the range of time."""

from __future__ import annotations

from typing import Any

import altair

WIDTH, HEIGHT, KNOWN_HEIGHT, SMALL_HEIGHT = "container", 320, 60, 110
# Anomalies by what they are, as page.css has it in the legend.
SPANS = altair.Scale(
    domain=["active", "outdated", "ignored"], range=["#8e44ad", "#8a8f98", "#c9a227"]
)
FOUND = "#d62728"
# Of 24 hours, as times are written everywhere else.
CLOCK = {"hours": "%H:%M", "minutes": "%H:%M"}
WORST = altair.Scale(domain=["all passed", "warned", "failed"], range=["#2da44e", "#c9a227", FOUND])
KNOWN = [-0.1, 1.1]  # with room for whole points at nothing and at everything


def specifications() -> dict[str, Any]:
    """Each chart by its name: a specification whose data sources are named and empty."""
    return {
        "series": _series(),
        "evaluated": _evaluated(),
        "small": _small(),
        "known": _known(),
        "states": _states(),
        "days": _days(),
        "runs": _runs(),
    }


def _time() -> altair.X:
    """The page gives wall clocks of a zone, as the instants at which UTC's clock shows the same."""
    return altair.X(
        "t:T", title=None, scale=altair.Scale(type="utc"), axis=altair.Axis(format=CLOCK)
    )


def _zoom() -> altair.Parameter:
    """The range of time that is shown, which the page reads and sets by this name."""
    return altair.selection_interval(bind="scales", encodings=["x"], name="zoom")


def _series() -> dict[str, Any]:
    """Lines by key, with the anomalies of the same keys behind them."""
    chart = altair.layer(_spans(), _lines().add_params(_zoom()))
    return _sized(chart.resolve_scale(color="independent"), HEIGHT)


def _evaluated() -> dict[str, Any]:
    """Lines by key, what was expected of them, and forecasts; what was found is a point."""
    keyed = altair.layer(*_expected("rows"), *_expected("forecast"), _lines().add_params(_zoom()))
    chart = altair.layer(_spans(), keyed, _found(70))
    return _sized(chart.resolve_scale(color="independent"), HEIGHT)


def _small() -> dict[str, Any]:
    """The part of a series around one incident."""
    line = (
        altair.Chart(altair.NamedData(name="rows"))
        .mark_line(interpolate="step-after")
        .encode(x=_time(), y=_value("v"), tooltip=["at:N", "v:Q", "base:Q", "lower:Q", "upper:Q"])
    )
    chart = altair.layer(_spans(), *_expected("rows", is_keyed=False), line, _found(40))
    return _sized(chart.resolve_scale(color="independent"), SMALL_HEIGHT)


def _spans() -> Any:
    """Anomalies, from their start to their end."""
    return (
        altair.Chart(altair.NamedData(name="anomalies"))
        .mark_rect(opacity=0.25, clip=True, cursor="pointer")
        .encode(
            x=_time(),
            x2="end:T",
            color=altair.Color("state:N", scale=SPANS, legend=None),
            tooltip=["key:N", "status:N", "why:N", "from:N", "to:N"],
        )
    )


def _lines() -> Any:
    """The values, a line for each key."""
    return (
        altair.Chart(altair.NamedData(name="rows"))
        .mark_line(clip=True, interpolate="step-after", point={"size": 25, "filled": True})
        .encode(
            x=_time(),
            y=_value("v"),
            color=_key(),
            tooltip=["key:N", "at:N", "v:Q", "known:Q", "base:Q", "lower:Q", "upper:Q"],
        )
    )


def _found(size: int) -> Any:
    """The values that were found."""
    return (
        altair.Chart(altair.NamedData(name="rows"))
        .transform_filter("datum.found")
        .mark_point(clip=True, filled=True, size=size, opacity=1)
        .encode(x=_time(), y=_value("v"), color=altair.value(FOUND))
    )


def _expected(rows: str, *, is_keyed: bool = True) -> list[Any]:
    """The band between two bounds, each bound, and what was expected; what is null is not drawn."""
    data = altair.Chart(altair.NamedData(name=rows))
    color = {"color": _key()} if is_keyed else {}
    band = (
        data.transform_filter("datum.lower != null && datum.upper != null")
        .mark_area(opacity=0.15, clip=True, interpolate="step-after")
        .encode(x=_time(), y=_value("lower"), y2="upper:Q", **color)
    )
    lines = [
        data.transform_filter(f"datum.{name} != null")
        .mark_line(clip=True, interpolate="step-after", strokeWidth=1, strokeDash=dash, opacity=0.8)
        .encode(x=_time(), y=_value(name), **color)
        for name, dash in (("lower", [2, 2]), ("upper", [2, 2]), ("base", [6, 3]))
    ]
    return [band, *lines]


def _value(name: str) -> altair.Y:
    return altair.Y(f"{name}:Q", title=None, scale=altair.Scale(zero=False))


def _key() -> altair.Color:
    return altair.Color("key:N", title=None, legend=altair.Legend(orient="bottom"))


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


def _runs() -> dict[str, Any]:
    """How long each run took, and the worst that it had."""
    chart = (
        altair.Chart(altair.NamedData(name="rows"))
        .mark_bar(size=5)
        .encode(
            x=_time(),
            y=altair.Y("seconds:Q", title="seconds"),
            color=altair.Color("worst:N", scale=WORST, title=None,
                               legend=altair.Legend(orient="bottom")),
            tooltip=["when:N", "command:N", "seconds:Q", "models:Q", "tests:Q", "worst:N"],
        )
    )  # fmt: skip
    return _sized(chart, SMALL_HEIGHT)


def _sized(chart: Any, height: int) -> dict[str, Any]:
    specification: dict[str, Any] = chart.properties(width=WIDTH, height=height).to_dict()
    return specification
