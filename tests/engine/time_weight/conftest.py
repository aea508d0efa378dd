"""A project of somebody else for time weights: a source table, models, runs."""

from __future__ import annotations

from tests.engine.aggregation.conftest import small, small_project

__all__ = ["small", "small_project"]
