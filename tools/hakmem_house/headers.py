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
    match = _SENTENCE.match(_beginning(text))
    return (match[1], match[2].strip()) if match else ("", "")


def missing(text: str) -> list[str]:
    """Those of the three parts that the comment lacks."""
    told = comment(text)
    return [part for part in PARTS if not re.search(rf"^{part}", told, re.MULTILINE)]


def purpose(text: str) -> str:
    """What a file is, in few words: of a header what it says of its box, of another file its first sentence."""
    name, said = opening(text)
    sentence = said if name else re.split(r"[.:;](?=\s|$)", _beginning(text))[0]
    sentence = sentence.replace("->", "→")
    return sentence if name else sentence[:1].lower() + sentence[1:]


def _beginning(text: str) -> str:
    """The first paragraph of the comment on one line, without what stands in brackets."""
    first = comment(text).split("\n\n")[0]
    return re.sub(r"\s+", " ", re.sub(r"\s*\([^)]*\)", "", first))
