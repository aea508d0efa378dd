"""Values of a seed as SQL literals: exactly, and never as code."""

from datetime import date, datetime
from decimal import Decimal

import pytest

from dbt.adapters.strandline.literals import literal


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (9007199254740993, "'9007199254740993'"),
        (Decimal("1E+3"), "'1000'"),
        (Decimal("0.10"), "'0.10'"),
        (Decimal("NaN"), "'NaN'"),
        (0.1, "'0.1'"),
        ("O'Hare", r"'O\'Hare'"),
        (r"C:\new", r"'C:\\new'"),
        ("'; drop table x; --", r"'\'; drop table x; --'"),
        (date(2013, 2, 8), "'2013-02-08'"),
        (datetime(2013, 2, 8, 12, 0, 0, 123456), "'2013-02-08 12:00:00.123456'"),
    ],
)
def test_literal(value, expected):
    assert literal(value) == expected
