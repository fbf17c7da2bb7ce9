"""Charts as elements of a page."""

from __future__ import annotations

import json

from markupsafe import Markup


def chart(spec: dict, label: str) -> Markup:
    """A Vega-Lite or Vega specification (its $schema says which). Its colours may be variables of the style sheet; a
    width of "container" is that of the element."""
    return Markup('<div class="chart" role="img" aria-label="{}">{}</div>').format(label, data(spec))


def data(values: object, name: str = "") -> Markup:
    """Values for a script of the page."""
    identity = Markup(' id="{}"').format(name) if name else ""
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    text = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Markup('<script type="application/json"{}>{}</script>').format(identity, Markup(text))
