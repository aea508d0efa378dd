"""That this process was asked to stop: what is in hand is completed, and nothing more is begun.

A landing looks at it between two batches, dbt's adapter before each model, and `notify` before each
message. Only `strandline follow` asks.
"""

from __future__ import annotations

import threading

asked = threading.Event()
