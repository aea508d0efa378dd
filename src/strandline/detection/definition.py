"""The definition of an engine: the arguments of `detect`, checked as a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from strandline.detection.alignment import alignment_size, first_window_start
from strandline.detection.check import Rules, check
from strandline.detection.errors import DetectionError, nearest, refuse
from strandline.detection.type_checker import columns_named
from strandline.detection.units import INTEGERS, precision_of, time_fault

# The columns that all detectors have, in SQL too, beside the keys; and those of `detect` alone.
CONTRACT = (
    "detection_id", "detector", "starts_at", "ends_at", "current_value", "baseline_value",
    "severity", "description", "arrival",
)  # fmt: skip
OWN = ("anomaly_type", "window_start", "window_end", "left_text", "right_text", "place")
_NO_KEYS = ("map", "array", "struct", "variant")


@dataclass(frozen=True)
class Definition:
    """One engine of detection: where its rows come from, and its rules.

    types: the Spark type of each column of the events. Sizes are in units of the precision.
    """

    name: str
    rules: Rules
    ts: str
    keys: tuple[str, ...]
    arrival: str
    round_time: bool
    garbage_size: int
    types: Mapping[str, str] = field(repr=False)

    @property
    def time_type(self) -> str:
        return self.types[self.ts]

    @property
    def step(self) -> int:
        return self.rules.step or 1

    @property
    def window_size(self) -> int:
        return self.rules.window_size or 1

    @property
    def panes(self) -> int:
        """How many steps a window is long."""
        return self.window_size // self.step

    def grid(self, first: int) -> int:
        """Where the windows begin, when the first row ever seen has this time."""
        return first_window_start(
            first, self.window_size, self.step, self.rules.precision, self.round_time
        )

    def meaning(self) -> str:
        """The parts of the definition that stored rows depend on, as JSON."""
        rules = self.rules
        windows = {}
        if rules.has_windows:
            size = alignment_size(self.step, rules.precision, self.round_time)
            windows = {"window_size": rules.window_size, "step": rules.step, "alignment": size}
        texts = [metric.text for metric in rules.metrics]
        columns = {column: self.types[column] for column in (*self.keys, *rules.columns)}
        parts = {
            "name": self.name,
            "metrics": texts,
            **rules.texts.given(self.name, texts),
            "ts": f"{self.ts} {self.time_type}",
            "keys": list(self.keys),
            "arrival": self.arrival,
            "precision": rules.precision,
            "columns": columns,
            **windows,
        }
        return json.dumps(parts, sort_keys=True)

    def refuse_other(self, stored: str) -> None:
        """Raise DetectionError if a table was built with another `meaning`."""
        before, now = json.loads(stored), json.loads(self.meaning())
        changes = "".join(
            f"\n- `{part}` was {before.get(part)!r}, now it is {now.get(part)!r}"
            for part in {**before, **now}
            if before.get(part) != now.get(part)
        )
        if changes:
            raise DetectionError(
                f"detect {self.name!r}: its table was built by another definition:{changes}\n"
                "Rebuild it with --full-refresh, or restore the definition."
            )


def define(
    types: Mapping[str, str],
    *,
    name: str,
    ts: str,
    keys: Sequence[str],
    metrics: Sequence[str],
    texts: Mapping[str, object],
    window_size: str | None,
    step: str | None,
    round_time: bool,
    precision: str,
    garbage_size: int,
    arrival: str,
) -> Definition:
    """The checked definition. `types`: the Spark type of each column of the events; `texts`: the
    arguments of `texts_of`.

    Raises:
        DetectionError: something is wrong; the message has all of it.
    """
    keys = (keys,) if isinstance(keys, str) else tuple(keys)
    columns = {"ts": ts, "arrival": arrival}
    columns |= {f"keys[{place}]": key for place, key in enumerate(keys)}
    faults = [*_name_faults(name)]
    ts, arrival, *key_names = (
        _column(argument, column, types, faults) for argument, column in columns.items()
    )
    if not faults:
        faults += _type_faults(types, ts, key_names, arrival, precision)
    if not isinstance(round_time, bool):
        faults.append(f"`round_time` is {round_time!r}; write True or False")
    if isinstance(garbage_size, bool) or not isinstance(garbage_size, int) or garbage_size < 1:
        faults.append(f"`garbage_size` is {garbage_size!r}; write a number of rows, 1 or more")
    rules = check(
        name,
        metrics,
        types,
        texts=texts,
        window_size=window_size,
        step=step,
        precision=precision,
        also=faults,
    )
    own = [f"`{c}` begins with `__`; rename the column" for c in rules.columns if c[:2] == "__"]
    refuse(f"detect {name!r}", own)
    return Definition(name, rules, ts, tuple(key_names), arrival, round_time, garbage_size, types)


def _name_faults(name: object) -> Iterator[str]:
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,99}", name):
        yield (
            f"`name` is {name!r}; it names tables (<name>_state, <name>_late): a letter, then"
            " letters, digits and _"
        )


def _column(argument: str, given: object, types: Mapping[str, str], faults: list[str]) -> str:
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


def _type_faults(
    types: Mapping[str, str], ts: str, keys: Sequence[str], arrival: str, precision: str
) -> Iterator[str]:
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
    seen = {ts.lower()}
    for key in keys:
        if types[key].startswith(_NO_KEYS):
            yield f"key column `{key}` is a {types[key]}, which is no key; give plain columns"
        if key.lower() in seen:
            yield f"key column `{key}` is given twice, or is the time column; give each once"
        seen.add(key.lower())
    for column in (ts, *keys):
        if column.lower() in (*CONTRACT, *OWN) or column.startswith("__"):
            yield (
                f"`{column}` is the name of a column that detections have of their own; rename it"
                " in the events"
            )
