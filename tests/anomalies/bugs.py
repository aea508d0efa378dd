"""Bugs that a consolidation may have, each as a change of one function of the oracle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from tests.anomalies import oracle, oracle_frame, oracle_outbox, oracle_parents, oracle_rows
from tests.anomalies import oracle_significance as significance
from tests.anomalies.oracle_frame import Frame


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
    same = stored.active and stored.current == found.current
    return stored if same else renewed(stored, found)


def outdated_for_good(stored, found):
    return renewed(stored, found) if stored.active else stored


def told_anew(stored, found):
    latest = renewed(stored, found)
    return latest if latest is stored else replace(latest, notified_at=None)


def family_by_start(row) -> tuple:
    return (row.start, row.end)


def touching_the_gap(row, family, max_gap, max_duration) -> bool:
    return joins(row, family, max_gap + 1, max_duration)


def any_length(row, family, max_gap, _max_duration) -> bool:
    return joins(row, family, max_gap, 10**9)


def length_of_the_last_two(row, family, max_gap, max_duration) -> bool:
    return joins(row, family[-1:], max_gap, max_duration)


def named_after_the_first(_number, family, _home, _replacing):
    return family[0].anomaly_id


def a_replacement_goes_on(number, family, home, _replacing):
    return incident_of(number, family, home, ())


def in_any_family(number, family, _home, replacing):
    home = {child.incident_id: number for child in family}
    return incident_of(number, family, home, replacing)


def a_parent_never_shrinks(rows, incident, family, at):
    row, old = parent_row(rows, incident, family, at), rows.get(oracle_rows.parent_id(incident))
    return replace(row, start=min(row.start, old.start), end=max(row.end, old.end)) if old else row


def split_is_told(incident, _rows, outbox) -> bool:
    return (incident, "new") in outbox


def told_by_name(root, _rows, outbox, _mark, _settings):
    if not any(note.anomaly_id == root.anomaly_id for note in outbox.values()):
        yield "new"


def over_at_its_end(root, rows, outbox, mark, settings):
    return due(root, rows, outbox, mark, replace(settings, merge_max_gap=0))


def over_in_each_run(root, rows, outbox, mark, settings):
    kept = {key: note for key, note in outbox.items() if note.kind == "new"}
    return due(root, rows, kept, mark, settings)


def feedback_is_ignored(root, _feedback, mark, settings) -> bool:
    return is_quiet(root, (), mark, settings)


def feedback_of_the_row_only(root, feedback, mark, settings) -> bool:
    return is_quiet(root, {root.anomaly_id} & set(feedback), mark, settings)


def short_is_told(root, feedback, mark, settings) -> bool:
    return is_quiet(root, feedback, mark, replace(settings, min_length=0))


def no_look_back(*_) -> bool:
    return False


def mark_goes_back(_mark, frame, _by_hand, granularity) -> int:
    return frame.end - frame.end % granularity


def mark_jumps(mark, frame, _by_hand, granularity) -> int:
    return moved_mark(mark, frame, False, granularity)


def period_from_the_mark(mark, now, granularity, delay, mutability):
    chosen = scheduled(mark, now, granularity, delay, None)
    return chosen and Frame(chosen.start - (mutability or 0), chosen.end)


def later_of_the_two(mark, now, granularity, delay, mutability):
    chosen = scheduled(mark, now, granularity, delay, mutability)
    return chosen and mark is not None and Frame(max(mark, chosen.start), chosen.end)


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
renewed, joins, parent_row = oracle_rows.renewed, oracle_parents.joins, oracle_parents.parent_row
incident_of, due, is_quiet = oracle_parents.incident_of, oracle_outbox.due, oracle_outbox.is_quiet
moved_mark, scheduled = oracle_frame.moved_mark, oracle_frame.scheduled_frame
as_of = oracle.Consolidation.as_of

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
    Bug("an update is told anew", oracle, "renewed", told_anew),
    Bug("the outdated are deleted", oracle, "outdated", lambda row: replace(row, current=None)),
    Bug("nothing vanishes", oracle, "vanish", lambda *_: None),
    Bug("the edge vanishes", Frame, "holds", lambda f, r: f.start < r.end and r.start < f.end),
    Bug("the whole past vanishes", Frame, "holds", lambda f, row: row.end <= f.end),
    Bug("judged by its start", Frame, "judges", lambda f, x: f.start <= x.start < f.end),
    Bug("judged where it overlaps", Frame, "judges", lambda f, x: f.start < x.end and x.start < f.end),
    Bug("merged in order of start", oracle_parents, "order", family_by_start),
    Bug("the gap is inclusive", oracle_parents, "joins", touching_the_gap),
    Bug("parents of any length", oracle_parents, "joins", any_length),
    Bug("length of the last two", oracle_parents, "joins", length_of_the_last_two),
    Bug("one direction", oracle_parents, "direction", lambda row: row.current is not None),
    Bug("parents are never outdated", oracle_parents, "outdated", lambda row: row),
    Bug("named after the first child now", oracle_parents, "incident_of", named_after_the_first),
    Bug("a replacement is not told", oracle_parents, "incident_of", a_replacement_goes_on),
    Bug("two families of one name", oracle_parents, "incident_of", in_any_family),
    Bug("a parent never shrinks", oracle_parents, "parent_row", a_parent_never_shrinks),
    Bug("what splits off is told", oracle_outbox, "is_told", split_is_told),
    Bug("a parent is told after its child", oracle_outbox, "due", told_by_name),
    Bug("over at its very end", oracle_outbox, "due", over_at_its_end),
    Bug("over in each run", oracle_outbox, "due", over_in_each_run),
    Bug("feedback is ignored", oracle_outbox, "is_quiet", feedback_is_ignored),
    Bug("a parent forgets feedback", oracle_outbox, "is_quiet", feedback_of_the_row_only),
    Bug("too short is told", oracle_outbox, "is_quiet", short_is_told),
    Bug("no look-back", oracle_outbox, "is_old", no_look_back),
    Bug("the mark goes back", oracle, "moved_mark", mark_goes_back),
    Bug("the mark jumps by hand", oracle, "moved_mark", mark_jumps, False),
    Bug("the period is before the mark", oracle, "scheduled_frame", period_from_the_mark, False),
    Bug("the later of mark and period", oracle, "scheduled_frame", later_of_the_two, False),
    Bug("an incomplete granule", oracle, "scheduled_frame", an_incomplete_granule, False),
    Bug("as of before the run", oracle.Consolidation, "as_of", versions_before),
    Bug("as of the first runs", oracle.Consolidation, "as_of", first_versions),
    Bug("everything is written", oracle.Consolidation, "_keep", all_rows_are_written),
]  # fmt: skip
