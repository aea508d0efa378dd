"""The generated tables of docs/performance.md, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from bench.goals import BY_HAND, DUCKDB, FULL, INCREMENT, NOTHING, POLARS, SPARK, outcomes
from bench.plan import names
from bench.results import Result, Runs

_ORDER = (SPARK, DUCKDB, POLARS, BY_HAND)
_HELD = {True: "held", False: "**missed**", None: "not judged"}
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


def answers(results: Sequence[Result]) -> str:
    """What a run costs, in three tables: by part, by the number of events, and as a whole."""
    tables = [_by_part(results), _by_size(results), _whole(results)]
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
                f"[{title}](#{title.lower().replace(' ', '-')})", _size(most), _range(nothing),
                _range(little), _range(little, BY_HAND), _range(first), _range(first, SPARK),
                _range(first, DUCKDB),
            ))  # fmt: skip
    head = (
        "", "rows before", "nothing new, s", "little new, s", "merge by hand", "first build, s",
        "plain Spark", "DuckDB",
    )  # fmt: skip
    return _table(head, rows, "lrrrrrrr") if rows else ""


def _by_size(results: Sequence[Result]) -> str:
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
    head = ("six tables, s", *(f"{_size(size)} events" for size in sizes))
    return _table(head, rows, "l" + "r" * len(sizes)) if rows else ""


def _whole(results: Sequence[Result]) -> str:
    """Whole runs of a project, in which nothing is new."""
    own = {one.kind: one for one in results if one.benchmark == "tick"}
    rows = [(own[kind].what, _number(own[kind].ours.median)) for kind in _WHOLE_RUNS if kind in own]
    return _table(("a whole run, start included", "s"), rows, "lr") if rows else ""


def _range(results: Iterable[Result], peer: str | None = None) -> str:
    """Our medians, or those of a peer: one, or the least and the greatest."""
    runs = [one.peers.get(peer) if peer else one.ours for one in results]
    medians = sorted(each.median for each in runs if each)
    ends = list(dict.fromkeys(map(_number, (medians[0], medians[-1])))) if medians else []
    return " to ".join(ends)


def _size(rows: float) -> str:
    """`9.2 million`, or `100,000`."""
    return f"{round(rows / 1e6, 1):g} million" if rows >= 1e6 else f"{rows:,.0f}"


def goals(results: Sequence[Result]) -> str:
    """Every figure that has a goal, beside the goal."""
    rows = [
        (
            one.benchmark, one.what, _number(one.ours.median),
            _number(one.peers[goal.peer].median) if goal.peer else "",
            _number(goal.value) if goal.peer else "", goal.text, _HELD[goal.held],
        )
        for one in _in_order(results)
        for goal in outcomes(one)
    ]  # fmt: skip
    head = ("benchmark", "figure", "ours, s", "peer, s", "ratio", "goal", "")
    return _table(head, rows, "llrrrll") if rows else _missing()


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
    return f"{_table(head, rows, align)}\n\n{circumstances(own)}"


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
    table = _table(
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
    order = names()
    place = {name: nth for nth, name in enumerate(order)}
    return sorted(results, key=lambda one: place.get(one.benchmark, len(order)))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> str:
    """A Markdown table; `align` has a letter for each column, l or r."""
    rules = ["---:" if each == "r" else "---" for each in align]
    lines = [head, rules, *rows]
    return "\n".join(
        "|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines
    )
