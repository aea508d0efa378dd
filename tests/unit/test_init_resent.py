"""`strandline init`: rows that are sent again, and what identifies an event."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from strandline.cli.main import cli

ORDERS = """order_id,shop,paid_at,amount
17,north,2026-01-05T06:00:00Z,61.5
18,north,2026-01-05T06:05:00Z,62.5
19,south,2026-01-05T06:05:00Z,60.5
"""
READINGS = """machine,read_at,celsius
a,2026-01-05T06:00:00Z,61.5
a,2026-01-05T06:05:00Z,62.5
b,2026-01-05T06:00:00Z,60.5
b,2026-01-05T06:05:00Z,60.5
"""
PARTS = """day,clock,machine,celsius
05.01.2026,06:00,a,"61,5"
05.01.2026,06:05,a,"62,5"
05.01.2026,06:00,b,"60,5"
05.01.2026,06:05,b,"60,5"
"""
TICKETS = """uid,shop,paid_at,amount
0f8fad5b-d9cb-469f-a165-70867728950e,north,2026-01-05T06:00:00Z,1
7c9e6679-7425-40de-944b-e07fc1f90ae7,north,2026-01-05T06:00:00Z,1
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def init(shop: Path, text: str, *arguments: str, answers: str = "") -> Result:
    file = shop.parent / "rows.csv"
    file.write_text(text)
    command = ["init", "--project-dir", str(shop), "--csv", str(file), *arguments]
    return CliRunner().invoke(cli, command, input=answers)


def again(text: str) -> str:
    """The rows of a file, the last one twice."""
    return text + text.splitlines()[-1] + "\n"


def definition(shop: Path) -> str:
    return (shop / "macros/rows_aggregation.sql").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ORDERS, "a row that is sent again counts again; with --event-id order_id once"),
        (READINGS, "a row that is sent again counts again; with --event-id machine,read_at once"),
        (PARTS, "a row that is sent again counts again; with --event-id machine,ts once"),
        (TICKETS, "a row that is sent again counts again; with --event-id uid once"),
        # Two rows of a machine at one time: nothing in the file identifies a row.
        (READINGS.replace("06:05:00Z,62.5", "06:00:00Z,62.5"), None),
    ],
)
def test_what_identifies_an_event_is_said(shop: Path, text: str, said: str | None) -> None:
    done = init(shop, text, "--yes")
    assert [it for it in done.output.splitlines() if it.startswith("resent")] == (
        [f"resent  {said}"] if said else []
    )
    assert "event_id" not in definition(shop)


@pytest.mark.parametrize(
    ("text", "said", "event_id"),
    [
        (again(ORDERS), "of rows with the same order_id the first one counts; 1 of 4 rows are equal to an earlier one", "event_id='order_id',"),
        (again(READINGS), "of rows with the same machine and read_at the first one counts; 1 of 5 rows are equal to an earlier one", "event_id='event_id',"),
        (again(READINGS.replace("06:05:00Z,62.5", "06:00:00Z,62.5")), "1 of 5 rows are equal to an earlier one, and count; with --event-id COLUMNS once", None),
    ],
)  # fmt: skip
def test_where_rows_are_there_twice_it_is_proposed(
    shop: Path, text: str, said: str, event_id: str | None
) -> None:
    done = init(shop, text, "--yes")
    assert f"\nresent  {said}\n" in done.output
    assert [it.strip() for it in definition(shop).splitlines() if "event_id=" in it] == (
        [event_id] if event_id else []
    )


def test_several_columns_are_put_together_by_the_staging_model(shop: Path) -> None:
    assert init(shop, READINGS, "--event-id", "machine,read_at").exit_code == 0
    assert (shop / "models/rows/stg_rows.sql").read_text().split("-#}\n")[1] == (
        "select\n"
        "    `machine`,\n"
        "    `read_at`,\n"
        "    `celsius`,\n"
        "    to_json(array(string(`machine`), string(unix_micros(`read_at`)))) as `event_id`,\n"
        "    arrival,\n"
        "    landed_from\n"
        "from {{ source('landing', 'rows') }}\n"
    )
    assert not (shop / "models/rows/stg_rows_unread.sql").exists()
    assert "stg_rows_unread" not in (shop / "models/rows/_rows.yml").read_text()


def test_an_instant_of_two_columns_identifies_by_both(shop: Path) -> None:
    assert init(shop, PARTS, "--event-id", "ts,machine").exit_code == 0
    staging = (shop / "models/rows/stg_rows.sql").read_text()
    assert "to_json(array(string(`day`), string(`clock`), string(`machine`))) as `event_id`," in (
        staging
    )


def test_a_name_that_the_file_has_is_not_taken(shop: Path) -> None:
    text = READINGS.replace("celsius", "Event_Id")
    assert init(shop, text, "--event-id", "machine,read_at", "--value", "Event_Id").exit_code == 0
    assert "event_id='row_id'," in definition(shop)


def test_late_rows_that_were_sent_again_are_no_warning(shop: Path) -> None:
    assert init(shop, ORDERS, "--event-id", "order_id").exit_code == 0
    models = yaml.safe_load((shop / "models/rows/_rows.yml").read_text())["models"]
    [late] = [each for each in models if each["name"] == "rows_aggregation_late"]
    assert late["data_tests"][0]["strandline.no_late_rows_above"]["config"] == {
        "severity": "warn", "where": "late_reason not like 'duplicate: %'",
    }  # fmt: skip


def test_it_asks(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strandline.cli.init._on_terminal", lambda: True)
    done = init(shop, ORDERS, answers="\n\n\norder_id\n80\n\n")
    assert done.exit_code == 0, done.output
    assert (
        "If an event can be sent again: what identifies it, such as order_id "
        "('-': each row counts) [-]: " in done.output
    )
    assert "event_id='order_id'," in definition(shop)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--event-id", "id"), "--event-id 'id' is no column; there are order_id, shop, paid_at, amount"),
        (("--event-id", "shop,shop"), "--event-id names a column twice: shop, shop"),
        (("--event-id", "memo"), "--event-id memo has no value in 1 of 3 rows, which would not be counted; take columns that have one in each row"),
        (("--event-id", "till"), "--event-id till has 1 different values in 3 rows, and of those with an equal one only the first would be counted; add columns that tell them apart"),
    ],
)  # fmt: skip
def test_refusals(shop: Path, arguments: tuple[str, ...], message: str) -> None:
    text = ORDERS
    for name, values in {"memo": "xy ", "till": "111"}.items():
        if name in arguments:
            lines = zip(ORDERS.splitlines(), [name, *values], strict=True)
            text = "".join(f"{line},{more.strip()}\n" for line, more in lines)
    done = init(shop, text, *arguments)
    assert (done.exit_code, list(shop.iterdir())) == (1, [])
    assert message in done.output


def test_of_a_model_it_is_one_column(shop: Path) -> None:
    command = ["init", "--project-dir", str(shop), "--model", "orders", "--ts", "paid_at"]
    command += ["--keys", "", "--value", "", "--event-id"]
    done = CliRunner().invoke(cli, [*command, "a,b"])
    assert "--event-id a,b: with --model it is one column; put them together in a model" in (
        done.output
    )
    assert CliRunner().invoke(cli, [*command, "a"]).exit_code == 0
    assert "event_id='a'," in (shop / "macros/orders_aggregation.sql").read_text()
