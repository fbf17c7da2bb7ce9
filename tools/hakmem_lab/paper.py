"""Where the figures of a measurement go: JSON, the page, the history beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hakmem_lab import history, picture, report
from hakmem_lab.console import say
from hakmem_lab.errors import LabError

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "build" / "report" / "board.html"


@dataclass(frozen=True)
class Paper:
    """Where the figures go."""

    json: Path | None
    page: Path | None  # its figures as JSON and the history lie beside it
    markdown: bool
    picture: Path | None = None

    def check(self) -> None:
        """Refuses what could not be written, before anything is measured."""
        if self.page and self.page.suffix != ".html":
            raise LabError(f"the report {self.page} is a page: give it a name that ends in .html")
        if self.picture and self.picture.suffix != ".svg":
            raise LabError(f"the picture {self.picture} is an SVG: give it a name that ends in .svg")
        if self.page == REPORT:
            REPORT.parent.mkdir(parents=True, exist_ok=True)
        for path in self.files():
            report.must_be_writable(path)

    def files(self) -> list[Path]:
        beside = [self.page, self.page.with_suffix(".json"), self.history()] if self.page else []
        return [path for path in [self.json, self.picture, *beside] if path]

    def history(self) -> Path:
        return self.page.parent / history.NAME

    def save(self, document: dict) -> None:
        for path in {self.json, self.page and self.page.with_suffix(".json")} - {None}:
            report.write(document, path)

    def save_board(self, document: dict) -> None:
        self.save(document)
        if self.page and not document["stopped"]:
            history.append(document, self.history())

    def draw(self, document: dict) -> None:
        """The page and the picture, where they are asked for."""
        if self.page:
            self._draw_page(document)
        if self.picture:
            report.write_text(picture.picture(document), self.picture)
            say(f"the picture is {self.picture}")

    def _draw_page(self, document: dict) -> None:
        from hakmem_lab import page  # here, because it loads Jinja2

        entries, broken = history.read(self.history())
        if broken:
            say(f"{self.history()} has {broken} lines that are no board's: they are left out")
        report.write_text(page.page(document, entries), self.page)
        say(f"the report is {self.page}")
