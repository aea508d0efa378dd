"""The names of a metric, and where they may stand: columns, functions, nesting, constants.

No Spark. What follows from types is in `types`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeGuard

from strandline.detection.constants import constant_faults
from strandline.detection.errors import Fault
from strandline.detection.functions import (
    AGGREGATE,
    CALLABLE,
    HINTS,
    LISTED,
    ORDER,
    Function,
    function_of,
)
from strandline.detection.metric import Call, Column, Literal, Node, walk
from strandline.errors import nearest

LONGEST = 40  # columns that a message lists


class Resolver:
    """Resolves the nodes of one metric.

    Attributes:
        faults: everything that was found.
        unsound: the nodes that have a fault of their own; Spark cannot type what is above them.
    """

    def __init__(self, types: Mapping[str, str]) -> None:
        """`types`: the Spark type of every column of the events, by its name."""
        self._types = types
        self.faults: list[Fault] = []
        self.unsound: set[Node] = set()

    def resolve(self, node: Node, inside: tuple[Function, ...] = ()) -> Node:
        """The node with the names of its columns and functions.

        `inside`: the aggregate and order-sensitive functions around it, the outermost first.
        """
        if isinstance(node, Literal):
            return node
        return self._column(node) if isinstance(node, Column) else self._call(node, inside)

    def _fault(self, message: str, span: tuple[int, int], note: str = "") -> None:
        self.faults.append(Fault(message, *span, note))

    def _call(self, node: Call, inside: tuple[Function, ...]) -> Call:
        function = function_of(node.name)
        if function is None:
            self._unknown_function(node)
            self.unsound.add(node)
            for argument in node.arguments:
                self.resolve(argument, inside)
            return node
        known = len(self.faults)
        self._place(node, function, inside)
        of_place = len(self.faults) - known
        below = inside if function.kind not in (AGGREGATE, ORDER) else (*inside, function)
        arguments = tuple(self.resolve(argument, below) for argument in node.arguments)
        node = replace(node, name=function.name, arguments=arguments)
        known = len(self.faults)
        if self._counted(node, function):
            self.faults.extend(constant_faults(node))
        if of_place or len(self.faults) > known:
            self.unsound.add(node)
        return node

    def _column(self, node: Column) -> Column:
        names = columns_named(node.name, self._types)
        if len(names) == 1 and "${" not in names[0]:  # Spark would put a variable's value there
            return replace(node, name=names[0])
        known = sorted(self._types)
        if not names:
            message = f"there is no column `{node.name}`{nearest(node.name, known)}"
            listed = ", ".join(known[:LONGEST]) + (", …" if len(known) > LONGEST else "")
            self._fault(message, node.span, f"columns: {listed}")
        elif len(names) > 1:
            message = f"`{node.name}` may be any of {', '.join(names)}; write it exactly"
            self._fault(message, node.span)
        else:
            self._fault(f"`{node.name}` has `${{` in its name; rename the column", node.span)
        self.unsound.add(node)
        return node

    def _unknown_function(self, node: Call) -> None:
        message = HINTS.get(node.name.lower())
        if message is not None:
            self._fault(message, node.name_span)
            return
        message = f"there is no function `{node.written}`{nearest(node.written, CALLABLE)}"
        self._fault(message, node.name_span, f"functions: {', '.join(LISTED)}")

    def _place(self, node: Call, function: Function, inside: tuple[Function, ...]) -> None:
        """Which functions may be nested in which."""
        around = next((each for each in reversed(inside) if each.kind == AGGREGATE), None)
        if function.kind == AGGREGATE and around is not None:
            message = f"`{node.written}` within `{around.name}`: an aggregate cannot be nested"
            self._fault(message, node.span)
        elif function.kind == AGGREGATE and any(each.name == "deltas" for each in inside):
            message = (
                f"`{node.written}` within `deltas`: an aggregate cannot be in an order-sensitive"
            )
            self._fault(message + " function; write `sum(x) - prev(sum(x))`", node.span)
        elif function.name == "prev":
            self._alone(node)

    def _alone(self, node: Call) -> None:
        """`prev` takes columns, or one aggregate and nothing around it."""
        for argument in node.arguments:
            within = next(filter(is_aggregate, walk(argument)), None)
            if within is not None and within is not argument:
                message = (
                    f"`{within.written}` is not alone within `prev`: an aggregate cannot be in"
                )
                message += " an order-sensitive function, except as `prev(sum(x))`"
                self._fault(message, within.span)

    def _counted(self, node: Call, function: Function) -> bool:
        parameters, given = function.parameters, len(node.arguments)
        least = sum(not each.endswith(("?", "...")) for each in parameters)
        most = None if parameters[-1].endswith("...") else len(parameters)
        if least <= given and (most is None or given <= most):
            return True
        wanted = str(least) if most == least else f"{least} or more"
        if most is not None and most != least:
            wanted = f"{least} to {most}"
        plural = "" if wanted == "1" else "s"
        message = f"`{node.written}` takes {wanted} argument{plural} ({', '.join(parameters)})"
        self._fault(f"{message}, not {given}", node.span)
        return False


def columns_named(name: str, types: Mapping[str, str]) -> list[str]:
    """The columns of a name: the one that is spelt just so, else all that differ in case only."""
    return [each for each in types if each == name] or [
        each for each in types if each.lower() == name.lower()
    ]


def is_aggregate(node: Node) -> TypeGuard[Call]:
    """Whether the node calls an aggregate."""
    function = function_of(node.name) if isinstance(node, Call) else None
    return function is not None and function.kind == AGGREGATE
