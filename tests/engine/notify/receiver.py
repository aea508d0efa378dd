"""A real receiver of webhooks on this machine, in every mood; and an outbox in memory."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle

from strandline.notify import Notification, Receiver
from strandline.notify.send import Acceptance

TOKEN = "T0pSecret-8255"  # noqa: S105
DAY = datetime(2013, 2, 8, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Delivery:
    """One request, and the mood that answered it."""

    mood: str
    path: str
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> dict:
        return json.loads(self.text)

    @property
    def key(self) -> str:
        return self.headers.get("Idempotency-Key", "")


class HttpReceiver:
    """Answers as its moods say, one a request, in a circle.

    accept; a status of HTTP as '500'; hang (no answer until it stops); close (half an answer);
    drop (none, the connection is closed); trickle (a byte of the answer now and then, without end);
    endless (bytes without end, as fast as they are read); packed (8 MiB as 8 kB of gzip).
    """

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.moods = cycle(["accept"])
        self.on_accept = lambda _: None
        self.poured = 0  # bytes that an endless answer has had by now
        self._over = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        self.port = 0
        self.start()

    def start(self) -> None:
        """Comes (back) on its port."""
        self._over.clear()
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler())
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Goes away: connections are refused."""
        self._over.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def meets(self, *moods: str) -> None:
        self.moods = cycle(moods)

    def url(self, query: str = "") -> str:
        """An Apprise URL with a secret in its path, its password, a header and a parameter."""
        hidden = f"+X-Api={TOKEN}-header&-token={TOKEN}-param"
        return (
            f"json://anna:{TOKEN}-password@127.0.0.1:{self.port}/hook/{TOKEN}?{hidden}&rto=1{query}"
        )

    def named(self, name: str = "default", query: str = "") -> Receiver:
        return Receiver(name, f"STRANDLINE_NOTIFY_URL_{name.upper()}", self.url(query))

    def keys(self, *moods: str) -> list[str]:
        """The keys of all deliveries, or of those that these moods answered, in their order."""
        return [each.key for each in self.deliveries if not moods or each.mood in moods]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver, over = self, self._over

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                mood = next(receiver.moods)
                receiver.deliveries.append(Delivery(mood, self.path, dict(self.headers), text))
                getattr(self, mood, self.answer)(mood)

            def accept(self, _: str) -> None:
                receiver.on_accept(receiver.deliveries[-1].key)
                self.answer("200")

            def answer(self, status: str) -> None:
                self.send_response(int(status))
                if status == "302":
                    self.send_header("Location", f"/elsewhere/{TOKEN}")
                self.end_headers()

            def hang(self, _: str) -> None:
                over.wait(20)

            def drop(self, _: str) -> None:
                self.close_connection = True

            def close(self, _: str) -> None:
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"half of it")

            def trickle(self, _: str) -> None:
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                while not over.wait(0.1):
                    self.wfile.write(b".")
                    self.wfile.flush()

            def endless(self, _: str) -> None:
                self.answer("200")
                with suppress(ConnectionError):
                    while not over.is_set():
                        receiver.poured += self.wfile.write(b"1" * 65_536)

            def packed(self, _: str) -> None:
                body = gzip.compress(bytes(8 << 20))
                self.send_response(200)
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None: ...

        return Handler


class MemoryOutbox:
    """The interface of the outbox on Spark, and what was noted, batch by batch."""

    def __init__(self, rows: Iterable[Notification]) -> None:
        self.rows = list(rows)
        self.batches: list[list[Acceptance]] = []

    def waiting(self, receivers: Sequence[str]) -> dict[str, list[Notification]]:
        rows = sorted(self.rows, key=lambda row: (row.notified_at, row.starts_at, row.key))
        return {
            name: [row for row in rows if row.key not in self.noted(name)] for name in receivers
        }

    def new(self, receivers: Sequence[str]) -> set[str]:
        return {name for name in receivers if not self.noted(name)}

    def note(self, accepted: Sequence[Acceptance]) -> None:
        self.batches.append(list(accepted))

    def noted(self, receiver: str = "default") -> list[str]:
        """The keys that this receiver is known to have accepted, in their order."""
        return [each.key for batch in self.batches for each in batch if each.receiver == receiver]


def notification(number: int, **given: object) -> Notification:
    """The anomaly of a carrier on a day; notified one minute after the one before it."""
    row = {
        "key": f"k{number:04}",
        "kind": "new",
        "notified_at": DAY + timedelta(days=2, minutes=number),
        "starts_at": DAY,
        "ends_at": DAY + timedelta(days=1),
        "incident_id": f"i{number}",
        "anomaly_id": f"a{number}",
        "current": 12.0,
        "baseline": 48.0,
        "severity": "high",
        "labels": "snow, holiday",
        "keys": {"detector": "mean", "carrier": "UA"},
    }
    return Notification(**{**row, **given})


def notifications(count: int) -> list[Notification]:
    return [notification(number) for number in range(1, count + 1)]
