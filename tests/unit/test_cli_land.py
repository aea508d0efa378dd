"""`strandline land` is called with one source and with its options."""

import pytest
from click.testing import CliRunner

from strandline.cli.land import land
from strandline.cli.landed import landed_lines
from strandline.landing import LandingResult


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            "",
            "Give one of --source, a folder of files; --kafka, the brokers of a topic; and --from, a "
            "table.",
        ),
        (
            "--source . --from raw.a",
            "Give one of --source, a folder of files; --kafka, the brokers of a topic; and --from, a "
            "table.",
        ),
        ("--source . --schema x", "--source needs --format."),
        ("--source . --format csv", "Give either --schema or --schema-file."),
        ("--kafka a:1", "--kafka needs --topic."),
        ("--kafka a:1 --topic t --format csv", "--format goes with --source, not with --kafka."),
        ("--from raw.a --option glob=x", "--option goes with --source, not with --from."),
        ("--from raw.a --topic t", "--topic goes with --kafka, not with --from."),
        (
            "--source . --format csv --changes land --grows-by a",
            "--changes, --grows-by goes with --from, not with --source.",
        ),
    ],
)
def test_options_that_do_not_fit_the_source(given: str, said: str) -> None:
    result = CliRunner().invoke(land, [*given.split(), "--table", "raw.t"])
    assert result.exit_code == 2
    assert " ".join(result.output.split()).endswith(f"Error: {said}")


def test_what_was_left_out_and_lost_is_said() -> None:
    result = LandingResult(0, 0, 0, None, None, ignored=("gate", "seat"), lost={"orders[3]": 1200})
    assert landed_lines("raw.x", "raw.x_bad", result)[1:] == [
        "Left out, since the schema lacks them: gate, seat",
        "Lost: 1,200 messages of orders[3], which Kafka had deleted before they landed",
    ]
