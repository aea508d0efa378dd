"""The allow-list: every operator and function of a metric, its signature, and its Spark SQL.

A signature reads `number, number? -> number`: `?` may be left out, `...` may be repeated, `any` is
any type, `same` any type that all the `same` of one call share. Names are found in any case.

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
    {order} in an aggregate stands for what orders its rows.
    """

    name: str
    kind: str
    signature: str
    sql: str

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(self.signature.split(" -> ")[0].split(", "))

    @property
    def returns(self) -> str:
        return self.signature.split(" -> ")[1]


OPERATORS = {  # written between their operands, or as the functions named in ALIASES
    "and": ("boolean, boolean -> boolean", "({0} and {1})"),
    "or": ("boolean, boolean -> boolean", "({0} or {1})"),
    "not": ("boolean -> boolean", "(not {0})"),
    "eq": ("same, same -> boolean", "({0} = {1})"),
    "ne": ("same, same -> boolean", "({0} <> {1})"),
    "lt": ("same, same -> boolean", "({0} < {1})"),
    "le": ("same, same -> boolean", "({0} <= {1})"),
    "gt": ("same, same -> boolean", "({0} > {1})"),
    "ge": ("same, same -> boolean", "({0} >= {1})"),
    "<=>": ("same, same -> boolean", "({0} <=> {1})"),
    "in": ("same, same... -> boolean", "({0} in ({rest}))"),
    "between": ("same, same, same -> boolean", "({0} between {1} and {2})"),
    "like": ("string, string -> boolean", "({0} like {1})"),
    "+": ("number, number -> number", "try_add({0}, {1})"),
    "-": ("number, number -> number", "try_subtract({0}, {1})"),
    "*": ("number, number -> number", "try_multiply({0}, {1})"),
    "/": ("number, number -> number", "try_divide({0}, {1})"),
    "%": ("number, number -> number", "({0} % nullif({1}, 0))"),
    "neg": ("number -> number", "(- {0})"),
    "0 or 1": ("boolean -> number", "cast({0} as int)"),  # of a Boolean in an aggregate of numbers
}
SCALARS = {
    "abs": ("number -> number", "abs({0})"),
    "sign": ("number -> number", "sign({0})"),
    "round": ("number, number? -> number", "round({args})"),
    # Of NaN Spark's are 0; `nanvl` would make a double of a decimal or an integer.
    "floor": ("number -> number", "floor(nullif({0}, double('NaN')))"),
    "ceil": ("number -> number", "ceil(nullif({0}, double('NaN')))"),
    "sqrt": ("number -> number", "nanvl(sqrt({0}), cast(null as double))"),
    "pow": ("number, number -> number", "nanvl(pow({0}, {1}), cast(null as double))"),
    "exp": ("number -> number", "exp({0})"),
    "log": ("number -> number", "ln({0})"),
    "log2": ("number -> number", "log2({0})"),
    "log10": ("number -> number", "log10({0})"),
    "greatest": ("same, same, same... -> same", "greatest({args})"),
    "least": ("same, same, same... -> same", "least({args})"),
    "coalesce": ("same, same... -> same", "coalesce({args})"),
    "nullif": ("same, same -> same", "nullif({args})"),
    "if": ("boolean, same, same -> same", "if({args})"),
    "isnull": ("any -> boolean", "({0} is null)"),
    "isnan": ("number -> boolean", "isnan({0})"),
    "lower": ("string -> string", "lower({0})"),
    "upper": ("string -> string", "upper({0})"),
    "trim": ("string -> string", "trim({0})"),
    "length": ("string -> number", "length({0})"),
    "year": ("time -> number", "year({0})"),
    "month": ("time -> number", "month({0})"),
    "day": ("time -> number", "day({0})"),
    "dayofweek": ("time -> number", "dayofweek({0})"),
    "hour": ("time -> number", "hour({0})"),
    "minute": ("time -> number", "minute({0})"),
    "second": ("time -> number", "second({0})"),
}
AGGREGATES = {
    "avg": ("number -> number", "try_avg({0})"),
    "sum": ("number -> number", "try_sum({0})"),
    "count": ("any -> number", "count({0})"),
    "min": ("same -> same", "min({0})"),
    "max": ("same -> same", "max({0})"),
    "med": ("number -> number", "median({0})"),
    "percentile": ("number, number, string? -> number", ""),  # see sql.percentile_sql
    "std": ("number -> number", "stddev_samp({0})"),
    "var": ("number -> number", "var_samp({0})"),
    "stdp": ("number -> number", "stddev_pop({0})"),
    "varp": ("number -> number", "var_pop({0})"),
    "first": ("same -> same", "min_by({0}, if({0} is null, null, {order}))"),
    "last": ("same -> same", "max_by({0}, if({0} is null, null, {order}))"),
}
ORDER_SENSITIVE = {
    "prev": ("same -> same", ""),
    "deltas": ("number -> number", ""),
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
        name: Function(name, kind, signature, sql)
        for kind, table in tables
        for name, (signature, sql) in table.items()
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
