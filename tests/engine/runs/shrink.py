"""Makes a failing history small: fewer cases, fewer events, fewer runs, while it still fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

History = list[list[dict[str, Any]]]


def shrink(history: History, fails: Callable[[History], bool], tries: int = 12) -> History:
    """The smallest history found in so many tries; each try is a run of its own, so they are few."""
    parts = 2
    while tries > 0:
        for smaller in _smaller(history, parts):
            tries -= 1
            if fails(smaller):
                history, parts = smaller, 2
                break
            if tries <= 0:
                break
        else:
            size = sum(map(len, history))
            if parts >= size:
                break
            parts = min(2 * parts, size)
    return history


def _smaller(history: History, parts: int) -> list[History]:
    """Without every n-th part of its events, and with its last runs joined."""
    events = [(run, event) for run, some in enumerate(history) for event in some]
    found: list[History] = []
    if len(history) > 2:
        found.append([*history[:-2], history[-2] + history[-1]])
    for part in range(parts):
        first, last = part * len(events) // parts, (part + 1) * len(events) // parts
        kept = events[:first] + events[last:]
        if 0 < len(kept) < len(events):
            found.append([[e for r, e in kept if r == run] for run in range(len(history))])
    return [[some for some in each if some] or each for each in found]
