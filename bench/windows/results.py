"""The figures of windows, as results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bench.figures import count, full_refresh, increments
from bench.occasion import Occasion
from bench.results import Result
from bench.windows.engines import HIGHEST, LAST


def name_of(told: dict[str, Any]) -> str:
    """A window as a reader knows it."""
    if told["window"] == "sliding":
        return f"`last {LAST}`"
    if told["window"] == "ranked":
        return f"`highest {HIGHEST}` with an update group"
    return f"`last {told['minutes']} minutes` with count, sum and max"


def words(told: dict[str, Any]) -> str:
    """The window, its events and its keys."""
    return f"{name_of(told)}, {count(told['events'])} events of {count(told['keys'])} keys"


def of(told: dict[str, Any], on: Occasion, new: int, growth: bool) -> list[Result]:
    """A full refresh if one was measured, and the increments; or the points of growth series."""
    number = told["events"]
    found = []
    if "seconds" in told:
        found = [full_refresh("windows", f"full refresh, {words(told)}", told, on, number)]
    if growth:
        series = f"length, {count(told['keys'])} keys"
        return [replace(one, series=series, x=told["minutes"]) for one in found]
    return found + increments("windows", name_of(told), told["increments"], on, number, new)
