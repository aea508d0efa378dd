"""Services that keep incidents: which one a message is of, its severity, and whether it is over.

A chat shows one message after another. PagerDuty, GoAlert, Opsgenie and Alertmanager keep one
incident, which opens, rises and closes: they need the same name for it in each message.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from strandline.generated import SEVERITIES
from strandline.notify.message import OVER, Message, incident_of

if TYPE_CHECKING:
    from apprise import NotifyBase

# The words of services for the ranks of ours: debug, info, low, medium, high, critical.
STANDARD = ("info", "info", "info", "warning", "error", "critical")
UNRANKED = "warning"
Stamp = Callable[[Message], None]


def stamp_of(service: NotifyBase) -> Stamp | None:
    """What tells this service the incident of a message; None if it keeps no incidents.

    What the URL sets stays: `dedup`, `alias`, `severity`, details.
    """
    from apprise.plugins.goalert import NotifyGoAlert
    from apprise.plugins.opsgenie import NotifyOpsgenie
    from apprise.plugins.pagerduty import NotifyPagerDuty

    from strandline.notify.alertmanager import NotifyAlertmanager

    if isinstance(service, NotifyPagerDuty):
        return _pagerduty(service)
    if isinstance(service, NotifyGoAlert):
        return _goalert(service)
    if isinstance(service, NotifyOpsgenie):
        return _opsgenie(service)
    if isinstance(service, NotifyAlertmanager):
        return service.use
    return None


def standard(severity: str) -> str:
    """A severity in the words of services: info, warning, error or critical.

    Words by their rank; numbers and other words have no rank that a service knows.
    """
    rank = SEVERITIES.get(severity.strip().lower())
    return UNRANKED if rank is None else STANDARD[rank - 1]


def rank(severity: str | None) -> float:
    """The place of a severity: a number is its own, a word has that of its kind, others have 0."""
    word = (severity or "").strip().lower()
    try:
        number = float(word)
    except ValueError:
        return SEVERITIES.get(word, 0)
    return 0 if math.isnan(number) else number


def _pagerduty(service: Any) -> Stamp:  # of NotifyPagerDuty, whose fields have no types
    given, severity, details = service.dedup, service.severity, dict(service.details)

    def stamp(message: Message) -> None:
        service.dedup = given or incident_of(message.fields)
        service.action = "resolve" if message.kind in OVER else "trigger"
        service.severity = severity or standard(message.fields.get("severity", ""))
        service.details = {**_filled(message.fields), **details}

    return stamp


def _goalert(service: Any) -> Stamp:
    given = service.dedup

    def stamp(message: Message) -> None:
        service.dedup = given or incident_of(message.fields)
        service.action = "close" if message.kind in OVER else "trigger"

    return stamp


def _opsgenie(service: Any) -> Stamp:
    """Apprise closes by the answers that it remembers, and this process ends: so all are new."""
    given, details = service.alias, dict(service.details)

    def stamp(message: Message) -> None:
        service.alias = given or incident_of(message.fields)
        service.action = "new"
        service.details = {**_filled(message.fields), **details}

    return stamp


def _filled(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}
