"""Steps as a person sees them: one line each, alive while it works, with its seconds at the end.

On a terminal the line moves (a spinner, for a build a bar with the tables that are being built). In
a pipe or a log each step is a plain line when it begins and one when it ends, and one every few
seconds between them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from strandline.cli.console import styled
from strandline.cli.terminal import one_line

LABEL_WIDTH = 30  # names of dbt's tests are long
SIGN_SECONDS = 5.0  # between two lines of a step in a log


class Line:
    """The text behind the title of one step, while it works and when it is done."""

    def __init__(self) -> None:
        self.text = ""
        self._total = self._done = 0
        self._running: dict[str, str] = {}
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def draw_on(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def report(self, text: str) -> None:
        self.text = text
        self._draw()

    def started(self, node_id: str, label: str, total: int) -> None:
        """A node of the build has begun (called from dbt's threads)."""
        self._total = total
        self._running[node_id] = label
        self._draw()

    def finished(self, node_id: str) -> None:
        self._done += self._running.pop(node_id, None) is not None
        self._draw()

    def shown(self) -> str:
        """The text now: of a build, its progress and the node that has run longest."""
        if not self._total:
            return self.text
        running = next(iter([*self._running.values()]), "")  # dbt's threads change it meanwhile
        return f"{self._done} of {self._total}  {running[:LABEL_WIDTH]}"

    def _draw(self) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(
                self._task,
                total=self._total or None,
                completed=self._done,
                detail=one_line(self.shown()),
            )


class Steps:
    """The numbered steps of one command.

    Args:
        console: a terminal, a pipe or a file.
        of: how many steps there are.
        every: seconds between two lines of a step that works, where it is no terminal.
    """

    def __init__(self, console: Console, of: int, every: float = SIGN_SECONDS) -> None:
        self.console, self.of, self.number, self.every = console, of, 0, every

    @contextmanager
    def step(self, title: str) -> Iterator[Line]:
        self.number += 1
        label = f"{self.number}/{self.of} {one_line(title)}"
        line = Line()
        began = time.monotonic()
        try:
            if self.console.is_terminal:
                with self._moving() as progress:
                    line.draw_on(progress, progress.add_task(label, total=None, detail=""))
                    yield line
            else:
                self.console.print(styled(f"  {label} …"), soft_wrap=True)
                with self._signs(line, began):
                    yield line
        except BaseException:
            self._end(("✗", "red"), label, began, "")
            raise
        self._end(("✓", "green"), label, began, line.text)

    def _end(self, symbol: tuple[str, str], label: str, began: float, result: str) -> None:
        seconds = (f"{time.monotonic() - began:.0f} s", "cyan")
        text = Text.assemble(symbol, f" {label}  ", seconds)
        if result:
            text.append(f"  {one_line(result)}", "dim")
        self.console.print(text, soft_wrap=True)

    @contextmanager
    def _signs(self, line: Line, began: float) -> Iterator[None]:
        """A line every few seconds, so that a log shows that the step works, and on what."""
        done = threading.Event()

        def show() -> None:
            while not done.wait(self.every):
                text = f"    {time.monotonic() - began:.0f} s  {one_line(line.shown())}"
                self.console.print(styled(text.rstrip()), soft_wrap=True)

        thread = threading.Thread(target=show, name="strandline-progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _moving(self) -> Progress:
        return Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            TextColumn("{task.fields[detail]}", style="dim", markup=False),
            console=self.console,
            transient=True,
        )
