"""The definition of an engine: the arguments of `detect`, checked as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from strandline.detection.alignment import alignment_size, first_window_start
from strandline.detection.arguments import (
    bound_faults,
    format_faults,
    name_faults,
    named_column,
    type_faults,
)
from strandline.detection.check import Rules, check
from strandline.detection.errors import DetectionError, refuse
from strandline.detection.types import Analyse


@dataclass(frozen=True)
class Definition:
    """One engine of detection: where its rows come from, and its rules.

    types: the Spark type of each column of the events. not_after: the SQL of the latest time that
    a row may have. Sizes are in units of the precision.
    """

    name: str
    rules: Rules
    ts: str
    keys: tuple[str, ...]
    arrival: str
    round_time: bool
    garbage_size: int
    not_after: str | None
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
        """Where the windows begin, when the first row of the source has this time."""
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
        if self.not_after is not None:
            parts["not_after"] = self.not_after
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
    not_after: str | None = None,
    file_format: str | None = None,
    analyse: Analyse | None = None,
) -> Definition:
    """The checked definition. `types`: the Spark type of each column of the events; `texts`: the
    arguments of `texts_of`; `file_format`: of `format_faults`; `analyse`: of `check`.

    Raises:
        DetectionError: something is wrong; the message has all of it.
    """
    keys = (keys,) if isinstance(keys, str) else tuple(keys)
    columns = {"ts": ts, "arrival": arrival}
    columns |= {f"keys[{place}]": key for place, key in enumerate(keys)}
    faults = [*name_faults(name), *bound_faults(not_after), *format_faults(file_format)]
    ts, arrival, *key_names = (
        named_column(argument, column, types, faults) for argument, column in columns.items()
    )
    if not faults:
        faults += type_faults(types, ts, key_names, arrival, precision)
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
        analyse=analyse,
    )
    own = [
        f"`{column}` is a reserved name (`late_reason`, and all that begin with `__`); rename the"
        " column in a staging model"
        for column in types
        if column.lower() == "late_reason" or column.startswith("__")
    ]
    refuse(f"detect {name!r}", own)
    return Definition(
        name, rules, ts, tuple(key_names), arrival, round_time, garbage_size, not_after, types
    )
