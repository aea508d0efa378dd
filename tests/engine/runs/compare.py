"""Two tables are the same: every row of each, counts included, nulls and NaN equal themselves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Context, Decimal
from typing import Any

TOLERANCE = 1e-9
EXACT = Context(prec=80)
CASE = "case_id"
Row = Mapping[str, Any]


class Difference(AssertionError):
    """Tables differ; `cases` are the groups of the rows that do, where there are such groups."""

    def __init__(self, what: str, lines: list[str], cases: set[Any]) -> None:
        more = f"\n  … and {len(lines) - 5} more" if len(lines) > 5 else ""
        super().__init__(f"{what}:\n  " + "\n  ".join(lines[:5]) + more)
        self.cases = cases


def same(found: Any, expected: Any) -> bool:
    """Equal; numbers within 1e-9 when one of them is a double, NaN like NaN, null like null."""
    if found is None or expected is None:
        return found is expected
    if isinstance(found, float) or isinstance(expected, float):
        if math.isnan(found) or math.isnan(expected):
            return math.isnan(found) and math.isnan(expected)
        # An average of decimals is a decimal of six digits after the point, as Spark's own.
        rounded = 5e-7 if isinstance(found, Decimal) else TOLERANCE
        return math.isclose(float(found), float(expected), rel_tol=TOLERANCE, abs_tol=rounded)
    return bool(found == expected)


def compare_rows(what: str, found: Iterable[Row], expected: Iterable[Row], key: list[str]) -> None:
    """Rows that have a key: each key once on both sides, and all columns the same."""
    lines: list[str] = []
    wrong: set[tuple] = set()
    sides = []
    for side, rows in (("found", found), ("expected", expected)):
        by_key: dict[tuple, Row] = {}
        for row in rows:
            at = tuple(row[column] for column in key)
            if at in by_key:
                lines.append(f"{at} is there twice ({side})")
                wrong.add(at)
            by_key[at] = row
        sides.append(by_key)
    found_rows, expected_rows = sides
    for at in found_rows.keys() | expected_rows.keys():
        if at not in expected_rows or at not in found_rows:
            row = found_rows.get(at) or expected_rows.get(at)
            lines.append(f"{at} {'must not be there' if at in found_rows else 'is missing'}: {row}")
            wrong.add(at)
            continue
        one, other = found_rows[at], expected_rows[at]
        columns = one.keys() | other.keys()
        bad = [
            f"{column} is {one.get(column, 'no column')!r} and must be {other.get(column, 'no column')!r}"
            for column in sorted(columns)
            if column not in one or column not in other or not same(one[column], other[column])
        ]
        if bad:
            lines.append(f"{at}: {', '.join(bad)}")
            wrong.add(at)
    if lines:
        place = key.index(CASE) if CASE in key else None
        raise Difference(what, lines, set() if place is None else {at[place] for at in wrong})


def compare_bags(
    what: str, found: Iterable[tuple], expected: Iterable[tuple], columns: list[str]
) -> None:
    """Rows without a key, each as often here as there."""
    found_bag, expected_bag = (Counter(map(_plain, rows)) for rows in (found, expected))
    lines = [f"{count} too many: {row}" for row, count in (found_bag - expected_bag).items()]
    lines += [f"{count} missing: {row}" for row, count in (expected_bag - found_bag).items()]
    if lines:
        place = columns.index(CASE) if CASE in columns else None
        rows = (found_bag - expected_bag) + (expected_bag - found_bag)
        raise Difference(what, lines, set() if place is None else {row[place] for row in rows})


def _plain(row: tuple) -> tuple:
    """A row whose NaN equals NaN and whose decimals show no trailing zeros."""
    return tuple(
        "NaN" if isinstance(value, float) and math.isnan(value)
        else value.normalize(EXACT) if isinstance(value, Decimal)
        else value
        for value in row
    )  # fmt: skip
