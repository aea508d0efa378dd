"""Texts as constants of Spark SQL: exactly, and never as code."""

from __future__ import annotations


def text_sql(text: str) -> str:
    """A text as a constant that Spark reads the same under all its settings.

    A text with a quote, a backslash, a `$` or a control character is written as bytes: Spark puts
    the value of a variable for `${env:HOME}` in the text of a query, in quotes too, and whether a
    backslash escapes is a setting.
    """
    if text.isprintable() and not any(character in text for character in "'\\$"):
        return f"'{text}'"
    return f"cast(X'{text.encode(errors='replace').hex()}' as string)"
