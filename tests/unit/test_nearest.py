"""The nearest name: messages of macros and of Python give the same hint for a typing error.

The rule stands twice, in macros/core/errors.sql and in src/strandline/errors.py: neither can call the other.
"""

import inspect
import random

import pytest
from tests.unit.jinja_macros import described_arguments, macros

from strandline.detection import detect as detect_
from strandline.errors import nearest, nearest_name
from strandline.generated import SYNONYMS

KNOWN = ["arrival", "carrier", "origin", "departure_delay", "flight_id", "time_zone", "keys", "sum"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("arival", "arrival"),
        ("Carier", "carrier"),
        ("orign", "origin"),
        ("origni", "origin"),
        ("departure_dealy", "departure_delay"),
        ("flightid", "flight_id"),
        ("timezone", "time_zone"),
        ("key", "keys"),
        ("summ", "sum"),
        ("cancelled", None),
        ("xyz", None),
        ("depart_delay", "departure_delay"),  # three edits of twelve letters
        ("dep_delay", None),  # six of nine
        ("sn", None),
        ("", None),
    ],
)
def test_a_typing_error_has_one_hint(written, meant):
    hint = f"; did you mean `{meant}`?" if meant else ""
    assert macros()._nearest(written, KNOWN, "`") == nearest(written, KNOWN) == hint


def test_of_several_that_are_as_near_the_first_is_meant():
    for known in (["cat", "bat"], ["bat", "cat"]):
        assert nearest_name("rat", known) == known[0]
        assert macros()._nearest("rat", known, "`") == f"; did you mean `{known[0]}`?"


def test_macros_and_python_find_the_same_of_random_names():
    chance = random.Random(53)  # noqa: S311

    def word() -> str:
        return "".join(chance.choices("abcAß_", k=chance.randint(1, 9)))

    def edited(name: str) -> str:
        for _ in range(chance.randint(0, 4)):
            place = chance.randint(0, len(name))
            head, two, tail = name[:place], name[place : place + 2], name[place + 2 :]
            name = head + chance.choice([two[::-1], two[:1], "c" + two, "c" + two[1:]]) + tail
        return name

    found = []
    for _ in range(1_000):
        known = [word() for _ in range(chance.randint(0, 5))]
        written = edited(chance.choice(known or ["ab"])) if chance.random() < 0.7 else word()
        python = nearest(written, known)
        assert macros()._nearest(written, known, "`") == python, (written, known)
        found.append(bool(python))
    assert 300 < sum(found) < 900


@pytest.mark.parametrize(
    ("written", "known", "meant"),
    [
        ("group_by", ["source", "keys"], "keys"),
        ("Partition_By", ["source", "keys"], "keys"),
        ("timestamp", ["source", "ts"], "ts"),
        ("timezone", ["ts", "time_zone"], "time_zone"),
        ("from", ["source", "ts"], "source"),
        ("keyColumn", ["keys", "ts"], "keys"),
        ("windowSize", ["window_size", "step"], "window_size"),
        ("geomean", ["count", "geometric_mean", "median"], "geometric_mean"),
        ("percentile", ["count", "median"], "median"),
        ("percentile", ["count", "quantile", "median"], "quantile"),
        ("group_by", ["source", "group_bi"], "group_bi"),
        ("group_by", ["source"], None),
        ("avrage", ["avg", "sum"], "avg"),  # near a synonym
        ("Timestmap", ["ts", "every"], "ts"),
        ("dimensons", ["ts", "dimension_s"], "dimension_s"),  # a known name comes first
        ("avrage", ["sum"], None),
        ("median", ["avg", "sum"], None),  # two letters from `mean`
    ],
)
def test_a_word_of_another_system_has_a_hint_where_its_name_is_known(written, known, meant):
    hint = f"; did you mean `{meant}`?" if meant else ""
    assert macros()._nearest(written, known, "`") == nearest(written, known) == hint


def test_each_synonym_is_a_name():
    arguments = {name for names in described_arguments().values() for name in names}
    functions = {*macros()._aggregates()}
    detect = set(inspect.signature(detect_).parameters)
    unknown = {
        name
        for names in SYNONYMS.values()
        for name in names
        if name not in arguments | functions | detect
    }
    assert unknown == set()
