"""The one error type of the Spark side, and Spark's own messages without the JVM's stack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_STACK_LINE = re.compile(r"^\s*(at [\w$.<>/ ]+\(.*\)|\.\.\. \d+ more|Driver stacktrace:.*)\s*$")
# An error of analysis ends in the whole logical plan.
_PLAN = re.compile(r"(SQLSTATE: \w{5}(?:; line \d+ pos \d+)?);\s*\n['+:!\s\w].*", re.DOTALL)
_WRAPPER = re.compile(
    r"^(Caused by: |)(?:(?:org\.apache\.spark|java|scala|io\.delta)[\w.$]*(?:Exception|Error): )+"
)


class StrandlineSparkError(Exception):
    """Something the user can put right: a held lock, no server, no jars, a wrong setting."""


def message_of(error: BaseException) -> str:
    """The message of a Spark, Py4J or gRPC error, without plan and JVM stack.

    A traceback of the user's own Python code (raised in a worker) is kept whole: those lines
    begin with `File`, not with `at`.
    """
    told: list[str] = []
    for text in (_text(error), *_causes(error)):
        clean = _without_stack(text)
        if clean and not any(clean in earlier for earlier in told):
            told.append(clean)
    return "\nCaused by: ".join(told) or type(error).__name__


def _without_stack(text: str) -> str:
    text = _PLAN.sub(r"\1", text.split("\n\nJVM stacktrace:", 1)[0])
    lines = [line.rstrip() for line in text.splitlines() if not _STACK_LINE.match(line)]
    return "\n".join(_WRAPPER.sub(r"\1", line) for line in lines).strip()


def _text(error: BaseException) -> str:
    java = getattr(error, "java_exception", None)  # str() of a Py4JJavaError is its whole stack
    return str(error) if java is None else _java_message(java)


def _causes(error: BaseException) -> Iterator[str]:
    """The messages of the JVM's causes: the first one often says no more than "task failed"."""
    stack = getattr(error, "getStackTrace", lambda: None)()
    if isinstance(stack, str):  # through Connect the causes are in the text of the stack alone
        yield from stack.split("\nCaused by: ")[1:]
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while java is not None:
        try:
            java = java.getCause()
        except Exception:  # the JVM may be gone already: what Python knows must do
            return
        if java is not None:
            yield _java_message(java)


def _java_message(java: Any) -> str:
    try:
        return str(java.getMessage() or java.toString())
    except Exception:  # as above
        return ""
