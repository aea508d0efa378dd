"""The same windows by hand in plain Spark and in DuckDB.

They take the events as they are: in order, none late, no two of one time. Nothing can be added to
what they made. Neither has a window of the highest values: in Spark it is a loop in Python over the
events of each key, in DuckDB it is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyspark.sql import SparkSession

SCHEMA = "by_hand"
LAST, HIGHEST = 100, 5  # rows of the sliding and of the ranked window
# From a time to microseconds, and back.
MICROS = {"spark": ("unix_micros", "timestamp_micros"), "duckdb": ("epoch_us", "make_timestamp")}


def sliding_sql(source: str) -> str:
    """Each event of `source`, and when it leaves."""
    return f"""
        select
            *, ts as entered, lead(ts, {LAST}) over (partition by key order by arrival) as expelled
        from {source}
    """


def timed_sql(source: str, minutes: int, engine: str) -> str:
    """A row for each change of the count, the sum and the greatest `qty` of a key."""
    to_micros, to_time = MICROS[engine]
    length = minutes * 60_000_000
    return f"""
        with events as (select key, {to_micros}(ts) as instant, qty from {source}),
        moves as (
            select * from events
            union all
            select key, instant + {length}, null from events
            where instant + {length} <= (select max(instant) from events)
        ),
        contents as (
            select
                key, instant, count(qty) over inside as n,
                cast(sum(qty) over inside as bigint) as total, max(qty) over inside as most
            from moves
            window inside as (
                partition by key order by instant
                range between {length - 1} preceding and current row
            )
        ),
        compared as (
            select
                *, lag(n) over in_order as n_before, lag(total) over in_order as total_before,
                lag(most) over in_order as most_before
            from contents
            window in_order as (partition by key order by instant)
        ),
        changes as (
            select *, lead(instant) over (partition by key order by instant) as until
            from compared
            where n is distinct from n_before or total is distinct from total_before
                or most is distinct from most_before
        )
        select key, n, total, most, {to_time}(instant) as entered, {to_time}(until) as expelled
        from changes
        where n > 0
    """


def ranked(rows: DataFrame) -> DataFrame:
    """The events of one key that enter, and when they leave."""
    rows = rows.sort_values("arrival", ignore_index=True)
    entered, expelled = [], [None] * len(rows)
    inside: dict[str, tuple[int, int]] = {}  # by name: value and place
    for place, (ts, name, qty) in enumerate(
        zip(rows["ts"], rows["name"], rows["qty"], strict=True)
    ):
        was_full = len(inside) == HIGHEST
        former = inside.pop(name, None)
        if former is not None:
            expelled[former[1]] = ts
        if was_full:
            worst = min(inside, key=inside.__getitem__)
            if qty < inside[worst][0]:
                continue
            if former is None:
                expelled[inside.pop(worst)[1]] = ts
        inside[name] = (qty, place)
        entered.append(place)
    return rows.assign(entered=rows["ts"], expelled=expelled).loc[entered]


def spark_ranked(spark: SparkSession, source: str, table: str) -> None:
    """The highest of each key as a Delta table in `by_hand`."""
    spark.sql(f"create schema if not exists {SCHEMA}")
    events = spark.table(source)
    columns = ", ".join(f"{name} {kind}" for name, kind in events.dtypes)
    events.groupBy("key").applyInPandas(
        ranked, f"{columns}, entered timestamp, expelled timestamp"
    ).write.format("delta").mode("overwrite").saveAsTable(f"{SCHEMA}.{table}")
