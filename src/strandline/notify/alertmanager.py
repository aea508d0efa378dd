"""Alertmanager as a receiver: `alertmanager://host:9093`, a service of Apprise.

An alert of Alertmanager is its labels: a severity that rises is another alert. So after the first
message of an incident, its alerts that fire are read, and those with other labels end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

from apprise import NotifyFormat, NotifyType
from apprise.exception import AppriseImproperlyConfigured
from apprise.manager_plugins import NotificationManager
from apprise.plugins.custom_json import NotifyJSON

from strandline.lengths import units_of
from strandline.notify.interval import iso
from strandline.notify.message import NEW, OVER, Message, incident_of

SCHEME = "alertmanager"
PATH = "/api/v2/alerts"
# How long an alert fires without news: longer than `--remind` waits.
LASTS = "P1D"
HELP = (
    "An Alertmanager is, say, alertmanager://host:9093/?for=PT12H, where `for` is an ISO 8601"
    " duration."
)
# Fields that are no annotations: labels, or instants of the alert's own.
ELSEWHERE = ("incident_id", "keys", "starts_at", "severity")


class Refused(Exception):
    """The status of an answer that is no 2xx."""


class NotifyAlertmanager(NotifyJSON):
    """POSTs alerts to `/api/v2/alerts` of an Alertmanager, behind the path of the URL.

    User and password, headers (`+name=`) and parameters (`-name=`) are those of Apprise's JSON.
    `for` is how long an alert fires without news, as an ISO 8601 duration; `P1D` by default.
    """

    service_name = "Alertmanager"
    protocol = SCHEME
    secure_protocol = f"{SCHEME}s"
    notify_format = (NotifyFormat.TEXT,)  # type: ignore[assignment]
    title_maxlen = 1_000
    body_maxlen = 32_768
    template_args = {  # noqa: RUF012 # Apprise's own form
        **NotifyJSON.template_args,
        "for": {"name": "For", "type": "string", "default": LASTS, "map_to": "lasts"},
    }

    def __init__(self, lasts: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        try:
            self.lasts = timedelta(seconds=units_of(lasts or LASTS, "", "second"))
        except (ValueError, OverflowError):
            raise AppriseImproperlyConfigured("`for` is no duration") from None
        self._message: Message  # see `use`

    @staticmethod
    def parse_url(url: str, *given: Any, **named: Any) -> Any:
        results = NotifyJSON.parse_url(url, *given, **named)
        if results and results["qsd"].get("for"):
            results["lasts"] = NotifyJSON.unquote(results["qsd"]["for"])
        return results

    def url(self, privacy: bool = False, *args: Any, **kwargs: Any) -> str:
        shown: str = super().url(privacy, *args, **kwargs)  # type: ignore[no-untyped-call]
        return f"{shown}&for=PT{int(self.lasts.total_seconds())}S"

    def use(self, message: Message) -> None:
        """The next text that is sent is of this message."""
        self._message = message

    def send(
        self,
        body: str,
        title: str = "",
        notify_type: NotifyType = NotifyType.INFO,  # noqa: ARG002 # Apprise's signature
        attach: Any = None,  # noqa: ARG002 # Apprise's signature
        **_: Any,
    ) -> bool:
        import requests

        message = self._message
        self.throttle()  # type: ignore[no-untyped-call]
        try:
            others = [] if message.kind == NEW else self._firing(incident_of(message.fields))
            now = datetime.now(timezone.utc)
            alerts = alerts_of(message, title, body, now, self.lasts, others)
            if alerts:
                self._request("POST", data=json.dumps(alerts))
        except Refused as error:
            self.logger.warning("Failed to send alerts: error=%s.", error)
            return False
        except (requests.RequestException, ValueError) as error:
            self.logger.debug("Alertmanager Exception: %s", error)
            return False
        return True

    def _firing(self, incident: str) -> list[dict[str, str]]:
        """The labels of the alerts that fire for an incident."""
        query = {"filter": f"incident={json.dumps(incident)}"}
        found = self._request("GET", params=query).json()
        return [each["labels"] for each in found]

    def _request(
        self, method: str, params: Mapping[str, str] = MappingProxyType({}), **given: Any
    ) -> Any:
        """The answer; raises Refused for one that is no 2xx."""
        import requests

        port = f":{self.port}" if isinstance(self.port, int) else ""
        host = f"http{'s' if self.secure else ''}://{self.host}{port}"
        answer = requests.request(
            method,
            f"{host}{self.fullpath.rstrip('/')}{PATH}",
            params={**self.params, **params},
            headers={
                "User-Agent": self.app_id,
                "Content-Type": "application/json",
                **self.headers,
            },
            auth=(self.user, self.password or "") if self.user else None,
            verify=self.verify_certificate,
            timeout=self.request_timeout,
            allow_redirects=self.redirects,
            **given,
        )
        if answer.status_code // 100 != 2:
            raise Refused(answer.status_code)
        return answer


def register() -> None:
    """Tells Apprise of the service, once."""
    services = NotificationManager()
    if SCHEME not in services:
        services.add(NotifyAlertmanager)


def alerts_of(
    message: Message,
    title: str,
    body: str,
    now: datetime,
    lasts: timedelta,
    firing: Sequence[Mapping[str, str]],
) -> list[dict[str, Any]]:
    """The alert of a message unless it is over; the other ones of its incident end now.

    Args:
        title, body: as the service takes them.
        lasts: how long the alert fires without news.
        firing: the labels of the alerts that fire for this incident.
    """
    fields = message.fields
    keys = json.loads(fields.get("keys") or "{}")
    labels = {
        **_labels(keys),
        **_labels({"severity": fields.get("severity")}),
        "alertname": keys.get("detector") or fields.get("measured_name") or "Strandline",
        "incident": incident_of(fields),
    }
    is_over = message.kind in OVER
    ended = [
        {"labels": dict(each), "endsAt": iso(now)} for each in firing if is_over or each != labels
    ]
    if is_over:
        return ended
    annotations = {name: each for name, each in fields.items() if name not in ELSEWHERE and each}
    starts_at = fields.get("starts_at") or iso(now)
    alert = {
        "labels": labels,
        "annotations": {**annotations, "summary": title, "description": body},
        "startsAt": starts_at,
        "endsAt": iso(now + lasts),
        **({"generatorURL": fields["link"]} if "link" in fields else {}),
    }
    return [alert, *ended]


def _labels(keys: Mapping[str, str | None]) -> dict[str, str]:
    """Keys as labels: a name of letters, digits and _; Alertmanager takes no empty value."""
    return {
        "".join(each if each.isascii() and each.isalnum() else "_" for each in name).lstrip(
            "0123456789"
        )
        or "key": value
        for name, value in keys.items()
        if value
    }
