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
import yaml

MACROS = Path(__file__).parents[2] / "macros"
MACRO = re.compile(r"(?<={% |%- )macro (\w+)\(")
MATERIALIZATION = re.compile(r"{% materialization .*?{% endmaterialization %}", re.DOTALL)


class Refused(Exception):
    """A macro raised a compiler error; its text is the message."""


class Undefined(jinja2.StrictUndefined):
    """As dbt's, it has the name that was written; unlike dbt's, it is never silently empty."""

    @property
    def name(self) -> str | None:
        return self._undefined_name


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def _return(value: Any = None) -> None:
    raise _Return(value)


def _refuse(message: str) -> None:
    raise Refused(message)


def _callables(
    environment: jinja2.Environment, path: Path, context: dict[str, Any]
) -> dict[str, Callable]:
    """Every macro of a file by its name; the file is compiled when one of them is called first."""
    text = MATERIALIZATION.sub("", path.read_text())

    @functools.cache
    def module() -> Any:
        # Jinja does not export names with a leading underscore, so all macros get a prefix.
        return environment.from_string(
            MACRO.sub(r"macro exported_\1(", text), globals=context
        ).module

    def call_of(name: str) -> Callable:
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return str(getattr(module(), f"exported_{name}")(*args, **kwargs))
            except _Return as returned:
                return returned.value

        return call

    return {name: call_of(name) for name in MACRO.findall(text)}


@functools.cache
def macros() -> SimpleNamespace:
    """Every macro of the package; materializations are left out, which are dbt's own."""
    return macros_with()


def macros_with(**given: Any) -> SimpleNamespace:
    """The same, with macros of ours or parts of dbt's context (`adapter`, `model`) replaced."""
    environment = jinja2.Environment(extensions=["jinja2.ext.do"], undefined=Undefined)  # noqa: S701
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
        "env_var": lambda _, default: default,
        "var": lambda _, default=None: default,
        "strandline": package,
        **given,
    }
    for path in MACROS.rglob("*.sql"):
        package.update(_callables(environment, path, context))
    package.update({name: macro for name, macro in given.items() if name in package})
    return SimpleNamespace(**package)


def described(folder: str = "**") -> list[dict[str, Any]]:
    """What `_macros.yml` says of the public macros of a folder; of all folders by default."""
    return [
        macro
        for path in MACROS.glob(f"{folder}/_macros.yml")
        for macro in yaml.safe_load(path.read_text())["macros"]
    ]


def described_arguments(folder: str = "**") -> dict[str, list[str]]:
    """Each of these macros with the names of its arguments."""
    return {
        macro["name"]: [each["name"] for each in macro.get("arguments", [])]
        for macro in described(folder)
    }
