"""The Spark plan of a definition: rows, panes, windows, detections, state between runs."""
