"""Bugs that a consolidation may have in what it judges, each as a change of one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from tests.engine.anomalies import oracle, oracle_frame, oracle_rows
from tests.engine.anomalies import oracle_significance as significance
from tests.engine.anomalies.oracle_frame import Frame
from tests.engine.anomalies.oracle_rows import Anomaly


@dataclass(frozen=True)
class Bug:
    """In whose place what stands; by_chance: whether random histories must find it."""

    name: str
    owner: ModuleType | type
    attribute: str
    instead: Callable[..., Any]
    by_chance: bool = True


def at_the_percentage(change, stored, percentage) -> bool:
    return stored == 0 or 100 * change / abs(stored) >= percentage


def either_threshold(stored, found, absolute, percentage) -> bool:
    both = (absolute or 0, percentage or 0)
    return is_significant(stored, found, both[0], 0) or is_significant(stored, found, 0, both[1])


def unset_is_zero(stored, found, absolute, percentage) -> bool:
    return is_significant(stored, found, absolute or 0, percentage or 0)


def zero_is_unset(stored, found, absolute, percentage) -> bool:
    return is_significant(stored, found, absolute or None, percentage or None)


def from_zero_is_nothing(change, stored, percentage) -> bool:
    return stored != 0 and is_above(change, stored, percentage)


def zero_is_rounded(change, stored, percentage) -> bool:
    return stored == 0 or significance.rounded(100 * change / abs(stored)) > percentage


def the_first_generation(rows, found):
    return rows.get(oracle_rows.anomaly_id(*found.spot, 0))


def baseline_is_forgotten(stored, found):
    same = stored.active and not found.ignored and stored.current == found.current
    return stored if same else renewed(stored, found)


def outdated_for_good(stored, found):
    return stored if stored.status == "outdated" else renewed(stored, found)


def ignored_for_good(stored, found):
    return stored if stored.status == "ignored" else renewed(stored, found)


def never_ignored(stored, found):
    return renewed(stored, replace(found, ignored=False))


def told_anew(stored, found):
    latest = renewed(stored, found)
    return latest if latest is stored else replace(latest, notified_at=None)


def only_active_vanish(rows, frame, found):
    active = {key: row for key, row in rows.items() if row.active}
    vanish(active, frame, found)
    rows.update(active)


def mark_goes_back(_mark, frame, _by_hand, granularity, _complete) -> int:
    return frame.end - frame.end % granularity


def mark_jumps(mark, frame, _by_hand, granularity, complete) -> int:
    return moved_mark(mark, frame, False, granularity, complete)


def mark_passes_the_data(mark, frame, by_hand, granularity, _complete) -> int:
    return moved_mark(mark, frame, by_hand, granularity, float("inf"))


def period_from_the_mark(mark, now, granularity, delay, mutability):
    chosen = scheduled(mark, now, granularity, delay, None)
    return chosen and Frame(chosen.start - (mutability or 0), chosen.end)


def later_of_the_two(mark, now, granularity, delay, mutability):
    chosen = scheduled(mark, now, granularity, delay, mutability)
    start = chosen and max(mark or 0, chosen.start)
    return Frame(start, chosen.end) if chosen and start < chosen.end else None


def an_incomplete_granule(mark, now, granularity, delay, mutability):
    return scheduled(mark, now + granularity, granularity, delay, mutability)


def versions_before(self, run_at):
    return {row.anomaly_id: row for row in self.versions if row.changed_run_at < run_at}


def first_versions(self, run_at):
    return as_of(self, min(run_at, 2))


def all_rows_are_written(self, rows, at):
    written = [replace(r, changed_at=at.frame_end, changed_run_at=at.run_at) for r in rows.values()]
    self.rows.update({row.anomaly_id: row for row in written})
    self.versions += written
    return written


is_significant, is_above = significance.is_significant, significance._is_above
renewed, as_of = oracle_rows.renewed, oracle.Consolidation.as_of
vanish = oracle.vanish
moved_mark, scheduled = oracle_frame.moved_mark, oracle_frame.scheduled_frame

BUGS = [
    Bug("at the percentage counts", significance, "_is_above", at_the_percentage, False),
    Bug("a fall does not count", significance, "abs", lambda value: value),
    Bug("one threshold is enough", oracle, "is_significant", either_threshold),
    Bug("unset is zero", oracle, "is_significant", unset_is_zero),
    Bug("zero is unset", oracle, "is_significant", zero_is_unset),
    Bug("from zero is no change", significance, "_is_above", from_zero_is_nothing),
    Bug("zero is above what rounds to it", significance, "_is_above", zero_is_rounded, False),
    Bug("per cent is not rounded", significance, "rounded", lambda percent: percent, False),
    Bug("found again is the first one", oracle, "newest", the_first_generation),
    Bug("a changed baseline is lost", oracle, "renewed", baseline_is_forgotten),
    Bug("outdated is for good", oracle, "renewed", outdated_for_good),
    Bug("ignored is for good", oracle, "renewed", ignored_for_good),
    Bug("what is stored is never ignored", oracle, "renewed", never_ignored),
    Bug("the ignored are told", Anomaly, "active", property(lambda row: row.status != "outdated"), False),
    Bug("the ignored do not vanish", oracle, "vanish", only_active_vanish),
    Bug("shown at last replaces nothing", oracle, "replaces_unseen", lambda _: False),
    Bug("an update is told anew", oracle, "renewed", told_anew),
    Bug("the outdated are deleted", oracle, "outdated", lambda row: replace(row, current=None)),
    Bug("nothing vanishes", oracle, "vanish", lambda *_: None),
    Bug("the edge vanishes", Frame, "holds", lambda f, r: f.start < r.end and r.start < f.end),
    Bug("the whole past vanishes", Frame, "holds", lambda f, row: row.end <= f.end),
    Bug("judged by its start", Frame, "judges", lambda f, x: f.start <= x.start < f.end),
    Bug("judged where it overlaps", Frame, "judges", lambda f, x: f.start < x.end and x.start < f.end),
    Bug("the mark goes back", oracle, "moved_mark", mark_goes_back),
    Bug("the mark jumps by hand", oracle, "moved_mark", mark_jumps, False),
    Bug("the mark passes the data by hand", oracle, "moved_mark", mark_passes_the_data),
    Bug("the period is before the mark", oracle, "scheduled_frame", period_from_the_mark, False),
    Bug("the later of mark and period", oracle, "scheduled_frame", later_of_the_two, False),
    Bug("an incomplete granule", oracle, "scheduled_frame", an_incomplete_granule, False),
    Bug("as of before the run", oracle.Consolidation, "as_of", versions_before),
    Bug("as of the first runs", oracle.Consolidation, "as_of", first_versions),
    Bug("everything is written", oracle.Consolidation, "_keep", all_rows_are_written),
]  # fmt: skip
