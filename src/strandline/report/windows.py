"""Reads what is in the windows now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strandline.literals import name_sql

if TYPE_CHECKING:
    from strandline.connection import Connection
    from strandline.report.found import Window

ROWS = 200


def read_window(spark: Connection, one: Window) -> dict[str, Any]:
    """How many rows are inside, and some of them: those that entered last, as texts."""
    found = spark.sql(f"select * from {one.inside}").columns
    # A window's own columns are the last ones; a user's column may be called `cycle` or `place`.
    columns = found[: found.index("entered")]
    place = "entry" if "entry" in found else "place"
    texts = "".join(f"string({name_sql(name)}), " for name in columns)
    rows = spark.sql(f"""
        select {texts}unix_millis(entered.at) as __since
        from {one.inside}
        order by entered desc, {place} desc
        limit {ROWS}
    """).collect()
    [total] = spark.sql(f"select count(*) as n from {one.inside}").collect()
    return {
        "name": one.name,
        "store": one.store,
        "keys": list(one.keys),
        "columns": columns,
        "rows": [list(row) for row in rows],
        "total": total["n"],
    }
