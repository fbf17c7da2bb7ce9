"""A table of the live screen that is drawn anew, whole, several times a second: a line is one piece of text.

textual's own table lays out each cell by itself, which costs forty times as much.
"""

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from .document import GAP, fitting

_HEADING = Style(bold=True)
_SORTED = Style(bold=True, reverse=True)


class ScreenTable(ScrollView, can_focus=True):
    """Rows of text under headings that stay; the first cell of each to the left, the others to the right.

    What there is no room for is left out, but for the column that the rows are sorted by.
    """

    def __init__(self, keys, headings, **keywords):
        super().__init__(**keywords)
        self.rows = []
        self._keys = keys
        self._headings = headings
        self._sorted_by = keys[0]
        self._style = Style()
        self._widths = [len(one) for one in headings]
        self._columns = []

    def show(self, rows, sorted_by):
        """Shows these rows, sorted by the column of a key."""
        self.rows = rows
        self._sorted_by = sorted_by
        widths = [max(map(len, column)) for column in zip(self._headings, *rows, strict=True)]
        self._widths = [max(was, now) for was, now in zip(self._widths, widths, strict=True)]  # no column jumps
        self._choose()
        self.refresh()

    def on_resize(self):
        self._choose()

    def _choose(self):
        room = self.scrollable_content_region.width
        self._columns = fitting(self._keys, self._widths, room, self._sorted_by)
        size = Size(sum(self._widths[i] + GAP for i in self._columns) - GAP, len(self.rows) + 1)
        if size != self.virtual_size:
            self.virtual_size = size

    def render_lines(self, crop):
        self._style = self.rich_style  # which takes longer to find than a line to draw
        return super().render_lines(crop)

    def render_line(self, y):
        left, top = self.scroll_offset
        base = self._style
        if y == 0:
            strip = Strip(self._heading())
        elif y + top <= len(self.rows):
            strip = Strip([Segment((" " * GAP).join(self._cells(self.rows[y + top - 1])))])
        else:
            strip = Strip.blank(self.size.width)
        return strip.crop_extend(left, left + self.size.width, base).apply_style(base)

    def _cells(self, row):
        first, *others = self._columns
        return [row[first].ljust(self._widths[first]), *(row[i].rjust(self._widths[i]) for i in others)]

    def _heading(self):
        for i, text in zip(self._columns, self._cells(self._headings), strict=True):
            name = text.strip()
            before, _, after = text.partition(name)
            yield Segment((" " * GAP if i else "") + before)
            yield Segment(name, _SORTED if self._keys[i] == self._sorted_by else _HEADING)
            yield Segment(after)
