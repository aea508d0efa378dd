"""The one error type of the Spark side, and Spark's own messages without the JVM's stack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from strandline.errors import StrandlineError

_STACK_LINE = re.compile(r"^\s*(at [\w$.<>/ ]+\(.*\)|\.\.\. \d+ more|Driver stacktrace:.*)\s*$")
# An error of analysis ends in the whole logical plan.
_PLAN = re.compile(r"(SQLSTATE: \w{5}(?:; line \d+ pos \d+)?);\s*\n['+:!\s\w].*", re.DOTALL)
# An error of syntax ends in the whole statement, with a line of carets (`----^^^`) in it.
_STATEMENT = re.compile(r"\n+== SQL(?: \([^)\n]*\))? ==\n(.*)", re.DOTALL)
_CARETS = re.compile(r"-*\^+ *")
# What to do after some of Delta's errors, which speak of streaming queries, files or paths.
_ADVICE = {
    r"\[DELTA_(CONCURRENT_|METADATA_CHANGED|PROTOCOL_CHANGED)": (
        "\nAnother run has written to this table at the same time, and this one wrote nothing to"
        " it; run it again."
    ),
    r"\[DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION\]": (
        "\nThe folder belongs to no table that the metastore knows: the creation of a table was cut"
        " off, or an external table was dropped. Remove the folder if nothing in it is needed; else"
        " make it known by `create table … using delta location '…'`."
    ),
}
_AROUND = 80  # characters of a long line that are kept on each side of the carets
_WRAPPER = re.compile(
    r"^(Caused by: |)(?:(?:org\.apache\.spark|java|scala|io\.delta)[\w.$]*(?:Exception|Error): )+"
)


class StrandlineSparkError(StrandlineError):
    """An error that the user can correct: a lock in use, no server, no jars, a wrong setting."""


def message_of(error: BaseException) -> str:
    """The message of a Spark, Py4J or gRPC error, without plan and JVM stack.

    A traceback of the user's own Python code (raised in a worker) is kept whole: those lines
    begin with `File`, not with `at`.
    """
    messages: list[str] = []
    for text in (_text(error), *_causes(error)):
        clean = _without_stack(text)
        if clean and not any(clean in earlier for earlier in messages):
            messages.append(clean)
    message = "\nCaused by: ".join(messages) or type(error).__name__
    return message + "".join(text for sign, text in _ADVICE.items() if re.search(sign, message))


def _at_carets(statement: re.Match[str]) -> str:
    """The line of a statement that the carets point at, and the carets; nothing of the rest."""
    lines = statement[1].split("\n")
    for line, carets in pairwise(lines):
        if _CARETS.fullmatch(carets):
            cut = max(0, carets.index("^") - _AROUND)
            shown = line[cut : carets.rindex("^") + 1 + _AROUND]
            return f"\n  {shown}\n  {carets[cut:].replace('-', ' ').rstrip()}"
    return ""


def _without_stack(text: str) -> str:
    text = _PLAN.sub(r"\1", text.split("\n\nJVM stacktrace:", 1)[0])
    text = _STATEMENT.sub(_at_carets, text)
    lines = [line.rstrip() for line in text.splitlines() if not _STACK_LINE.match(line)]
    return "\n".join(_WRAPPER.sub(r"\1", line) for line in lines).strip()


def _text(error: BaseException) -> str:
    java = getattr(error, "java_exception", None)  # str() of a Py4JJavaError is its whole stack
    return str(error) if java is None else _java_message(java)


def _causes(error: BaseException) -> Iterator[str]:
    """The messages of the JVM's causes: the first one is often just "task failed"."""
    stack = getattr(error, "getStackTrace", lambda: None)()
    if isinstance(stack, str):  # through Connect the causes are in the text of the stack alone
        yield from stack.split("\nCaused by: ")[1:]
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while java is not None:
        try:
            java = java.getCause()
        except Exception:  # the JVM may have ended already: what Python knows must do
            return
        if java is not None:
            yield _java_message(java)


def _java_message(java: Any) -> str:
    try:
        return str(java.getMessage() or java.toString())
    except Exception:  # as above
        return ""
