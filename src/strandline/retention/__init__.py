"""Retention: which rows of an aggregation are older than it is to be kept, and their removal."""

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
