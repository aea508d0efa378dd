"""Write what happened as files that can be landed one after the other."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timezone
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from strandline_demo.flights.clock import NEW_YORK
from strandline_demo.flights.source import FlightsError

FIRST = date(2013, 1, 1)
LAST = date(2014, 1, 2)  # the last flights of the year arrive on New Year's Day
# A file is a month, but the last day of the year (and what arrives after it) stands alone: the
# demo lands it as an increment after the rest.
BOUNDS = (*(date(2013, month, 1) for month in range(1, 13)), date(2013, 12, 31), LAST)

ARROW_TYPES = {
    "STRING": pa.string(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "TIMESTAMP": pa.timestamp("s", tz="UTC"),
}


@dataclass(frozen=True)
class Files:
    """One kind of file of the demo.

    Attributes:
        name: what the files' names begin with.
        columns: name and Spark DDL of each column.
        at: the column with the instant.
        rows: gives the rows of the days [first, last) of New York, by instant.
    """

    name: str
    columns: Mapping[str, str]
    at: str
    rows: Callable[[date, date], pd.DataFrame]

    def schema(self) -> str:
        """Spark DDL: names, types and which columns are required."""
        return ", ".join(f"{name} {kind}" for name, kind in self.columns.items())

    def write(self, folder: str | Path, first: date = FIRST, last: date = LAST) -> list[Path]:
        """Write the rows of the days [first, last) of New York as CSV files with a header.

        Args:
            folder: created when missing.
            first: first day, inclusive, from 2013-01-01.
            last: last day, exclusive, to 2014-01-02.

        Returns:
            The files in the order of time, which is also the order of their names
            (``<name>_<first>_<last>.csv``) and of their modification times. The same days give
            the same bytes. A file appears whole: it is written under a name that Spark's file
            source ignores, and then renamed. Days without rows give a file without rows.

        Raises:
            FlightsError: the days are no range, or are outside of the data.
        """
        if not FIRST <= first < last <= LAST:
            raise FlightsError(
                f"{self.name}: first={first} and last={last} were given; allowed is "
                f"{FIRST} <= first < last <= {LAST} (last is exclusive)"
            )
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        rows = self.rows(first, last)
        local_days = rows[self.at].dt.tz_convert(NEW_YORK).dt.tz_localize(None)
        written = []
        for start, end in slices(first, last):
            # Rows are sorted by instant, and local days only grow with it: a slice is a range.
            low, high = local_days.searchsorted([pd.Timestamp(start), pd.Timestamp(end)])
            written.append(self._write(target, start, end, rows.iloc[low:high]))
        return written

    def path(self, folder: Path, start: date, end: date) -> Path:
        """The file of one slice."""
        return folder / f"{self.name}_{start}_{end}.csv"

    def _write(self, folder: Path, start: date, end: date, rows: pd.DataFrame) -> Path:
        path = self.path(folder, start, end)
        hidden = folder / f".{path.name}.part"
        types = ((name, ARROW_TYPES[kind.split()[0]]) for name, kind in self.columns.items())
        table = pa.Table.from_pandas(rows, schema=pa.schema(types), preserve_index=False)
        # No value holds a comma or a quote (Arrow would raise), so none is quoted.
        plain = pa_csv.WriteOptions(include_header=False, quoting_style="none")
        with hidden.open("wb") as file:
            file.write((",".join(self.columns) + "\n").encode())
            pa_csv.write_csv(table, file, plain)
            file.flush()
            os.fsync(file.fileno())
        # The landing orders files by modification time: the end of the slice, whenever it is
        # written.
        seconds = int(datetime(end.year, end.month, end.day, tzinfo=timezone.utc).timestamp())
        os.utime(hidden, (seconds, seconds))
        return hidden.replace(path)


def slices(first: date, last: date) -> Iterator[tuple[date, date]]:
    """The days [first, last) split at :data:`BOUNDS`."""
    bounds = [first, *(bound for bound in BOUNDS if first < bound < last), last]
    return pairwise(bounds)
