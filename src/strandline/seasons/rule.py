"""The rule of a smoothed series, as a macro hands it to the fold."""

from __future__ import annotations

from dataclasses import dataclass

from strandline.records import attributes_of


@dataclass(frozen=True)
class Rule:
    """What the series of one model have in common.

    Attributes:
        length: how many buckets a season has, 1 or more; 1 is a series without seasons.
        step: the distance of two buckets, in units of `__position`.
        is_multiplicative: the season is a factor of the level, not an amount beside it.
        alpha, beta, gamma: the weights of the newest value in level, trend and season, from 0 to 1;
            None: fitted.
        damping: by what the trend is multiplied for each bucket, above 0 and at most 1.
        seasons: over how many first seasons a series is fitted, 2 or more.
        limit: beyond so many deviations a value counts as one at that distance; None: never.

    Raises:
        ValueError: a value is not allowed.
    """

    length: int
    step: int
    is_multiplicative: bool
    alpha: float | None
    beta: float | None
    gamma: float | None
    damping: float
    seasons: int
    limit: float | None

    def __post_init__(self) -> None:
        for name, least in {"length": 1, "step": 1, "seasons": 2}.items():
            if getattr(self, name) < least:
                raise ValueError(f"`{name}` is {least} or more, not {getattr(self, name)}")
        for name in ("alpha", "beta", "gamma"):
            weight = getattr(self, name)
            if weight is not None and not 0 <= weight <= 1:
                raise ValueError(f"`{name}` is from 0 to 1, not {weight}")
        if not 0 < self.damping <= 1:
            raise ValueError(f"`damping` is above 0 and at most 1, not {self.damping}")
        if self.limit is not None and self.limit <= 0:
            raise ValueError(f"`limit` is above 0, not {self.limit}")

    @classmethod
    def from_json(cls, text: str) -> Rule:
        """The rule of a JSON object with every attribute.

        Raises:
            ValueError: the text is no JSON, an attribute is missing or unknown, or not allowed.
        """
        return cls(**attributes_of(cls, text))
