"""Quoted values with line breaks: which lines of a CSV file belong together.

Spark reads lines, in parallel. Whether a quote is open where a line begins depends on all lines
before it, so the files in which a line ends with an open quote are searched once more, each by one
task (as Spark's own reader of such files does). The other files are left as they are.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.csv_lines import read_line
from strandline.landing.formats import FileFormat
from strandline.landing.rows import parse_csv
from strandline.landing.texts import (
    LONGEST_LINE,
    PLACE,
    QUOTES,
    is_blank,
    stays,
    without_return,
)

FIRST, LAST = Window.unboundedPreceding, Window.unboundedFollowing


def open_files(rows: DataFrame) -> list[str]:
    """The files that have a line with an open quote at its end."""
    return [file for (file,) in rows.where("__opens").select("__file").distinct().collect()]


def spanning_rows(lines: DataFrame, schema: T.StructType, fmt: FileFormat) -> DataFrame:
    """The rows of files of which some lines belong together, each file as one block.

    With `multi_line` lines that belong together are one row at the number of the first one, if
    the quote is closed and they are not too long. Else each of them is a faulty row.

    Args:
        lines: all lines of these files, numbered, without the header.
    """
    grouped = _grouped(lines, fmt)
    is_several = F.col("__lines") > 1
    fits = F.lit(False)
    if fmt.multi_line:
        fits = F.col("__is_closed") & (F.col("__size") <= LONGEST_LINE)
    is_row = is_several & fits
    is_first = F.col("line") == F.col("__start")
    of_row = Window.partitionBy("__file", "__start").orderBy("line").rowsBetween(FIRST, LAST)
    joined = F.array_join(F.collect_list("raw").over(of_row), "\n")
    broken = is_several & ~fits & (F.col("__bytes") <= LONGEST_LINE)  # else it has its own reason
    rows = (
        grouped.withColumns({
            "raw": F.when(is_row & is_first, joined).otherwise(F.col("raw")),
            "__broken": F.when(broken, _reason(fmt)),
        })
        .where(~is_row | is_first)
        .where(is_several | ~is_blank(fmt))
        .withColumns({"__block": F.lit(0).cast("bigint"), "__position": F.col("line")})
    )  # fmt: skip
    parsed = parse_csv(rows, schema, fmt, (*QUOTES, "line", "__broken"))
    reason = F.coalesce("__broken", "reason").alias("reason")
    return parsed.select(*PLACE, *QUOTES, "__row", "raw", reason, "line")


def _grouped(lines: DataFrame, fmt: FileFormat) -> DataFrame:
    """Lines with the number of the first line of their row (`start`), and what these lines are."""
    before_it = Window.partitionBy("__file").orderBy("line")
    so_far = before_it.rowsBetween(FIRST, 0)
    line = read_line(without_return(F.col("raw"), fmt), fmt)
    # A line ends open or closed whatever was before it, or as it was, or the other way round.
    # So the state after a line is known by the last one of the first kind and those that turn it.
    turns = F.sum((F.col("__opens") & ~F.col("__stays")).cast("int")).over(so_far)
    fixed = F.when(
        F.col("__opens") == F.col("__stays"),
        F.struct(F.col("__opens").cast("int").alias("__state"), F.col("__turns")),
    )
    last_fixed = F.last(fixed, ignorenulls=True).over(so_far)
    state = F.coalesce(
        F.col("__fixed.__state") + F.col("__turns") - F.col("__fixed.__turns"), F.col("__turns")
    )
    was_open = F.lag("__is_open", 1, False).over(before_it)
    start = F.last(F.when(~F.col("__was_open"), F.col("line")), ignorenulls=True)
    of_row = Window.partitionBy("__file", "__start")
    in_row = of_row.orderBy("line").rowsBetween(FIRST, LAST)
    return (
        lines.withColumn("__stays", stays(line))
        .withColumn("__turns", turns)
        .withColumn("__fixed", last_fixed)
        .withColumn("__is_open", state % 2 == 1)
        .withColumn("__was_open", was_open)
        .withColumn("__start", start.over(so_far))
        .withColumns({
            "__lines": F.count("*").over(of_row),
            "__end": F.max("line").over(of_row),
            "__size": F.sum(F.col("__bytes") + 1).over(of_row),
            "__is_closed": ~F.last("__is_open").over(in_row),
        })
    )  # fmt: skip


def _reason(fmt: FileFormat) -> Column:
    """Why lines that belong together are no row."""
    start, end, size = (F.col(each).cast("string") for each in ("__start", "__end", "__size"))
    unclosed = F.concat(
        F.lit("the quote that is opened on line "),
        start,
        F.lit(" is not closed in the rest of the file; close it, or double it in a quoted value"),
    )
    whole = F.concat(
        F.lit("a quoted value has line breaks, from line "),
        start,
        F.lit(" to line "),
        end,
        F.lit("; say multi_line=true to land it"),
    )
    if fmt.multi_line:
        whole = F.concat(
            F.lit("the row of lines "),
            start,
            F.lit(" to "),
            end,
            F.lit(" has "),
            size,
            F.lit(f" bytes, at most {LONGEST_LINE} can be landed"),
        )
    return F.when(~F.col("__is_closed"), unclosed).otherwise(whole)
