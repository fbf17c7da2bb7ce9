"""The frame of a page: Jinja2, the style sheet, and the scripts that its charts need."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_HERE = Path(__file__).resolve().parent
_BUILD = _HERE.parents[1] / "build"


def page(folder: Path, template: str, **values: object) -> str:
    """A template of `folder`, which extends frame.html.j2."""
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder), FileSystemLoader(_HERE)]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals.update(style=_style, scripts=_scripts)
    return environment.get_template(template).render(**values)


def _style(*files: str) -> Markup:
    return Markup("\n".join((_HERE / file).read_text(encoding="utf-8") for file in ("frame.css", *files)))


def _scripts(*files: str) -> Markup:
    return Markup("\n".join([_vega(), *((_HERE / file).read_text(encoding="utf-8") for file in ("charts.js", *files))]))


@cache
def _vega() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, which cannot end the element that it stands in."""
    import vl_convert  # here, because it is large, and most commands draw nothing

    kept = _BUILD / f"vega-{vl_convert.__version__}.js"
    if not kept.exists():
        script = vl_convert.javascript_bundle().replace("</script", r"<\/script").replace("<!--", r"<\!--")
        with suppress(OSError):  # then it is bundled again next time, which takes two seconds
            _write_whole(kept, script)
        return script
    return kept.read_text(encoding="utf-8")


def _write_whole(path: Path, text: str) -> None:
    """In one step: other commands may be doing the same."""
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
