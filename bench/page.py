"""The generated parts of docs/performance.md: what stands between two markers.

    <!-- results: NAME -->
    …
    <!-- end -->

NAME is `answers`, `goals`, `plots`, `growth`, or a benchmark. All else on the page is written by
hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bench import tables
from bench.results import Result

PLOTS = "performance"  # the folder beside the page
_PART = re.compile(r"(<!-- results: (\w+) -->\n)(.*?)(<!-- end -->)", re.S)


def page(text: str, results: Sequence[Result]) -> str:
    """The page with its generated parts filled from the results."""

    def filled(part: re.Match[str]) -> str:
        return f"{part[1]}\n{_part(part[2], results)}\n\n{part[4]}"

    return _PART.sub(filled, text)


def _part(name: str, results: Sequence[Result]) -> str:
    if name == "answers":
        return tables.answers(results)
    if name == "goals":
        return tables.goals(results)
    if name == "growth":
        return tables.growth(results)
    if name == "plots":
        return _images(results)
    return tables.benchmark(name, results)


def _images(results: Sequence[Result]) -> str:
    """The plots that have something to show."""
    from bench.plots import TITLES, figures

    shown = [name for name in TITLES if figures(name, results)]
    return "\n\n".join(f"![{TITLES[name]}]({PLOTS}/{name}.svg)" for name in shown) or (
        "Not measured yet: `python -m bench`."
    )


def write(file: Path, results: Sequence[Result]) -> None:
    """Fills the page and draws its plots anew."""
    from bench import plots

    file.write_text(page(file.read_text(), results))
    folder = file.with_name(PLOTS)
    folder.mkdir(exist_ok=True)
    for name in plots.TITLES:
        plot = folder / f"{name}.svg"
        plot.unlink(missing_ok=True)
        if plots.figures(name, results):
            plot.write_text(plots.svg(name, results))
