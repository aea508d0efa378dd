"""Writes the copies of what only the macros define: tables for Python, and a seed.

    python -m scripts.generated            writes the copies
    python -m scripts.generated --check    fails if a copy differs from the macros

The macros have to work without the Python package, so a rule that both need is kept in Jinja. This
renders it into src/strandline/generated.py and seeds/alignment_sizes.csv.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.unit.jinja_macros import macros

ROOT = Path(__file__).resolve().parents[1]
COMMAND = "python -m scripts.generated"
MODULE = "src/strandline/generated.py"
SEED = "seeds/alignment_sizes.csv"
FROM = {  # each copy, and the macros that it is made of
    MODULE: {
        "macros/core/lengths.sql": ("_units", "_length_forms"),
        "macros/detectors/alignment.sql": ("_precisions", "_alignment_rows"),
        "macros/core/aggregates.sql": ("_aggregates", "_parts", "_folded_moments"),
        "macros/core/errors.sql": ("_synonyms",),
        "macros/anomalies/notify.sql": ("_severity_words",),
    },
    SEED: {"macros/detectors/alignment.sql": ("_precisions", "_alignment_rows")},
}
WIDTH = 100
MOMENTS = ["n", "mean", "m2"]
SPREADS = {"variance": "var", "stddev": "std", "var_pop": "varp", "stddev_pop": "stdp"}


def copies() -> dict[str, str]:
    """Each copy by its path, as it has to be."""
    return {MODULE: _module(), SEED: _seed()}


def faults() -> list[str]:
    """Every copy that differs, with the files that it is made of."""
    return [
        f"{path} differs from {', '.join(FROM[path])}; run `{COMMAND}`"
        for path, text in copies().items()
        if not (ROOT / path).exists() or (ROOT / path).read_text(encoding="utf-8") != text
    ]


def _alignment_sizes() -> Iterator[tuple[str, bool, list[tuple[int | None, int]]]]:
    for precision in macros()._precisions():
        for round_time in (False, True):
            rows = macros()._alignment_rows(precision, round_time)
            yield precision, round_time, [(largest, size) for largest, size in rows]


def _seed() -> str:
    lines = ["precision,round_time,largest_step,alignment_size"]
    for precision, round_time, rows in _alignment_sizes():
        lines += [
            f"{precision},{str(round_time).lower()},{'' if largest is None else largest},{size}"
            for largest, size in rows
        ]
    return "\n".join(lines) + "\n"


def _module() -> str:
    made_of = [f"- {path}: {', '.join(names)}" for path, names in FROM[MODULE].items()]
    lines = [
        f'"""What only the macros define. Made by `{COMMAND}`: change the macros.',
        *("", *made_of, '"""', "", "# ruff: noqa: E501", "# fmt: off"),
        *_units(),
        *_lengths(),
        *_sizes(),
        *_moments(),
        *_synonyms(),
        *_severities(),
    ]
    return "\n".join(lines) + "\n"


def _units() -> Iterator[str]:
    units = macros()._units()
    yield "\n# The units of time, shortest first: their lengths by their words."
    for name, kind in (("NANOSECONDS", "clock"), ("MONTHS", "calendar")):
        yield from _table(
            f"{name}: dict[str, int]",
            ((unit["word"], f"{unit['length']:_}") for unit in units if unit["kind"] == kind),
        )
    yield "# The units that a time can be counted in, longest first."
    yield f"PRECISIONS = {_literal(tuple(macros()._precisions()))}"
    yield "# Every accepted spelling, in lower case, with the word of its unit."
    spelt = [(each, unit["word"]) for unit in units for each in unit["spellings"] + unit["types"]]
    yield from _table("SPELLINGS: dict[str, str]", ((a, _literal(b)) for a, b in spelt))


def _lengths() -> Iterator[str]:
    forms = macros()._length_forms()
    yield "\n# How a length of time is written, as regular expressions."
    yield f"LENGTH_ISO = {_literal(forms['iso'])}"
    yield f"LENGTH_ISO_UNITS = {_literal(tuple(forms['iso_units']))}"
    yield f"LENGTH_WORDS = {_literal(forms['words'])}"
    yield f"LENGTH_PART = {_literal(forms['part'])}"


def _sizes() -> Iterator[str]:
    yield "\n# By (precision, round_time): (the largest step or None for any larger one, the size)."
    yield "ALIGNMENT_SIZES: dict[tuple[str, bool], tuple[tuple[int | None, int], ...]] = {"
    for precision, round_time, rows in _alignment_sizes():
        yield f"    ({_literal(precision)}, {round_time}): ("
        yield from _packed((f"({first}, {size})," for first, size in rows), 8)
        yield "    ),"
    yield "}"


def _moments() -> Iterator[str]:
    read = macros()._aggregates()
    yield "\n# The moments of {x} over rows, of an array {0} of moments; what is read of {moments}."
    yield from _sql("MOMENTS_OF_ROWS", macros()._parts()["moments"]["partial"])
    yield from _sql("MOMENTS_OF_PARTS", macros()._folded_moments(MOMENTS, "{0}"))
    yield from _table(
        "READ_MOMENTS: dict[str, str]",
        ((name, _literal(read[macro]["read"])) for macro, name in SPREADS.items()),
        one_a_line=True,
    )


def _synonyms() -> Iterator[str]:
    yield "\n# Words of other systems, and the names that they have here."
    yield from _table(
        "SYNONYMS: dict[str, tuple[str, ...]]",
        ((word, _literal(tuple(names))) for word, names in macros()._synonyms().items()),
    )


def _severities() -> Iterator[str]:
    yield "\n# The words of severities, each with its rank: the lowest is 1."
    ranked = enumerate(macros()._severity_words(), start=1)
    yield from _table(
        "SEVERITIES: dict[str, int]",
        ((word, str(rank)) for rank, words in ranked for word in words),
    )


def _table(name: str, items: Iterable[tuple[str, str]], one_a_line: bool = False) -> Iterator[str]:
    """A dict, with as many items in a line as fit."""
    yield f"{name} = {{"
    written = [f"{_literal(key)}: {value}," for key, value in items]
    yield from (f"    {item}" for item in written) if one_a_line else _packed(written, 4)
    yield "}"


def _packed(items: Iterable[str], indent: int) -> list[str]:
    """As many items in a line as fit; none is broken at a blank."""
    lines = _wrapped(" ".join(item.replace(" ", "\0") for item in items), indent)
    return [line.replace("\0", " ") for line in lines]


def _sql(name: str, text: str) -> Iterator[str]:
    """A text of SQL, of which blanks and lines mean nothing."""
    yield f'{name} = """\\'
    yield "\n".join(_wrapped(" ".join(text.split()), 0)) + '"""'


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _literal(value: Any) -> str:
    """A text, or a tuple of texts, as Python writes it with double quotes."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    return json.dumps(value)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Writes the copies.")
    parser.add_argument("--check", action="store_true", help="only find the copies that differ")
    if parser.parse_args(arguments).check:
        found = faults()
        for fault in found:
            print(f"generated: {fault}", file=sys.stderr)
        return 1 if found else 0
    for path, text in copies().items():
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
