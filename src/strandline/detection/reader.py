"""From sqlglot's tree of a metric to nodes; everything else is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isinf

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from strandline.detection.errors import Fault
from strandline.detection.foreign import foreign
from strandline.detection.metric import Call, Column, Literal, Node, Span

NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")


class Refused(Exception):
    """The first thing in a text that is not allowed in a metric."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.fault = Fault(message, start, end)


BINARY: dict[type[exp.Expr], str] = {
    exp.And: "and", exp.Or: "or", exp.EQ: "eq", exp.NEQ: "ne", exp.LT: "lt", exp.LTE: "le",
    exp.GT: "gt", exp.GTE: "ge", exp.NullSafeEQ: "<=>", exp.Add: "+", exp.Sub: "-", exp.Mul: "*",
    exp.Div: "/", exp.Mod: "%", exp.Like: "like",
}  # fmt: skip
WRITTEN = {"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "neg": "-"}


def _closed(tokens: list[Token]) -> dict[int, int]:
    """Where the call ends whose name ends at an offset: behind its closing parenthesis."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for before, token in zip([None, *tokens], tokens):  # noqa: B905 (the last has none after it)
        if token.token_type == TokenType.L_PAREN:
            opened.append(before.end + 1 if before else 0)
        elif token.token_type == TokenType.R_PAREN and opened:
            ends[opened.pop()] = token.end + 1
    return ends


class Reader:
    """Turns sqlglot's tree into nodes; every argument of a tree that is not read is refused."""

    def __init__(self, tokens: list[Token], whole: Span) -> None:
        self._tokens = tokens
        self._whole = whole
        self._closed = _closed(tokens)

    def read(self, tree: exp.Expr) -> Node:
        kind = type(tree)
        if kind in BINARY:
            # `typed` and `safe` say how the dialect divides: how `sql` does it is in `functions`.
            self._only(tree, "this", "expression", "negate", "typed", "safe")
            return self._negated(tree, self._call(BINARY[kind], tree.this, tree.expression))
        reader = READERS.get(kind)
        return self._foreign(tree) if reader is None else reader(self, tree)

    def _call(self, name: str, *operands: exp.Expr) -> Call:
        arguments = tuple(self.read(operand) for operand in operands)
        span = (arguments[0].span[0], arguments[-1].span[1])
        return Call(name, arguments, span, span, WRITTEN.get(name, name))

    def _negated(self, tree: exp.Expr, node: Call) -> Call:
        if not tree.args.get("negate"):
            return node
        return Call("not", (node,), node.span, node.span, "not")

    def _only(self, tree: exp.Expr, *known: str) -> None:
        """Refuse everything else that sqlglot read here, such as `escape`: it would be lost."""
        for name, value in tree.args.items():
            if value and name not in known:
                self._foreign(value if isinstance(value, exp.Query) else tree)

    def _prefixed(self, tree: exp.Expr) -> Node:
        self._only(tree, "this")
        return self._call("not" if isinstance(tree, exp.Not) else "neg", tree.this)

    def _paren(self, tree: exp.Expr) -> Node:
        self._only(tree, "this")
        return self.read(tree.this)

    def _between(self, tree: exp.Expr) -> Node:
        self._only(tree, "this", "low", "high")
        return self._call("between", tree.this, tree.args["low"], tree.args["high"])

    def _in(self, tree: exp.Expr) -> Node:
        self._only(tree, "this", "expressions")
        return self._call("in", tree.this, *tree.expressions)

    def _is(self, tree: exp.Expr) -> Node:
        self._only(tree, "this", "expression")
        if isinstance(tree.expression, exp.Null):
            return self._call("isnull", tree.this)
        return self._call("<=>", tree.this, tree.expression)

    def _case(self, tree: exp.Expr) -> Node:
        """`case` is read as `if`s within each other."""
        self._only(tree, "this", "ifs", "default")
        default = tree.args.get("default")
        node = Literal("null", "null") if default is None else self.read(default)
        for branch in reversed(tree.args["ifs"]):
            self._only(branch, "this", "true")
            when = self.read(branch.this)
            if tree.this is not None:
                when = Call("eq", (self.read(tree.this), when), when.span, when.span, "case")
            then = self.read(branch.args["true"])
            span = (when.span[0], then.span[1])
            node = Call("if", (when, then, node), span, span, "case")
        return node

    def _column(self, tree: exp.Expr) -> Node:
        if isinstance(tree.this, exp.Star):
            return self._foreign(tree.this)
        if any(value for name, value in tree.args.items() if name != "this"):
            return self._foreign(exp.Dot(), self._span(tree))
        self._only(tree.this, "this", "quoted")
        return Column(tree.this.this, self._span(tree.this))

    def _literal(self, tree: exp.Expr) -> Node:
        kind, text, span = "string" if tree.is_string else "number", tree.this, self._span(tree)
        if kind == "number" and (
            not NUMBER.fullmatch(text) or len(text) > 38 or isinf(float(text))
        ):
            raise Refused("this number is out of range; write 38 digits or fewer", *span)
        return Literal(kind, text, span)

    def _word(self, tree: exp.Expr) -> Node:
        text = "null" if isinstance(tree, exp.Null) else str(bool(tree.this)).lower()
        return Literal("null" if text == "null" else "boolean", text, self._span(tree))

    def _function(self, tree: exp.Expr) -> Node:
        self._only(tree, "this", "expressions")
        name, arguments = tree.this, tree.expressions
        if not isinstance(name, str):
            return self._foreign(tree)
        span = tree.meta["start"], tree.meta["end"] + 1
        if name.lower() in ("cast", "try_cast"):
            return self._foreign(exp.Cast(), span)
        if name.lower() == "count" and len(arguments) == 1 and type(arguments[0]) is exp.Star:
            read: tuple[Node, ...] = (Literal("number", "1", self._span(arguments[0])),)
        else:
            read = tuple(self.read(argument) for argument in arguments)
        return Call(name, read, (span[0], self._closed.get(span[1], span[1])), span, name)

    def _span(self, tree: exp.Expr) -> Span:
        """Where a tree begins and ends, from the offsets that sqlglot has kept."""
        kept = [node.meta for node in tree.walk() if "start" in node.meta]
        if not kept:
            return self._whole
        return min(meta["start"] for meta in kept), max(meta["end"] for meta in kept) + 1

    def _foreign(self, tree: exp.Expr, span: Span | None = None) -> Node:
        name, token = foreign(tree)
        start, end = span or self._span(tree)
        for found in self._tokens:
            if span is None and found.token_type == token:
                start, end = found.start, found.end + 1
                break
        raise Refused(f"a metric cannot hold {name}", start, end)


READERS: dict[type[exp.Expr], Callable[[Reader, exp.Expr], Node]] = {
    exp.Not: Reader._prefixed,
    exp.Neg: Reader._prefixed,
    exp.Paren: Reader._paren,
    exp.Between: Reader._between,
    exp.In: Reader._in,
    exp.Is: Reader._is,
    exp.Case: Reader._case,
    exp.Column: Reader._column,
    exp.Literal: Reader._literal,
    exp.Null: Reader._word,
    exp.Boolean: Reader._word,
    exp.Anonymous: Reader._function,
}
