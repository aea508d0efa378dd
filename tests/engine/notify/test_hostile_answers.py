"""Hostile answers of a receiver: of them only a status of HTTP is shown, and no text."""

from __future__ import annotations

import logging
import re
import socketserver
import threading
from collections.abc import Iterator
from itertools import count

import pytest
from tests.engine.notify.receiver import MemoryOutbox, notification
from tests.hostile import TEXTS, obeyed

from strandline.cli.notify import failure
from strandline.notify import Receiver, send
from strandline.notify.channel import REASONS, UNKNOWN, Channel

NEEDLE = "hostile-8255"  # is in each answer, and so would be in whatever shows a part of it
KNOWN = "|".join(re.escape(reason) for _, reason in REASONS)
REASON = re.compile(
    rf"answered HTTP \d{{3}}( \(redirects are not followed\))?|{KNOWN}|{re.escape(UNKNOWN)}"
)


class Answers(socketserver.ThreadingTCPServer):
    """Reads a request and answers with these bytes, whether they are HTTP or not."""

    daemon_threads = allow_reuse_address = True

    def __init__(self) -> None:
        self.answer = b""
        super().__init__(("127.0.0.1", 0), Raw)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()


class Raw(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        length = 0
        while line := self.rfile.readline().strip().lower():
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        self.rfile.read(length)
        self.wfile.write(self.server.answer)


@pytest.fixture(scope="module")
def answers() -> Iterator[Answers]:
    server = Answers()
    yield server
    server.shutdown()
    server.server_close()


FORMS = {
    "a body": "HTTP/1.1 {status} said\r\nConnection: close\r\n\r\n{text}",
    "a phrase": "HTTP/1.1 {status} {text}\r\nConnection: close\r\n\r\n",
    "a header": "HTTP/1.1 {status} said\r\nX-Said: {text}\r\nLocation: {text}\r\nContent-Length: 0\r\n\r\n",
    "a status": "HTTP/1.1 {text}\r\n\r\n",
    "no HTTP": "{text}\r\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_no_text_of_an_answer_is_shown(
    answers: Answers, form: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture
) -> None:
    for name in ("", "apprise", "urllib3", "requests"):
        caplog.set_level(logging.DEBUG, name)
    url = f"json://127.0.0.1:{answers.server_address[1]}/hook?rto=2"
    receiver, numbers = Receiver("ops", "STRANDLINE_NOTIFY_URL_OPS", url), count(1)
    for text in TEXTS.values():
        for status in (302, 500):
            said = f"{text} {NEEDLE} error=200 Exception: refused"
            answers.answer = (
                FORMS[form].replace("{status}", str(status)).replace("{text}", said).encode()
            )
            outbox = MemoryOutbox([notification(next(numbers))])
            [sent] = send(outbox, [Channel(receiver, seconds=5)])
            assert (sent.accepted, outbox.batches) == (0, [])
            [reason] = sent.reasons
            assert REASON.fullmatch(reason)
            assert obeyed(failure([sent])) == []
            assert NEEDLE not in failure([sent]) + repr(sent)
    assert NEEDLE not in caplog.text + "".join(capfd.readouterr())
