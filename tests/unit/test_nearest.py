"""The nearest name: messages of macros and of Python give the same hint for a typing error.

Jinja has no library for it, Python has difflib, which also finds names that are further off.
"""

import pytest
from tests.unit.jinja_macros import macros

from strandline.detection.errors import nearest

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
