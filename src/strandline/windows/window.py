"""What the windows of one key have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

# place, seq, value, group. `place` is the caller's number of the row. `seq` orders events. `value`
# is what the window orders by: the value of a ranked window, the instant in microseconds at which a
# row of a timed one expires, or None.
Event = tuple[int, int, Any, Any]
# step, enters, left: the step of the turn that the event used, -1 for none; whether it enters; and
# the place of the row that it pushed out, -1 for none.
Move = tuple[int, bool, int]
NOTHING: Move = (-1, False, -1)


class Window(Protocol):
    """One window of one key, which sees its open rows, then turn by turn its events."""

    def restore(self, event: Event, entered: Any) -> None:
        """Takes in a row that is inside since an earlier run; `entered` orders such rows."""

    def begin(self, at: int) -> Sequence[tuple[int, int]]:
        """Begins a turn at the clock `at`: the rows that have expired, as (place, instant)."""

    def add(self, event: Event) -> Move:
        """Handles the next event of the turn."""

    def places(self) -> list[int]:
        """The places of the rows that are inside, in any order."""
