"""A taste of the data: the totals of the year, and the delay of each month from the mart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

# What is published of the data set; the whole year must give just this.
FLIGHTS_OF_2013, NEVER_DEPARTED = 336_776, 8_255


@dataclass(frozen=True)
class Taste:
    flights: int
    never_departed: int
    delays: list[tuple[str, float]]

    def is_the_whole_year(self) -> bool:
        return (self.flights, self.never_departed) == (FLIGHTS_OF_2013, NEVER_DEPARTED)
