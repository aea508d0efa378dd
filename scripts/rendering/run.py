"""A run of an incremental table without dbt and Spark, which keeps the statements it executes.

The loader of the unit tests renders the macros. `ANSWERS` stand for Spark: they answer what a run
would query.
"""

from __future__ import annotations

import datetime
import json
from types import SimpleNamespace
from typing import Any

from scripts.rendering.arguments import TYPES, Relation
from tests.unit.jinja_macros import macros_with

PARTITION = "2013-01-01"
READS = json.dumps(
    {
        "keys": ["detector"],
        "columns": {"start": "starts_at", "end": "ends_at", "current": "current_value"}
        | {"baseline": None, "severity": None, "labels": None},
        "settings": {"detections": ["shop.found"], "ignored": [None], "severity": [None]}
        | {"not_after": "current_timestamp()", "late": "report"},
    }
)
BOUNDS = f'[{{"agg_partition": "{PARTITION}", "first": 1, "until": 2}}]'
MICROS = 1400000000000000
# A part of a query, and the row that answers it; the first that fits.
ANSWERS: list[tuple[str, list[Any]]] = [
    ("collect_set(__file)", ["d41d8cd98f00b204e9800998ecf8427e"]),
    ("typeof(arrival), run,", ["6", "bigint", 1, *[0] * 8]),
    ("show tblproperties shop.trades_late", ["strandline.watermark", '{"arrival": "7L"}']),
    ("show tblproperties shop.last_requests", ["strandline.depth", "1"]),
    ("show tblproperties shop.busy_requests", ["strandline.depth", "2"]),
    ("select last_arrival from ", ["7"]),
    ("select window_progress.arrival from ", ["7"]),
    ("select place,", [0, "7", "bigint", 3]),
    ("with __received as (", [False, 3, 3, *[0] * 6]),
    ("sum(__counted), sum(__received), min", [0, None, None, None, None]),
    ("to_json(sort_array(", [BOUNDS, "7", "bigint", 3]),
    ("select count(*) from __pruned", [1]),
    ("select count_if(not __is_added) from", [1]),
    ("collect_set(if(late_reason is null", [PARTITION, "62798", "7", "bigint", 3, 1, "late"]),
    ("select array_join(collect_set(", [PARTITION, "62798", "7", "bigint"]),
    ("max(unix_seconds(agg_timestamp))", ["1000"]),
    ("typeof(until)", ["7", "8", "bigint", "9", "bigint"]),
    ("typeof(max(agg_event_arrival))", ["7", "bigint", "1000", 3, 1, "late"]),
    ("typeof(max(__arrival)), cast(null", ["7", "bigint", None, 3, 1, "late"]),
    ("select * from (select count(*)", [3, MICROS, 1, 0, None, 0, None, 2, MICROS, 5, 1]),
    ("count_if(__is_detection)", [MICROS, MICROS, 2, 1]),
    ("select sum(__detections)", [1]),
    ("as __place, ", [0, "7", "bigint"]),
    ("show tblproperties shop.detected", ["strandline.reads", READS]),
    ("select count(*), unix_micros(", [3, MICROS, MICROS]),
    ("unix_micros(", [MICROS]),
    ("typeof(arrival)", ["7", "bigint"]),
    ("select count_if(", [0, 1]),
    ("describe history", [4]),
    ("lastCommitVersionInSession", ["key", "5"]),
    ("select count(*) from ", [0]),
]


def refuse(message: str) -> None:
    """dbt's error of a macro."""
    raise AssertionError(message)


class Config:
    """dbt's `config`: it is called, and nothing is set."""

    def __call__(self, **_: Any) -> str:
        return ""

    def get(self, _: str) -> None:
        return None


# What relations have besides, by how their names end.
OWN_TYPES = {
    "window": "window_part",
    "hours": "agg_count",
    "summaries": "agg_late",
    "table": "agg_late",
    "buckets": "agg_arrival",
    "late": "late_reason",
    "status": "last_arrival",
    "requests": "window_progress",
}


def types_of(relation: Relation) -> dict[str, str]:
    """The columns of a relation; some have one of their own as well."""
    own = OWN_TYPES.get(relation.identifier.rpartition("_")[2])
    return (
        TYPES
        | ({own: "string"} if own else {})
        | ({"agg_count": "bigint"} if own == "agg_late" else {})
    )


class Run:
    """The macros in the context of one run of a table, and the statements that it executes."""

    def __init__(self, **variables: Any) -> None:
        self.statements: list[str] = []
        self.this = Relation("this_table")
        self.macros = macros_with(
            execute=True,
            this=self.this,
            run_query=self.answer,
            config=Config(),
            model=SimpleNamespace(name="a_model", resource_type="model", description="Of trades."),
            graph=SimpleNamespace(nodes={}),
            target=SimpleNamespace(method="thrift"),
            adapter=SimpleNamespace(type=lambda: "spark"),
            api=SimpleNamespace(Relation=SimpleNamespace(create=self.relation)),
            var=variables.get,
            load_cached_relation=lambda _: self.this,
            should_full_refresh=lambda: False,
            partition_cols=lambda label: f"{label} (agg_partition)",
            location_clause=lambda: "",
            invocation_id="an-invocation",
            run_started_at=datetime.datetime(2014, 5, 13, tzinfo=datetime.timezone.utc),
            ref=Relation,
            _types_of=types_of,
            _create=lambda _, sql: self.statements.append(sql),
            _write_change=lambda _, change: self.write(change),
            _report_created=lambda *_: None,
            exceptions=SimpleNamespace(raise_compiler_error=refuse, warn=lambda _: None),
        )

    @staticmethod
    def relation(identifier: str, **_: Any) -> Relation:
        return Relation(identifier)

    def answer(self, query: str) -> SimpleNamespace:
        if query.startswith("describe query "):  # of a body, which is parsed where it is written
            types = SimpleNamespace(values=lambda: ["timestamp"])
            return SimpleNamespace(rows=[["agg_timestamp", "timestamp"]], columns=[None, types])
        self.statements.append(query)
        return SimpleNamespace(rows=[row for part, row in ANSWERS if part in query][:1])

    def task(self, body: str) -> dict[str, Any]:
        return self.macros._read_task(body)

    def write(self, change: dict[str, Any]) -> None:
        """The statement by which a change is written."""
        self.statements.append(
            self.macros._insert_rows(self.this, {"partitions": [], "column": None, **change})
        )

    def create(self, body: str, properties: dict[str, str]) -> None:
        self.statements.append(
            self.macros._create_table(self.this, self.task(body), body, properties)
        )
