"""The comment that a header opens with: `/* name: what it is.`, then what it owns, promises, and who calls it."""

from __future__ import annotations

import re

PARTS = ("Owns:", "Promises:", "Callers:")
_COMMENT = re.compile(r"\s*/\*(.*?)\*/", re.DOTALL)
_SENTENCE = re.compile(r"(\S+): (.+?)(?:[.:;](?=\s|$)|$)", re.DOTALL)


def comment(text: str) -> str:
    """The first comment of a file, if that is what the file begins with, without the stars at its margin."""
    match = _COMMENT.match(text)
    return re.sub(r"\n[ \t]*\* ?", "\n", match[1]).strip() if match else ""


def opening(text: str) -> tuple[str, str]:
    """The name in the first sentence of the comment and what is said of it, up to the first colon or full stop."""
    first = comment(text).split("\n\n")[0]
    plain = re.sub(r"\s+", " ", re.sub(r"\s*\([^)]*\)", "", first))
    match = _SENTENCE.match(plain)
    return (match[1], match[2].strip()) if match else ("", "")


def missing(text: str) -> list[str]:
    """Those of the three parts that the comment lacks."""
    told = comment(text)
    return [part for part in PARTS if not re.search(rf"^{part}", told, re.MULTILINE)]
