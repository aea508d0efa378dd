"""A definition as the tests write it: once, for the product (`macro`) and for the oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

Event = Mapping[str, Any]
"""One event, column by column; instants are Unix microseconds, whatever the table says."""

DURATIONS = ("seconds", "minutes", "hours", "days", "months", "years")


@dataclass(frozen=True)
class Output:
    """One output: its text in `select`, and for the oracle its function and its argument.

    The argument is a column, or a function of an event where `text` holds an expression.
    """

    text: str
    function: str
    argument: str | Callable[[Event], Any]
    fraction: float | None = None

    def value(self, event: Event) -> Any:
        if callable(self.argument):
            return self.argument(event)
        return 1 if self.argument == "*" else event[self.argument]


def simple(**texts: str) -> dict[str, Output]:
    """Outputs whose argument is a column: `simple(total="sum(quantity)", last="price")`."""
    outputs = {}
    for name, text in texts.items():
        function, parenthesis, argument = text.rstrip(")").partition("(")
        outputs[name] = (
            Output(text, function, argument) if parenthesis else Output(text, "latest", text)
        )
    return outputs


@dataclass(frozen=True)
class Definition:
    name: str
    columns: Mapping[str, str]
    outputs: Mapping[str, Output]
    every: tuple[str, ...] = DURATIONS
    keys: tuple[str, ...] = ()
    ts: str | None = "ts"
    arrival: str = "arrival"
    event_id: str | None = None
    buffer_size: int | None = None
    drops: bool = False
    time_zone: str = "UTC"
    mutability_period: str | None = None
    day_start: int = 0  # seconds after midnight

    @property
    def time_column(self) -> str:
        return self.ts or self.arrival

    @property
    def tables(self) -> list[str]:
        """The models: the base table, its roll-ups, the late events."""
        return [f"{self.name}_{part}" for part in (*self.every, "late")]

    def but(self, **changes: Any) -> Definition:
        return replace(self, **changes)

    def macro(self) -> str:
        select = {name: output.text for name, output in self.outputs.items()}
        return f"""
{{% macro {self.name}() %}}
    {{{{ return(strandline.aggregation(
        name='{self.name}', source=source('feed', '{self.name}_events'), select={select},
        keys={list(self.keys)}, ts={_jinja(self.ts)}, every={list(self.every)},
        arrival='{self.arrival}', event_id={_jinja(self.event_id)}, buffer_size={_jinja(self.buffer_size)},
        ignore_events_older_than_buffer={_jinja(self.drops)}, time_zone='{self.time_zone}',
        mutability_period={_jinja(self.mutability_period)}, day_start='PT{self.day_start}S')) }}}}
{{% endmacro %}}
"""

    def files(self) -> dict[str, str]:
        """The macro, the one-line models, and a view on each table as an analyst reads it."""
        files = {f"macros/{self.name}.sql": self.macro()}
        for duration in self.every:
            files[f"models/kept/{self.name}_{duration}.sql"] = (
                f"{{{{ strandline.aggregation_table({self.name}(), '{duration}') }}}}"
            )
            files[f"models/read/read_{self.name}_{duration}.sql"] = (
                f"select * from {{{{ strandline.aggregation_within({self.name}(), per='{duration}', "
                "within=['0002-01-01 00:00:00', '9998-12-31 00:00:00']) }}"
            )
        files[f"models/kept/{self.name}_late.sql"] = (
            f"{{{{ strandline.aggregation_late({self.name}()) }}}}"
        )
        return files


def _jinja(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return repr(value)
