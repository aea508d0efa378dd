"""The questions of `strandline init`; without a terminal, what is proposed is taken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from strandline.cli.terminal import say
from strandline.starter.answers import Answers
from strandline.starter.columns import Sample


def csv_file() -> Path:
    kind = click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path)
    file: Path = click.prompt("A CSV file with events", type=kind)
    return file


def chosen_lines(answers: Answers, sample: Sample | None) -> list[str]:
    """What the events are read by, and which numbers are not averaged since they are ids."""
    types = {column.name: column.type for column in sample.columns} if sample else {}
    kind = f" ({types[answers.value]})" if answers.value in types else ""
    lines = [
        f"time    {answers.ts}",
        f"series  {', '.join(answers.keys) or 'one: no column tells series apart'}",
        f"average {answers.value}{kind}" if answers.value else "average none: events are counted",
    ]
    ids = (
        [name for name in sample.ids if name not in (answers.value, *answers.keys)]
        if sample
        else []
    )
    if ids:
        lines.append(f"ids     {', '.join(ids)}: not averaged (--value NAME, if it is a measure)")
    return lines


class Questions:
    """An answer for each option that was not given: a person's, or what is proposed."""

    def __init__(self, asks: bool, sample: Sample | None) -> None:
        self._asks = asks
        self._sample = sample

    def ts(self, given: str | None) -> str:
        if given is not None or self._sample is None:
            return given or ""
        times = self._sample.times
        if not times:
            raise click.ClickException(
                "No column has the time of an event, such as 2026-01-31T23:59:00Z, in every row."
            )
        return self._ask("The time of an event", times[0], times)

    def keys(self, given: str | None) -> tuple[str, ...]:
        if given is None and self._sample is not None:
            proposed = ",".join(self._sample.series)
            given = self._ask("Columns that tell series apart ('-': none)", proposed or "-",
                              self._sample.names)  # fmt: skip
        return tuple(
            key.strip() for key in (given or "").split(",") if key.strip() not in ("", "-")
        )

    def value(self, given: str | None) -> str | None:
        if given is None and self._sample is not None:
            numbers = self._sample.numbers
            given = self._ask("The number that is averaged ('-': only count)",
                              numbers[0] if numbers else "-", numbers)  # fmt: skip
        return None if given in (None, "", "-") else given

    def bounds(self, above: float | None, below: float | None) -> tuple[float | None, float | None]:
        if not self._asks or above is not None or below is not None:
            return above, below
        above_text, below_text = (
            click.prompt(f"Detect hours {side} (empty: no bound)", default="", show_default=False)
            for side in ("above", "below")
        )
        return _number(above_text), _number(below_text)

    def _ask(self, question: str, proposed: str, allowed: Sequence[str]) -> str:
        if not self._asks:
            return proposed
        say(f"Columns: {', '.join(allowed)}")
        return str(click.prompt(question, default=proposed))


def _number(text: str) -> float | None:
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise click.ClickException(f"'{text}' is no number") from None
