"""Retention: the rows of an aggregation that are older than its retention, and their removal."""

from strandline.errors import PurgeError
from strandline.retention.aggregations import (
    Aggregation,
    SummaryTable,
    aggregations,
    names_in,
)
from strandline.retention.purge import Purged, plan, purge, vacuum

__all__ = [
    "Aggregation",
    "PurgeError",
    "Purged",
    "SummaryTable",
    "aggregations",
    "names_in",
    "plan",
    "purge",
    "vacuum",
]
