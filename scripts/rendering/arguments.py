"""The calls by which `check` renders expressions and queries, and the relations that they read."""

from __future__ import annotations

from typing import Any


class Relation:
    """A replacement of ref('signal')."""

    database = None
    schema = "shop"

    def __init__(self, identifier: str) -> None:
        self.identifier = identifier

    def __str__(self) -> str:
        return f"shop.{self.identifier}"


HOUR = "timestamp'2013-01-01'"
BUCKETS = {
    "source": Relation("buckets"),
    "keys": ["carrier"],
    "ts": "ts",
    "value": "value",
    "granularity": "P1D",
}
SEASONAL = {"source": Relation("expected"), "granularity": "P1D", "seasonality": "P1W"}
INTERPOLATED = {"summary": "summary", "start": "ts", "length": "1 hour", "prev": "prev"}
SUMMARIES = ("time_weight", "counter_agg", "state_agg", "heartbeat_agg")
LINES = {**INTERPOLATED, "next": "next"}
STATES = {**INTERPOLATED, "state": "on"}
RANGE = ["2013-01-01 00:00:00", "2013-01-02 00:00:00"]


# The columns of every relation.
TYPES = {
    "arrival": "bigint",
    "event_id": "string",
    "ts": "timestamp",
    "written": "string",
    "symbol": "string",
    "value": "double",
    "expected": "double",
    "deviation": "double",
    "name": "string",
    "price": "double",
    "quantity": "bigint",
    "state": "string",
    "detector": "string",
    "carrier": "string",
    "starts_at": "timestamp",
    "ends_at": "timestamp",
    "current_value": "double",
    "baseline_value": "double",
    "labels": "array<string>",
    "anomaly_id": "string",
    "is_ignored": "boolean",
    "start_time": "string",
    "end_time": "bigint",
    "per": "string",
    "agg_timestamp": "timestamp",
    "agg_arrival": "bigint",
}

# Expressions over the columns `summary`, `prev`, `next` and `ts` of a table.
EXPRESSIONS: dict[str, list[dict[str, Any]]] = {
    "average": [{"summary": "summary"}],
    "bucket_start": [
        {"ts": "ts", "duration": "hours", "time_zone": "America/New_York"},
        {"ts": "ts", "duration": "months"},
        {"ts": "ts", "duration": "15 minutes", "time_zone": "Asia/Kolkata"},
        {"ts": "ts", "duration": "week", "time_zone": "Asia/Kolkata", "day_start": "PT6H"},
    ],
    "dead_ranges": [{"summary": "summary"}],
    "downtime": [{"summary": "summary"}],
    "duration_in": [
        {"summary": "summary", "state": "on"},
        {"summary": "summary", "state": "on", "start": HOUR, "length": "1 hour"},
    ],
    "elapsed_time": [{"summary": "summary"}],
    "first_time": [{"summary": "summary"}],
    "first_val": [{"summary": "summary"}],
    "gap_time": [{"summary": "summary"}],
    "counter_agg": [{"ts": "ts", "value": "price"}],
    "delta": [{"summary": "summary"}],
    "interpolated_delta": [LINES],
    "interpolated_rate": [{**LINES, "unit": "hour"}],
    "num_changes": [{"summary": "summary"}],
    "num_resets": [{"summary": "summary"}],
    "rate": [{"summary": "summary", "unit": "minute"}],
    "heartbeat_agg": [{"ts": "ts", "start": HOUR, "length": "1 hour", "interval": "10 minutes"}],
    "integral": [{"summary": "summary", "unit": "hour"}],
    "interpolate": [{"summary": "summary", "prev": "prev"}],
    "interpolated_average": [LINES],
    "interpolated_downtime": [{"summary": "summary", "prev": "prev"}],
    "interpolated_duration_in": [STATES],
    "interpolated_elapsed_time": [LINES],
    "interpolated_integral": [LINES],
    "interpolated_state_periods": [STATES],
    "interpolated_state_timeline": [INTERPOLATED],
    "interpolated_uptime": [{"summary": "summary", "prev": "prev"}],
    "into_values": [{"summary": "summary"}],
    "last_time": [{"summary": "summary"}],
    "last_val": [{"summary": "summary"}],
    "live_at": [{"summary": "summary", "ts": "ts"}],
    "live_ranges": [{"summary": "summary"}],
    "num_gaps": [{"summary": "summary"}],
    "rollup": [{"summary": "summary", "of": of} for of in SUMMARIES],
    "state_agg": [
        {"ts": "ts", "state": "state", "gap": "1 hour"},
        {"ts": "ts", "state": "state", "form": "compact"},
    ],
    "state_at": [{"summary": "summary", "ts": "ts"}],
    "state_periods": [{"summary": "summary", "state": 3}],
    "state_timeline": [{"summary": "summary"}],
    "time_weight": [{"ts": "ts", "value": "price", "method": each} for each in ("locf", "linear")],
    "trim_to": [{"summary": "summary", "start": HOUR, "length": "1 hour"}],
    "uptime": [{"summary": "summary"}],
    "window_start": [{"first": "ts", "window_size": "P1D", "step": "PT1H"}],
}

# Whole queries; `interpolated_table` is one in parentheses.
QUERIES: dict[str, list[dict[str, Any]]] = {
    "absolute_change_detector": [{**BUCKETS, "offset": "P7D", "change": 5}],
    "anomalies_active": [{"source": Relation("detected"), "feedback": Relation("feedback")}],
    "anomalies_as_of": [{"timestamp": "2014-05-13 00:00:00", "history": Relation("history")}],
    "anomaly_late": [{"source": Relation("detected")}],
    "anomaly_notifications": [
        {"source": Relation("detected"), "unit": "minutes"},
        {"source": Relation("detected"), "measured": {"hot": "temperature"}, "bounds": ["hot"]},
        {"source": Relation("detected"), "outdated": True, "silences": Relation("silences")},
    ],
    "detection_late": [{"source": Relation("detected"), "name": "delays"}],
    "detection_status": [{"source": Relation("detected"), "name": "delays"}],
    "interpolated_table": [
        {"source": "shop.hours", "keys": ["symbol"], "length": "1 hour", "within": RANGE, "of": of}
        for of in SUMMARIES
    ],
    "row_status": [
        {"window": Relation("visits_window"), "status": "new", "first": 3, "order_by": "price"},
        {"window": Relation("visits_window"), "status": "not dead"},
    ],
    "row_status_at": [{"window": Relation("visits_window"), "cycle": "visit.cycle"}],
    "label_cold_start": [
        {
            "detections": Relation("detected"),
            "source": Relation("buckets"),
            "ts": "ts",
            "period": "P7D",
            "keys": ["carrier"],
        }
    ],
    "label_events": [
        {
            "detections": Relation("detected"),
            "events": Relation("holidays"),
            "before": "PT6H",
            "keys": ["carrier"],
        }
    ],
    "label_threshold": [
        {"detections": Relation("detected"), "min": 5},
        {
            "detections": Relation("detected"),
            "max": 5,
            "source": Relation("buckets"),
            "ts": "ts",
            "value": "value",
            "keys": ["carrier"],
        },
    ],
    "label_time_of_week": [
        {"detections": Relation("detected"), "days": ["sunday"], "day_hours": {"monday": [0, 1]}}
    ],
    "mean_variance_detector": [
        {**BUCKETS, "lookback": "P14D"},
        {**BUCKETS, "lookback": "P14D", "seasonality": "P1W", "missing": "zero", "until": HOUR},
    ],
    "flat_line_detector": [
        {**BUCKETS, "duration": "P2D", "tolerance": 0.5},
        {**BUCKETS, "duration": "P2D", "idle": 0, "missing": "zero", "until": HOUR},
    ],
    "median_detector": [
        {**BUCKETS, "lookback": "P14D", "pattern": "up"},
        {
            **BUCKETS,
            "lookback": "P14D",
            "exclude": Relation("outages"),
            "exclude_keys": ["carrier"],
        },
        {**BUCKETS, "lookback": "P28D", "seasonality": "P1W", "missing": "zero", "until": HOUR},
    ],
    "missing_data_detector": [
        {**BUCKETS, "sla": "P1D"},
        {**BUCKETS, "lookback": "P28D", "combine": False, "until": HOUR},
        {**BUCKETS, "lookback": "P28D", "max_duration": "P2D", "keys": []},
    ],
    "peer_detector": [
        {**BUCKETS, "pattern": "down"},
        {**BUCKETS, "missing": "zero", "until": HOUR},
    ],
    "quantile_detector": [
        {**BUCKETS, "lookback": "P84D", "seasonality": "P1W", "lower": 0.01, "upper": 0.99}
    ],
    "seasonal_table": [
        {**BUCKETS, "seasonality": "P1W"},
        {**BUCKETS, "seasonality": "P1W", "method": "multiplicative", "alpha": 0.2, "keys": []},
    ],
    "seasonal_detector": [{**BUCKETS, "ts": "agg_timestamp", "min_change": 5}],
    "change_contribution": [
        {
            **BUCKETS,
            "detections": Relation("detected"),
            "offset": "P7D",
            "by": ["name"],
            "id": "detector",
        }
    ],
    "forecast_table": [
        {**SEASONAL, "keys": ["carrier"]},
        {**SEASONAL, "granularity": "PT1H", "ahead": "P2D", "time_zone": "America/New_York"},
    ],
    "percentage_change_detector": [{**BUCKETS, "offset": "P1D", "percentage": 50, "keys": []}],
    "threshold_detector": [{**BUCKETS, "min": 5, "max": 9, "time_zone": "America/New_York"}],
}

# Public macros that render no SQL of their own, and why.
NO_SQL = {
    "aggregation": "returns a definition, rendered by aggregation_table",
    "flight_aggregation": "returns a definition of the demo",
    "weather_aggregation": "returns a definition of the demo",
    "alignment_size": "returns a length of time",
}
