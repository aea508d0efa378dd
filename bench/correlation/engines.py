"""The same patterns by hand in plain Spark and in DuckDB: by joins, and by an anti-join.

They take the events as they are: an id comes once in each stream, in the order of the streams.
Nothing can be added to what they made.
"""

from __future__ import annotations

SCHEMA = "by_hand"
SECONDS = 30  # of each window
COMPLETE, INCOMPLETE = "one and two and three", "one and two and not three"


def matched_sql(source: str) -> str:
    """The ids of `source` that are complete, and those without the third event, with their time."""
    within = f"interval {SECONDS} seconds"
    return f"""
        with one as (select * from {source} where stream = 1),
        two as (select * from {source} where stream = 2),
        three as (select * from {source} where stream = 3),
        pairs as (
            select one.id, one.ts as first_at, two.ts as second_at, one.qty, two.qty as second_qty
            from one inner join two on one.id = two.id and two.ts < one.ts + {within}
        )
        select
            pairs.id, '{COMPLETE}' as pattern, first_at, second_at, three.ts as third_at,
            pairs.qty, second_qty, three.ts as fired_at
        from pairs inner join three on pairs.id = three.id and three.ts < first_at + {within}
        union all
        select
            pairs.id, '{INCOMPLETE}' as pattern, first_at, second_at, null as third_at,
            qty, second_qty, first_at + {within} as fired_at
        from pairs
        left anti join three on pairs.id = three.id and three.ts < first_at + {within}
        where first_at + {within} <= (select max(ts) from {source})
    """


def for_duckdb(sql: str) -> str:
    """DuckDB's word for an anti-join."""
    return sql.replace("left anti join", "anti join")
