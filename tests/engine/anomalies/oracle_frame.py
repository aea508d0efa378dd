"""The time frame of a run, and the watermark up to which scheduled runs have analysed."""

from __future__ import annotations

from collections.abc import Iterable
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


def merged(frames: Iterable[Frame]) -> list[Frame]:
    """Frames that overlap or touch are one."""
    joined: list[Frame] = []
    for frame in sorted(frames, key=lambda each: each.start):
        if joined and frame.start <= joined[-1].end:
            joined[-1] = Frame(joined[-1].start, max(joined[-1].end, frame.end))
        else:
            joined.append(frame)
    return joined


def late_frames(
    detections: Iterable[Detection], before: float, read: int, midnight: int = 0
) -> list[Frame]:
    """Of each day what the late detections touch: those that arrived after `read` and end by `before`.

    A day of 1,440 minutes begins at `midnight`, which may be before the first minute.
    """
    days: dict[int, list[Detection]] = {}
    for each in detections:
        if each.arrival is not None and each.arrival > read and each.end <= before:
            days.setdefault((each.end - midnight) // 1440, []).append(each)
    return [
        Frame(min(each.start for each in day), max(each.end for each in day))
        for day in days.values()
    ]


def scheduled_frame(
    watermark: int | None,
    now: int,
    granularity: int,
    completeness_delay: int,
    mutability: int | None,
) -> Frame | None:
    """From the watermark, or the mutability period before the end if that is earlier; or nothing to do.

    `now` is the events' clock. The end is that of the newest interval which is complete.
    """
    end = floor_to(now - completeness_delay, granularity)
    if watermark is None:
        return Frame(BEGINNING, end)
    start = (
        watermark if mutability is None else min(watermark, floor_to(end - mutability, granularity))
    )
    return Frame(start, end) if start < end else None


def moved_watermark(
    watermark: int | None, frame: Frame, is_backfill: bool, granularity: int, complete: float
) -> int | None:
    """Never backwards, and in a backfill never over what no run has analysed, nor over what is incomplete.

    `complete` is up to when the data are.
    """
    reached = floor_to(int(min(frame.end, complete)) if is_backfill else frame.end, granularity)
    if is_backfill and (watermark is None or frame.start > watermark):
        return watermark
    return reached if watermark is None else max(watermark, reached)


def floor_to(time: int, granularity: int) -> int:
    return time - time % granularity
