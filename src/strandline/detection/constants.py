"""Arguments of a metric that must be constants, and the values that are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from strandline.detection.errors import Fault
from strandline.detection.functions import INTERPOLATIONS
from strandline.detection.metric import Call, Literal, Node
from strandline.errors import nearest

TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[ T]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{1,6})?)?"
)
DECIMALS = 10


def constant(node: Node) -> Decimal | None:
    """The value of a constant number, also a negative one; None for any other node."""
    if isinstance(node, Call) and node.name == "neg":
        value = constant(node.arguments[0])
        return None if value is None else -value
    if isinstance(node, Literal) and node.kind == "number":
        return Decimal(node.text)
    return None


def constant_faults(node: Call) -> Iterator[Fault]:
    """What is wrong with the constants that a call needs, by the name of its function."""
    if node.name == "percentile":
        yield from _percentile(node)
    elif node.name == "round" and len(node.arguments) > 1:
        yield from _places(node.arguments[1])
    elif node.name == "like":
        yield from _pattern(node.arguments[1])


def time_faults(node: Call) -> Iterator[Fault]:
    """A text that is compared with a time, is constant, and is no time."""
    for argument in node.arguments:
        if isinstance(argument, Literal) and argument.kind == "string":
            found = TIME.fullmatch(argument.text)
            try:
                datetime(*(int(part) for part in found.groups("0")) if found else ())
            except (TypeError, ValueError):
                message = "this text is no date or time; write it as '2014-01-31 23:59:59'"
                yield Fault(message, *argument.span)


def _percentile(node: Call) -> Iterator[Fault]:
    share = constant(node.arguments[1])
    if share is None or not 0 <= share <= 100 or round(share, DECIMALS) != share:
        message = f"the share of `percentile` is a constant number from 0 to 100, of {DECIMALS}"
        message += " decimals or fewer"
        yield Fault(message, *node.arguments[1].span)
    if len(node.arguments) > 2:
        way = node.arguments[2]
        if not isinstance(way, Literal) or way.text not in INTERPOLATIONS:
            message = "the interpolation of `percentile` is one of "
            message += ", ".join(f"'{name}'" for name in INTERPOLATIONS)
            near = nearest(way.text, INTERPOLATIONS) if isinstance(way, Literal) else ""
            yield Fault(message + near, *way.span)


def _places(node: Node) -> Iterator[Fault]:
    places = constant(node)
    if places is None or abs(places) > 38 or places != int(places):
        message = "the decimal places of `round` are a constant whole number up to 38"
        yield Fault(message, *node.span)


def _pattern(node: Node) -> Iterator[Fault]:
    paired = "" if not isinstance(node, Literal) else node.text.replace("\\\\", "")
    if not isinstance(node, Literal) or re.search(r"\\([^%_]|$)", paired):
        message = "the pattern of `like` is a constant text, in which `\\` stands before %, _ or \\"
        yield Fault(message, *node.span)
