"""From the text of a metric to nodes: sqlglot parses it, and everything else is refused.

sqlglot's Spark dialect is read without its table of functions: a call keeps the name and the place
that the analyst gave it. Nothing of sqlglot's tree is ever turned back into SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokens import Token, TokenType

from strandline.detection.errors import SURROGATE, Fault, surrogate
from strandline.detection.foreign import TOKENS
from strandline.detection.metric import Call, Node, Span
from strandline.detection.reader import Reader, Refused

LONGEST = 10_000  # characters
DEEPEST_TEXT = 20  # nested parentheses: sqlglot needs some 25 calls for each
DEEPEST_TREE = 100
DEEP = f"it is nested more than {DEEPEST_TEXT} deep; split it"
OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE)
CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END)
PREFIX = (
    TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE, TokenType.INTERVAL,
    TokenType.PARAMETER,
)  # fmt: skip
COMPARISON = {
    TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT, TokenType.GTE,
    TokenType.NULLSAFE_EQ,
}  # fmt: skip
TYPES = {TokenType.ARRAY, TokenType.MAP, TokenType.STRUCT}


class _Metrics(Spark):
    class Tokenizer(Spark.Tokenizer):
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            **Spark.Tokenizer.KEYWORDS,
            "&&": TokenType.AND,
            "||": TokenType.OR,
        }

    class Parser(Spark.Parser):  # type: ignore[misc, valid-type] # sqlglot has it as a variable
        FUNCTIONS: ClassVar[dict[str, Any]] = {}
        FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {}
        NO_PAREN_FUNCTIONS: ClassVar[dict[Any, Any]] = {}
        NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
            "CASE": Spark.Parser.NO_PAREN_FUNCTION_PARSERS["CASE"]
        }


def parse(text: str) -> Node | Fault:
    """The nodes of a metric's text, or the first thing in it that is not allowed.

    Columns and functions are not looked up yet.
    """
    whole = (len(text) - len(text.lstrip()), len(text.rstrip()))
    if not text.strip():
        return Fault("it is empty; write a condition, as in `temp > 65`", 0, 1)
    if len(text) > LONGEST:
        return Fault(f"it has {len(text):,} characters; at most {LONGEST:,} are read", 0, 1)
    half = surrogate(text)
    if half is not None:
        return Fault(f"it holds {SURROGATE}", half, half + 1)
    tokens: list[Token] = []
    try:
        tokens = _Metrics().tokenize(text)
        _check_tokens(tokens, text)
        if not tokens:
            raise Refused("it holds no expression, only comments", *whole)
        tree = _tree(tokens, text, whole)
        _check_depth(tree, lambda tree: tree.iter_expressions(), whole)
        node = Reader(tokens, whole).read(tree)
        _check_depth(node, lambda node: node.arguments if isinstance(node, Call) else (), whole)
        return node
    except Refused as refused:
        return refused.fault
    except TokenError:
        return Fault("a quote or a comment is not closed", *whole)
    except ParseError as error:
        return _unreadable(error, tokens, whole)
    except RecursionError:  # where little of Python's stack is left, before the limits here
        return Fault("it is nested too deeply; split it", *whole)


def _tree(tokens: list[Token], text: str, whole: Span) -> exp.Expr:
    """sqlglot's tree. On some texts sqlglot raises errors that are not its own."""
    try:
        trees = _Metrics().parser().parse_into(exp.Condition, tokens, text)
    except (ParseError, RecursionError):
        raise
    except Exception:
        trees = None
    if not trees or trees[0] is None:
        raise Refused("it cannot be read as an expression", *whole)
    return trees[0]


def _check_tokens(tokens: list[Token], text: str) -> None:
    """One statement, without paths, not nested too deeply to be read."""
    depth, prefixes = 0, 0
    for token in tokens:
        kind, place = token.token_type, (token.start, token.end + 1)
        if kind == TokenType.SEMICOLON:
            raise Refused("`;` ends a statement, and a metric is one expression", *place)
        if kind in TOKENS:
            raise Refused(f"a metric cannot hold {TOKENS[kind]}", *place)
        depth += (kind in OPENING) - (kind in CLOSING)
        prefixes = prefixes + 1 if kind in PREFIX else 0
        if max(depth, prefixes) > DEEPEST_TEXT:
            raise Refused(DEEP, *place)
    typed = 0
    for token, after in pairwise(tokens):
        if token.token_type in COMPARISON and after.token_type in COMPARISON:
            start, end = token.start, after.end + 1
            message = f"`{text[start:end]}` is no comparison; write one of <, <=, =, <>, >=, >, <=>"
            raise Refused(message, start, end)
        typed += token.token_type in TYPES and after.token_type == TokenType.LT
        if typed > DEEPEST_TEXT:
            raise Refused(DEEP, token.start, after.end + 1)


def _check_depth(root: Any, below: Callable[[Any], Iterable[Any]], whole: Span) -> None:
    waiting = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST_TREE:
            message = (
                f"it has more than {DEEPEST_TREE} operators in a chain; split it, or write `in`"
            )
            raise Refused(message, *whole)
        waiting.extend((child, depth + 1) for child in below(node))


def _unreadable(error: ParseError, tokens: list[Token], whole: Span) -> Fault:
    found = error.errors[0] if error.errors else {}
    for token in tokens:
        if (token.line, token.col) == (found.get("line"), found.get("col")):
            written = f"`{token.text}`" if token.text.isprintable() else "this"
            message = f"it cannot be read as an expression from {written} on"
            return Fault(message, token.start, token.end + 1)
    return Fault("it cannot be read as an expression", *whole)
