"""The rule of a window, as a macro hands it to the fold."""

from __future__ import annotations

from dataclasses import dataclass

from strandline.records import attributes_of

KINDS = ("highest", "lowest", "time", "last")


@dataclass(frozen=True)
class Rule:
    """What the windows of one model have in common. Their sizes are in the rows, by key.

    Attributes:
        kind: one of KINDS; 'time' is a time window with `max`, 'last' a sliding window.
        keys: the columns of which each combination has a window of its own; none means one window.
        clock: the clock at the end of the run, in microseconds since 1970.
        every: the interval of the cycles, in microseconds; None if events make cycles.
        depth: the length of the step arrays: 1, and 1 more for each window before it in a chain.
        grouped: highest and lowest have an update group.

    Raises:
        ValueError: a value is not allowed.
    """

    kind: str
    keys: tuple[str, ...]
    clock: int
    every: int | None
    depth: int
    grouped: bool

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"`kind` is one of {', '.join(KINDS)}, not {self.kind!r}")
        if self.every is not None and self.every < 1:
            raise ValueError(f"`every` is 1 microsecond or more, not {self.every}")
        if self.depth < 1:
            raise ValueError(f"`depth` is 1 or more, not {self.depth}")
        if self.grouped and not self.is_ranked:
            raise ValueError(f"only highest and lowest have an update group, not {self.kind}")

    @property
    def is_ranked(self) -> bool:
        return self.kind in ("highest", "lowest")

    @classmethod
    def from_json(cls, text: str) -> Rule:
        """The rule of a JSON object with every attribute.

        Raises:
            ValueError: the text is no JSON, an attribute is missing or unknown, or not allowed.
        """
        given = attributes_of(cls, text)
        return cls(**{**given, "keys": tuple(given["keys"])})
