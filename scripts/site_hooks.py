"""For `make site`: what a page has for the repository and the tests, and the site does not know.

A link to a file outside docs/ becomes the path of that file. The name of an example, by which a
test finds it, becomes its title.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#]*)(#[^)]*)?\)")

_FENCE = re.compile(r"^( *)```(\w+) (\S+)$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """mkdocs calls this for each page."""
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))

    def shown(link: re.Match[str]) -> str:
        text, target, _ = link.groups()
        path = posixpath.normpath(posixpath.join(folder, target))
        if path.startswith("docs/"):
            return link.group()
        return f"{text} (`{path}`)" if path not in text else text

    return _FENCE.sub(r'\1```\2 title="\3"', _LINK.sub(shown, markdown))
