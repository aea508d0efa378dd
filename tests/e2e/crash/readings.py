"""Random readings: in disorder, late, sent again, without a time, and lines that are no reading."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

BEGIN = datetime(2024, 3, 1)
HOURS = 6  # between the first readings of two batches


def batch(random: Random, number: int, size: int = 60, *, is_late: bool = True) -> str:
    """The lines of a file; some of its readings are late, or none."""
    begin = BEGIN + timedelta(hours=HOURS * number)
    lines = ["id,machine,ts,kind,value"]
    for nth in range(size):
        late = timedelta(hours=random.choice([0] * 8 + [8, 30]) if is_late else 0)
        at = begin + timedelta(seconds=random.randrange(3600 * HOURS)) - late
        written = f"{at.isoformat()}Z" if random.random() < 0.95 else ""
        again = random.random() < 0.1
        name = f"{number - 1 if again and number else number}-{random.randrange(size) if again else nth}"
        # Eighths, whose sums are exact in whatever order they are added.
        is_broken = nth == 0 or random.random() < 0.03  # one in each file
        value = "broken" if is_broken else str(random.randrange(801) / 8)
        kind = random.choice(["start", "stop", "run"])
        lines.append(f"{name},{random.choice('abc')},{written},{kind},{value}")
    return "\n".join(lines) + "\n"
