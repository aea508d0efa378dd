"""The types of a schema that are times as numbers: which columns have them."""

from __future__ import annotations

import pytest

from strandline.landing.epochs import as_timestamps


@pytest.mark.parametrize(
    ("given", "ddl", "epochs"),
    [
        ("at EPOCH_MILLIS", "at TIMESTAMP", {"at": "EPOCH_MILLIS"}),
        (
            "id BIGINT NOT NULL, `a,b c` epoch_seconds NOT NULL, x DECIMAL(5,2)",
            "id BIGINT NOT NULL, `a,b c` TIMESTAMP NOT NULL, x DECIMAL(5,2)",
            {"a,b c": "EPOCH_SECONDS"},
        ),
        ("a EPOCH_MICROS, b EPOCH_MILLIS", "a TIMESTAMP, b TIMESTAMP", {"a": "EPOCH_MICROS", "b": "EPOCH_MILLIS"}),
        ("epoch_millis BIGINT, `EPOCH_MICROS` INT", "epoch_millis BIGINT, `EPOCH_MICROS` INT", {}),
        ("a STRING COMMENT 'b, EPOCH_MILLIS'", "a STRING COMMENT 'b, EPOCH_MILLIS'", {}),
        ("a 'open", "a 'open", {}),
    ],
)  # fmt: skip
def test_columns_of_epoch_times(given: str, ddl: str, epochs: dict[str, str]) -> None:
    assert as_timestamps(given) == (ddl, epochs)
