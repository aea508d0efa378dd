"""The package's macros for sqlfluff: `strandline.name(…)` in a model, rendered without dbt.

As while dbt parses, the bodies of incremental models are empty.
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


@functools.cache
def _macros() -> SimpleNamespace:
    from scripts.rendering.arguments import Relation
    from tests.unit.jinja_macros import macros_with

    create = SimpleNamespace(create=lambda identifier, **_: Relation(identifier))
    return macros_with(
        ref=Relation,
        api=SimpleNamespace(Relation=create),
        config=lambda **_: "",
        model=SimpleNamespace(name="a_model", resource_type="model", description=""),
    )


def __getattr__(name: str) -> Any:
    return getattr(_macros(), name)
