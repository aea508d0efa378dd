"""Anomaly detection on aligned windows, after DolphinDB's anomaly detection engine.

`definition.define` checks metrics, window, step and precision without Spark. A metric is parsed to
the few nodes of `metric`; `sql` makes the Spark SQL from those alone. The folder `plan` has the
Spark plan of a run.
"""

from strandline.detection.detect import detect
from strandline.detection.errors import DetectionError

__all__ = ["DetectionError", "detect"]
