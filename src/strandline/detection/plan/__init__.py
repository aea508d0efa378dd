"""The Spark plan of a definition: rows, panes, windows, what they show, state between runs."""
