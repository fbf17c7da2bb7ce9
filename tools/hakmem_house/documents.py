"""The links, the names of files and the lines of the documents: what leads nowhere, and what is too long."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

LONGEST = 100  # columns of a line
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|/", re.IGNORECASE)  # another site, an absolute path
_NOT_OURS = re.compile(r"build(/|$)|~|/|\.venv/|[A-Za-z+]+://")  # made by a build, or another machine's
_PATTERN = re.compile(r"[*?<>{}\[\]$…=]")  # stands for many names
_FILE = re.compile(r"[\w.+-]+\.(c|cc|h|def|py|md|svg|json|cmake|pml|txt|ini|toml)")
_PATH = re.compile(r"\.?[\w.+-]+(/[\w.+-]+)*/?")
_HTML_TARGET = re.compile(r"(?:src|href)=\"([^\"]+)\"")
_HTML_ANCHOR = re.compile(r"(?:id|name)=\"([^\"]+)\"")
_MANUAL_PATH = re.compile(r"^\.Pa (\S+)|\bPa (\S+/\S+)")
_UNBROKEN = re.compile(r"!?\[[^\]]*\](\([^)]*\)|\[[^\]]*\])|<?https?://\S+|\S+")
_INDENT = re.compile(r"\s*([-*+>]\s+|\d+\.\s+|#+\s+)*")
_WHOLE = ("table_open", "fence", "code_block", "html_block")  # blocks whose lines cannot be broken at will


@dataclass(frozen=True)
class Place:
    line: int
    name: str


@dataclass(frozen=True)
class Document:
    root: Path
    path: str  # below the root

    @cached_property
    def text(self) -> str:
        return (self.root / self.path).read_text()

    @cached_property
    def tokens(self) -> list[Token]:
        return MarkdownIt("commonmark").enable("table").parse(self.text)

    def dead_links(self) -> list[str]:
        """The relative links whose file is not there."""
        return [
            f"{self.path}:{link.line}: the link to {link.name} leads nowhere: {self._path(link.name)} does not exist"
            for link in self._links()
            if not link.name.startswith("#") and not (self.root / self._path(link.name)).exists()
        ]

    def dead_anchors(self) -> list[str]:
        """The links into a document whose heading is not there."""
        dead = []
        for link in self._links():
            file, _, anchor = link.name.partition("#")
            target = Document(self.root, self._path(link.name)) if file else self
            if anchor and target.path.endswith(".md") and (self.root / target.path).exists():
                if unquote(anchor) not in target.anchors():
                    dead.append(f"{self.path}:{link.line}: {target.path} has no heading for #{anchor}")
        return dead

    def missing_names(self) -> list[str]:
        """The names of files and folders that are nowhere in the tree."""
        return [
            f"{self.path}:{place.line}: {place.name} does not exist: give the name that it has now"
            for place in self._names()
            if not self._exists(place.name)
        ]

    def long_lines(self) -> list[str]:
        """The lines of running text that are too long and could be broken."""
        kept = self._whole_lines()
        return [
            f"{self.path}:{number}: has {len(line)} columns, more than {LONGEST}: break it"
            for number, line in enumerate(self.text.splitlines(), 1)
            if len(line) > LONGEST and number not in kept and _breakable(line)
        ]

    def anchors(self) -> set[str]:
        """What GitHub makes of the headings, the second of one name with -1, and so on."""
        found = set(_HTML_ANCHOR.findall(self.text))
        seen: Counter[str] = Counter()
        for before, inline in zip(self.tokens, self.tokens[1:]):
            if before.type == "heading_open":
                slug = _slug("".join(child.content for child in inline.children or []))
                found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
                seen[slug] += 1
        return found

    def _links(self) -> Iterator[Place]:
        """The links and pictures that stay in the tree."""
        for token in self._inline():
            target = token.attrGet("href") or token.attrGet("src")
            targets = [str(target)] if target else []
            if token.type in ("html_inline", "html_block"):
                targets = _HTML_TARGET.findall(token.content)
            for name in targets:
                if not _ELSEWHERE.match(name):
                    yield Place(self._line(token, name), name)

    def _names(self) -> Iterator[Place]:
        """What looks like a path in code spans; in a manual page, what is marked as one."""
        if not self.path.endswith(".md"):
            for number, line in enumerate(self.text.splitlines(), 1):
                for match in _MANUAL_PATH.finditer(line):
                    name = match[1] or match[2]
                    if "/" in name and not _NOT_OURS.match(name):
                        yield Place(number, name)
            return
        for token in self._inline():
            if token.type == "code_inline":
                words = token.content.split()
                for word in words:
                    name = re.sub(r"(:\d+)?[,;:]?$", "", word).removeprefix("./")
                    if self._is_path(name, alone=len(words) == 1):
                        yield Place(self._line(token, token.content), name)

    def _is_path(self, name: str, alone: bool) -> bool:
        """Whether a word of a code span names a file or folder of ours; a bare name only if it stands alone."""
        if _NOT_OURS.match(name) or _PATTERN.search(name) or not _PATH.fullmatch(name):
            return False
        if "/" not in name:
            return alone and _FILE.fullmatch(name) is not None
        first, last = name.split("/")[0], name.rstrip("/").split("/")[-1]
        return _FILE.fullmatch(last) is not None or (self.root / first).is_dir()

    def _exists(self, name: str) -> bool:
        """In the tree, beside the document, in src/ as an include names it, or, without a folder, anywhere."""
        beside = (self.root / self.path).parent
        if any((folder / name).exists() for folder in (self.root, beside, self.root / "src")):
            return True
        return "/" not in name and any(_ours(self.root, file) for file in self.root.rglob(name))

    def _path(self, link: str) -> str:
        """The file that a link names, below the root."""
        beside = (self.root / self.path).parent
        target = (beside / unquote(link.partition("#")[0])).resolve()
        root = self.root.resolve()
        return target.relative_to(root).as_posix() if target.is_relative_to(root) else str(target)

    def _inline(self) -> Iterator[Token]:
        """The tokens within the blocks, each with the lines of its block."""
        for block in self.tokens:
            if block.type == "html_block":
                yield block
            for token in block.children or []:
                token.map = block.map
                yield token

    def _line(self, token: Token, content: str) -> int:
        """The line of its block that holds the content, or the first."""
        start, end = token.map or (0, 0)
        lines = self.text.splitlines()[start:end]
        return start + 1 + next((place for place, line in enumerate(lines) if content in line), 0)

    def _whole_lines(self) -> set[int]:
        """The lines of tables, code and HTML."""
        kept: set[int] = set()
        for token in self.tokens:
            if token.type in _WHOLE and token.map:
                kept |= set(range(token.map[0] + 1, token.map[1] + 1))
        return kept


def read(root: Path) -> list[Document]:
    """The documents of the project."""
    below = sorted(file.relative_to(root).as_posix() for file in (root / "docs").rglob("*.md"))
    names = ["README.md", "CONTRIBUTING.md", *below]
    return [Document(root, name) for name in [*names, "docs/man/hakmem.3"] if (root / name).exists()]


def _ours(root: Path, file: Path) -> bool:
    """Not something that a build or an installation has left."""
    return not {"build", ".venv", ".git"} & set(file.relative_to(root).parts)


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _breakable(line: str) -> bool:
    """Whether something stands before what crosses the limit, so that the line can be broken there."""
    indent = _INDENT.match(line)
    start = indent.end() if indent else 0
    crossing = next(match for match in _UNBROKEN.finditer(line, start) if match.end() > LONGEST)
    return crossing.start() > start
