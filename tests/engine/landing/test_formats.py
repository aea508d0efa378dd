"""Formats and their options, without Spark."""

import pytest

from strandline.landing.formats import FileFormat, parse_format


def test_options_are_read() -> None:
    faults: list[str] = []
    given = {"sep": r"\t", "header": "False", "null_value": "NA", "date_format": "dd.MM.yyyy"}
    assert parse_format("csv", given, faults) == FileFormat(
        "csv", sep="\t", header=False, null_value="NA", date_format="dd.MM.yyyy"
    )
    assert faults == []


@pytest.mark.parametrize(
    ("name", "options", "faults"),
    [
        ("xml", {}, ["format 'xml' is unknown; allowed: csv, json, parquet"]),
        (
            "json",
            {"sep": ";"},
            ["option 'sep' is unknown for json; allowed: glob, timestamp_format, date_format"],
        ),
        ("parquet", {"header": "true"}, ["option 'header' is unknown for parquet; allowed: glob"]),
        (
            "csv",
            {"header": "yes", "sep": "||", "glob": ""},
            [
                "option header='yes' must be true or false",
                r"option sep='||' must be one character (\t is a tab)",
                "option glob is empty; leave it out, or give a value",
            ],
        ),
        ("csv", {"sep": '"'}, ["options sep and quote are the same character"]),
    ],
)
def test_every_fault_is_named(name: str, options: dict[str, str], faults: list[str]) -> None:
    found: list[str] = []
    assert parse_format(name, options, found) is None
    assert found == faults
