"""Strandline on a Spark standalone cluster of two workers on loopback, beside `local[2]`."""
