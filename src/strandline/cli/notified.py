"""The output of `strandline notify`: what would be sent, what was accepted, and what was not."""

from __future__ import annotations

import re
from datetime import tzinfo

from rich.table import Table

from strandline.cli.console import Terminal, styled
from strandline.notify import Notification, Sent, due, message_of

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
) -> None:
    """Each message in full with its receivers; then the counts."""
    to: dict[str, list[str]] = {}
    rows = {}
    for name, all_rows in waiting.items():
        for row in due(all_rows, limit):
            to.setdefault(row.key, []).append(name)
            rows[row.key] = row
    for row in sorted(rows.values(), key=lambda row: (row.notified_at, row.key)):
        message = message_of(row, zone)
        heading = f"{message.title}  → {', '.join(to[row.key])}"
        console.print(styled(heading, "bold"), soft_wrap=True)
        console.print(message.body, soft_wrap=True)
        console.print()
    for name, all_rows in waiting.items():
        now = len(due(all_rows, limit))
        console.print(f"{name}: {now:,} of {len(all_rows):,} that wait would be sent.")


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
