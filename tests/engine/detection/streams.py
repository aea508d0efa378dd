"""Random streams for detection, each from its seed: the same seed gives the same stream.

Every key has a clock of its own, so that a key may be older than the first row of all. Doubles
are quarters, so that their sums are exact in any order.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from datetime import datetime

from tests.engine.detection.oracle_metrics import Row

PRECISIONS = ["ms", "s", "m", "ns", "DATE", "MONTH"]
SECONDS = int((datetime(2018, 10, 8, 1, 1, 1) - datetime(1970, 1, 1)).total_seconds())
NOW = {
    "ms": SECONDS * 1_000,
    "s": SECONDS,
    "m": SECONDS // 60,
    "ns": SECONDS * 1_000_000_000,
    "DATE": SECONDS // 86_400,
    "MONTH": (2018 - 1970) * 12 + 9,
}


@dataclass(frozen=True)
class Stream:
    """Rows in the order of their arrival, and the windows over them."""

    rows: list[Row]
    window_size: int
    step: int
    round_time: bool
    precision: str


def stream(
    seed: int, count: int = 60, precision: str | None = None, keys: int | None = None
) -> Stream:
    """Columns: temp and price are doubles, qty is whole; all may be null, doubles NaN.

    Keys share nothing but the grid: many of them are as many streams for one run of the product.
    """
    chance = random.Random(seed)  # noqa: S311
    precision = precision or chance.choice(PRECISIONS)
    step = chance.choice([1, 2, 3, 4, 5, 7, 10, 16, 20])
    size = step * chance.choice([1, 1, 2, 3, 4, 5, 10, 20])
    names = [(None,), *((f"K{number}",) for number in range(1, keys or chance.randrange(1, 5)))]
    # The epoch: times on both sides of nought.
    start = chance.choice([NOW[precision]] * 3 + [0]) + chance.randrange(-70, 70)
    clocks = {key: start + chance.randrange(-2 * size, 2 * size) for key in names}
    rows, arrival = [], 0
    for _ in range(count):
        key = chance.choice(names)
        moved = _move(chance, step, size)
        late = moved < 0  # does not turn its key's clock back
        time = clocks[key] + moved
        clocks[key] = clocks[key] if late else time
        arrival += chance.choice([1, 1, 1, 7])
        rows.append(Row(arrival, time, key, _values(chance)))
    return Stream(rows, size, step, chance.random() < 0.5, precision)


def _move(chance: random.Random, step: int, size: int) -> int:
    """By how much a key's clock moves: ties, small steps, gaps, or a row from the past."""
    return chance.choice(
        [
            *[0] * 3,
            *[1] * 4,
            *[chance.randrange(1, step + 1)] * 8,
            step,
            size,
            chance.randrange(1, 3 * size + 1),
            chance.choice([3 * size + 1, 10 * size, size + step]),
            -chance.randrange(1, size + 2 * step),
        ]
    )


def _values(chance: random.Random) -> dict[str, float | int | None]:
    def quarters() -> float | None:
        return chance.choice([chance.randrange(-20, 40) / 4] * 10 + [None, math.nan])

    qty = chance.choice([chance.randrange(-2, 9)] * 10 + [None])
    return {"temp": quarters(), "price": quarters(), "qty": qty}
