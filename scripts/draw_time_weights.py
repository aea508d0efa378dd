"""Draws docs/images/time_weight_*.svg: what counts of a signal with gaps, and in which bucket.

Plain SVG, without a plotting library, so that the same text comes out everywhere.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

IMAGES = Path(__file__).parents[1] / "docs" / "images"
Point = tuple[float, float]
"""Minutes and value."""

WIDTH, LEFT, RIGHT, HEIGHT, TOP = 760, 36, 22, 130, 56
INK, QUIET, RULE, EMPTY = "#1f2328", "#59636e", "#d1d9e0", "#f1f3f5"
LINE, FILLS = "#0b57a4", ("#9ecbf5", "#f6c58c")
NAMES = {"locf": "LOCF", "linear": "Linear"}

GAP_POINTS = [(10, 2), (30, 4), (50, 3), (70, 5), (170, 2), (190, 4), (210, 3)]
GAP_SPAN, GAP_MINUTES = 220, 30
BUCKET_POINTS = [(20, 2), (50, 4), (130, 1), (330, 3), (350, 2)]
BUCKET_SPAN, BUCKET_MINUTES, BUCKET = 360, 90, 60


def counted(
    points: list[Point], method: str, gap: float, start: float, end: float, carry: bool = True
) -> list[list[Point]]:
    """The tops of what counts within [start, end): a step or a line from each point to the next.

    With `carry`, LOCF reaches beyond the last point, as it does into the next bucket.
    """
    tops = []
    for (time, value), (following, next_value) in pairwise(points):
        if method == "locf":
            tops.append([(time, value), (min(following, time + gap), value)])
        elif following - time <= gap:
            tops.append([(time, value), (following, next_value)])
    if carry and method == "locf":
        time, value = points[-1]
        tops.append([(time, value), (time + gap, value)])
    return [
        [_at(top, max(top[0][0], start)), _at(top, min(top[1][0], end))]
        for top in tops
        if max(top[0][0], start) < min(top[1][0], end)
    ]


def reach(tops: list[list[Point]]) -> tuple[float, float | None]:
    """The minutes that count, and the average over them."""
    minutes = sum(stop - begin for (begin, _), (stop, _) in tops)
    area = sum((stop - begin) * (one + two) / 2 for (begin, one), (stop, two) in tops)
    return minutes, area / minutes if minutes else None


def draw_gap() -> str:
    """One signal with a gap: what a summary counts of it from its first point to its last."""
    panels = []
    for row, method in enumerate(NAMES):
        panel = Panel(TOP + row * (HEIGHT + 62), GAP_SPAN, 6)
        panel.axis(30)
        for (one, _), (two, _) in pairwise(GAP_POINTS):
            if two - one > GAP_MINUTES:
                silent = one + GAP_MINUTES * (method == "locf")
                panel.box(silent, two, EMPTY)
                panel.text((silent + two) / 2, 3.2, "gap: does not count", QUIET)
                panel.span(one, one + GAP_MINUTES, 5.6, "30 min")
        tops = counted(GAP_POINTS, method, GAP_MINUTES, 0, GAP_SPAN, carry=False)
        panel.areas(tops, FILLS[0])
        panel.dots(GAP_POINTS)
        minutes, average = reach(tops)
        panel.title(
            f"{NAMES[method]}: {minutes:.0f} of 200 minutes count, {average:.2f} on average"
        )
        panels.append(panel.done())
    return _svg(
        TOP + 2 * (HEIGHT + 62) - 14,
        "Points every 20 minutes, silence from 01:10 to 02:50, gap 30 minutes",
        panels,
    )


def draw_buckets() -> str:
    """What each bucket of an hour gets, with the part that its neighbours reach into it."""
    panels = []
    for row, method in enumerate(NAMES):
        panel = Panel(TOP + row * (HEIGHT + 98), BUCKET_SPAN, 5)
        filled = {time // BUCKET for time, _ in BUCKET_POINTS}
        for number in range(BUCKET_SPAN // BUCKET):
            if number not in filled:
                panel.box(number * BUCKET, (number + 1) * BUCKET, EMPTY)
        panel.axis(BUCKET)
        for number in range(BUCKET_SPAN // BUCKET):
            start, end = number * BUCKET, (number + 1) * BUCKET
            count = sum(start <= time < end for time, _ in BUCKET_POINTS)
            tops = counted(BUCKET_POINTS, method, BUCKET_MINUTES, start, end)
            panel.areas(tops, FILLS[number % 2])
            minutes, average = reach(tops)
            lines = [
                f"{count or 'no'} point{'s' * (count > 1)}",
                f"{minutes:.0f} min",
                f"average {'null' if average is None else f'{average:.2f}'}",
            ]
            for line, text in enumerate(lines):
                panel.below(start + BUCKET / 2, 32 + 15 * line, text)
        panel.dots(BUCKET_POINTS)
        panel.title(NAMES[method])
        panels.append(panel.done())
    return _svg(
        TOP + 2 * (HEIGHT + 98) - 14,
        "Interpolated over buckets of 1 hour, gap 90 minutes; grey buckets hold no point",
        panels,
    )


class Panel:
    """One plot: minutes to the right, values upward, drawn in the order of the calls."""

    def __init__(self, top: float, span: float, most: float) -> None:
        self._top, self._span, self._most = top, span, most
        self._drawn: list[str] = []

    def x(self, minutes: float) -> float:
        return LEFT + minutes / self._span * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return self._top + HEIGHT * (1 - value / self._most)

    def box(self, start: float, end: float, fill: str) -> None:
        self._drawn.append(
            f'<rect x="{self.x(start):.1f}" y="{self._top:.1f}" '
            f'width="{self.x(end) - self.x(start):.1f}" height="{HEIGHT}" fill="{fill}"/>'
        )

    def areas(self, tops: list[list[Point]], fill: str) -> None:
        for (begin, one), (stop, two) in tops:
            corners = [(begin, 0), (begin, one), (stop, two), (stop, 0)]
            path = " ".join(f"{self.x(time):.1f},{self.y(value):.1f}" for time, value in corners)
            self._drawn.append(f'<polygon points="{path}" fill="{fill}"/>')
            self._line((begin, one), (stop, two), LINE, 2)

    def dots(self, points: list[Point]) -> None:
        self._line((0, 0), (self._span, 0), INK, 1)
        for time, value in points:
            self._drawn.append(
                f'<circle cx="{self.x(time):.1f}" cy="{self.y(value):.1f}" r="4" fill="{LINE}" '
                'stroke="#ffffff" stroke-width="1.5"/>'
            )

    def axis(self, every: int) -> None:
        for minutes in range(0, int(self._span) + 1, every):
            self._line((minutes, 0), (minutes, self._most), RULE, 1)
            self.below(minutes, 15, f"{minutes // 60:02d}:{minutes % 60:02d}", QUIET)
        for value in range(0, int(self._most) + 1, 2):
            self._label(LEFT - 8, self.y(value) + 4, str(value), QUIET, "end")

    def span(self, start: float, end: float, value: float, text: str) -> None:
        self._line((start, value), (end, value), INK, 1)
        for time in (start, end):
            self._line((time, value - 0.2), (time, value + 0.2), INK, 1)
        self._label(self.x(end) + 6, self.y(value) + 4, text, INK, "start")

    def title(self, text: str) -> None:
        self._label(LEFT, self._top - 8, text, INK, "start", "600")

    def text(self, time: float, value: float, text: str, fill: str) -> None:
        self._label(self.x(time), self.y(value), text, fill)

    def below(self, time: float, down: float, text: str, fill: str = INK) -> None:
        self._label(self.x(time), self._top + HEIGHT + down, text, fill)

    def done(self) -> str:
        return "\n".join(self._drawn)

    def _line(self, one: Point, two: Point, stroke: str, width: float) -> None:
        (begin, low), (stop, high) = one, two
        self._drawn.append(
            f'<line x1="{self.x(begin):.1f}" y1="{self.y(low):.1f}" x2="{self.x(stop):.1f}" '
            f'y2="{self.y(high):.1f}" stroke="{stroke}" stroke-width="{width}"/>'
        )

    def _label(
        self, x: float, y: float, text: str, fill: str, anchor: str = "middle", weight: str = "400"
    ) -> None:
        self._drawn.append(
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{text}</text>'
        )


def _at(top: list[Point], time: float) -> Point:
    (begin, one), (stop, two) = top
    return time, one + (two - one) * (time - begin) / (stop - begin)


def _svg(height: float, title: str, panels: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'font-family="system-ui, sans-serif" font-size="12">'
    )
    label = f'<text x="{LEFT}" y="22" fill="{QUIET}" font-size="13">{title}</text>'
    page = f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{title}</title>", page, label, *panels, "</svg>\n"])


if __name__ == "__main__":
    IMAGES.mkdir(parents=True, exist_ok=True)
    (IMAGES / "time_weight_gap.svg").write_text(draw_gap())
    (IMAGES / "time_weight_buckets.svg").write_text(draw_buckets())
