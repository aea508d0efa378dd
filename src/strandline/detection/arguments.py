"""The columns that `detect` is given, and their faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from strandline.detection.resolver import columns_named
from strandline.detection.units import INTEGERS, precision_of, time_fault
from strandline.errors import nearest

_OF_THE_RUN = re.compile(r"(?i)\b(current_\w+|now|localtimestamp|rand\w*|uuid)\b")
# The columns that all detectors have, in SQL too, beside the keys; and those of `detect` alone.
CONTRACT = (
    "detection_id", "detector", "starts_at", "ends_at", "current_value", "baseline_value",
    "severity", "description", "arrival",
)  # fmt: skip
OWN = ("anomaly_type", "window_start", "window_end", "left_text", "right_text", "place")
_NO_KEYS = ("map", "array", "struct", "variant")


def name_faults(name: object) -> Iterator[str]:
    """Why a name cannot begin the names of an engine's tables."""
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,99}", name):
        yield (
            f"`name` is {name!r}; it names tables (<name>_state, <name>_late): a letter, then"
            " letters, digits and _"
        )


def named_column(argument: str, given: object, types: Mapping[str, str], faults: list[str]) -> str:
    """The name of the column, which may be given in any case, as in metrics."""
    found = columns_named(given, types) if isinstance(given, str) else []
    if len(found) == 1:
        return found[0]
    if found:
        choice = f"may be any of {', '.join(found)}; write it exactly"
        faults.append(f"`{argument}` is {given!r}, which {choice}")
    else:
        near = nearest(given, sorted(types)) if isinstance(given, str) else ""
        columns = f"(columns: {', '.join(sorted(types)) or 'none'})"
        faults.append(f"`{argument}` is {given!r}, no column of the events{near} {columns}")
    return str(given)


def type_faults(
    types: Mapping[str, str], ts: str, keys: Sequence[str], arrival: str, precision: str
) -> Iterator[str]:
    """Which columns cannot be the time, the arrival or a key, by their types and names."""
    try:
        fault = time_fault(ts, types[ts], precision_of(precision))
    except ValueError:
        fault = None  # `check` has this fault
    if fault:
        yield fault
    if types[arrival] not in INTEGERS:
        yield (
            f"`arrival` `{arrival}` is a {types[arrival]}; give a whole number that only grows,"
            " one for each event"
        )
    names = {ts.lower()}
    for key in keys:
        if types[key].startswith(_NO_KEYS):
            yield f"key column `{key}` is a {types[key]}, which is no key; give plain columns"
        if key.lower() in names:
            yield f"key column `{key}` is given twice, or is the time column; give each once"
        names.add(key.lower())
    for column in (ts, *keys):
        if column.lower() in (*CONTRACT, *OWN) or column.startswith("__"):
            yield (
                f"`{column}` is the name of a column that detections have of their own; rename it"
                " in the events"
            )


def bound_faults(not_after: object) -> Iterator[str]:
    """The faults of `not_after` that can be found without the events."""
    if not_after is not None and not (isinstance(not_after, str) and not_after.strip()):
        yield (
            f"`not_after` is {not_after!r}; write one SQL expression over the columns of the"
            " events, as 'received_at + interval 1 hour'"
        )
    elif not_after is not None and _OF_THE_RUN.search(not_after):
        yield (
            f"`not_after` is {not_after!r}, which is another time in each run; write it over the"
            " columns of the events, as 'received_at + interval 1 hour'"
        )


def format_faults(file_format: str | None) -> Iterator[str]:
    """Why the table of detections cannot have this format; None is one that is not known."""
    if file_format not in (None, "delta"):
        yield (
            f"`file_format` is '{file_format}', and the table of `detect` can only be a Delta"
            " table; write dbt.config(..., file_format='delta'). What it reads may have any format"
        )
