"""Bugs that a consolidation may have in its parents and in what it tells."""

from __future__ import annotations

from dataclasses import replace

from tests.engine.anomalies import oracle_outbox, oracle_parents, oracle_rows
from tests.engine.anomalies.bugs import Bug


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


def a_parent_of_one_is_outdated(_rows, _incident, family) -> bool:
    return len(family) > 1


def labels_of_the_worst(family) -> tuple:
    return max(family, key=oracle_parents.deviation).labels


def a_parent_never_shrinks(rows, incident, family, at, going_on):
    row = parent_row(rows, incident, family, at, going_on)
    old = rows.get(oracle_rows.parent_id(incident))
    return replace(row, start=min(row.start, old.start), end=max(row.end, old.end)) if old else row


def split_is_told(incident, _rows, outbox) -> bool:
    return (incident, "new") in outbox


def told_by_name(root, _rows, outbox, _marks, _settings):
    if not any(note.anomaly_id == root.anomaly_id for note in outbox.values()):
        yield "new"


def over_at_its_end(root, rows, outbox, marks, settings):
    return due(root, rows, outbox, marks, replace(settings, merge_max_gap=0))


def over_in_each_run(root, rows, outbox, marks, settings):
    kept = {key: note for key, note in outbox.items() if note.kind == "new"}
    return due(root, rows, kept, marks, settings)


def look_back_silences_ends(root, rows, outbox, marks, settings):
    return due(root, rows, outbox, replace(marks, before=marks.now), settings)


def ends_know_no_look_back(root, rows, outbox, marks, settings):
    return due(root, rows, outbox, replace(marks, before=None), settings)


def feedback_is_ignored(root, _feedback, settings) -> bool:
    return is_quiet(root, (), settings)


def feedback_of_the_row_only(root, feedback, settings) -> bool:
    return is_quiet(root, {root.anomaly_id} & set(feedback), settings)


def short_is_told(root, feedback, settings) -> bool:
    return is_quiet(root, feedback, replace(settings, min_length=0))


def no_look_back(*_) -> bool:
    return False


joins, parent_row, direction = (
    oracle_parents.joins,
    oracle_parents.parent_row,
    oracle_parents.direction,
)
incident_of, due, is_quiet = oracle_parents.incident_of, oracle_outbox.due, oracle_outbox.is_quiet

BUGS = [
    Bug("merged in order of start", oracle_parents, "order", family_by_start),
    Bug("the gap is inclusive", oracle_parents, "joins", touching_the_gap),
    Bug("parents of any length", oracle_parents, "joins", any_length),
    Bug("length of the last two", oracle_parents, "joins", length_of_the_last_two),
    Bug("one direction", oracle_parents, "direction", lambda row: abs(direction(row))),
    Bug("parents are never outdated", oracle_parents, "outdated", lambda row: row),
    Bug("named after the first child now", oracle_parents, "incident_of", named_after_the_first),
    Bug("a replacement is not told", oracle_parents, "incident_of", a_replacement_goes_on),
    Bug("two families of one name", oracle_parents, "incident_of", in_any_family),
    Bug("a parent never shrinks", oracle_parents, "parent_row", a_parent_never_shrinks),
    Bug("a parent of one is outdated", oracle_parents, "has_parent", a_parent_of_one_is_outdated),
    Bug("labels of the worst", oracle_parents, "labels_of", labels_of_the_worst),
    Bug("what splits off is told", oracle_outbox, "is_told", split_is_told),
    Bug("a parent is told after its child", oracle_outbox, "due", told_by_name),
    Bug("over at its very end", oracle_outbox, "due", over_at_its_end),
    Bug("over in each run", oracle_outbox, "due", over_in_each_run),
    Bug("feedback is ignored", oracle_outbox, "is_quiet", feedback_is_ignored),
    Bug("a parent forgets feedback", oracle_outbox, "is_quiet", feedback_of_the_row_only),
    Bug("too short is told", oracle_outbox, "is_quiet", short_is_told),
    Bug("no look-back", oracle_outbox, "is_old", no_look_back),
    Bug("the look-back silences ends", oracle_outbox, "due", look_back_silences_ends),
    Bug("ends know no look-back", oracle_outbox, "due", ends_know_no_look_back),
]  # fmt: skip
