"""What is left of an error of Spark: the sentence, not the stack."""

import pytest

from strandline.spark.errors import message_of

WORKER = """[UDF_ERROR] An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "models/broken.py", line 3, in divide
    yield 1 // 0
ZeroDivisionError: division by zero
"""


LONG = f"{'a, ' * 100}b c{', d' * 100}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        (
            "Job aborted\n\tat org.apache.spark.Task.run(Task.scala:1)\n\t... 3 more",
            "Job aborted",
        ),
        (
            "[X] No column. SQLSTATE: 42703; line 1 pos 7;\n'Project ['nope]\n+- OneRowRelation\n",
            "[X] No column. SQLSTATE: 42703; line 1 pos 7",
        ),
        ("[Y] y\n\nJVM stacktrace:\norg.apache.spark.Z: z", "[Y] y"),
        (
            "\n[P] Syntax error at or near ')'. SQLSTATE: 42601 (line 3, pos 9)\n\n== SQL ==\n"
            "select *\nfrom (\n    max(x +) as m,\n-----------^^^\n    1\n) as t\n",
            "[P] Syntax error at or near ')'. SQLSTATE: 42601 (line 3, pos 9)\n"
            "      max(x +) as m,\n             ^^^",
        ),
        (
            f"[P] p\n\n== SQL ==\n{LONG}\n{'-' * 302}^^^\n{'e ' * 500}",
            f"[P] p\n  {LONG[222:385].rstrip()}\n  {' ' * 80}^^^",
        ),
        (
            "[CAST] No number.\n== SQL (line 2, position 8) ==\ncast(x as int)\n^^^^^^^^^^^^^^",
            "[CAST] No number.\n  cast(x as int)\n  ^^^^^^^^^^^^^^",
        ),
        ("[Z] z\n\n== SQL ==\nselect 1\nfrom x", "[Z] z"),
        (WORKER, WORKER.strip()),
        ("org.apache.spark.SparkException: boom", "boom"),
        (
            "[DELTA_CONCURRENT_APPEND] Files were added.",
            "[DELTA_CONCURRENT_APPEND] Files were added.\nAnother run has written to this table at the "
            "same time, and this one wrote nothing to it; run it again.",
        ),
        (
            "[DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION] The location '/w/t' is not empty.",
            "[DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION] The location '/w/t' is not empty.\nThe folder "
            "belongs to no table that the metastore knows: the creation of a table was cut off, or an "
            "external table was dropped. Remove the folder if nothing in it is needed; else make it known "
            "by `create table … using delta location '…'`.",
        ),
    ],
)
def test_message(text, expected):
    assert message_of(ValueError(text)) == expected


class Java:
    """An exception of the JVM, as Py4J shows it."""

    def __init__(self, message: str, cause: "Java | None" = None) -> None:
        self._message, self._cause = message, cause

    def getMessage(self) -> str:
        return self._message

    def getCause(self) -> "Java | None":
        return self._cause


def test_the_cause_is_named_and_each_sentence_once():
    error = ValueError("all of the stack")
    error.java_exception = Java("Task failed", Java("Task failed", Java("division by zero")))
    assert message_of(error) == "Task failed\nCaused by: division by zero"


class Connect(ValueError):
    """An error of Spark Connect, which knows the server's stack as a text."""

    def getStackTrace(self) -> str:
        return """org.apache.spark.SparkException
\tat org.apache.spark.util.ThreadUtils.awaitResult(ThreadUtils.scala:1)
Caused by: java.util.concurrent.ExecutionException: org.apache.spark.SparkRuntimeException: [USER] days are elsewhere
\tat java.util.concurrent.FutureTask.report(FutureTask.java:122)
Caused by: org.apache.spark.SparkRuntimeException: [USER] days are elsewhere
\tat org.apache.spark.sql.Errors.raise(Errors.scala:2)"""


def test_through_connect_the_cause_is_named_too():
    message = message_of(Connect("Exception thrown in awaitResult:"))
    assert message == "Exception thrown in awaitResult:\nCaused by: [USER] days are elsewhere"


def test_an_error_without_words_has_its_name():
    assert message_of(KeyError()) == "KeyError"
