"""The analysed range of a run, and the watermark up to which scheduled runs have analysed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.engine.anomalies.oracle_rows import Anomaly, Detection

BEGINNING = float("-inf")  # where the first scheduled run starts


@dataclass(frozen=True)
class AnalysedRange:
    """[start, end)."""

    start: float
    end: int

    def __post_init__(self) -> None:
        if self.start >= self.end:
            raise ValueError(f"the range [{self.start}, {self.end}) is empty")

    def classifies(self, found: Detection) -> bool:
        """By its end, so that of two adjacent ranges exactly one classifies a detection."""
        return self.start < found.end <= self.end

    def contains(self, stored: Anomaly) -> bool:
        return self.start <= stored.start and stored.end <= self.end


def merged(ranges: Iterable[AnalysedRange]) -> list[AnalysedRange]:
    """Ranges that overlap or adjoin are one."""
    joined: list[AnalysedRange] = []
    for analysed in sorted(ranges, key=lambda each: each.start):
        if joined and analysed.start <= joined[-1].end:
            joined[-1] = AnalysedRange(joined[-1].start, max(joined[-1].end, analysed.end))
        else:
            joined.append(analysed)
    return joined


def late_ranges(
    detections: Iterable[Detection], before: float, read: int, midnight: int = 0
) -> list[AnalysedRange]:
    """The range of each day's late detections: those that arrived after `read` and end by `before`.

    A day of 1,440 minutes begins at `midnight`, which may be before the first minute.
    """
    days: dict[int, list[Detection]] = {}
    for each in detections:
        if each.arrival is not None and each.arrival > read and each.end <= before:
            days.setdefault((each.end - midnight) // 1440, []).append(each)
    return [
        AnalysedRange(min(each.start for each in day), max(each.end for each in day))
        for day in days.values()
    ]


def scheduled_range(
    watermark: int | None,
    now: int,
    granularity: int,
    completeness_delay: int,
    mutability: int | None,
) -> AnalysedRange | None:
    """From the watermark, or the mutability period before the end if that is earlier; or None.

    `now` is the events' clock. The end is that of the newest interval which is complete.
    """
    end = floor_to(now - completeness_delay, granularity)
    if watermark is None:
        return AnalysedRange(BEGINNING, end)
    start = (
        watermark if mutability is None else min(watermark, floor_to(end - mutability, granularity))
    )
    return AnalysedRange(start, end) if start < end else None


def moved_watermark(
    watermark: int | None,
    analysed: AnalysedRange,
    is_backfill: bool,
    granularity: int,
    complete: float,
) -> int | None:
    """Never backwards, and in a backfill never over what no run has analysed, nor over what is incomplete.

    `complete` is the time up to which the data are complete.
    """
    reached = floor_to(
        int(min(analysed.end, complete)) if is_backfill else analysed.end, granularity
    )
    if is_backfill and (watermark is None or analysed.start > watermark):
        return watermark
    return reached if watermark is None else max(watermark, reached)


def floor_to(time: int, granularity: int) -> int:
    return time - time % granularity
