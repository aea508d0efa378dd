"""What users call is described in `_macros.yml`, argument by argument."""

from __future__ import annotations

import re

import pytest
import yaml
from tests.unit.jinja_macros import MACROS

SIGNATURE = re.compile(r"{%-? macro (\w+)\((.*?)\) -?%}", re.DOTALL)


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in MACROS.rglob("_macros.yml")))
def test_every_public_macro_is_described_with_its_arguments(folder):
    documented = yaml.safe_load((MACROS / folder / "_macros.yml").read_text())["macros"]
    described = {
        macro["name"]: [each["name"] for each in macro.get("arguments", [])] for macro in documented
    }
    written = {}
    for path in (MACROS / folder).rglob("*.sql"):
        for name, signature in SIGNATURE.findall(path.read_text()):
            if not name.startswith("_"):
                arguments = [argument.split("=")[0].strip() for argument in signature.split(",")]
                written[name] = sorted(argument for argument in arguments if argument)
    assert {name: sorted(each) for name, each in described.items()} == written
    for macro in documented:
        assert macro["description"].strip()
        assert all(argument["description"].strip() for argument in macro.get("arguments", []))
