"""The example of docs/notifications.md gives what the page says."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from pathlib import Path

from tests.engine.notify.receiver import HttpReceiver, MemoryOutbox
from tests.engine.notify.test_cli_notify import plant, strandline  # noqa: F401
from tests.pages import blocks

from strandline.notify import Notification, message_of
from strandline.notify.channel import SECONDS
from strandline.notify.message import TITLE_LENGTH, WORD_LENGTH
from strandline.notify.outbox import BOOKKEEPING, INSTANTS, REQUIRED, TYPES
from strandline.notify.send import BATCH, BATCH_SECONDS, PATIENCE

PAGE = (Path(__file__).parents[3] / "docs" / "notifications.md").read_text(encoding="utf-8")
COLUMNS = dict(re.findall(r"^\| (\w+) \| (.*?) ?\|$", PAGE.split("Receivers are")[0], re.MULTILINE))


def row() -> Notification:
    """The row of the page, as the outbox on Spark would read it."""
    given = {name: value for name, value in COLUMNS.items() if name != "column"}
    instants = {
        name: datetime.fromisoformat(given[name]).replace(tzinfo=timezone.utc) for name in INSTANTS
    }
    return Notification(
        key=given["notification_key"],
        kind=given["kind"],
        **instants,
        **{
            name: given[name]
            for name in ("incident_id", "anomaly_id", "unit", "severity", "labels", "contributions")
        },
        current=float(given["current_value"]),
        baseline=float(given["baseline_value"]),
        is_parent=given["is_parent"] == "true",
        members=int(given["members"]),
        measured=given["measured_name"] or None,
        is_bound=given["is_bound"] == "true",
        keys={name: value for name, value in given.items() if name not in TYPES},
    )


def test_the_page_has_every_column():
    assert set(COLUMNS) - {"column"} == {*TYPES, "detector", "carrier"}
    section = PAGE.split("An outbox of your own")[1].split("## What")[0]
    assert [name for name in TYPES if f"`{name}`" not in section] == []
    assert [name for name in REQUIRED if f"`{name}`" not in section.split("none of them null")[0]] == []  # fmt: skip


def test_the_page_has_the_bookkeeping():
    section = PAGE.split("gets the bookkeeping")[1].split("If one of the two")[0]
    named = [name for name in BOOKKEEPING if not name.endswith("_at")]
    assert [name for name in named if f"`{name}`" not in section] == []


def test_people_get_a_title_and_a_text():
    shown = blocks(PAGE, "text")
    message = message_of(row())
    assert (f"{message.title}\n", f"{message.body}\n") == (shown["title"], shown["message"])


def test_a_webhook_gets_a_header_and_a_body_and_a_dead_receiver_is_reported(
    plant,  # noqa: F811
    receiver: HttpReceiver,
    other: HttpReceiver,
):
    plant.outbox = MemoryOutbox([row()])
    other.stop()
    result = strandline(plant, DESK=receiver, OPS=other)
    assert result.exit_code == 1
    lines = [line.rstrip() for line in result.output.splitlines()]
    assert lines == blocks(PAGE, "text")["failed"].splitlines()

    [delivery] = receiver.deliveries
    shown = json.loads(blocks(PAGE, "json")["body"])
    assert f"`Idempotency-Key: {delivery.key}`" in PAGE
    assert list(delivery.body) == list(shown)
    start = shown["message"].removesuffix("…")
    assert delivery.body["message"].startswith(start)
    assert delivery.body == {**shown, "message": delivery.body["message"]}


def test_the_numbers_of_the_page_are_those_of_the_code():
    assert (BATCH, BATCH_SECONDS, SECONDS, PATIENCE) == (50, 5, 30, 3)
    assert (WORD_LENGTH, TITLE_LENGTH) == (30, 160)
    assert "are cut to 30 characters, and the title to 160" in PAGE
    assert "after every 50 accepted, after 5 s" in PAGE
    assert "30 by default" in PAGE
    assert "after three, one more is tried" in PAGE
