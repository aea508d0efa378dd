"""What users call is described in `_macros.yml`, argument by argument."""

from __future__ import annotations

import re

import pytest
from tests.unit.jinja_macros import MACROS, described, described_arguments

SIGNATURE = re.compile(r"{%-? macro (\w+)\((.*?)\) -?%}", re.DOTALL)


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
