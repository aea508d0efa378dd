"""The settings of consolidation, under the names of the macro; times are whole minutes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    re_notify_percentage_threshold: float | None = None
    re_notify_absolute_threshold: float | None = None
    mutability_period: int | None = None
    granularity: int = 15
    completeness_delay: int = 0
    merge_max_gap: int = 1  # the default of a second: among whole minutes it is the same
    merge_max_duration: int = 7 * 24 * 60
    min_length: int = 0
    notify_look_back: int | None = None
    completed: bool = False

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value < 0:
                raise ValueError(f"{name} must not be below 0, got {value}")
        if not self.granularity:
            raise ValueError("granularity must be above 0, got 0")
