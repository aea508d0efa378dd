"""What sqlglot parses and a metric must not have: its name in messages, and its token."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.tokens import TokenType

NO_BITS = "an operation on bits"
FOREIGN: dict[type[exp.Expr], tuple[str, TokenType | None]] = {
    exp.Subquery: ("a subquery", TokenType.SELECT),
    exp.Query: ("a subquery", TokenType.SELECT),
    exp.SubqueryPredicate: ("a subquery, nor `any`, `all` or `exists`", TokenType.SELECT),
    exp.Window: ("a window of its own (`over`)", TokenType.OVER),
    exp.Filter: ("a filter of its own; write `sum(if(condition, value, null))`", TokenType.FILTER),
    exp.Distinct: ("`distinct`", TokenType.DISTINCT),
    exp.Bracket: ("an index (`[…]`)", TokenType.L_BRACKET),
    exp.Dot: ("a path (`a.b`)", TokenType.DOT),
    exp.Cast: ("a cast or a typed constant", TokenType.DCOLON),
    exp.Interval: ("an interval", TokenType.INTERVAL),
    exp.Alias: ("a second name (`as`)", TokenType.ALIAS),
    exp.Star: ("`*`, except in `count(*)`", TokenType.STAR),
    exp.Concat: ("two texts in a row; a quote in a text is `\\'`", None),
    exp.Parameter: ("a parameter", None),
    exp.IntDiv: ("`div`; write `floor(a / b)`", TokenType.DIV),
    exp.Placeholder: ("a parameter", TokenType.PLACEHOLDER),
    exp.BitwiseAnd: (NO_BITS, TokenType.AMP),
    exp.BitwiseOr: (NO_BITS, TokenType.PIPE),
    exp.BitwiseXor: (NO_BITS, TokenType.CARET),
    exp.BitwiseNot: (NO_BITS, TokenType.TILDE),
    exp.BitwiseLeftShift: (NO_BITS, None),
    exp.BitwiseRightShift: (NO_BITS, None),
    exp.Escape: ("`escape`; write a backslash before %, _ or \\", None),
    exp.RegexpLike: ("a regular expression; write `like`", None),
    exp.Collate: ("a collation", None),
    exp.Array: ("an array", TokenType.ARRAY),
    exp.Tuple: ("a list, except after `in`", TokenType.COMMA),
}
# Refused before sqlglot parses them: it would warn about paths into JSON.
TOKENS = {
    TokenType.ARROW: "a lambda or a path (`->`)",
    TokenType.DARROW: "a path (`->>`)",
    TokenType.HASH_ARROW: "a path (`#>`)",
    TokenType.DHASH_ARROW: "a path (`#>>`)",
    TokenType.COLON: "a path or a parameter (`:`)",
}


def foreign(tree: exp.Expr) -> tuple[str, TokenType | None]:
    """Its name in a message, and the kind of token to point at; None to point at all of it."""
    for kind, found in FOREIGN.items():
        if isinstance(tree, kind):
            return found
    return "this", None
