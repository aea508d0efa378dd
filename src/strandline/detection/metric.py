"""The nodes that a metric is made of, and a checked metric: its class, its sides, what it needs.

Two nodes are equal when they mean the same, wherever they stand in a text. So an aggregate that is
used twice is one, and a node can be the key of the column with its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal as OneOf
from typing import TypeGuard, TypeVar, Union

from strandline.detection.functions import AGGREGATES, COMPARISONS

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


Kind = OneOf["row", "window", "row_against_window"]


@dataclass(frozen=True)
class Side:
    """One side of a comparison, and the family of its values: number, string, boolean, time."""

    node: Node
    family: str


@dataclass(frozen=True)
class Metric:
    """One metric. Nodes are equal when they mean the same: they can be keys of columns.

    text: as the analyst wrote it; index: its place in the list, from 0.
    left, right: the sides of its comparison, None for a compound (`a > 1 and b > 2`).
    """

    text: str
    index: int
    node: Node
    left: Side | None
    right: Side | None

    @property
    def kind(self) -> Kind:
        """The source's three rules: no aggregate; no column but in aggregates; both."""
        if not self.aggregates:
            return "row"
        return "row_against_window" if any(_outside(self.node)) else "window"

    @property
    def aggregates(self) -> tuple[Call, ...]:
        """Every aggregate once, also those of the window before."""
        return each_once(node for node in walk(self.node) if _is_aggregate(node))

    @property
    def aggregates_before(self) -> tuple[Call, ...]:
        """`prev(sum(x))` and its like, each once: an aggregate of the window before."""
        return each_once(node for node in walk(self.node) if _is_before(node))

    @property
    def previous(self) -> tuple[Call, ...]:
        """`prev(x)` of every x of which the value in the row before is needed, each once.

        Also for `deltas(x)`; without those within aggregates. Ordered so that each needs only
        columns and those before it: `prev(x)` comes before `prev(prev(x))`.
        """
        return each_once(_previous(self.node))

    @property
    def rows_back(self) -> int:
        """How many earlier rows of its key a row needs: 1 for `prev(x)`, 2 for `prev(prev(x))`.

        Within aggregates only the rows of the window count.
        """
        return max((_rows_back(node) for node in self.previous), default=0)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the events that it reads, each once, in the order of the text."""
        return tuple(dict.fromkeys(n.name for n in walk(self.node) if isinstance(n, Column)))


def metric_of(text: str, index: int, node: Node, families: dict[Node, str]) -> Metric:
    """The metric of a checked node; `families` has the family of the sides of its comparison."""
    left = right = None
    if isinstance(node, Call) and node.name in COMPARISONS:
        left, right = (Side(side, families[side]) for side in node.arguments)
    return Metric(text, index, node, left, right)


def _is_aggregate(node: Node) -> TypeGuard[Call]:
    return isinstance(node, Call) and node.name in AGGREGATES


def _is_before(node: Node) -> TypeGuard[Call]:
    return isinstance(node, Call) and node.name == "prev" and _is_aggregate(node.arguments[0])


def _outside(node: Node) -> Iterator[Column]:
    """The columns that stand outside of aggregates."""
    if isinstance(node, Column):
        yield node
    elif isinstance(node, Call) and not _is_aggregate(node):
        for argument in node.arguments:
            yield from _outside(argument)


def _previous(node: Node) -> Iterator[Call]:
    """From the inside out, and not into aggregates."""
    if not isinstance(node, Call) or _is_aggregate(node):
        return
    for argument in node.arguments:
        yield from _previous(argument)
    if node.name in ("prev", "deltas") and not _is_before(node):
        yield Call("prev", node.arguments)


def _rows_back(node: Node) -> int:
    below = max(map(_rows_back, node.arguments), default=0) if isinstance(node, Call) else 0
    return below + (isinstance(node, Call) and node.name in ("prev", "deltas"))
