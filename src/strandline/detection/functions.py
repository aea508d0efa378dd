"""The allow-list: every operator and function of a metric, its parameters, and its Spark SQL.

The parameters read `number, number?`: `?` may be left out, `...` may be repeated, `any` is any
type, `same` any type that all the `same` of one call share. What a call returns is known by Spark's
analyser: see `types`. Names are found in any case.

A Boolean in an aggregate of numbers counts as 0 or 1, as in the source: `sum(temp > 40)`.

Where the source and Spark differ: a division by zero, and a root or power without a real value, are
null, as in the source; they neither fail the run nor raise an alarm. So is a number out of range.
Integers are divided exactly, as in Spark (the source truncates: `floor(a / b)`).
"""

from __future__ import annotations

from dataclasses import dataclass

SCALAR, AGGREGATE, ORDER = "scalar", "aggregate", "order-sensitive"
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "<=>")
INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")
NEAREST_RANK = "nearest-rank"  # what `percentile` does when no interpolation is given


@dataclass(frozen=True)
class Function:
    """One operator or function; `sql` has {0}, {1} for arguments, {args} for all, {rest} but {0}.

    An order-sensitive function has no SQL of its own: the values of the row before are given.
    {order} in an aggregate is replaced by what orders its rows.
    """

    name: str
    kind: str
    takes: str
    sql: str

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(self.takes.split(", "))


OPERATORS = {  # written between their operands, or as the functions named in ALIASES
    "and": ("boolean, boolean", "({0} and {1})"),
    "or": ("boolean, boolean", "({0} or {1})"),
    "not": ("boolean", "(not {0})"),
    "eq": ("same, same", "({0} = {1})"),
    "ne": ("same, same", "({0} <> {1})"),
    "lt": ("same, same", "({0} < {1})"),
    "le": ("same, same", "({0} <= {1})"),
    "gt": ("same, same", "({0} > {1})"),
    "ge": ("same, same", "({0} >= {1})"),
    "<=>": ("same, same", "({0} <=> {1})"),
    "in": ("same, same...", "({0} in ({rest}))"),
    "between": ("same, same, same", "({0} between {1} and {2})"),
    "like": ("string, string", "({0} like {1})"),
    "+": ("number, number", "try_add({0}, {1})"),
    "-": ("number, number", "try_subtract({0}, {1})"),
    "*": ("number, number", "try_multiply({0}, {1})"),
    "/": ("number, number", "try_divide({0}, {1})"),
    "%": ("number, number", "({0} % nullif({1}, 0))"),
    "neg": ("number", "(- {0})"),
    "0 or 1": ("boolean", "cast({0} as int)"),  # of a Boolean in an aggregate of numbers
}
SCALARS = {
    "abs": ("number", "abs({0})"),
    "sign": ("number", "sign({0})"),
    "round": ("number, number?", "round({args})"),
    # Of NaN Spark's are 0; `nanvl` would make a double of a decimal or an integer.
    "floor": ("number", "floor(nullif({0}, double('NaN')))"),
    "ceil": ("number", "ceil(nullif({0}, double('NaN')))"),
    "sqrt": ("number", "nanvl(sqrt({0}), cast(null as double))"),
    "pow": ("number, number", "nanvl(pow({0}, {1}), cast(null as double))"),
    "exp": ("number", "exp({0})"),
    "log": ("number", "ln({0})"),
    "log2": ("number", "log2({0})"),
    "log10": ("number", "log10({0})"),
    "greatest": ("same, same, same...", "greatest({args})"),
    "least": ("same, same, same...", "least({args})"),
    "coalesce": ("same, same...", "coalesce({args})"),
    "nullif": ("same, same", "nullif({args})"),
    "if": ("boolean, same, same", "if({args})"),
    "isnull": ("any", "({0} is null)"),
    "isnan": ("number", "isnan({0})"),
    "lower": ("string", "lower({0})"),
    "upper": ("string", "upper({0})"),
    "trim": ("string", "trim({0})"),
    "length": ("string", "length({0})"),
    "year": ("time", "year({0})"),
    "month": ("time", "month({0})"),
    "day": ("time", "day({0})"),
    "dayofweek": ("time", "dayofweek({0})"),
    "hour": ("time", "hour({0})"),
    "minute": ("time", "minute({0})"),
    "second": ("time", "second({0})"),
}
AGGREGATES = {
    "avg": ("number", "try_avg({0})"),
    "sum": ("number", "try_sum({0})"),
    "count": ("any", "count({0})"),
    "min": ("same", "min({0})"),
    "max": ("same", "max({0})"),
    "med": ("number", "median({0})"),
    "percentile": ("number, number, string?", ""),  # see sql.percentile_sql
    "std": ("number", "stddev_samp({0})"),
    "var": ("number", "var_samp({0})"),
    "stdp": ("number", "stddev_pop({0})"),
    "varp": ("number", "var_pop({0})"),
    "first": ("same", "min_by({0}, if({0} is null, null, {order}))"),
    "last": ("same", "max_by({0}, if({0} is null, null, {order}))"),
}
ORDER_SENSITIVE = {
    "prev": ("same", ""),
    "deltas": ("number", ""),
}
ALIASES = {
    "mean": "avg", "median": "med", "stddev": "std", "variance": "var", "ceiling": "ceil",
    "power": "pow", "ln": "log", "iif": "if", "mod": "%", "add": "+", "sub": "-", "mul": "*",
    "ratio": "/", "signum": "sign",
}  # fmt: skip
HINTS = {  # for functions that exist elsewhere and are refused for a reason of their own
    "next": "`next` looks at a row that has not come yet; turn it round with `prev`",
}


def _table() -> dict[str, Function]:
    tables = (
        (SCALAR, {**OPERATORS, **SCALARS}),
        (AGGREGATE, AGGREGATES),
        (ORDER, ORDER_SENSITIVE),
    )
    return {
        name: Function(name, kind, takes, sql)
        for kind, table in tables
        for name, (takes, sql) in table.items()
    }


FUNCTIONS = _table()
NAMES = {"isnull": "isNull"}  # how the source writes it
COMPARED = ("lt", "le", "gt", "ge", "eq", "ne")
LISTED = sorted(  # for messages; an alias is accepted, but not listed
    NAMES.get(name, name) for name in (*COMPARED, *SCALARS, *AGGREGATES, *ORDER_SENSITIVE)
)
CALLABLE = (*LISTED, *ALIASES)


def function_of(name: str) -> Function | None:
    """The function that an analyst means by a name, in any case; None when it is not allowed."""
    lower = name.lower()
    return FUNCTIONS.get(ALIASES.get(lower, lower))
