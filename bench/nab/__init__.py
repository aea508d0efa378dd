"""Detectors judged on series that others have labelled."""
