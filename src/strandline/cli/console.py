"""Rich's console for texts of anybody: see `strandline.cli.terminal`."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from strandline.cli.terminal import plain


class Terminal(Console):
    """A console that prints a text as it is: no markup in square brackets, no emoji for `:bug:`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(plain(text), **options)


def styled(text: str, style: str = "") -> Text:
    """A text in one style; `Terminal` makes plain only what is no Text yet."""
    return Text(plain(text), style)
