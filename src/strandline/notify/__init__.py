"""Notifications: the rows of an outbox, sent through Apprise, and what was accepted of them."""

from strandline.errors import NotifyError, OutboxError, WrongReceiver
from strandline.notify.message import (
    PLAIN,
    Message,
    Notification,
    Wording,
    message_of,
    together_of,
)
from strandline.notify.receivers import VARIABLE, Receiver, receivers_in
from strandline.notify.send import Group, Outbox, Sent, due, grouped, send
from strandline.notify.titles import TemplateError, TitleTemplate

__all__ = [
    "PLAIN",
    "VARIABLE",
    "Group",
    "Message",
    "Notification",
    "NotifyError",
    "Outbox",
    "OutboxError",
    "Receiver",
    "Sent",
    "TemplateError",
    "TitleTemplate",
    "Wording",
    "WrongReceiver",
    "due",
    "grouped",
    "message_of",
    "receivers_in",
    "send",
    "together_of",
]
