"""Retention: which rows of an aggregation are older than it is to be kept, and their removal."""

from strandline.retention.errors import PurgeError
from strandline.retention.horizon import bucket_start, horizon_of
from strandline.retention.purge import Purged, plan, purge, vacuum
from strandline.retention.tables import Aggregation, SummaryTable, aggregations, names_in

__all__ = [
    "Aggregation",
    "PurgeError",
    "Purged",
    "SummaryTable",
    "aggregations",
    "bucket_start",
    "horizon_of",
    "names_in",
    "plan",
    "purge",
    "vacuum",
]
