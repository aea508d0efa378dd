"""The anomalies that consolidation must give: one run after the other, in plain Python.

Written from the text of the source and the specification. No Spark, no SQL, nothing of the
product: where both agree, they agree for a reason. Choices, where both texts are silent:

- A detection belongs to the analysed range [from, to) in which it ends, from < end <= to. It may have
  begun before. One that belongs to another range is not read.
- The same detection twice is one; two of the same key, start and end that differ are refused.
- A change of baseline, severity or labels alone is updated in place. NaN is a null.
- From an unknown (or infinite) value to a known one or back is above any two thresholds.
- The stored value is the latest one, so a slow drift in small steps is never notified again.
- Found again after outdating: the newest generation is compared like a stored one. A significant
  change makes the next generation, anything else makes it active again.
- What was replaced, or vanished, keeps all of its row but the status, also its parent.
- `updated` are changed values, a parent's changed bounds, and what was found again: not a new
  parent, nor that it was notified.
- A detection may be ignored, by a label. Its anomaly has the status `ignored`: it is kept
  and compared like any other, but as long as it is ignored it is neither merged nor notified, as if it
  were outdated; a parent has no ignored children. When it is not ignored any more it is `updated`, and
  notified if it never was. One that was ignored from its beginning counts as found for the first time
  then: if it replaced another, it makes an incident of its own.
- Anomalies merge in the order of their end, then start: the order in which they become known.
  The order of the starts is the same as long as no anomaly is inside another one; where one is, it
  would regroup, and notify, by how the detections are split into runs.
- A parent has the bounds of all of its children, the union of their labels in their order, and
  the values of the worst, the one furthest from its baseline; of equals the first.
- A parent shrinks down to one child and keeps its identity, whatever happens to the others. So an
  incident that ever had a parent has it again whenever anything of it is found: the order
  in which its children disappear and return makes no difference.
- An incident is what is notified: an anomaly, and what becomes adjacent to it later. It is named after the first
  child it ever had, the parent after it, and it is the idempotency key: what was notified alone is not
  notified again as a parent. It survives the loss of that child.
- A parent that splits: the part with the child it is named after, else the first part, continues it;
  the others are incidents of their own, and count as notified if they were notified as a part of it.
- Incidents that become one: it continues the first of those that were notified, else of those that
  were there, else as its first child.
- A significant replacement makes an incident of its own of all that is adjacent to it.
- Feedback for an anomaly, for its parent or for the child which these are named after prevents notifications.
  That for another child does not prevent those of the parent, not even if it is the last one left.
- Over (`completed`) is what the watermark has passed by more than the merge gap: also in the run that finds it,
  as else the same run a second time would send it.
- Older than the look-back is what is wholly before watermark - look-back. Without a watermark nothing is
  old, and nothing is over.
- The look-back is for history: what the first scheduled run finds, and what becomes due later without being found.
  What is found by a later run is new, however old it is. What the first run finds and does not send is
  withheld.
- A rise of the severity is notified once: above the stored one and above all of which was notified. Severities that
  cannot be compared do not rise.
- The look-back does not suppress the end of what was notified before, in the run whose watermark is the
  first to pass it: else one that is shorter than the gap, or than the time between two runs, would
  suppress every end.
- The first scheduled run begins with all data. The watermark is on the intervals' grid; a backfill
  moves it only if its range adjoins what was analysed: before any scheduled run it is not set. It
  never passes the newest complete interval, wherever a backfill ends: no scheduled run would
  analyse what it passed too early.
- A detection that arrives after its time was analysed extends what a scheduled run analyses, for all
  keys: by the range of each day from the earliest start to the latest end of such. Without a new
  interval a run analyses these ranges alone.
- Run times do not go backwards; of equal ones the later version counts.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tests.engine.anomalies.oracle_outbox import Outbox, Watermarks, notify
from tests.engine.anomalies.oracle_parents import Rows, regroup
from tests.engine.anomalies.oracle_ranges import (
    AnalysedRange,
    merged,
    moved_watermark,
    scheduled_range,
)
from tests.engine.anomalies.oracle_rows import (
    Anomaly,
    At,
    Detection,
    Id,
    Notification,
    anomaly_id,
    created,
    outdated,
    renewed,
    without_nan,
)
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.anomalies.oracle_significance import is_significant


@dataclass(frozen=True)
class Written:
    anomalies: list[Anomaly]
    notifications: list[Notification]

    def __bool__(self) -> bool:
        return bool(self.anomalies or self.notifications)


class Consolidation:
    """`run` it with the detections of each run; `copy.deepcopy` of it is a snapshot."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rows: Rows = {}
        self.versions: list[Anomaly] = []
        self.outbox: Outbox = {}
        self.feedback: dict[Id, str] = {}  # a table of its own: no run writes to it
        self.watermark: int | None = None
        self.last_run: int | None = None

    def __deepcopy__(self, memo: dict) -> Consolidation:
        """Rows never change, so that a snapshot shares them."""
        snapshot = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list):
                setattr(snapshot, name, value.copy())
        return snapshot

    def scheduled_range(self, now: int) -> AnalysedRange | None:
        """Of the next scheduled run; null if no interval is to be analysed."""
        s = self.settings
        period = (s.granularity, s.completeness_delay, s.mutability_period)
        return scheduled_range(self.watermark, now, *period)

    def run(
        self,
        detections: Iterable[Detection],
        analysed: AnalysedRange | None,
        run_at: int,
        is_backfill: bool = False,
        now: float = float("inf"),
        late: Iterable[AnalysedRange] = (),
    ) -> Written:
        """Detections are all that is found now in the analysed ranges; gives the rows that it wrote.

        `now` is the events' clock, which only backfills need. `late` are the ranges of what arrived
        late; without an analysed range the run ends at the watermark.
        """
        if self.last_run is not None and run_at < self.last_run:
            raise ValueError(f"the run at {run_at} is before the last one, at {self.last_run}")
        ranges = merged([*late, *([analysed] if analysed else [])])
        found = classified(detections, ranges)
        end = analysed.end if analysed else self.watermark
        rows, at, s = dict(self.rows), At(end, run_at), self.settings
        replacing = {made for each in found.values() if (made := self._classify(rows, each, at))}
        vanish(rows, ranges, found)
        regroup(rows, at, s.merge_max_gap, s.merge_max_duration, replacing)
        complete = now - s.completeness_delay
        watermarks = Watermarks(
            self.watermark,
            moved_watermark(self.watermark, analysed, is_backfill, s.granularity, complete)
            if analysed
            else self.watermark,
        )
        self.watermark = watermarks.now
        sent = notify(rows, self.rows, self.outbox, self.feedback, watermarks, run_at, s)
        self.last_run = run_at
        return Written(self._keep(rows, at), sent)

    def as_of(self, run_at: int) -> Rows:
        """The rows as they were after the runs up to then."""
        return {row.anomaly_id: row for row in self.versions if row.changed_run_at <= run_at}

    def _classify(self, rows: Rows, found: Detection, at: At) -> Id | None:
        """Creates, replaces or renews; gives the identity of one that replaces another, or may now."""
        s = self.settings
        stored = newest(rows, found)
        if stored is None:
            identity = anomaly_id(*found.spot, 0)
            rows[identity] = created(identity, found, at)
            return None
        thresholds = (s.re_notify_absolute_threshold, s.re_notify_percentage_threshold)
        if not is_significant(stored.current, found.current, *thresholds):
            rows[stored.anomaly_id] = renewed(stored, found)
            return stored.anomaly_id if replaces_while_ignored(stored) else None
        rows[stored.anomaly_id] = outdated(stored)
        generation = stored.generation + 1
        identity = anomaly_id(*found.spot, generation)
        link = {"generation": generation, "replaces": stored.anomaly_id}
        rows[identity] = created(identity, found, at, **link)
        return identity

    def _keep(self, rows: Rows, at: At) -> list[Anomaly]:
        """Stores what differs, as a version of this run."""
        written = [
            replace(row, changed_at=at.range_end, changed_run_at=at.run_at)
            for identity, row in rows.items()
            if row != self.rows.get(identity)
        ]
        self.rows.update({row.anomaly_id: row for row in written})
        self.versions += written
        return written


def classified(
    detections: Iterable[Detection], ranges: list[AnalysedRange]
) -> dict[tuple, Detection]:
    found: dict[tuple, Detection] = {}
    for each in map(without_nan, detections):
        if each.start >= each.end:
            raise ValueError(f"{each} has no length")
        is_read = any(analysed.classifies(each) for analysed in ranges)
        if is_read and found.setdefault(each.spot, each) != each:
            raise ValueError(f"{each} is also found as {found[each.spot]}")
    return found


def vanish(rows: Rows, ranges: list[AnalysedRange], found: dict[tuple, Detection]) -> None:
    for row in list(rows.values()):
        stays = row.is_parent or row.status == "outdated" or row.spot in found
        if any(analysed.contains(row) for analysed in ranges) and not stays:
            rows[row.anomaly_id] = outdated(row)


def replaces_while_ignored(stored: Anomaly) -> bool:
    """It replaced another while it was ignored, and never belonged to an incident."""
    return stored.replaces is not None and stored.incident_id is None


def newest(rows: Rows, found: Detection) -> Anomaly | None:
    """The generation that a detection is compared with, outdated or not."""
    latest = None
    for generation in itertools.count():
        stored = rows.get(anomaly_id(*found.spot, generation))
        if stored is None:
            return latest
        latest = stored
    return latest
