"""A table of the live screen that is drawn anew, whole, several times a second: a line is one piece of text.

textual's own table lays out each cell by itself, which costs forty times as much.
"""

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

_GAP = "  "
_HEADING = Style(bold=True)
_SORTED = Style(bold=True, reverse=True)


class ScreenTable(ScrollView, can_focus=True):
    """Rows of text under headings that stay; the first cell of each to the left, the others to the right."""

    def __init__(self, headings, **keywords):
        super().__init__(**keywords)
        self.headings = headings
        self.rows = []
        self._sorted_by = -1
        self._style = Style()
        self._widths = [len(one) for one in headings]

    def show(self, rows, sorted_by):
        """Shows these rows; `sorted_by` is the number of a column."""
        self.rows = rows
        self._sorted_by = sorted_by
        widths = [max(map(len, column)) for column in zip(self.headings, *rows, strict=True)]
        self._widths = [max(was, now) for was, now in zip(self._widths, widths, strict=True)]  # no column jumps
        size = Size(sum(self._widths) + len(_GAP) * (len(self._widths) - 1), len(rows) + 1)
        if size != self.virtual_size:
            self.virtual_size = size
        self.refresh()

    def render_lines(self, crop):
        self._style = self.rich_style  # which takes longer to find than a line to draw
        return super().render_lines(crop)

    def render_line(self, y):
        left, top = self.scroll_offset
        base = self._style
        if y == 0:
            strip = Strip(self._heading_segments())
        elif y + top <= len(self.rows):
            strip = Strip([Segment(_GAP.join(self._cells(self.rows[y + top - 1])))])
        else:
            strip = Strip.blank(self.size.width)
        return strip.crop_extend(left, left + self.size.width, base).apply_style(base)

    def _cells(self, row):
        first, *others = zip(row, self._widths, strict=True)
        return [first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]

    def _heading_segments(self):
        for i, text in enumerate(self._cells(self.headings)):
            name = text.strip()
            before, after = text.split(name) if name else (text, "")
            yield from (Segment((_GAP if i else "") + before), Segment(name, _SORTED if i == self._sorted_by else _HEADING))
            yield Segment(after)
