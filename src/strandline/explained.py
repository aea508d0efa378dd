"""What the nodes of a run did, and why they ran: for `strandline run --explain`.

The adapter writes it and the command reads it, in one process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

LOOK_UP, READ, COMPUTE, WRITE = PHASES = ("look up", "read", "compute", "write")
# By the first word of a statement. All others write.
_PHASE_OF = dict.fromkeys(("show", "describe", "use", "set", "reset"), LOOK_UP)
_PHASE_OF |= dict.fromkeys(("select", "with"), READ)


@dataclass
class Account:
    """What one node did.

    Attributes:
        why: why it ran, or why it did not; empty for a node that always runs.
        rows: that it has written, those of replaced files included; None if that is not known.
        statements: how many.
        jobs: of Spark; 0 where Spark is in another process.
        seconds: by phase.
    """

    why: str = ""
    rows: int | None = None
    statements: int = 0
    jobs: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PHASES, 0.0))

    @contextmanager
    def spent(self, phase: str, jobs: Callable[[], int]) -> Iterator[None]:
        """Adds the time and the jobs of what is done in this context.

        Args:
            phase: one of PHASES.
            jobs: how many jobs Spark has had.
        """
        began, before = time.monotonic(), jobs()
        try:
            yield
        finally:
            self.seconds[phase] += time.monotonic() - began
            self.jobs += jobs() - before


class Explained:
    """The accounts of the nodes of a run, while it `is_on`."""

    def __init__(self) -> None:
        self.is_on = False
        self._accounts: dict[str, Account] = {}
        self._mutex = threading.Lock()

    @contextmanager
    def on(self) -> Iterator[None]:
        """Begins new accounts, and keeps them until they are begun again."""
        self._accounts, self.is_on = {}, True
        try:
            yield
        finally:
            self.is_on = False

    def of(self, node: str) -> Account:
        """The account of a node, by dbt's unique id."""
        with self._mutex:
            return self._accounts.setdefault(node, Account())


OF_RUN = Explained()


def phase_of(statement: str) -> str:
    """The phase of a statement, before which dbt may have written a comment."""
    if statement.startswith("/*"):
        statement = statement.partition("*/")[2]
    words = statement.split(None, 1)
    return _PHASE_OF.get(words[0].lower(), WRITE) if words else WRITE


def change_of(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    """Why a model is not skipped, from the inputs of its last run and those of this one.

    Inputs have `package`, `text` and `settings`, `tables` and `views` by name, and `own`, the
    commit of the table that the last run has left.
    """
    if before is None:
        return "no run of it is remembered"
    reasons = []
    if before.get("package") != now["package"]:
        reasons.append("another version of Strandline")
    if before.get("text") != now["text"]:
        reasons.append("its SQL has changed")
    if before.get("settings") != now["settings"]:
        reasons.append("its configuration, or a setting of the run, has changed")
    for kind, words in (("views", "the view {} has changed"), ("tables", "{} has new commits")):
        was = before.get(kind) or {}
        reasons += [words.format(name) for name, one in now[kind].items() if was.get(name) != one]
    if not reasons and before.get("own") != now["own"]:
        reasons.append("another process has written its table")
    return "; ".join(reasons) or "none of its last runs has read the same"
