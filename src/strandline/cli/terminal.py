"""What a command prints: texts of files, tables and services command no terminal.

A terminal obeys control characters: they colour, overwrite and hide what stands there. Here they
are shown as escapes, such as `\\x1b`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import format_exception
from types import TracebackType

import click

from strandline.control import CONTROL
from strandline.errors import StrandlineError

# All but tab and line break; and halves of characters, which cannot be written at all.
_OBEYED = re.compile(f"(?![\t\n])[{CONTROL}\ud800-\udfff]")


def plain(text: str) -> str:
    """A text of one line or more, with escapes for what a terminal would obey."""
    return _OBEYED.sub(_escape, text)


def one_line(text: str) -> str:
    """As `plain`; a line break is an escape too, so that no value begins a line of its own."""
    return plain(text).replace("\n", "\\n")


def say(text: str) -> None:
    """Print a text and a line break."""
    click.echo(plain(text))


@contextmanager
def plain_errors() -> Iterator[None]:
    """Errors of click pass with a message that a terminal shows as it is."""
    try:
        yield
    except click.ClickException as error:
        vars(error)["message"] = plain(error.message)
        raise


def in_one_message(error: Exception) -> str:
    """The message of an error of ours; of any other the type as well, and how to see more."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    text = str(error).strip() or "no message"
    if isinstance(error, StrandlineError):
        return text
    return f"{type(error).__name__}: {text}\n(`strandline --debug …` shows where it happened)"


def show_traceback(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Python's traceback of an error that ends the process, as `sys.excepthook` shows it."""
    sys.stderr.write(plain("".join(format_exception(kind, error, trace))))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
