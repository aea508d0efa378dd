"""No URL of a receiver, and nothing of one, gets into any log, message or traceback."""

from __future__ import annotations

import logging
import threading
import time
import traceback

import pytest
from tests.engine.notify.receiver import TOKEN, MemoryOutbox, notifications

from strandline.notify import send
from strandline.notify.channel import Channel
from strandline.notify.private import WITHHELD, PrivateFailure, private

# A part of the URL that is no secret, but would show that some of it got out.
HOOK = "/hook/"
LOGGERS = ("", "apprise", "urllib3", "urllib3.connectionpool", "urllib3.util.retry", "requests")


@pytest.fixture
def heard(caplog, capfd):
    """All that was said until now, by loggers at their most talkative and by prints."""
    for name in LOGGERS:
        caplog.set_level(1, name)

    def text() -> str:
        formatter = logging.Formatter("%(name)s %(message)s %(exc_text)s")
        out, err = capfd.readouterr()
        records = "\n".join(formatter.format(each) + repr(vars(each)) for each in caplog.records)
        return "\n".join((caplog.text, records, out, err))

    return text


def test_urllib3_would_say_it(heard, receiver):
    """What is guarded against is real."""
    import requests

    requests.post(f"http://127.0.0.1:{receiver.port}/hook/{TOKEN}", json={}, timeout=5)
    assert TOKEN in heard()


@pytest.mark.parametrize(
    "mood", ["accept", "500", "302", "hang", "drop", "close", "trickle", "endless", "refused"]
)
def test_nothing_of_the_url_is_said(heard, receiver, mood):
    if mood == "refused":
        receiver.stop()
    receiver.meets(mood)
    [sent] = send(MemoryOutbox(notifications(1)), [Channel(receiver.named(), seconds=1.5)])
    receiver.stop()
    time.sleep(0.2)  # what was left behind may still speak
    text = heard() + repr(sent)
    assert TOKEN not in text
    assert HOOK not in text


@pytest.mark.parametrize("where", ["requests.request", "apprise.Apprise.notify", "apprise.Apprise.instantiate"])  # fmt: skip
def test_an_exception_inside_says_only_its_type(monkeypatch, heard, receiver, where):
    def broken(*_: object, **__: object) -> None:
        raise LookupError(receiver.url())

    monkeypatch.setattr(where, broken)
    [sent] = send(MemoryOutbox(notifications(1)), [Channel(receiver.named())])
    assert (sent.accepted, sum(sent.reasons.values())) == (0, 1)
    text = heard() + repr(sent)
    assert TOKEN not in text
    assert HOOK not in text


def test_what_is_logged_in_private_is_heard_by_the_caller_alone(heard):
    logger = logging.getLogger("some.library")

    def speak() -> int:
        try:
            raise ValueError(TOKEN)
        except ValueError:
            logger.exception("%s and %s", TOKEN, "more", stack_info=True)
        return 7

    value, said = private(speak, 5)
    assert (value, said) == (7, [f"{TOKEN} and more"])
    text = heard()
    assert TOKEN not in text
    assert WITHHELD in text
    logger.warning("in the open")
    assert "in the open" in heard()


def test_an_error_in_private_has_no_past():
    def fail() -> None:
        raise SystemExit(TOKEN)

    with pytest.raises(PrivateFailure) as failed:
        private(fail, 5)
    assert str(failed.value) == "SystemExit"
    assert TOKEN not in "".join(traceback.format_exception(failed.value))


def test_who_is_left_behind_stays_private_and_keeps_nothing_from_ending(heard):
    go, over = threading.Event(), threading.Event()

    def late() -> None:
        go.wait(5)
        logging.getLogger("apprise").error(TOKEN)
        over.set()

    with pytest.raises(TimeoutError):
        private(late, 0.05)
    assert all(each.daemon for each in threading.enumerate() if each.name == "strandline-notify")
    go.set()
    assert over.wait(5)
    assert TOKEN not in heard()


def test_the_loggers_of_apprise_are_left_as_they_were():
    logger = logging.getLogger("apprise")
    before = (logger.level, logger.propagate, logger.handlers[:])
    private(lambda: None, 5)
    assert (logger.level, logger.propagate, logger.handlers) == before
