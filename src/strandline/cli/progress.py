"""Steps as a person sees them: one line each, alive while it works, with its seconds at the end.

On a terminal the line moves (a spinner, for a build a bar with the tables that are being built);
in a pipe each step is one plain line when it begins and one when it ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn


@dataclass
class Line:
    """One step's line: `tell` replaces what it says behind its title, also once it is done."""

    title: str
    said: str = ""
    total: int = 0
    done: int = 0
    running: dict[str, str] = field(default_factory=dict)
    _progress: Progress | None = None
    _task: TaskID | None = None

    def tell(self, text: str) -> None:
        self.said = text
        self._draw()

    def started(self, node_id: str, label: str, total: int) -> None:
        """A node of the build has begun (called from dbt's threads)."""
        self.total = total
        self.running[node_id] = label
        self._draw()

    def finished(self, node_id: str) -> None:
        self.done += self.running.pop(node_id, None) is not None
        self._draw()

    def _draw(self) -> None:
        if self._progress is None or self._task is None:
            return
        text = self.said
        if self.total:
            now = ", ".join(list(self.running.values())[:2])
            text = f"{self.done} of {self.total}  {now}"
        self._progress.update(
            self._task, total=self.total or None, completed=self.done, said=f"[dim]{text}[/]"
        )


class Steps:
    """The numbered steps of one command."""

    def __init__(self, console: Console, of: int) -> None:
        self.console, self.of, self.number = console, of, 0
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, title: str) -> Iterator[Line]:
        self.number += 1
        label = f"{self.number}/{self.of} {title}"
        line = Line(title)
        began = time.monotonic()
        if self.console.is_terminal:
            with self._moving(label) as progress:
                line._progress = progress
                line._task = progress.add_task(label, total=None, said="")
                yield line
        else:
            self.console.print(f"  {label} …", highlight=False)
            yield line
        line._progress = None
        took = time.monotonic() - began
        self.seconds[title] = took
        behind = f"  [dim]{line.said}[/]" if line.said else ""
        self.console.print(f"[green]✓[/] {label}  [cyan]{took:.0f} s[/]{behind}", highlight=False)

    def _moving(self, label: str) -> Progress:  # noqa: ARG002
        return Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            TextColumn("{task.fields[said]}"),
            console=self.console,
            transient=True,
        )
