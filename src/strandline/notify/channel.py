"""One receiver, through Apprise: whether it accepted a message, and if not, what happened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from strandline.notify.fit import fitted
from strandline.notify.incidents import Stamp, stamp_of
from strandline.notify.message import COMPLETED, NEW, OUTDATED, REMINDER, TOGETHER, Message
from strandline.notify.private import TOO_LONG, PrivateFailure, private
from strandline.notify.receivers import Receiver, service_of

if TYPE_CHECKING:
    from apprise import NotifyBase

HEADER = "Idempotency-Key"
SECONDS = 30.0  # above the longest pause that Apprise makes (5.5 s) and its own timeouts (4 s each)
KINDS = {
    NEW: "warning",
    REMINDER: "warning",
    "raised": "failure",
    COMPLETED: "success",
    OUTDATED: "success",
}
# How Apprise's services log an answer, and an exception.
HTTP_STATUS = re.compile(r"^Failed\b.*\berror=(\d{3})\b", re.DOTALL)
EXCEPTION = re.compile(r"^[\w/ ]*Exception: (.*)", re.DOTALL)
WHERE = re.compile(r"host='[^']*'|with url: .*?(?= \(Caused by |$)", re.DOTALL)
# Patterns in the text of an exception, and the reason that is given for each.
REASONS = (
    (re.escape(TOO_LONG), f"{TOO_LONG}, which is not read"),
    (r"connection refused|actively refused", "refused the connection"),
    (r"time(d )?[ -]?out", "did not answer in time"),
    (
        r"resol|getaddrinfo|not known|nodename|no address",
        "is not found: its host has no address (DNS)",
    ),
    (r"certificate|ssl", "has a TLS certificate, or a TLS version, that is not trusted"),
    (r"auth", "refused the user or the password"),
    (r"\(\d{3}, b['\"]", "refused the mail"),
    (
        r"disconnected|reset|aborted|broken|incomplete|prematurely|closed",
        "closed the connection before its answer was whole",
    ),
    (r"unreachable|no route", "cannot be reached: there is no route to its host"),
)
UNKNOWN = "did not accept, and Apprise does not say why"


class Channel:
    """A receiver that is being sent to.

    It keeps one object of Apprise, which makes the pauses that a service wants between messages.
    """

    def __init__(self, receiver: Receiver, seconds: float = SECONDS) -> None:
        """`seconds`: the longest time for a message, with pauses and retries of the URL."""
        self.receiver = receiver
        self._seconds = seconds
        self._service: NotifyBase | None = None
        self._stamp_incident: Stamp | None = None

    def deliver(self, message: Message) -> str | None:
        """None when the receiver has accepted; else what happened, without its URL.

        What took too long may still be accepted later; sent again, it has the same key.
        """
        try:
            accepted, logged = private(lambda: self._accepted(message), self._seconds)
        except TimeoutError:
            self._service = None  # the one we had is still in use
            return f"did not answer within {self._seconds:g} s"
        except PrivateFailure as error:
            return f"made Apprise fail ({error})"
        return None if accepted else reason_in(logged)

    def takes(self, message: Message) -> bool:
        """Whether the service takes the message without a cut; true if that is not known.

        One that keeps incidents takes no message of several.
        """
        try:
            if message.fields["kind"] == TOGETHER and self.keeps_incidents():
                return False
            whole = (message.title, message.body)
            return private(lambda: self._fitted(message) == whole, self._seconds)[0]
        except (TimeoutError, PrivateFailure):
            return True  # what is wrong is found when it is sent

    def keeps_incidents(self) -> bool:
        """Whether the service opens and closes incidents; false if that is not known."""
        try:
            private(self._made, self._seconds)
        except (TimeoutError, PrivateFailure):
            return False
        return self._stamp_incident is not None

    def _fitted(self, message: Message) -> tuple[str, str]:
        return fitted(self._made(), self.receiver.url, message.title, message.body)

    def _made(self) -> NotifyBase:
        if self._service is None:
            self._service = service_of(self.receiver)
            self._stamp_incident = stamp_of(self._service)
        return self._service

    def _accepted(self, message: Message) -> bool:
        from apprise import Apprise
        from apprise.result import AppriseResultStatus

        service = self._made()
        _stamp(service, message)
        if self._stamp_incident is not None:
            self._stamp_incident(message)
        title, body = self._fitted(message)
        sender = Apprise(asset=service.asset)
        sender.add(service)
        with sender.notify(
            body=body,
            title=title,
            notify_type=KINDS.get(message.kind, "info"),
            body_format="text",
        ) as outcome:
            # Not bool(outcome): of a URL with optional=yes that is true though nobody answered.
            attempts = [attempt for service in outcome for attempt in service]
            return any(attempt.status == AppriseResultStatus.SUCCESS for attempt in attempts)


class Skipped:
    """A receiver to which nothing is sent; what waits is recorded as accepted."""

    def __init__(self, receiver: Receiver) -> None:
        self.receiver = receiver

    def takes(self, _: Message) -> bool:
        return True

    def keeps_incidents(self) -> bool:
        return False

    def deliver(self, _: Message) -> None:
        return None


def reason_in(logged: list[str]) -> str:
    """What happened, from the last log line of Apprise that has a known form."""
    for line in reversed(logged):
        status = HTTP_STATUS.search(line)
        if status:
            code = int(status[1])
            more = " (redirects are not followed)" if code // 100 == 3 else ""
            return f"answered HTTP {code}{more}"
        exception = EXCEPTION.match(line)
        if exception:
            text = WHERE.sub("", exception[1])
            for pattern, reason in REASONS:
                if re.search(pattern, text, re.IGNORECASE):
                    return reason
    return UNKNOWN


def _stamp(service: Any, message: Message) -> None:  # of NotifyBase; each kind has its own fields
    """The key as a header and the fields in the body, where a service has headers and fields."""
    options = service.template_kwargs
    if "headers" in options and isinstance(service.headers, dict):
        plain = re.fullmatch(r"[!-~]+", message.key)
        service.headers[HEADER] = message.key if plain else quote(message.key, safe="")
    if "payload" in options:
        service.payload_extras.update(message.fields)
