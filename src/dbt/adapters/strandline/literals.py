"""Python values as Spark SQL literals: exactly, and never as code."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from strandline.literals import text_sql


def literal(value: Any) -> str:
    """A literal that Spark casts back to the same value.

    Numbers are quoted: `cast('9007199254740993' as bigint)` keeps every digit, whereas a bare
    number would first become whatever type Spark sees in it.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"'{value:f}'" if value.is_finite() else f"'{value}'"
    if isinstance(value, dt.datetime):
        return f"'{value.isoformat(sep=' ')}'"
    return text_sql(str(value))
