"""Values as a report has them: keys as JSON, and numbers with seven digits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from strandline.literals import name_sql, text_sql


def key_sql(keys: Iterable[str]) -> str:
    """A key as JSON, its columns in this order; a null is a value of it."""
    columns = ", ".join(f"{text_sql(key)}, string({name_sql(key)})" for key in keys)
    if not columns:
        return "'{}'"
    return f"to_json(named_struct({columns}), map('ignoreNullFields', 'false'))"


def short(value: Any) -> float | int | None:
    """A number with seven digits; None for null, and for what cannot be drawn."""
    if value is None or not math.isfinite(value):
        return None
    number = float(f"{value:.7g}")
    return int(number) if number.is_integer() else number
