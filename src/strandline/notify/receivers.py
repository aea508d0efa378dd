"""The receivers: named Apprise URLs of the environment. A URL never leaves this package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strandline.errors import WrongReceiver
from strandline.notify.private import PrivateFailure, private

if TYPE_CHECKING:
    from apprise import NotifyBase

VARIABLE = "STRANDLINE_NOTIFY_URL"
UNNAMED = "default"
PARSE_SECONDS = 30.0  # to make a service of a URL
NAME = re.compile(r"[a-z0-9][a-z0-9_]*")
HELP = (
    "An Apprise URL is, say, jsons://host/path (a webhook), slack://… or mailtos://…: see"
    " docs/notifications.md."
)


@dataclass(frozen=True)
class Receiver:
    """A receiver by the name that the user gave it. Its URL is a secret: no repr shows it."""

    name: str
    variable: str
    url: str = field(repr=False)


def receivers_in(environment: Mapping[str, str], only: Iterable[str] = ()) -> list[Receiver]:
    """The receivers of the environment by name, or only those of these names.

    $STRANDLINE_NOTIFY_URL is the receiver `default`, $STRANDLINE_NOTIFY_URL_OPS is `ops`.

    Raises WrongReceiver with every fault: no URL at all, an empty one, one that Apprise does not
    know, two of one name, a name that is none.
    """
    found: dict[str, Receiver] = {}
    faults = []
    for variable, url in sorted(environment.items()):
        if variable != VARIABLE and not variable.startswith(f"{VARIABLE}_"):
            continue
        name = variable.removeprefix(VARIABLE).removeprefix("_").lower() or UNNAMED
        if name in found:
            faults.append(f"${variable} and ${found[name].variable} are both named `{name}`.")
        elif variable.endswith("URL_") or not NAME.fullmatch(name):
            faults.append(f"${variable} gives no name: write letters, digits and _ behind URL_.")
        else:
            found[name] = Receiver(name, variable, url.strip())
    if not found and not faults:
        faults.append(
            f"No receiver: set ${VARIABLE} to an Apprise URL, or one ${VARIABLE}_<NAME> for each of"
            f" several. {HELP}"
        )
    chosen = list(dict.fromkeys(only)) or list(found)
    unknown = [name for name in chosen if name not in found]
    if unknown and found:
        faults.append(
            f"--receiver {', '.join(unknown)} is none of the environment's: {', '.join(found)}."
        )
    faults += [fault for name in chosen if name in found for fault in _faults(found[name])]
    if faults:
        raise WrongReceiver("\n".join(faults))
    return [found[name] for name in chosen]


def _faults(receiver: Receiver) -> list[str]:
    from strandline.notify import alertmanager

    if not receiver.url:
        return [f"${receiver.variable} is empty: give it a URL, or unset it."]
    if len(re.findall(r"(?:^|[\s,;]+)[a-z0-9]+://", receiver.url, re.IGNORECASE)) > 1:
        return [
            f"${receiver.variable} holds more than one URL: give each a ${VARIABLE}_<NAME> of its"
            " own, so that what one has accepted is known."
        ]
    if not _is_understood(receiver):
        is_alertmanager = receiver.url.lower().startswith(alertmanager.SCHEME)
        such = alertmanager.HELP if is_alertmanager else HELP
        return [f"${receiver.variable} holds no URL that Apprise can use. {such}"]
    return []


def _is_understood(receiver: Receiver) -> bool:
    """Whether Apprise makes a service of the URL; nothing is sent."""
    try:
        private(lambda: service_of(receiver), PARSE_SECONDS)
    except (PrivateFailure, TimeoutError):
        return False
    return True


def service_of(receiver: Receiver) -> NotifyBase:
    """Raises ValueError when Apprise makes nothing of the URL."""
    from apprise import Apprise, AppriseAsset

    from strandline.notify import alertmanager

    alertmanager.register()
    # Time is kept outside: Apprise's own way leaves threads that the process would wait for at its
    # end. A redirect may turn a POST into a GET whose 200 says nothing, and leads elsewhere.
    asset = AppriseAsset(
        app_id="Strandline", service_timeout=0, async_mode=False, http_redirects=False
    )
    service = Apprise.instantiate(receiver.url, asset=asset)
    if service is None:
        raise ValueError
    return service
