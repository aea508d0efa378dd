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
from strandline.retention.width import (
    Measured,
    Repartition,
    measured,
    plan_widths,
    repartition,
)

__all__ = [
    "Aggregation",
    "Compaction",
    "Measured",
    "PurgeError",
    "Purged",
    "Repartition",
    "SummaryTable",
    "Vacuumed",
    "aggregations",
    "compact",
    "measured",
    "names_in",
    "plan",
    "plan_compaction",
    "plan_widths",
    "purge",
    "repartition",
    "vacuum",
]
