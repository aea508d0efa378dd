"""What only the macros define. Made by `python -m scripts.generated`: change the macros.

- macros/core/lengths.sql: _units, _length_forms
- macros/detectors/alignment.sql: _precisions, _alignment_rows
- macros/core/aggregates.sql: _aggregates, _parts, _folded_moments
- macros/core/errors.sql: _synonyms
- macros/anomalies/notify.sql: _severity_words
"""

# ruff: noqa: E501
# fmt: off

# The units of time, shortest first: their lengths by their words.
NANOSECONDS: dict[str, int] = {
    "ns": 1, "us": 1_000, "ms": 1_000_000, "second": 1_000_000_000, "minute": 60_000_000_000,
    "hour": 3_600_000_000_000, "day": 86_400_000_000_000, "week": 604_800_000_000_000,
}
MONTHS: dict[str, int] = {
    "month": 1, "quarter": 3, "year": 12,
}
# The units that a time can be counted in, longest first.
PRECISIONS = ("month", "day", "minute", "second", "ms", "ns")
# Every accepted spelling, in lower case, with the word of its unit.
SPELLINGS: dict[str, str] = {
    "ns": "ns", "nanosecond": "ns", "nanoseconds": "ns", "us": "us", "usec": "us", "usecs": "us",
    "usecond": "us", "useconds": "us", "microsecon": "us", "microsecond": "us",
    "microseconds": "us", "ms": "ms", "msec": "ms", "msecs": "ms", "msecond": "ms",
    "mseconds": "ms", "milli": "ms", "millis": "ms", "millisecon": "ms", "millisecond": "ms",
    "milliseconds": "ms", "timestamp": "ms", "timestamps": "ms", "s": "second", "sec": "second",
    "secs": "second", "second": "second", "seconds": "second", "m": "minute", "min": "minute",
    "mins": "minute", "minute": "minute", "minutes": "minute", "h": "hour", "hr": "hour",
    "hrs": "hour", "hour": "hour", "hours": "hour", "d": "day", "day": "day", "days": "day",
    "date": "day", "dates": "day", "w": "week", "week": "week", "weeks": "week", "month": "month",
    "months": "month", "quarter": "quarter", "quarters": "quarter", "y": "year", "year": "year",
    "years": "year",
}

# How a length of time is written, as regular expressions.
LENGTH_ISO = "^P(?=.)(?:([0-9]{1,6})Y)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?(?:T(?=[0-9])(?:([0-9]{1,7})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?)?$"
LENGTH_ISO_UNITS = ("year", "month", "week", "day", "hour", "minute", "second")
LENGTH_WORDS = "^([0-9]{1,19}\\s*[A-Za-z]+\\s*)+$"
LENGTH_PART = "([0-9]+)\\s*([A-Za-z]+)"

# By (precision, round_time): (the largest step or None for any larger one, the size).
ALIGNMENT_SIZES: dict[tuple[str, bool], tuple[tuple[int | None, int], ...]] = {
    ("month", False): (
        (None, 12),
    ),
    ("month", True): (
        (None, 12),
    ),
    ("day", False): (
        (None, 1),
    ),
    ("day", True): (
        (None, 1),
    ),
    ("minute", False): (
        (2, 2), (3, 3), (5, 5), (10, 10), (15, 15), (20, 20), (30, 30), (None, 60),
    ),
    ("minute", True): (
        (2, 2), (3, 3), (5, 5), (10, 10), (15, 15), (20, 20), (30, 30), (60, 60), (120, 120),
        (180, 180), (300, 300), (600, 600), (900, 900), (1200, 1200), (1800, 1800), (None, 3600),
    ),
    ("second", False): (
        (2, 2), (3, 3), (5, 5), (10, 10), (15, 15), (20, 20), (30, 30), (None, 60),
    ),
    ("second", True): (
        (2, 2), (3, 3), (5, 5), (10, 10), (15, 15), (20, 20), (30, 30), (60, 60), (120, 120),
        (180, 180), (300, 300), (600, 600), (900, 900), (1200, 1200), (1800, 1800), (None, 3600),
    ),
    ("ms", False): (
        (2, 2), (5, 5), (10, 10), (20, 20), (25, 25), (50, 50), (100, 100), (200, 200), (250, 250),
        (500, 500), (1000, 1000), (2000, 2000), (3000, 3000), (5000, 5000), (10000, 10000),
        (15000, 15000), (20000, 20000), (30000, 30000), (None, 60000),
    ),
    ("ms", True): (
        (2, 2), (5, 5), (10, 10), (20, 20), (25, 25), (50, 50), (100, 100), (200, 200), (250, 250),
        (500, 500), (1000, 1000), (2000, 2000), (3000, 3000), (5000, 5000), (10000, 10000),
        (15000, 15000), (20000, 20000), (30000, 30000), (60000, 60000), (120000, 120000),
        (300000, 300000), (600000, 600000), (900000, 900000), (1200000, 1200000),
        (1800000, 1800000), (None, 3600000),
    ),
    ("ns", False): (
        (2, 2), (5, 5), (10, 10), (20, 20), (25, 25), (50, 50), (100, 100), (200, 200), (250, 250),
        (500, 500), (None, 1000),
    ),
    ("ns", True): (
        (2, 2), (5, 5), (10, 10), (20, 20), (25, 25), (50, 50), (100, 100), (200, 200), (250, 250),
        (500, 500), (999, 1000), (1000000, 1000000), (10000000, 10000000), (100000000, 100000000),
        (1000000000, 1000000000), (2000000000, 2000000000), (3000000000, 3000000000),
        (5000000000, 5000000000), (10000000000, 10000000000), (15000000000, 15000000000),
        (20000000000, 20000000000), (30000000000, 30000000000), (None, 60000000000),
    ),
}

# The moments of {x} over rows, of an array {0} of moments; what is read of {moments}.
MOMENTS_OF_ROWS = """\
if(count({x}) > 0, named_struct('n', count({x}), 'mean', avg(cast({x} as double)), 'm2',
var_pop(cast({x} as double)) * count({x})), null)"""
MOMENTS_OF_PARTS = """\
aggregate(slice({0}, 2, greatest(size({0}) - 1, 0)), get({0}, 0), (__a, __b) -> named_struct('n',
__a.n + __b.n, 'mean', __a.mean + (__b.mean - __a.mean) * __b.n / (__a.n + __b.n), 'm2', __a.m2 +
__b.m2 + pow(__b.mean - __a.mean, 2D) * __a.n * __b.n / (__a.n + __b.n)))"""
READ_MOMENTS: dict[str, str] = {
    "var": "if({moments}.n > 1, {moments}.m2 / ({moments}.n - 1), null)",
    "std": "if({moments}.n > 1, sqrt({moments}.m2 / ({moments}.n - 1)), null)",
    "varp": "{moments}.m2 / nullif({moments}.n, 0)",
    "stdp": "sqrt({moments}.m2 / nullif({moments}.n, 0))",
}

# Words of other systems, and the names that they have here.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "group_by": ("keys",), "groupby": ("keys",), "partition_by": ("keys",),
    "partitionby": ("keys",), "dimensions": ("keys",), "dimension": ("keys",), "by": ("keys",),
    "key_column": ("keys",), "keycolumn": ("keys",), "unique_key": ("keys",), "timestamp": ("ts",),
    "time": ("ts",), "event_time": ("ts",), "time_column": ("ts",), "timecolumn": ("ts",),
    "timestamp_column": ("ts",), "datetime": ("ts",), "timezone": ("time_zone",),
    "tz": ("time_zone",), "zone": ("time_zone",), "from": ("source",), "table": ("source",),
    "relation": ("source",), "model": ("source",), "input": ("source",), "stream": ("source",),
    "data": ("source",), "order_by": ("arrival",), "sequence": ("arrival",), "offset": ("arrival",),
    "aggregate": ("every", "aggregates"), "durations": ("every",),
    "interval": ("every", "bucket", "granularity", "length"), "bucket_size": ("bucket",),
    "window": ("store", "window_size", "bucket"), "windowsize": ("window_size",),
    "measures": ("select", "aggregates"), "metric": ("value", "metrics"), "column": ("value",),
    "measure": ("value",), "maximum": ("max",), "minimum": ("min",), "above": ("max",),
    "below": ("min",), "filter": ("where", "on"), "condition": ("where", "on"),
    "having": ("where",), "geomean": ("geometric_mean",), "geometricmean": ("geometric_mean",),
    "mean": ("avg",), "average": ("avg",), "std": ("stddev",), "stdev": ("stddev",),
    "stddev_samp": ("stddev",), "standard_deviation": ("stddev",), "var": ("variance",),
    "var_samp": ("variance",), "stddevpop": ("stddev_pop",), "varpop": ("var_pop",),
    "kurt": ("kurtosis",), "skew": ("skewness",), "sum_of_squares": ("sumsq",),
    "count_distinct": ("distinctCount",), "distinct": ("distinctCount",),
    "percentile": ("quantile", "median"), "percentile_approx": ("quantile",),
}

# The words of severities, each with its rank: the lowest is 1.
SEVERITIES: dict[str, int] = {
    "debug": 1, "info": 2, "information": 2, "informational": 2, "notice": 2, "default": 2,
    "low": 3, "minor": 3, "medium": 4, "moderate": 4, "warning": 4, "warn": 4, "high": 5,
    "major": 5, "error": 5, "critical": 6, "severe": 6, "fatal": 6, "emergency": 6,
}
