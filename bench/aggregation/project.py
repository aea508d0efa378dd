"""The aggregation that is measured, as a dbt project."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench.project import DbtProject, Run

DURATIONS = ("seconds", "minutes", "hours", "days", "months", "years")
# The definitions by name, and what they say beside the common arguments.
TRADES, BUFFERED = "trades", "buffered"
DEFINITIONS = {TRADES: "", BUFFERED: ", buffer_size=5"}

MACRO = """
{{% macro {name}_aggregation() %}}
    {{{{ return(strandline.aggregation(
        name='{name}', source=source('feed', 'events'),
        select={{'avg_price': 'avg(price)', 'total': 'sum(quantity)', 'low': 'min(price)',
                'high': 'max(price)', 'events': 'count(*)'}},
        keys=['symbol'], ts='ts', every='sec...year'{more})) }}}}
{{% endmacro %}}
"""


class Project(DbtProject):
    """Six models for each of these definitions, over the source `events`."""

    def __init__(
        self, folder: Path, home: Path, schema: str, names: Iterable[str], memory: str
    ) -> None:
        files = {}
        for name in names:
            more = DEFINITIONS[name]
            files[f"macros/{name}_aggregation.sql"] = MACRO.format(name=name, more=more)
            for duration in DURATIONS:
                body = f"strandline.aggregation_table({name}_aggregation(), '{duration}')"
                files[f"models/{name}_{duration}.sql"] = f"{{{{ {body} }}}}\n"
        super().__init__(folder, home, schema, memory, "events", files)

    def run(self, name: str = TRADES, full_refresh: bool = False) -> Run:
        """Runs the six models of one definition."""
        return self.select(f"{name}_*", len(DURATIONS), full_refresh)
