"""The generated parts of docs/performance.md: what stands between two markers, and its plots.

    <!-- results: NAME -->
    …
    <!-- end -->

NAME is `answers`, `goals`, `plots`, `growth`, or a benchmark. All else on the page is written by
hand. The plots are SVG without a background, readable on light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.results import (
    BENCHMARKS,
    BY_HAND,
    DUCKDB,
    FULL,
    INCREMENT,
    NOTHING,
    POLARS,
    SPARK,
    Result,
    Runs,
    in_words,
    outcomes,
)

if TYPE_CHECKING:
    import altair

PLOTS = "performance"  # the folder beside the page
_PART = re.compile(r"(<!-- results: (\w+) -->\n)(.*?)(<!-- end -->)", re.S)
_ORDER = (SPARK, DUCKDB, POLARS, BY_HAND)
_VERDICTS = {True: "met", False: "**missed**", None: "not checked"}
# The sections of the page whose figures are answers, and the kinds of runs that a user knows.
_SECTIONS = {
    "aggregation": "Aggregation", "time_weight": "Time weights", "detection": "Detection",
    "windows": "Windows", "correlation": "Correlation", "anomalies": "Anomalies",
}  # fmt: skip
_RUNS = {
    "nothing new": (NOTHING,),
    "little new": (INCREMENT,),
    "first build": (FULL, "first build"),
}
_WHOLE_RUNS = ("nothing new, local", "nothing new, connect", "second demo")
OURS = "Strandline"
TITLES = {
    "refreshes": "Full refreshes beside the same in other engines",
    "increments": "Runs with new events, beside merges by hand and beside the same over fewer",
    "growth": "How full refreshes grow",
}
# Each is visible on white and on black.
_COLOURS = {
    OURS: "#2f81f7", SPARK: "#db6d28", DUCKDB: "#bf8700", POLARS: "#2da44e", BY_HAND: "#a371f7",
}  # fmt: skip
_FEWER = "#8b949e"
_TEXT, _GRID = "#7d8590", "#7d859040"


def write(file: Path, results: Sequence[Result]) -> None:
    """Fills the page and draws its plots again."""
    file.write_text(page(file.read_text(), results))
    folder = file.with_name(PLOTS)
    folder.mkdir(exist_ok=True)
    for name in TITLES:
        plot = folder / f"{name}.svg"
        plot.unlink(missing_ok=True)
        if figures(name, results):
            plot.write_text(svg(name, results))


def page(text: str, results: Sequence[Result]) -> str:
    """The page with its generated parts filled from the results."""

    names = {part[2] for part in _PART.finditer(text)}
    return filled(text, {name: _part(name, results) for name in names})


def filled(text: str, parts: Mapping[str, str]) -> str:
    """A text with these parts between their markers."""
    return _PART.sub(lambda part: f"{part[1]}\n{parts[part[2]]}\n\n{part[4]}", text)


def _part(name: str, results: Sequence[Result]) -> str:
    if name == "answers":
        return answers(results)
    if name == "goals":
        return goals(results)
    if name == "growth":
        return growth(results)
    if name == "plots":
        return _images(results)
    return benchmark(name, results)


def _images(results: Sequence[Result]) -> str:
    """The plots that have something to show."""
    shown = [name for name in TITLES if figures(name, results)]
    return "\n\n".join(f"![{TITLES[name]}]({PLOTS}/{name}.svg)" for name in shown) or (
        "Not measured yet: `python -m bench`."
    )


def answers(results: Sequence[Result]) -> str:
    """What a run costs, in three tables: by part, by the number of events, and as a whole."""
    tables = [_by_part(results), _byin_words(results), _whole(results)]
    return "\n\n".join(filter(None, tables)) or _missing()


def _by_part(results: Sequence[Result]) -> str:
    """A line for each part, over the most rows with which all three kinds of runs were measured."""
    rows = []
    for name, title in _SECTIONS.items():
        own = [one for one in results if one.benchmark == name and not one.series]
        sizes = ({one.rows for one in own if one.kind in kinds} for kinds in _RUNS.values())
        most = max((size for size in set.intersection(*sizes) if size), default=None)
        if most is not None:
            nothing, little, first = (
                [one for one in own if one.rows == most and one.kind in kinds]
                for kinds in _RUNS.values()
            )
            rows.append((
                f"[{title}](#{title.lower().replace(' ', '-')})", in_words(most), _range(nothing),
                _range(little), _range(little, BY_HAND), _range(first), _range(first, SPARK),
                _range(first, DUCKDB),
            ))  # fmt: skip
    head = (
        "", "rows before", "nothing new, s", "little new, s", "merge by hand", "first build, s",
        "plain Spark", "DuckDB",
    )  # fmt: skip
    return table_of(head, rows, "lrrrrrrr") if rows else ""


def _byin_words(results: Sequence[Result]) -> str:
    """The same aggregation over more and more events."""
    own = [one for one in results if one.benchmark == "aggregation" and one.series == "events"]
    sizes = sorted({one.x for one in own if one.x is not None})
    rows = []
    for run, kinds in _RUNS.items():
        points = {one.x: one for one in own if one.kind in kinds}
        peers = _peers_of(points.values())
        for peer in [None, *peers] if points else []:
            at = (_range([points[size]], peer) if size in points else "" for size in sizes)
            rows.append((f"{run}, {peer}" if peer else run, *at))
    head = ("six tables, s", *(f"{in_words(size)} events" for size in sizes))
    return table_of(head, rows, "l" + "r" * len(sizes)) if rows else ""


def _whole(results: Sequence[Result]) -> str:
    """Whole runs of a project, in which nothing is new."""
    own = {one.kind: one for one in results if one.benchmark == "tick"}
    rows = [(own[kind].what, _number(own[kind].ours.median)) for kind in _WHOLE_RUNS if kind in own]
    return table_of(("a whole run, start included", "s"), rows, "lr") if rows else ""


def _range(results: Iterable[Result], peer: str | None = None) -> str:
    """Our medians, or those of a peer: one, or the least and the greatest."""
    runs = [one.peers.get(peer) if peer else one.ours for one in results]
    medians = sorted(each.median for each in runs if each)
    ends = list(dict.fromkeys(map(_number, (medians[0], medians[-1])))) if medians else []
    return " to ".join(ends)


def goals(results: Sequence[Result]) -> str:
    """Every figure that has a goal, beside the goal."""
    rows = [
        (
            one.benchmark, one.what, _number(one.ours.median),
            _number(one.peers[goal.peer].median) if goal.peer else "",
            _number(goal.value) if goal.peer else "", goal.text, _VERDICTS[goal.held],
        )
        for one in _in_order(results)
        for goal in outcomes(one)
    ]  # fmt: skip
    head = ("benchmark", "figure", "ours, s", "peer, s", "ratio", "goal", "")
    return table_of(head, rows, "llrrrll") if rows else _missing()


def benchmark(name: str, results: Sequence[Result]) -> str:
    """All figures of one benchmark that are no growth, and how they were measured."""
    own = [one for one in results if one.benchmark == name and not one.series]
    if not own:
        return _missing(f" --only {name}")
    peers = _peers_of(own)
    has_heap = any(one.ours.heap for one in own)
    has_note = any(one.note for one in own)
    head = ["", f"ours, {own[0].unit}", *peers]
    head += ["heap, MiB"] if has_heap else []
    head += ["besides"] if has_note else []
    rows = []
    for one in own:
        row = [one.what, _spread(one.ours), *(_peer(one, peer) for peer in peers)]
        row += [f"{one.ours.heap:,.0f}" if one.ours.heap else ""] if has_heap else []
        row += [one.note] if has_note else []
        rows.append(row)
    align = "lr" + "r" * len(peers) + "r" * has_heap + "l" * has_note
    return f"{table_of(head, rows, align)}\n\n{circumstances(own)}"


def growth(results: Sequence[Result]) -> str:
    """Every growth series, a line for each of its points, beside the first point."""
    own = [one for one in results if one.series]
    if not own:
        return _missing(" --growth")
    peers = _peers_of(own)
    first: dict[tuple[str, str, str], float] = {}
    for one in own:
        first.setdefault((one.benchmark, one.series, one.kind), one.ours.median)
    rows = [
        (
            one.benchmark, one.what, _number(one.ours.median),
            _number(one.ours.median / first[one.benchmark, one.series, one.kind]),
            *(_number(one.peers[peer].median) if peer in one.peers else "" for peer in peers),
        )
        for one in own
    ]  # fmt: skip
    table = table_of(
        ("benchmark", "", "ours, s", "of the first", *peers), rows, "llrr" + "r" * len(peers)
    )
    return f"{table}\n\n{circumstances(own)}"


def circumstances(results: Iterable[Result]) -> str:
    """When, where and how often: a line for each occasion."""
    results = list(results)
    lines = []
    for on in dict.fromkeys(one.on for one in results):
        numbers = sorted({len(one.ours.runs) for one in results if one.on == on})
        runs = " or ".join(map(str, numbers))
        day = date.fromisoformat(on.date)
        lines.append(
            f"Medians of {runs} run{'s' * (numbers != [1])}; {day.day} {day:%B %Y}, commit "
            f"`{on.commit}`; {on.machine}, {on.busy:g} cores busy before; {on.versions}."
            + (" A quick run:" if on.quick else "")
            + (f" `{on.command}`" if on.command else "")
        )
    return "  \n".join(lines)


def _missing(options: str = "") -> str:
    return f"Not measured yet: `python -m bench{options}`."


def _peers_of(results: Iterable[Result]) -> list[str]:
    found = dict.fromkeys(peer for one in results for peer in one.peers)
    return sorted(found, key=lambda peer: _ORDER.index(peer) if peer in _ORDER else len(_ORDER))


def _peer(one: Result, name: str) -> str:
    """`60.4 (0.93)`: the peer's median, and ours as a multiple of it."""
    if name not in one.peers:
        return ""
    ratio = f" ({_number(one.ratios[name])})" if name in one.ratios else ""
    return _number(one.peers[name].median) + ratio


def _spread(runs: Runs) -> str:
    """`56.7 [56.1, 57.0]`: the median, the least and the greatest."""
    if len(runs.runs) == 1:
        return _number(runs.median)
    return f"{_number(runs.median)} [{_number(runs.low)}, {_number(runs.high)}]"


def _number(value: float) -> str:
    """Three digits, and no more decimals than they need."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _in_order(results: Iterable[Result]) -> list[Result]:
    place = {name: nth for nth, name in enumerate(BENCHMARKS)}
    return sorted(results, key=lambda one: place.get(one.benchmark, len(BENCHMARKS)))


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> str:
    """A Markdown table; `align` has a letter for each column, l or r."""
    rules = ["---:" if each == "r" else "---" for each in align]
    lines = [head, rules, *rows]
    return "\n".join(
        "|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines
    )


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
    chart = _growth_plot(shown) if name == "growth" else _beside(name, shown)
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


def _growth_plot(results: Sequence[Result]) -> altair.FacetChart:
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
        .configure_title(color=_TEXT, anchor="start", frame="bounds")
        .configure_header(labelColor=_TEXT)
        .configure_view(stroke=None)
    )
