"""The one list of texts that are something else where they are pasted, obeyed or rendered.

They come through every text input: tests/unit/test_hostile_*.py without Spark, and
tests/engine/test_hostile_texts.py with it. docs/security.md names the inputs.
"""

from __future__ import annotations

import unicodedata

TEXTS = {
    # SQL
    "a quote": "it's",
    "quotes": "' \" ` '' \"\"",
    "a statement": "'; drop table hostile; --",
    "a condition": "x' or '1' = '1",
    "an escaped quote": r"\' or 1 = 1 --",
    "a name": "` from hostile; drop table hostile; --",
    "comments": "/* -- */ # ;",
    "an open comment": "/* never closed",
    "a union": "') union all select java_method('java.lang.System', 'getenv', 'HOME') --",
    "backslashes": "C:\\new \\u0024 \\",
    "a backslash": "\\",
    # Variables of Spark, of a shell, of formats
    "a variable": "${env:HOME}",
    "two variables": "$${env:HOME} ${spark.app.name}",
    "a variable of Spark": "${spark.sql.session.timeZone}",
    "a shell": "$(id) `id` $HOME; rm -rf /",
    "formats": "100 %s %(x)s %d {0} {x} {{x}} {at}",
    # Jinja
    "an expression": "{{ 1+1 }}",
    "a call": "{{ env_var('HOME') }}",
    "a block": "{% raise %}",
    "a Jinja comment": "{# gone #}",
    "ends of Jinja": "}} %} #} {% endmacro %}",
    # HTML, scripts, links, chats
    "a script": "<script>alert(1)</script>",
    "the end of a script": "</script><!--",
    "an attribute": "\" onmouseover=\"alert(1)' x=",
    "an image": "<img src=x onerror=alert(1)>",
    "entities": "&lt;b&gt; &amp; &#x3c;",
    "a link": "javascript:alert(1)",
    "a link of Markdown": "[here](javascript:alert(1)) ![x](https://example.com/x.png)",
    "a call of all": "<!channel> @here <@U123>",
    "markup of a terminal": "[/red] [bold]x[/] :bug: [link=file:///]y[/link]",
    # Spreadsheets
    "a formula": "=cmd|' /C calc'!A0",
    "other formulas": "@SUM(1+1)*cmd",
    # Control characters
    "two lines": "one\ntwo: three",
    "a line of Windows": "one\r\nBcc: all@example.com",
    "a tab": "one\ttwo",
    "NUL": "a\x00b",
    "colours": "\x1b[31mred\x1b[0m\x1b[2J",
    "a title of a terminal": "\x1b]0;owned\x07",
    "a colour in one byte": "\x9b31m",
    "other control characters": "\x01\x07\x08\x0b\x0c\x1a\x7f\x85",
    "right to left": "\u202egnp.exe \u2066x\u2069 \u200f",
    "line ends of Unicode": "a\u2028b\u2029c",
    # Texts that are taken for others
    "a byte order mark": "\ufeffx",
    "wide and combined": "温度 e\u0301 👩\u200d👧 😀 \u200b",
    "spaces around": "  x  ",
    "spaces": "   ",
    "no-break space": "\xa0",
    "nothing": "",
    "null": "null",
    "none": "None",
    "a number": "007",
    "an infinite number": "-Infinity",
    "a time": "2013-02-30 25:61:61",
    "very long": "long " * 4_000,
}  # fmt: skip

# Halves of characters: a file name, a variable or a program's text may contain them, no table can.
HALVES = {"half a character": "\ud800", "a byte of no text": "caf\udce9"}


def obeyed(text: str) -> list[str]:
    """What a terminal would obey in a text, but for line breaks and tabs."""
    return [each for each in text if each not in "\n\t" and _is_obeyed(each)]


def _is_obeyed(character: str) -> bool:
    turns = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return (
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(character) in turns
        or character in "\u061c\u200e\u200f"
    )


def no_file_name(text: str) -> bool:
    """Whether a system that has files has none of this name."""
    return not text or "/" in text or "\x00" in text or len(text.encode()) > 200 or ":" in text
