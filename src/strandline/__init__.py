"""Strandline: incremental aggregations, windows, detection and alerts with dbt on Spark."""

__version__ = "0.1.0"
