"""The report as one HTML file that loads nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any

import jinja2
import vl_convert
from markupsafe import Markup

from strandline.report.charts import specifications

_BUNDLE = "window.vegaEmbed = vegaEmbed;"
# One script, so that all have the same names.
_OWN = ("tables.js", "charts.js", "series.js", "page.js")


def page_of(report: dict[str, Any]) -> str:
    """The page of a report.

    Its data are JSON in a script of another type, with `<` escaped, and become text nodes only. A
    policy in the page itself allows its own scripts by their hashes, and no requests at all.

    Args:
        report: what `strandline.cli.report_contents` reads; all of it can be written as JSON.
    """
    parts = files("strandline.report")
    own = "\n".join((parts / name).read_text(encoding="utf-8") for name in _OWN)
    scripts = [str(vl_convert.javascript_bundle(_BUNDLE)), own]
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((parts / "page.html.j2").read_text(encoding="utf-8"))
    return template.render(
        report=report,
        hashes=[_hash(script) for script in scripts],
        scripts=[Markup(script) for script in scripts],  # noqa: S704 our own, and vega's
        style=Markup((parts / "page.css").read_text(encoding="utf-8")),  # noqa: S704
        data=Markup(_json(report)),  # noqa: S704 every `<` is escaped
        charts=Markup(_json(specifications())),  # noqa: S704
    )


def _json(value: object) -> str:
    """JSON that can stand in a script: no text in it can end the script or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
