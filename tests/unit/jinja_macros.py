"""Renders the package's macros with bare Jinja, so that pure rules are tested without Spark or dbt.

`macros()` returns a namespace: `macros().aggregation(name="x", …)` is `strandline.aggregation`.
What dbt gives every macro (`return`, `modules`, `exceptions`, …) is stood in for here.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pytz

MACROS = Path(__file__).parents[2] / "macros"


class Refused(Exception):
    """A macro raised a compiler error; its text is the message."""


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def _return(value: Any = None) -> None:
    raise _Return(value)


def _refuse(message: str) -> None:
    raise Refused(message)


def _callable(environment: jinja2.Environment, path: Path, context: dict[str, Any]) -> Callable:
    @functools.cache
    def macro() -> Any:
        # Jinja keeps names with a leading underscore to their template, so the macro is renamed.
        text = path.read_text().replace(f"macro {path.stem}(", "macro rendered(")
        return environment.from_string(text, globals=context).module.rendered

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return str(macro()(*args, **kwargs))
        except _Return as returned:
            return returned.value

    return call


@functools.cache
def macros() -> SimpleNamespace:
    """Every macro of the package that a file bears the name of, materializations left out."""
    environment = jinja2.Environment(extensions=["jinja2.ext.do"], undefined=jinja2.StrictUndefined)  # noqa: S701
    package: dict[str, Callable] = {}
    context = {
        "return": _return,
        "exceptions": SimpleNamespace(raise_compiler_error=_refuse),
        "modules": SimpleNamespace(re=re, datetime=datetime, pytz=pytz),
        "local_md5": lambda text: hashlib.md5(text.encode()).hexdigest(),  # noqa: S324
        "tojson": json.dumps,
        "fromjson": json.loads,
        "execute": False,  # as while dbt parses: nothing is looked up
        "ref": lambda name: name,
        "strandline": package,
    }
    for path in MACROS.rglob("*.sql"):
        if "{% materialization" not in path.read_text():
            package[path.stem] = _callable(environment, path, context)
    return SimpleNamespace(**package)
