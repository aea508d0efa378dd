"""What the landing asks of a source of events: what is new, and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pyspark.sql import types as T

from strandline.landing.batch import Read
from strandline.landing.landings import Landings
from strandline.landing.unfinished import Forgotten, Unfinished


@dataclass(frozen=True)
class Plan:
    """What a landing has to do.

    Attributes:
        to_complete: batches that are read again as they were.
        again: batches that are written down, and whose parts land with the new ones.
        has_new: there is something new.
        faults: what stops the landing until it is corrected.
        links, denied, changed, ignored: see `LandingResult`.
        lost: messages that Kafka has deleted before they could land.
    """

    to_complete: Sequence[Unfinished] = ()
    again: frozenset[int] = frozenset()
    has_new: bool = False
    faults: Sequence[str] = ()
    links: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    lost: Mapping[str, int] = field(default_factory=dict)


class Source(Protocol):
    """A source of a landing."""

    @property
    def schema(self) -> T.StructType:
        """The columns that its rows have in the events table."""

    def plan(self, landings: Landings, open_ones: Sequence[Unfinished]) -> Plan:
        """Find out what is new, and check it."""

    def restored(self, landings: Landings, lost: Forgotten) -> Unfinished:
        """A batch that the landings have lost, by the rows that the tables have."""

    def read_again(self, each: Unfinished) -> Read:
        """Read a batch as it was."""

    def read_new(self) -> Iterator[Read]:
        """Read what the plan has found, batch by batch."""
