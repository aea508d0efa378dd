"""The type check of a metric: its columns, functions and types, with every fault.

Types are compared by family: number, string, boolean, time, null, or the Spark type itself for
values that a metric can only pass on (`array<int>`). An unknown type fits everywhere, so that one
mistake is one fault.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeGuard

from strandline.detection.constants import constant_faults, time_faults
from strandline.detection.errors import Fault, a, nearest
from strandline.detection.functions import (
    AGGREGATE,
    CALLABLE,
    COMPARISONS,
    HINTS,
    LISTED,
    ORDER,
    Function,
    function_of,
)
from strandline.detection.metric import Call, Column, Literal, Node, walk

UNKNOWN = "?"
FAMILIES = {
    "number": r"(tinyint|smallint|int|integer|bigint|byte|short|long|float|real|double"
    r"|(decimal|dec|numeric)( ?\(.*\))?)",
    "string": r"(string|varchar|char|character)( ?\(.*\)| collate .*)?",
    "time": r"(date|timestamp|timestamp_ntz|timestamp_ltz)",
    "boolean": r"boolean",
    "null": r"(void|null)",
}
LONGEST = 40  # columns that a message lists


def family_of(spark_type: str) -> str:
    """The family of a Spark type such as `bigint` or `decimal(10,2)`, or the type itself."""
    lower = spark_type.strip().lower()
    matching = (name for name, spelt in FAMILIES.items() if re.fullmatch(spelt, lower))
    return next(matching, lower)


class TypeChecker:
    """Checks the nodes of one metric; `faults` has everything that was found."""

    def __init__(self, types: Mapping[str, str]) -> None:
        """`types`: the Spark type of every column of the events, by its name."""
        self._types = types
        self.faults: list[Fault] = []

    def check(self, node: Node, inside: tuple[Function, ...] = ()) -> tuple[Node, str]:
        """The node with the resolved names, and its family.

        `inside`: the aggregate and order-sensitive functions around it, the outermost first.
        """
        if isinstance(node, Literal):
            return node, node.kind
        if isinstance(node, Column):
            return self._column(node)
        function = function_of(node.name)
        if function is None:
            self._unknown_function(node)
            for argument in node.arguments:
                self.check(argument, inside)
            return node, UNKNOWN
        self._place(node, function, inside)
        below = inside if function.kind not in (AGGREGATE, ORDER) else (*inside, function)
        checked = [self.check(argument, below) for argument in node.arguments]
        node = replace(node, name=function.name, arguments=tuple(each for each, _ in checked))
        families = [family for _, family in checked]
        if not self._counted(node, function):
            return node, UNKNOWN if function.returns == "same" else function.returns
        return self._typed(node, function, families)

    def _fault(self, message: str, span: tuple[int, int], note: str = "") -> None:
        self.faults.append(Fault(message, *span, note))

    def _column(self, node: Column) -> tuple[Node, str]:
        names = columns_named(node.name, self._types)
        if len(names) == 1 and "${" not in names[0]:  # Spark would put a variable's value there
            return replace(node, name=names[0]), family_of(self._types[names[0]])
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
        return node, UNKNOWN

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

    def _typed(self, node: Call, function: Function, families: list[str]) -> tuple[Node, str]:
        parameters = list(function.parameters)
        parameters += parameters[-1:] * (len(families) - len(parameters))
        if function.kind == AGGREGATE and parameters[0] == "number" and families[0] == "boolean":
            counted = Call("0 or 1", node.arguments[:1], node.arguments[0].span)
            node = replace(node, arguments=(counted, *node.arguments[1:]))
            families = ["number", *families[1:]]
        shared: list[str] = []
        for argument, family, parameter in zip(node.arguments, families, parameters, strict=False):
            wanted = parameter.rstrip("?.")
            if wanted == "same":
                shared.append(family)
            elif wanted not in ("any", family) and family not in (UNKNOWN, "null"):
                message = f"`{node.written}` takes {a(wanted)}, and this is {a(family)}"
                self._fault(message, argument.span)
        common = self._common(node, shared)
        self.faults.extend(constant_faults(node))
        return node, common if function.returns == "same" else function.returns

    def _common(self, node: Call, shared: list[str]) -> str:
        """The family that all have in common, after a fault when there is none."""
        if node.name in COMPARISONS and node.name != "<=>" and "null" in shared:
            message = f"`{node.written}` with null is never true; write `isNull(x)`"
            self._fault(message, node.span)
        known = list(dict.fromkeys(f for f in shared if f not in (UNKNOWN, "null")))
        if known and set(known) == {"string", "time"}:
            self.faults.extend(time_faults(node))
            return "time"
        if len(known) > 1:
            verb = "compares" if node.name in (*COMPARISONS, "in", "between") else "mixes"
            between = "with" if verb == "compares" else "and"
            message = f"`{node.written}` {verb} {a(known[0])} {between} {a(known[1])}"
            self._fault(message, node.span)
            return UNKNOWN
        return known[0] if known else (UNKNOWN if UNKNOWN in shared else "null")


def columns_named(name: str, types: Mapping[str, str]) -> list[str]:
    """The columns of a name: the one that is spelt just so, else all that differ in case only."""
    return [each for each in types if each == name] or [
        each for each in types if each.lower() == name.lower()
    ]


def is_aggregate(node: Node) -> TypeGuard[Call]:
    """Whether the node calls an aggregate."""
    function = function_of(node.name) if isinstance(node, Call) else None
    return function is not None and function.kind == AGGREGATE
