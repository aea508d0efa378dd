"""The one error type of the Spark side, and Spark's own messages without the JVM's stack."""

from __future__ import annotations

import re

_STACK_LINE = re.compile(r"^\s*(at [\w$.<>/ ]+\(.*\)|\.\.\. \d+ more|Driver stacktrace:.*)\s*$")
# An error of analysis ends in the whole logical plan.
_PLAN = re.compile(r"(SQLSTATE: \w{5}(?:; line \d+ pos \d+)?);\s*\n['+:!\s\w].*", re.DOTALL)
_WRAPPER = re.compile(
    r"^(Caused by: )?(org\.apache\.spark|java|scala|io\.delta)[\w.$]*(Exception|Error): "
)


class StrandlineSparkError(Exception):
    """Something the user can put right: a held lock, no server, no jars, a wrong setting."""


def message_of(error: BaseException) -> str:
    """The message of a Spark, Py4J or gRPC error, without plan and JVM stack.

    A traceback of the user's own Python code (raised in a worker) is kept whole: those lines
    begin with `File`, not with `at`.
    """
    text = _java_text(error) or str(error) or type(error).__name__
    text = _PLAN.sub(r"\1", text.split("\n\nJVM stacktrace:", 1)[0])
    lines = [line.rstrip() for line in text.splitlines() if not _STACK_LINE.match(line)]
    lines = [_WRAPPER.sub(lambda found: found.group(1) or "", line) for line in lines]
    seen: set[str] = set()
    kept = []
    for line in lines:
        # Spark repeats one message in a chain of causes.
        if line.startswith("Caused by: ") and line.removeprefix("Caused by: ") in seen:
            continue
        seen.add(line)
        kept.append(line)
    return "\n".join(kept).strip()


def _java_text(error: BaseException) -> str | None:
    java = getattr(error, "java_exception", None)  # py4j.protocol.Py4JJavaError
    if java is None:
        return None
    try:
        return str(java.getMessage() or java.toString())
    except Exception:  # the JVM may be gone already: what Python knows must do
        return None
