"""The generated tables of docs/performance.md, as Markdown."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from datetime import date

from bench.goals import BY_HAND, DUCKDB, POLARS, SPARK, outcomes
from bench.plan import names, steps_of
from bench.results import Result, Runs

_ORDER = (SPARK, DUCKDB, POLARS, BY_HAND)
_HELD = {True: "held", False: "**missed**", None: "not judged"}


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
    return _table(head, rows, "llrrrll") if rows else _missing(names())


def benchmark(name: str, results: Sequence[Result]) -> str:
    """All figures of one benchmark that are no growth, and how they were measured."""
    own = [one for one in results if one.benchmark == name and not one.series]
    if not own:
        return _missing([name])
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
    return f"{_commands(name)}\n\n{_table(head, rows, align)}\n\n{circumstances(own)}"


def growth(results: Sequence[Result]) -> str:
    """Every growth series, a line for each of its points, beside the first point."""
    own = [one for one in results if one.series]
    if not own:
        return _missing(["--growth"])
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
            + (" A quick run." if on.quick else "")
        )
    return "  \n".join(lines)


def _commands(name: str) -> str:
    """What measured it."""
    lines = [f"python -m bench.{step.benchmark} {shlex.join(step.args)}" for step in steps_of(name)]
    return "\n".join(["```sh", *(lines or [f"python -m bench.{name}"]), "```"])


def _missing(what: Sequence[str]) -> str:
    options = " ".join(each if each.startswith("--") else f"--only {each}" for each in what)
    return f"Not measured yet: `python -m bench {options}`."


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
