"""Random correlations: the same seed gives the same ones.

Columns: `id` counts up, `stream` is the letter of an alias, `ref` and `other` are ids out of few
and may be null, `qty` is whole. The windows read one source of events and filter by `stream`, or
each its own one: the letters of one stream of events, or streams of their own.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from tests.engine.correlation.cases import Case, Run, Stream
from tests.engine.windows.oracle_rows import SECOND, Event, Kind, Store, Window
from tests.engine.windows.streams import START, Expression, random_events, random_split

LETTERS = "abcd"
OF_STREAM = {
    letter: Expression(f"stream = '{letter}'", lambda row, letter=letter: row["stream"] == letter)
    for letter in LETTERS
}
KINDS: list[Kind] = ["time", "time", "sliding", "tumbling", "highest"]


def random_case(chance: Random, n: int = 30, split: bool = True) -> Case:
    """About n events; `split` is into more than one run."""
    aliases = LETTERS[: chance.choice([1, 2, 2, 3, 3, 3, 4])]
    shared = chance.random() < 0.5
    streams = {alias: _stream(chance, alias, shared) for alias in aliases}
    case = Case(streams, random_patterns(chance, aliases))
    sources = _shared(chance, n) if shared else _separate(chance, n, aliases)
    return replace(case, runs=_runs(chance, sources, split))


def random_patterns(chance: Random, aliases: str) -> list[str]:
    """Some are near to the one before, so that several of them are due at once."""
    found: list[dict[str, str | None]] = []
    for _ in range(chance.randrange(1, 5)):
        kinds = {alias: chance.choice(["", "", "not ", None]) for alias in aliases}
        if found and chance.random() < 0.5:
            kinds = found[-1] | {chance.choice(aliases): chance.choice(["", "not ", None])}
        if "" not in kinds.values():
            kinds[chance.choice(aliases)] = ""
        if kinds not in found:
            found.append(kinds)
    return [_pattern(chance, kinds) for kinds in found]


def _pattern(chance: Random, kinds: dict[str, str | None]) -> str:
    terms = [kind + alias for alias, kind in kinds.items() if kind is not None]
    return " and ".join(chance.sample(terms, len(terms)))


def _stream(chance: Random, alias: str, shared: bool) -> Stream:
    column = chance.choice(["ref", "ref", "ref", "other"])
    source = "events" if shared else f"events_{alias}"
    where = OF_STREAM[alias] if shared else None
    window = Window(_store(chance), chance.choice([(), (), (column,)]), where=where)
    if chance.random() < 0.2:
        status = chance.choice(["new", "dead"])
        return Stream(
            replace(window, where=None), column, source, Window(_store(chance), where=where), status
        )
    return Stream(window, column, source)


def _store(chance: Random) -> Store:
    kind = chance.choice(KINDS)
    if kind == "time":
        size = chance.choice([1, 2, 3, 5, 10, 30]) * SECOND
        return Store(kind, size=size, max=chance.choice([None, None, None, 1, 3]))
    using = "qty" if kind == "highest" else None
    group = chance.choice([(), (), ("ref",)]) if using else ()
    return Store(kind, chance.choice([1, 2, 3, 5]), using=using, update_group=group)


def _row(chance: Random, number: int, refs: int, letter: str | None = None) -> dict[str, Any]:
    return {
        "id": number,
        "stream": letter or chance.choice(LETTERS),
        "ref": chance.choice([*range(1, refs + 1)] * 4 + [None]),
        "other": chance.choice([1, 1, 2, None]),
        "qty": chance.randrange(-2, 9),
    }


def _given(chance: Random, n: int, letter: str | None = None) -> list[Event]:
    refs = chance.choice([1, 2, 3])
    found = random_events(chance, n)
    return [replace(e, row=_row(chance, e.row["id"], refs, letter)) for e in found]


def _shared(chance: Random, n: int) -> dict[str, list[Event]]:
    return {"events": _given(chance, n)}


def _separate(chance: Random, n: int, aliases: str) -> dict[str, list[Event]]:
    """The first event of each has a time, so that there is a clock."""
    if chance.random() < 0.4:
        each = max(4, n // len(aliases))
        return {f"events_{letter}": _given(chance, each, letter) for letter in aliases}
    given = _given(chance, n)
    found = {}
    for letter in aliases:
        own = [event for event in given if event.row["stream"] == letter]
        while own and own[0].ts is None:
            own.pop(0)
        found[f"events_{letter}"] = own
    return found


def _runs(chance: Random, sources: dict[str, list[Event]], split: bool) -> list[Run]:
    """Of separate sources some are read further than others. In the last run mostly all clocks move."""
    batches = {
        name: random_split(chance, given)[0] if split else [given]
        for name, given in sources.items()
    }
    with_as_of = chance.random() < 0.3
    runs, newest = [], START
    for number in range(max(map(len, batches.values()))):
        events = {name: (own[number:] or [[]])[0] for name, own in batches.items()}
        known = [e.ts for own in events.values() for e in own if e.ts is not None]
        newest = max([newest, *known])
        moves = with_as_of and chance.random() < 0.3
        as_of = newest + chance.randrange(-5, 60) * SECOND if moves else None
        runs.append(Run(events, as_of))
    if chance.random() < 0.6:
        runs.append(Run({}, newest + chance.choice([0, 5, 60]) * SECOND))
    return runs
