"""A message, shortened to what its service takes.

Each service of Apprise knows its longest body and title. By default Apprise sends any length, and
the service refuses what is longer in every run. Here the plain text is shortened before Apprise
turns it into the form of the service, so no escape and no tag of it is split. The lines of keys and
labels get shorter first. The title is whole, and so is the line with the key if there is room.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from strandline.notify.characters import cut, units

if TYPE_CHECKING:
    from apprise import NotifyBase

# A line of the body is cut to this, and no further while other lines can be left out.
SHORTEST_LINE = 40
# What Apprise puts around a title that it sends in the body: tags, or an asterisk and a line break.
TITLE_EXTRA = 32
IS_CHOSEN = re.compile(r"[?&]overflow=", re.IGNORECASE)


def fitted(service: NotifyBase, url: str, title: str, body: str) -> tuple[str, str]:
    """Title and body, with the length that the service takes.

    `overflow=` in the URL is the choice of the user, and Apprise does what it says.
    """
    if IS_CHOSEN.search(url):
        return title, body
    if 0 < service.title_maxlen < units(title):
        body = f"{title}\n\n{body}"  # the title is whole in the text
        title = _longest(service.title_maxlen, lambda length: cut(title, length))
    room = service.body_maxlen - _length_with_title(service, title)
    is_short = _measure(service, room)
    if is_short(body):
        return title, body
    if room <= 0:  # the title alone is longer than a message: the service takes its beginning
        most = service.body_maxlen - TITLE_EXTRA - 1
        return _longest(most, lambda length: cut(title, length)), "…"
    return title, _shortened(body, is_short)


def _shortened(body: str, is_short: Callable[[str], bool]) -> str:
    """Long lines are cut first; if that is not enough, lines before the last are left out."""
    lines = body.split("\n")

    def narrow(width: int) -> str:
        return "\n".join(cut(line, width) for line in lines)

    if is_short(narrow(SHORTEST_LINE)):
        return narrow(_most(SHORTEST_LINE, max(map(len, lines)), lambda n: is_short(narrow(n))))
    lines = [cut(line, SHORTEST_LINE) for line in lines[:-1]] + lines[-1:]

    def some(count: int) -> str:
        return "\n".join([*lines[:count], "…", lines[-1]])

    if is_short(some(0)):
        return some(_most(0, len(lines) - 1, lambda n: is_short(some(n))))
    return cut(body, _most(0, len(body), lambda n: is_short(cut(body, n))))


def _measure(service: NotifyBase, room: int) -> Callable[[str], bool]:
    """Whether a text has room in the form of the service: an HTML `&` is five characters."""
    return lambda text: units(_converted(service, text)) <= room


def _converted(service: NotifyBase, text: str) -> str:
    """A plain text in the form of the service."""
    from apprise.conversion import convert_between

    form = service.resolve_format("text")
    converted = convert_between("text", form, text)
    return service.dialect_convert(converted, form)


def _length_with_title(service: NotifyBase, title: str) -> int:
    """The part of a body's length that the title takes, if the service has them in one."""
    if service.title_maxlen > 0 and not service.overflow_amalgamate_title:
        return 0
    return units(_converted(service, title)) + TITLE_EXTRA


def _longest(most: int, make: Callable[[int], str]) -> str:
    """The longest text of these with at most so many UTF-16 units."""
    return make(_most(1, max(most, 1), lambda length: units(make(length)) <= most))


def _most(least: int, most: int, fits: Callable[[int], bool]) -> int:
    """The greatest number that fits; the least one is known to."""
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least
