"""Anomaly detection on aligned windows, after DolphinDB's anomaly detection engine.

What a person writes (metrics, window, step, precision) is checked by `check.check` without Spark.
A metric is parsed to the few nodes of `nodes`; the Spark SQL is made from those alone, by `sql`.
"""
