"""What a macro hands on as JSON, read as a declared record."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any


def attributes_of(record: type, text: str) -> dict[str, Any]:
    """The attributes of a dataclass, from a JSON object that has each of them and no other.

    Raises:
        ValueError: the text is no such object.
    """
    given = json.loads(text)
    names = [field.name for field in fields(record)]
    if not isinstance(given, dict) or sorted(given) != sorted(names):
        raise ValueError(f"a {record.__name__} is an object of {', '.join(names)}, not {text}")
    return given
