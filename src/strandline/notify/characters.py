"""Shortens a text between the characters that a reader sees, never inside one."""

from __future__ import annotations

import unicodedata

JOINER = "\u200d"
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
TAGS = range(0xE0020, 0xE0080)
# Hangul: leading consonants, vowels, trailing consonants.
HANGUL_CONTINUES = range(0x1160, 0x1200)


def cut(text: str, length: int) -> str:
    """At most so many code points, with an ellipsis for what was cut."""
    return text if len(text) <= length else f"{begin(text, length - 1)}…"


def begin(text: str, length: int) -> str:
    """The beginning of a text: at most so many code points, and no part of a character."""
    end = max(length, 0)
    while 0 < end < len(text) and _continues(text, end):
        end -= 1
    return text[:end]


def units(text: str) -> int:
    """The length in UTF-16, as the strictest of the services count."""
    return len(text) + sum(1 for each in text if ord(each) > 0xFFFF)


def _continues(text: str, at: int) -> bool:
    """Whether the code point there belongs to the character before it."""
    before, point = text[at - 1], ord(text[at])
    if text[at] == JOINER or before == JOINER or unicodedata.category(text[at])[0] == "M":
        return True
    if point in SKIN_TONES or point in TAGS or point in HANGUL_CONTINUES:
        return True
    if 0xDC00 <= point < 0xE000 and 0xD800 <= ord(before) < 0xDC00:
        return True
    if before == "\r" and text[at] == "\n":
        return True
    if point in FLAG_LETTERS:  # a flag is two of them
        run = 0
        while run < at and ord(text[at - 1 - run]) in FLAG_LETTERS:
            run += 1
        return run % 2 == 1
    return False
