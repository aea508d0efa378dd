"""The plots of docs/performance.md: SVG without a background, readable on light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bench.goals import BY_HAND, DUCKDB, FULL, INCREMENT, POLARS, SPARK
from bench.results import Result, Runs

if TYPE_CHECKING:
    import altair

OURS = "Strandline"
TITLES = {
    "refreshes": "Full refreshes beside the same in other engines",
    "increments": "Runs with new events, beside merges by hand and beside the same over fewer",
    "growth": "How full refreshes grow",
}
# Each is told apart on white and on black.
_COLOURS = {
    OURS: "#2f81f7", SPARK: "#db6d28", DUCKDB: "#bf8700", POLARS: "#2da44e", BY_HAND: "#a371f7",
}  # fmt: skip
_FEWER = "#8b949e"
_TEXT, _GRID = "#7d8590", "#7d859040"


def figures(name: str, results: Sequence[Result]) -> list[Result]:
    """The results that a plot shows."""
    if name == "growth":
        return [one for one in results if one.kind == FULL and one.series not in ("", "skew")]
    kinds = (FULL,) if name == "refreshes" else (INCREMENT,)
    return [one for one in results if not one.series and one.kind in kinds]


def svg(name: str, results: Sequence[Result]) -> str:
    """The plot as text of an SVG file."""
    import vl_convert

    shown = figures(name, results)
    chart = _growth(shown) if name == "growth" else _beside(name, shown)
    return vl_convert.vegalite_to_svg(_styled(chart.properties(title=TITLES[name])).to_dict())


def _rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """A row for each engine of each result."""
    return [
        {
            "figure": f"{one.benchmark}: {one.what.replace('`', '')}",
            "series": f"{one.benchmark}, {one.series}", "x": one.x, "engine": engine,
            "seconds": runs.median, "low": runs.low, "high": runs.high,
        }
        for one in results
        for engine, runs in _engines(one).items()
    ]  # fmt: skip


def _engines(one: Result) -> dict[str, Runs]:
    return {OURS: one.ours, **one.peers}


def _colour(rows: Sequence[dict[str, Any]]) -> altair.Color:
    import altair as alt

    engines = list(dict.fromkeys(row["engine"] for row in rows))
    scale = alt.Scale(domain=engines, range=[_COLOURS.get(each, _FEWER) for each in engines])
    return alt.Color("engine:N", scale=scale, title=None, legend=alt.Legend(orient="bottom"))


def _beside(name: str, results: Sequence[Result]) -> altair.LayerChart:
    """A line for each figure: a dot for each engine's median, a bar from its least to greatest."""
    import altair as alt

    rows = _rows(results)
    scale = alt.Scale(type="log" if name == "refreshes" else "linear", nice=True)
    base = alt.Chart(alt.Data(values=rows), width=420).encode(
        y=alt.Y("figure:N", sort=None, title=None, axis=alt.Axis(labelLimit=460)),
        color=_colour(rows),
    )
    spread = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, title="seconds"), x2="high:Q"
    )
    medians = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("seconds:Q", scale=scale)
    )
    return spread + medians


def _growth(results: Sequence[Result]) -> altair.FacetChart:
    """A small plot for each series, both axes logarithmic: near-linear is a straight line."""
    import altair as alt

    rows = _rows(results)
    line = (
        alt.Chart(alt.Data(values=rows), width=220, height=160)
        .mark_line(point=True)
        .encode(
            x=alt.X(
                "x:Q",
                scale=alt.Scale(type="log"),
                title=None,
                axis=alt.Axis(format="~s", tickCount=4),
            ),
            y=alt.Y(
                "seconds:Q",
                scale=alt.Scale(type="log"),
                title="seconds",
                axis=alt.Axis(tickCount=4),
            ),
            color=_colour(rows),
        )
    )
    facets = line.facet(facet=alt.Facet("series:N", title=None, sort=None), columns=3)
    return facets.resolve_scale(x="independent", y="independent")


def _styled(chart: Any) -> Any:
    return (
        chart.configure(background="transparent", font="sans-serif")
        .configure_axis(
            labelColor=_TEXT, titleColor=_TEXT, gridColor=_GRID, domainColor=_TEXT, tickColor=_TEXT
        )
        .configure_legend(labelColor=_TEXT, titleColor=_TEXT)
        .configure_title(color=_TEXT)
        .configure_header(labelColor=_TEXT)
        .configure_view(stroke=None)
    )
