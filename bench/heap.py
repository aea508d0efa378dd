"""The option of every benchmark that says how much heap the driver takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click


class Heap(click.ParamType):
    """A size as Java and Spark both read it."""

    name = "size"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"[1-9][0-9]*[mg]", value):
            self.fail(f"{value!r} is not a size such as 800m or 6g.", param, ctx)
        return value


def memory_option(default: str) -> Callable[[Any], Any]:
    """`--memory`: all of it is taken at once."""
    return click.option(
        "--memory", type=Heap(), default=default, show_default=True, help="Heap of the driver."
    )
