"""What users call is described in `_macros.yml`, argument by argument; the rest is hidden."""

from __future__ import annotations

import re

import pytest
import yaml
from scripts.hide_macros import private_macros
from tests.unit.jinja_macros import MACROS, described, described_arguments

SIGNATURE = re.compile(r"{%-? macro (\w+)\((.*?)\) -?%}", re.DOTALL)
ROOMS = sorted(path.name for path in MACROS.iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in MACROS.rglob("_macros.yml")))
def test_every_public_macro_is_described_with_its_arguments(folder):
    written = {}
    for path in (MACROS / folder).rglob("*.sql"):
        for name, signature in SIGNATURE.findall(path.read_text()):
            if not name.startswith("_"):
                arguments = [argument.split("=")[0].strip() for argument in signature.split(",")]
                written[name] = sorted(argument for argument in arguments if argument)
    assert {name: sorted(each) for name, each in described_arguments(folder).items()} == written
    for macro in described(folder):
        assert macro["description"].strip()
        assert all(argument["description"].strip() for argument in macro.get("arguments", []))


def test_every_room_with_public_macros_describes_them():
    public = {
        path.relative_to(MACROS).parts[0]
        for path in MACROS.rglob("*.sql")
        for name, _ in SIGNATURE.findall(path.read_text())
        if not name.startswith("_")
    }
    assert public == {path.parent.name for path in MACROS.rglob("_macros.yml")}


@pytest.mark.parametrize("room", ROOMS)
def test_every_private_macro_is_hidden_from_the_docs(room):
    """`make format` writes the files again after a change."""
    path = MACROS / room / "_private.yml"
    hidden = yaml.safe_load(path.read_text())["macros"] if path.exists() else []
    assert [each["name"] for each in hidden] == private_macros(MACROS / room)
    assert all(each["config"] == {"docs": {"show": False}} for each in hidden)
