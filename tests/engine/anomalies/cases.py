"""Named cases of consolidation, for the oracle and for Spark alike: `test_cases.py`.

Each is what is detected in up to four runs over the same range. Rows and notifications are lines of
`scenarios.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tests.engine.anomalies.oracle_ranges import AnalysedRange
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.scenarios import found, ignored, low

SETTINGS = {
    "re_notify_percentage_threshold": 20,
    "re_notify_absolute_threshold": 2,
    "min_length": 10,
    "granularity": 1,
}
ANALYSED = AnalysedRange(0, 120)


@dataclass(frozen=True)
class Case:
    """What is detected in each run; then all rows after the last one, and all notifications."""

    runs: list[list[Detection]]
    rows: list[str]
    notified: list[str]


ONE, TWO = [found(15, 30, 4)], low(0, 15)
TURNED = [found(0, 15, 40), found(15, 30, 40)]
CASES = {
    # The table of the specification.
    "the same": Case([ONE, ONE], ["15-30: 4 new"], ["15-30"]),
    "new": Case([[], ONE], ["15-30: 4 new"], ["15-30"]),
    "vanished": Case([ONE, []], ["15-30: 4 outdated"], ["15-30"]),
    "a rise": Case([ONE, [found(15, 30, 7)]], ["15-30: 4 outdated", "15-30#1: 7 new"], ["15-30", "15-30#1"]),
    "a fall": Case([ONE, [found(15, 30, 1)]], ["15-30: 4 outdated", "15-30#1: 1 new"], ["15-30", "15-30#1"]),
    "at the threshold": Case([ONE, [found(15, 30, 6)]], ["15-30: 6 updated"], ["15-30"]),
    # What counts as a change.
    "from zero": Case([[found(15, 30, 0)], [found(15, 30, 3)]], ["15-30: 0 outdated", "15-30#1: 3 new"], ["15-30", "15-30#1"]),
    "from unknown": Case([[found(15, 30, None)], ONE], ["15-30: None outdated", "15-30#1: 4 new"], ["15-30", "15-30#1"]),
    "to infinity": Case([ONE, [found(15, 30, math.inf)]], ["15-30: 4 outdated", "15-30#1: inf new"], ["15-30", "15-30#1"]),
    "NaN is a null": Case([[found(15, 30, None, None)], [found(15, 30, math.nan, math.nan)]], ["15-30: None new"], ["15-30"]),
    "a slow drift": Case([ONE, [found(15, 30, 5.5)], [found(15, 30, 7)]], ["15-30: 7 updated"], ["15-30"]),
    "a baseline": Case([ONE, [found(15, 30, 4, 99)]], ["15-30: 4 updated"], ["15-30"]),
    "labels": Case([ONE, [replace(ONE[0], labels=("storm",))]], ["15-30: 4 updated"], ["15-30"]),
    "other bounds": Case([ONE, [found(15, 46, 4)]], ["15-30: 4 outdated", "15-46: 4 new"], ["15-30", "15-46"]),
    "again": Case([ONE, [], ONE], ["15-30: 4 updated"], ["15-30"]),
    "again and changed": Case([ONE, [], [found(15, 30, 9)]], ["15-30: 4 outdated", "15-30#1: 9 new"], ["15-30", "15-30#1"]),
    "a name comes home": Case([low(30), low(0, 15, 30), low(0), low(0, 30)], ["0-15: 4 new", "15-30: 4 outdated", "30-45: 4 updated", "parent of 30-45: 30-45 4 updated"], ["30-45"]),
    # Parents.
    "a parent": Case([low(0, 15, 45)], ["0-15: 4 new", "15-30: 4 new", "45-60: 4 new", "parent of 0-15: 0-30 4 new"], ["45-60", "parent of 0-15"]),
    "growing": Case([low(0), low(0, 15)], ["0-15: 4 new", "15-30: 4 new", "parent of 0-15: 0-30 4 new"], ["0-15"]),
    "too short, then long enough": Case([[found(0, 9, 4)], [found(0, 9, 4), found(9, 18, 4)]], ["0-9: 4 new", "9-18: 4 new", "parent of 0-9: 0-18 4 new"], ["parent of 0-9"]),
    "shrinking": Case([low(0, 15, 30), low(15, 30)], ["0-15: 4 outdated", "15-30: 4 new", "30-45: 4 new", "parent of 0-15: 15-45 4 updated"], ["parent of 0-15"]),
    "shrinking to one": Case([low(0, 15, 30), low(15)], ["0-15: 4 outdated", "15-30: 4 new", "30-45: 4 outdated", "parent of 0-15: 15-30 4 updated"], ["parent of 0-15"]),
    "shrinking to one that turned away": Case([TWO, [*low(0), found(15, 30, 40)]], ["0-15: 4 new", "15-30: 4 outdated", "15-30#1: 40 new", "parent of 0-15: 0-15 4 updated"], ["15-30#1", "parent of 0-15"]),
    "all gone, one back": Case([TWO, [], low(15)], ["0-15: 4 outdated", "15-30: 4 updated", "parent of 0-15: 15-30 4 updated"], ["parent of 0-15"]),
    "labels of all": Case([[replace(one, labels=labels) for one, labels in zip(low(0, 15, 30), [("snow", "jam"), (), ("fog", "snow")], strict=True)]], ["0-15: 4 new", "15-30: 4 new", "30-45: 4 new", "parent of 0-15: 0-45 4 new"], ["parent of 0-15"]),
    "all gone": Case([TWO, []], ["0-15: 4 outdated", "15-30: 4 outdated", "parent of 0-15: 0-30 4 outdated"], ["parent of 0-15"]),
    "a split": Case([low(0, 15, 30, 45, 60), low(0, 15, 45, 60)], ["0-15: 4 new", "15-30: 4 new", "30-45: 4 outdated", "45-60: 4 new", "60-75: 4 new", "parent of 0-15: 0-30 4 updated", "parent of 45-60: 45-75 4 new"], ["parent of 0-15"]),
    "two become one": Case([low(0, 15, 45, 60), low(0, 15, 30, 45, 60)], ["0-15: 4 new", "15-30: 4 new", "30-45: 4 new", "45-60: 4 new", "60-75: 4 new", "parent of 0-15: 0-75 4 updated", "parent of 45-60: 45-75 4 outdated"], ["parent of 0-15", "parent of 45-60"]),
    "a replaced child": Case([TWO, [*low(0), found(15, 30, 1)]], ["0-15: 4 new", "15-30: 4 outdated", "15-30#1: 1 new", "parent of 0-15: 0-30 4 outdated", "parent of 15-30#1: 0-30 1 new"], ["parent of 0-15", "parent of 15-30#1"]),
    "one turns": Case([low(0, 15, 30), [*low(0, 15), found(30, 45, 40)]], ["0-15: 4 new", "15-30: 4 new", "30-45: 4 outdated", "30-45#1: 40 new", "parent of 0-15: 0-30 4 updated"], ["30-45#1", "parent of 0-15"]),
    "one turns, then the others go": Case([low(15, 30, 45), [*TURNED, *low(30, 45)], TURNED], ["0-15: 40 new", "15-30: 4 outdated", "15-30#1: 40 new", "30-45: 4 outdated", "45-60: 4 outdated", "parent of 15-30#1: 0-30 40 new", "parent of 15-30: 30-60 4 outdated"], ["parent of 15-30", "parent of 15-30#1"]),
    "in the order of the end": Case([[found(0, 15, 4), found(30, 45, 4), found(5, 60, 4)]], ["0-15: 4 new", "5-60: 4 new", "30-45: 4 new", "parent of 30-45: 5-60 4 new"], ["0-15", "parent of 30-45"]),
    "what stood between is gone": Case([[found(30, 45, 4), found(46, 60, 4), found(30, 75, 4)], [found(30, 45, 4), found(30, 75, 4)]], ["30-45: 4 new", "30-75: 4 new", "46-60: 4 outdated", "parent of 46-60: 30-75 4 outdated", "parent of 30-45: 30-75 4 new"], ["30-45", "parent of 46-60"]),
    # What a label says to ignore.
    "ignored": Case([ignored(*ONE)], ["15-30: 4 ignored"], []),
    "ignored no more": Case([ignored(*ONE), ONE], ["15-30: 4 updated"], ["15-30"]),
    "ignored after it was notified": Case([ONE, ignored(*ONE)], ["15-30: 4 ignored"], ["15-30"]),
    "ignored and notified again, once": Case([ONE, ignored(*ONE), ONE], ["15-30: 4 updated"], ["15-30"]),
    "ignored and gone": Case([ignored(*ONE), []], ["15-30: 4 outdated"], []),
    "ignored, gone and back": Case([ignored(*ONE), [], ignored(*ONE)], ["15-30: 4 ignored"], []),
    "ignored and changed": Case([ignored(*ONE), ignored(found(15, 30, 5))], ["15-30: 5 ignored"], []),
    "ignored and changed much": Case([ignored(*ONE), ignored(found(15, 30, 9))], ["15-30: 4 outdated", "15-30#1: 9 ignored"], []),
    "ignored among others": Case([low(0, 15, 30), [*low(0, 15), *ignored(*low(30))]], ["0-15: 4 new", "15-30: 4 new", "30-45: 4 ignored", "parent of 0-15: 0-30 4 updated"], ["parent of 0-15"]),
    "ignored between others": Case([[*low(0, 30), *ignored(*ONE)], low(0, 15, 30)], ["0-15: 4 new", "15-30: 4 updated", "30-45: 4 new", "parent of 0-15: 0-45 4 new"], ["0-15", "30-45"]),
    "all ignored, one comes back": Case([low(0, 15), ignored(*low(0, 15)), [*low(0), *ignored(*ONE)]], ["0-15: 4 updated", "15-30: 4 ignored", "parent of 0-15: 0-15 4 updated"], ["parent of 0-15"]),
    "replaced while ignored": Case([low(0, 15), [*low(0), *ignored(found(15, 30, 9))], [*low(0), found(15, 30, 9)]], ["0-15: 4 new", "15-30: 4 outdated", "15-30#1: 9 updated", "parent of 0-15: 0-15 4 outdated", "parent of 15-30#1: 0-30 4 new"], ["parent of 0-15", "parent of 15-30#1"]),
    "over the edge": Case([[found(-5, 20, 4)], []], ["-5-20: 4 new"], ["-5-20"]),
    "of the next range": Case([[found(110, 121, 4)]], [], []),
}  # fmt: skip
