"""The time frame of a run, and the mark up to which scheduled runs have analysed."""

from __future__ import annotations

from dataclasses import dataclass

from tests.engine.anomalies.oracle_rows import Anomaly, Detection

BEGINNING = float("-inf")  # where the first scheduled run starts


@dataclass(frozen=True)
class Frame:
    """[start, end)."""

    start: float
    end: int

    def __post_init__(self) -> None:
        if self.start >= self.end:
            raise ValueError(f"the frame [{self.start}, {self.end}) is empty")

    def classifies(self, found: Detection) -> bool:
        """By its end, so that of two adjacent frames exactly one classifies a detection."""
        return self.start < found.end <= self.end

    def holds(self, stored: Anomaly) -> bool:
        return self.start <= stored.start and stored.end <= self.end


def scheduled_frame(
    mark: int | None, now: int, granularity: int, completeness_delay: int, mutability: int | None
) -> Frame | None:
    """From the mark, or the mutability period before the end if that is earlier; or nothing to do.

    `now` is the events' clock. The end is that of the newest interval which is complete.
    """
    end = floor_to(now - completeness_delay, granularity)
    if mark is None:
        return Frame(BEGINNING, end)
    start = mark if mutability is None else min(mark, floor_to(end - mutability, granularity))
    return Frame(start, end) if start < end else None


def moved_mark(
    mark: int | None, frame: Frame, by_hand: bool, granularity: int, complete: float
) -> int | None:
    """Never backwards, and by hand never over what no run has analysed, nor over what is incomplete.

    `complete` is up to when the data are.
    """
    reached = floor_to(int(min(frame.end, complete)) if by_hand else frame.end, granularity)
    if by_hand and (mark is None or frame.start > mark):
        return mark
    return reached if mark is None else max(mark, reached)


def floor_to(time: int, granularity: int) -> int:
    return time - time % granularity
