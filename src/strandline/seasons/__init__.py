"""Seasonal smoothing: level, trend and season of a series, folded over its buckets."""
