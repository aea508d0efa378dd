"""What the closing page shows of the tables, read by four threads and kept while they stay."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from strandline.cli.tables import row_counts
from strandline_demo import results
from strandline_demo.results import Alerts, Totals, Windows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import SparkSession

    from strandline_demo.year import Year


@dataclass(frozen=True)
class Shown:
    """Figures of the tables; `unusable` has the rows of quarantines and of late events."""

    totals: Totals
    alerts: Alerts
    windows: Windows
    unusable: dict[str, int]


@dataclass(frozen=True)
class _Kept:
    state: str
    shown: Shown


_KEPT = TypeAdapter(_Kept)


def read(
    spark: SparkSession, relations: Mapping[str, str], year: Year, unusable: Sequence[str]
) -> Shown:
    """The time goes into planning, which one thread does for each query."""
    with ThreadPoolExecutor(4) as pool:
        totals = pool.submit(results.totals, spark, relations)
        alerts = pool.submit(results.alerts, spark, relations, year)
        windows = pool.submit(results.windows, spark, relations)
        rows = pool.submit(row_counts, spark, list(unusable))
    return Shown(totals.result(), alerts.result(), windows.result(), rows.result())


def kept(
    file: Path, tables: str | None, year: Year, report: Path, read: Callable[[], Shown]
) -> Shown:
    """What the same queries read when the tables and views had this state, or what is read now.

    Args:
        file: where it is kept; another or a damaged one is replaced.
        tables: the state of all tables and views; None if it is not known: then they are read.
        year: the months of the demo.
        report: what `read` writes; if it is not there, they are read.
        read: reads the figures.
    """
    queries = hashlib.sha256(Path(results.__file__).read_bytes()).hexdigest()
    state = None if tables is None else f"{tables} {year.months} {queries}"
    if state is not None:
        with suppress(OSError, ValueError):
            found = _KEPT.validate_json(file.read_bytes())
            if found.state == state and report.exists():
                return found.shown
    shown = read()
    if state is not None:
        with suppress(OSError):
            file.write_bytes(_KEPT.dump_json(_Kept(state, shown), indent=1))
    return shown
