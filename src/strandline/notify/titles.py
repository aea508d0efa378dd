"""Titles that a project words by itself, as templates of Jinja."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["TemplateError", "TitleTemplate"]

_SANDBOX = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)


class TitleTemplate:
    """A title with the words of a notification in it. It can call nothing and read no file."""

    def __init__(self, text: str) -> None:
        """Raises jinja2.TemplateError for a text that is no template."""
        self._template = _SANDBOX.from_string(text)

    def render(self, words: Mapping[str, str]) -> str:
        """Raises jinja2.TemplateError for a name that is not among the words."""
        return self._template.render(words)
