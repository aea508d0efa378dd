"""A carrier's day that is missing from the files of all flights, and its file that comes later."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

import pandas as pd

from strandline.flights.clock import instants_of
from strandline.flights.events import FILES
from strandline.flights.files import Files


@dataclass(frozen=True)
class CarrierDay:
    """What happened to a carrier's flights on one date of New York."""

    carrier: str
    day: date

    def files_without(self) -> Files:
        """The files of all flights, but for this."""
        return replace(FILES, rows=lambda first, last: self._split(first, last)[1])

    def file(self) -> Files:
        """The file of nothing else."""
        rows = lambda first, last: self._split(first, last)[0]  # noqa: E731
        return replace(FILES, name=f"{FILES.name}_{self.carrier}", rows=rows)

    @property
    def next_day(self) -> date:
        return self.day + timedelta(days=1)

    def _split(self, first: date, last: date) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The events of some days: those of this, and the others."""
        events = FILES.rows(first, last)
        begin, end = instants_of("flights", self.day, self.next_day)
        is_this = (
            (events["carrier"] == self.carrier)
            & (events[FILES.at] >= begin)
            & (events[FILES.at] < end)
        )
        return events[is_this], events[~is_this]
