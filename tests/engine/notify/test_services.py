"""Services other than JSON webhooks: the key is in the header or the fields, and always in the text."""

from __future__ import annotations

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import parse_qs
from xml.etree import ElementTree

import pytest
from tests.engine.notify.receiver import TOKEN, HttpReceiver, MemoryOutbox, notification

from strandline.notify import Receiver, send
from strandline.notify.channel import Channel

KEY = "<k&1>"


def sent_to(url: str, **given: object):
    outbox = MemoryOutbox([notification(1, key=KEY, **given)])
    [sent] = send(outbox, [Channel(Receiver("ops", "STRANDLINE_NOTIFY_URL_OPS", url))])
    assert outbox.noted("ops") == ([] if sent.failed else [KEY])
    return sent


def test_a_form(receiver: HttpReceiver):
    assert not sent_to(receiver.url().replace("json://", "form://")).failed
    [delivery] = receiver.deliveries
    assert delivery.key == KEY
    fields = parse_qs(delivery.text)
    assert (fields["idempotency_key"], fields["kind"]) == ([KEY], ["new"])
    assert f"Notification: {KEY}" in fields["message"][0]


def test_xml(receiver: HttpReceiver):
    assert not sent_to(receiver.url().replace("json://", "xml://")).failed
    [delivery] = receiver.deliveries
    read = ElementTree.fromstring(delivery.text)  # noqa: S314
    fields = {each.tag.rpartition("}")[2]: each.text for each in read.iter()}
    assert (fields["idempotency_key"], fields["kind"]) == (KEY, "new")
    assert f"Notification: {KEY}" in fields["Message"]


class Mailbox(socketserver.ThreadingTCPServer):
    """As much of SMTP as a mail needs. It takes all mail, refuses all, or never stops to answer."""

    daemon_threads = allow_reuse_address = True
    refuses = babbles = False

    def __init__(self) -> None:
        self.mails: list[bytes] = []
        super().__init__(("127.0.0.1", 0), SmtpHandler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()


class SmtpHandler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.say("220 here")
        with suppress(ConnectionError):
            while self.server.babbles:
                self.say("\r\n".join(["250-and"] * 1_000))
        while line := self.rfile.readline():
            command = line[:4].upper().strip()
            if command == b"DATA":
                self.say("354 go on")
                self.server.mails.append(b"".join(iter(self.rfile.readline, b".\r\n")))
            if command == b"RCPT" and self.server.refuses:
                self.say(f"550 no such user {TOKEN}")
            else:
                self.say("221 bye" if command == b"QUIT" else "250 ok")

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    mailbox = Mailbox()
    yield mailbox
    mailbox.shutdown()
    mailbox.server_close()


def mail_to(mailbox: Mailbox) -> str:
    port = mailbox.server_address[1]
    return f"mailto://127.0.0.1:{port}?from=strandline@example.com&to=ops@example.com&format=text"


def test_a_mail(mailbox: Mailbox):
    assert not sent_to(mail_to(mailbox), severity="hot\r\nBcc: all@example.com").failed
    [mail] = mailbox.mails
    read = email.message_from_bytes(mail, policy=email.policy.default)
    title = "[hot Bcc: all@example.com] UA: 12, expected 48 (mean, 8 Feb UTC)"
    assert read["Subject"] == title
    assert (read["To"], read["Bcc"]) == ("ops@example.com", None)
    text = read.get_body(("plain",)).get_content()
    assert f"Notification: {KEY}" in text.splitlines()


def test_markup_of_a_value_is_text_in_a_mail_of_html(mailbox: Mailbox):
    url = mail_to(mailbox).replace("format=text", "format=html")
    assert not sent_to(url, keys={"carrier": "<img src=x>"}).failed
    read = email.message_from_bytes(mailbox.mails[0], policy=email.policy.default)
    html = read.get_body(("html",)).get_content()
    assert "carrier:&nbsp;&lt;img&nbsp;src=x&gt;<br/>" in html
    assert "<img" not in html
    assert read["Subject"].startswith("[high] <img src=x>: 12, expected 48")


def test_a_mail_that_is_refused(mailbox: Mailbox, caplog: pytest.LogCaptureFixture):
    caplog.set_level(1)
    mailbox.refuses = True
    sent = sent_to(mail_to(mailbox))
    assert list(sent.reasons) == ["refused the mail"]
    assert TOKEN not in caplog.text


def test_a_mail_server_whose_answer_has_no_end(mailbox: Mailbox):
    mailbox.babbles = True
    assert list(sent_to(mail_to(mailbox)).reasons) == [
        "answered with more than 1 MiB, which is not read"
    ]
    mailbox.babbles = False


def test_a_mail_server_that_is_not_there(mailbox: Mailbox):
    url = mail_to(mailbox)
    mailbox.shutdown()
    mailbox.server_close()
    assert list(sent_to(url).reasons) == ["refused the connection"]
