"""Retention: rows that are older than an aggregation keeps them, small files, and old files."""

from strandline.errors import PurgeError
from strandline.retention.aggregations import (
    Aggregation,
    SummaryTable,
    aggregations,
    names_in,
)
from strandline.retention.compaction import Compaction, compact, plan_compaction
from strandline.retention.files import Vacuumed, vacuum
from strandline.retention.plan import Purged, plan
from strandline.retention.purge import purge

__all__ = [
    "Aggregation",
    "Compaction",
    "PurgeError",
    "Purged",
    "SummaryTable",
    "Vacuumed",
    "aggregations",
    "compact",
    "names_in",
    "plan",
    "plan_compaction",
    "purge",
    "vacuum",
]
