"""The Spark SQL of checked nodes; of the analyst's text it has names and constants only.

Names are quoted, and texts are written so that Spark reads them unchanged: see `text_sql`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from strandline.detection.constants import constant
from strandline.detection.functions import AGGREGATE, FUNCTIONS, NEAREST_RANK, ORDER, Function
from strandline.detection.metric import Call, Column, Literal, Node
from strandline.literals import name_sql, text_sql


def sql_of(node: Node, given: Mapping[Node, str] | None = None, order: str | None = None) -> str:
    """The Spark SQL of a checked node.

    `given` has the name of the column with the value of a node: of an aggregate, of
    `prev(sum(x))`, of `prev(x)` (`deltas(x)` is made from it). `order` is the SQL that orders
    rows, for `first` and `last`. It is used for
    - a metric of any class, and each of its sides: with what it needs in `given`;
    - the argument of an aggregate or of `prev`: `sql_of(call.arguments[0], given)`;
    - an aggregate itself, over rows: without it in `given`. Not `percentile`: see there.

    Raises:
        ValueError: an aggregate, `prev` or `deltas` needs a column or an order that is not given.
    """
    given = given or {}
    if node in given:
        return quoted(given[node])
    if isinstance(node, Column):
        return quoted(node.name)
    if isinstance(node, Literal):
        return text_sql(node.text) if node.kind == "string" else node.text
    function = FUNCTIONS[node.name]
    if node.name == "deltas":
        before = Call("prev", node.arguments)
        return sql_of(Call("-", (node.arguments[0], before)), given, order)
    if function.kind == ORDER or node.name == "percentile":
        raise ValueError(f"no column is given for the value of `{node.name}`")
    if "{order}" in function.sql and order is None:
        raise ValueError(f"no order is given for `{node.name}`")
    arguments = [sql_of(argument, given, order) for argument in node.arguments]
    return _filled(function, arguments, order)


def analysed_sql(node: Node) -> str:
    """The SQL of a checked node over the events alone, of which Spark's analyser gives the type.

    The value in the row before has the type of the value, an aggregate that which it has over all
    rows, and a percentile that which it has of one value. It is never run.
    """
    if not isinstance(node, Call):
        return sql_of(node)
    arguments = [analysed_sql(argument) for argument in node.arguments]
    if node.name == "prev":
        return arguments[0]
    if node.name == "deltas":
        return FUNCTIONS["-"].sql.format(arguments[0], "0")
    if node.name == "percentile":
        return percentile_sql(node, f"array({arguments[0]})")
    function = FUNCTIONS[node.name]
    sql = _filled(function, arguments, "0")
    return f"{sql} over ()" if function.kind == AGGREGATE else sql


def _filled(function: Function, arguments: Sequence[str], order: str | None) -> str:
    return function.sql.format(
        *arguments, args=", ".join(arguments), rest=", ".join(arguments[1:]), order=order
    )


def percentile_sql(call: Call, values: str) -> str:
    """The Spark SQL of a checked `percentile`, from its values in their order, without nulls.

    `values` is the SQL of an array, best a column: it is written several times. Of no values the
    percentile is null.

    - nearest rank, when no interpolation is given: the value at ceil(p / 100 * n), from 1;
    - else from the rank p / 100 * (n - 1), from 0, between two values: the lower, the higher, the
      nearest (the lower when both are equally near), the mean of both, or on the line between;
      null if that is out of range.
    """
    share, interpolation = share_of(call), interpolation_of(call)
    if interpolation == NEAREST_RANK:
        return f"get({values}, greatest(cast(ceil(size({values}) * {share} / 100) as int) - 1, 0))"
    rank = f"((size({values}) - 1) * {share} / 100)"
    low = f"get({values}, cast(floor({rank}) as int))"
    high = f"get({values}, cast(ceil({rank}) as int))"
    past = f"({rank} - floor({rank}))"
    plus, minus, times = (FUNCTIONS[name].sql.format for name in "+-*")  # out of range: null
    return {
        "lower": low,
        "higher": high,
        "nearest": f"if({past} > 0.5, {high}, {low})",
        "midpoint": f"({plus(low, high)} / 2)",
        "linear": plus(low, times(minus(high, low), past)),
    }[interpolation]


def share_of(call: Call) -> str:
    """The p of a checked `percentile`, from 0 to 100, as an exact constant: 75, 99.9."""
    share = constant(call.arguments[1]) or Decimal(0)
    return format(share.normalize(), "f")


def interpolation_of(call: Call) -> str:
    """The interpolation of a checked `percentile`: one of INTERPOLATIONS, or NEAREST_RANK."""
    way = call.arguments[2] if len(call.arguments) > 2 else None
    return way.text if isinstance(way, Literal) else NEAREST_RANK


def quoted(name: str) -> str:
    """A quoted name, for any characters in it.

    Raises:
        ValueError: Spark would replace a variable in it by its value.
    """
    if "${" in name:
        raise ValueError(f"a column cannot be named {name!r}")
    return name_sql(name)
