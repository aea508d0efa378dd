"""The expressions that a metric may be made of: three kinds of node, and nothing else.

Two nodes are equal when they mean the same, wherever they stand in a text. So an aggregate that is
used twice is one, and a node can be the key of the column that holds its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar, Union

Span = tuple[int, int]  # characters [start, end) of the metric's text


@dataclass(frozen=True)
class Column:
    """A column of the events, by its own name once it was checked."""

    name: str
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True)
class Literal:
    """A constant: `kind` is number, string, boolean or null, `text` its value without quotes."""

    kind: str
    text: str
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True)
class Call:
    """An operator or a function; `written` is how the analyst wrote it, `name_span` where."""

    name: str
    arguments: tuple[Node, ...]
    span: Span = field(default=(0, 0), compare=False)
    name_span: Span = field(default=(0, 0), compare=False)
    written: str = field(default="", compare=False)


Node = Union[Column, Literal, Call]  # noqa: UP007 (Call is named before it is)
N = TypeVar("N")


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, from left to right, each before its arguments."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Call):
            waiting.extend(reversed(node.arguments))


def each_once(nodes: Iterable[N]) -> tuple[N, ...]:
    """The nodes in their order, equal ones once."""
    return tuple(dict.fromkeys(nodes))
