"""The nearest name: messages of macros and of Python give the same hint for a typing error.

Jinja has no library for it, Python has difflib, which also finds names that are further off.
"""

import inspect

import pytest
from tests.unit.jinja_macros import described_arguments, macros

from strandline.detection import detect as detect_
from strandline.detection.errors import SYNONYMS, nearest

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
    ],
)
def test_a_typing_error_has_one_hint(written, meant):
    hint = f"; did you mean `{meant}`?" if meant else ""
    assert macros()._nearest(written, KNOWN, "`") == nearest(written, KNOWN) == hint


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
    ],
)
def test_a_word_of_another_system_has_a_hint_where_its_name_is_known(written, known, meant):
    hint = f"; did you mean `{meant}`?" if meant else ""
    assert macros()._nearest(written, known, "`") == nearest(written, known) == hint


def test_macros_and_python_have_the_same_synonyms_and_each_is_a_name():
    assert {word: tuple(names) for word, names in macros()._synonyms().items()} == SYNONYMS
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
