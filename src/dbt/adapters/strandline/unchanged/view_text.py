"""What the text of a query says of the tables that it reads."""

from __future__ import annotations

import re
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

CATALOG = "spark_catalog"
# Functions whose result changes while no table does.
_CHANGES = re.compile(
    r"(?i)\b(current_(timestamp|date|time|user)|localtimestamp|session_user)\b"
    r"|\b(now|curdate|rand|randn|random|uuid|shuffle)\s*\(|\bunix_timestamp\s*\(\s*\)"
)


def changes_by_itself(sql: str) -> bool:
    """Whether a query may give other rows although no table has changed."""
    return _CHANGES.search(sql) is not None


@lru_cache(maxsize=1_000)
def tables_of(sql: str) -> tuple[str, ...] | None:
    """The tables that a query names, as schema.name; None if that is not known.

    A table without a schema is not known either: which one it is depends on the session.
    """
    try:
        query = sqlglot.parse_one(sql, dialect="spark")
    except (SqlglotError, RecursionError):
        return None
    named = {each.alias.lower() for each in query.find_all(exp.CTE)}
    names = set()
    for table in query.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            return None  # a function in the place of a table
        if table.catalog and table.catalog.lower() != CATALOG:
            return None
        if not table.db:
            if table.name.lower() in named:
                continue
            return None
        names.add(f"{table.db}.{table.name}".lower())
    return tuple(sorted(names))
