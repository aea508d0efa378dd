"""`dbt seed` loads what the file says."""

from datetime import datetime
from decimal import Decimal

CSV = r"""id,name,big,price,flag,at
1,O'Hare,9007199254740993,1.10,true,2013-02-08 12:00:00
2,C:\new\table,-9223372036854775808,0.1,false,2013-02-08 12:00:00.123456
3,,,,,
4,"two
lines, ""quoted"" and 100%s",0,12345678.123456789,true,2013-03-10 02:30:00
5,${env:STRANDLINE_HOME},,,,
"""


def test_values_arrive_as_they_are_written(small):
    project = small(
        {
            "seeds/given.csv": CSV,
            "seeds/seeds.yml": "seeds: [{name: given, config: {column_types: "
            "{price: 'decimal(20,9)', at: timestamp, flag: boolean, name: string}}}]",
        }
    )
    project.dbt("seed")
    found = project.rows("select id, name, big, price, flag, cast(at as string) from {s}.given")
    assert found == [
        (1, "O'Hare", 9007199254740993, Decimal("1.100000000"), True, "2013-02-08 12:00:00"),
        (
            2,
            r"C:\new\table",
            -9223372036854775808,
            Decimal("0.100000000"),
            False,
            "2013-02-08 12:00:00.123456",
        ),
        (3, None, None, None, None, None),
        (
            4,
            'two\nlines, "quoted" and 100%s',
            0,
            Decimal("12345678.123456789"),
            True,
            "2013-03-10 02:30:00",
        ),
        (5, "${env:STRANDLINE_HOME}", None, None, None, None),
    ]


def test_types_that_nobody_named_are_exact_too(small):
    project = small(
        {
            "seeds/plain.csv": "big,share,day,at\n9007199254740993,0.1,2013-02-08,"
            "2013-02-08 12:00:00\n"
        }
    )
    project.dbt("seed")
    assert project.rows("select big, share, cast(day as string), at from {s}.plain") == [
        (9007199254740993, 0.1, "2013-02-08", datetime(2013, 2, 8, 12))
    ]
