"""The types of a metric: Spark's analyser gives them, and the parameters of functions limit them.

Types are compared by family: number, string, boolean, time, null, or the Spark type itself for
values that a metric can only pass on (`array<int>`). Spark would cast a text to a number, or a
number to a Boolean, silently: a metric may not mix families. An unknown type fits everywhere, so
that one mistake is one fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from strandline.detection.constants import time_faults
from strandline.detection.errors import Fault, a
from strandline.detection.functions import AGGREGATE, COMPARISONS, FUNCTIONS
from strandline.detection.metric import Call, Column, Literal, Node, each_once, walk
from strandline.detection.sql import analysed_sql

UNKNOWN = "?"
FAMILIES = {
    "number": r"(tinyint|smallint|int|integer|bigint|byte|short|long|float|real|double"
    r"|(decimal|dec|numeric)( ?\(.*\))?)",
    "string": r"(string|varchar|char|character)( ?\(.*\)| collate .*)?",
    "time": r"(date|timestamp|timestamp_ntz|timestamp_ltz)",
    "boolean": r"boolean",
    "null": r"(void|null)",
}


@dataclass(frozen=True)
class Rejected:
    """What Spark says of an expression that has no type."""

    message: str


# The Spark type of each of some expressions over the events, or why it has none.
Analyse = Callable[[Sequence[str]], Sequence["str | Rejected"]]


def family_of(spark_type: str) -> str:
    """The family of a Spark type such as `bigint` or `decimal(10,2)`, or the type itself."""
    lower = spark_type.strip().lower()
    matching = (name for name, spelt in FAMILIES.items() if re.fullmatch(spelt, lower))
    return next(matching, lower)


class Types:
    """The types of the nodes of all metrics, which Spark gives in one or two queries."""

    def __init__(self, columns: Mapping[str, str], analyse: Analyse | None) -> None:
        """`columns`: the Spark type of every column of the events. Without `analyse` the types of
        calls are unknown."""
        self._columns, self._analyse = columns, analyse
        self._calls: dict[Node, str | Rejected] = {}

    def counted(self, nodes: Mapping[int, Node], unsound: set[Node]) -> dict[int, Node]:
        """The resolved nodes of metrics, in which a Boolean in an aggregate of numbers is counted,
        as 0 or 1. Spark has given the types of all nodes without a fault."""
        every = (node for tree in nodes.values() for node in walk(tree))
        self._query((call.arguments[0] for call in every if _sums(call)), unsound)
        counted = {index: self._with_counts(tree, unsound) for index, tree in nodes.items()}
        self._query((node for tree in counted.values() for node in walk(tree)), unsound)
        return counted

    def family(self, node: Node) -> str:
        """The family of the values of a node."""
        if isinstance(node, Literal):
            return node.kind
        found = self._columns.get(node.name) if isinstance(node, Column) else self._calls.get(node)
        return family_of(found) if isinstance(found, str) else UNKNOWN

    def faults(self, node: Node, unsound: set[Node]) -> Iterator[Fault]:
        """What is wrong with the types in a node; nothing is said of nodes that are unsound."""
        if not isinstance(node, Call):
            return
        below = [fault for argument in node.arguments for fault in self.faults(argument, unsound)]
        yield from below
        if node in unsound:
            return
        own = list(self._of_call(node))
        yield from own
        rejected = self._calls.get(node)
        if isinstance(rejected, Rejected) and not (below or own):
            yield Fault(f"`{node.written or node.name}`: {rejected.message}", *node.span)

    def _query(self, nodes: Iterable[Node], unsound: set[Node]) -> None:
        calls = [
            node
            for node in each_once(nodes)
            if isinstance(node, Call) and node not in self._calls and unsound.isdisjoint(walk(node))
        ]
        if calls and self._analyse is not None:
            found = self._analyse([analysed_sql(call) for call in calls])
            self._calls.update(zip(calls, found, strict=True))

    def _with_counts(self, node: Node, unsound: set[Node]) -> Node:
        if not isinstance(node, Call) or node in unsound:
            return node
        arguments = tuple(self._with_counts(argument, unsound) for argument in node.arguments)
        if _sums(node) and self.family(arguments[0]) == "boolean":
            arguments = (Call("0 or 1", arguments[:1], arguments[0].span), *arguments[1:])
        return replace(node, arguments=arguments)

    def _of_call(self, node: Call) -> Iterator[Fault]:
        """Which of the arguments do not fit the parameters, or each other."""
        parameters = list(FUNCTIONS[node.name].parameters)
        parameters += parameters[-1:] * (len(node.arguments) - len(parameters))
        shared: list[str] = []
        for argument, parameter in zip(node.arguments, parameters, strict=False):
            wanted, family = parameter.rstrip("?."), self.family(argument)
            if wanted == "same":
                shared.append(family)
            elif wanted not in ("any", family) and family not in (UNKNOWN, "null"):
                message = f"`{node.written}` takes {a(wanted)}, and this is {a(family)}"
                yield Fault(message, *argument.span)
        if node.name in COMPARISONS and node.name != "<=>" and "null" in shared:
            message = f"`{node.written}` with null is never true; write `isNull(x)`"
            yield Fault(message, *node.span)
        known = list(dict.fromkeys(f for f in shared if f not in (UNKNOWN, "null")))
        if known and set(known) == {"string", "time"}:
            yield from time_faults(node)
        elif len(known) > 1:
            verb = "compares" if node.name in (*COMPARISONS, "in", "between") else "mixes"
            between = "with" if verb == "compares" else "and"
            message = f"`{node.written}` {verb} {a(known[0])} {between} {a(known[1])}"
            yield Fault(message, *node.span)


def _sums(node: Node) -> TypeGuard[Call]:
    """Whether the node is an aggregate of numbers, with what it aggregates."""
    if not isinstance(node, Call) or node.name not in FUNCTIONS or not node.arguments:
        return False
    function = FUNCTIONS[node.name]
    return function.kind == AGGREGATE and function.parameters[0] == "number"
