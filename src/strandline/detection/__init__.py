"""Anomaly detection on aligned windows, after DolphinDB's anomaly detection engine.

What a person writes (metrics, window, step, precision) is checked by `definition.define` without
Spark. A metric is parsed to the few nodes of `metric`; the Spark SQL is made from those alone, by
`sql`. The folder `plan` makes Spark plans of a definition, run by run.
"""

from strandline.detection.detect import detect
from strandline.detection.errors import DetectionError

__all__ = ["DetectionError", "detect"]
