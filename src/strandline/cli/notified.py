"""The output of `strandline notify`: what would be sent, what was accepted, and what was not."""

from __future__ import annotations

import re
from datetime import tzinfo

from rich.table import Table

from strandline.cli.console import Terminal, styled
from strandline.notify import Message, Notification, Sent, due, grouped, together_of

NEWEST = 5  # of which a brief dry run shows the titles
# The way out, by what a service has answered.
HINTS = {
    r"HTTP (400|413|422)\b": (
        "HTTP 400, 413 and 422: the service refuses this message. If it is too long for it, put"
        " `overflow=split` (parts) or `overflow=truncate` (its beginning) in the URL, as in"
        " `json://host/path?overflow=split`. Otherwise check the fields that the service wants."
    ),
    r"HTTP (401|403|404|410)\b": (
        "HTTP 401, 403, 404 and 410: the token or the address is wrong, or was withdrawn. Set a new"
        " URL in the variable: what was accepted under its name stays accepted."
    ),
    r"HTTP 429\b": (
        "HTTP 429: too many at once. `--limit N` sends some of them, and `--together N` sends up to"
        " N notifications of a run as one message."
    ),
}


def print_waiting(
    console: Terminal,
    waiting: dict[str, list[Notification]],
    limit: int | None,
    zone: tzinfo,
    together: int | None = None,
    brief: bool = False,
) -> None:
    """Each message in full with its receivers, or the newest titles; then the counts."""
    messages = _messages(waiting, limit, zone, together)
    if brief and len(messages) > NEWEST:
        console.print(f"{len(messages) - NEWEST:,} older ones, and:", soft_wrap=True)
    for message, names in messages[-NEWEST:] if brief else messages:
        heading = f"{message.title}  → {', '.join(names)}"
        console.print(styled(heading, "bold"), soft_wrap=True)
        if brief:
            continue
        console.print(message.body, soft_wrap=True)
        console.print()
    for name, all_rows in waiting.items():
        now = len(due(all_rows, limit))
        console.print(f"{name}: {now:,} of {len(all_rows):,} that wait would be sent.")


def would_send(
    waiting: dict[str, list[Notification]],
    limit: int | None,
    zone: tzinfo,
    together: int | None = None,
) -> list[dict[str, object]]:
    """The same for machines: of each receiver the counts, and its messages in order."""
    shown: list[dict[str, object]] = []
    for name, rows in waiting.items():
        messages = [each for each, _ in _messages({name: rows}, limit, zone, together)]
        shown.append(
            {
                "receiver": name,
                "waiting": len(rows),
                "would_send": len(due(rows, limit)),
                "messages": [
                    {"title": each.title, "message": each.body, **each.fields} for each in messages
                ],
            }
        )
    return shown


def _messages(
    waiting: dict[str, list[Notification]],
    limit: int | None,
    zone: tzinfo,
    together: int | None,
) -> list[tuple[Message, list[str]]]:
    """Each message with its receivers, in the order of its first notification."""
    to: dict[str, list[str]] = {}
    groups: dict[str, tuple[Notification, Message]] = {}
    for name, rows in waiting.items():
        for group in grouped(due(rows, limit), together, zone):
            message = together_of(group, zone)
            to.setdefault(message.key, []).append(name)
            groups[message.key] = (group[0], message)
    ordered = sorted(groups.values(), key=lambda each: each[0].place)
    return [(message, to[message.key]) for _, message in ordered]


def accepted_table(done: list[Sent], accepted: str) -> Table:
    """One line for each receiver, with counts and reasons."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("receiver", no_wrap=True)
    for name in ("waited", accepted, "left"):
        table.add_column(name, justify="right")
    table.add_column("")
    for sent in done:
        counts = (f"{count:,}" for count in (sent.waiting, sent.accepted, sent.left))
        reasons = styled(_reasons(sent), "red") if sent.failed else ""
        table.add_row(sent.receiver.name, *counts, reasons)
    return table


def counts(done: list[Sent]) -> list[dict[str, object]]:
    """The same for machines. The reasons never have the URL of a receiver in them."""
    return [
        {
            "receiver": sent.receiver.name,
            "waited": sent.waiting,
            "accepted": sent.accepted,
            "left": sent.left,
            "given_up": sent.given_up,
            "reasons": dict(sent.reasons),
        }
        for sent in done
    ]


def failure(done: list[Sent]) -> str:
    """The error message: each receiver that did not accept, the reasons, and what to do."""
    lines = [
        f"- {sent.receiver.name} (${sent.receiver.variable}) {_reasons(sent)}; {sent.left:,} wait"
        + (", and it was left for the next run." if sent.given_up else ".")
        for sent in done
        if sent.failed
    ]
    answers = " ".join(reason for sent in done for reason in sent.reasons)
    hints = [hint for pattern, hint in HINTS.items() if re.search(pattern, answers)]
    return (
        "Not everything was accepted:\n"
        + "\n".join([*lines, *hints])
        + "\nPut it right, or wait until the receiver is back, and run `strandline notify` again:"
        " what waits is sent then, with the same idempotency keys."
    )


def _reasons(sent: Sent) -> str:
    """`answered HTTP 500 (3 times), refused the connection`."""
    return ", ".join(
        reason if times == 1 else f"{reason} ({times:,} times)"
        for reason, times in sent.reasons.most_common()
    )
