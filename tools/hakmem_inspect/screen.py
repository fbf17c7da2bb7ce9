"""The live screen of ./hakmem top."""

from textual.app import App
from textual.binding import Binding
from textual.widgets import Footer, Static, TabbedContent, TabPane

from .document import CHANGES, COLUMNS, headline, of, rates, shown, tell_changes
from .errors import InspectError
from .heap import Heap
from .screen_table import ScreenTable

_KEYS = {"l": "live", "g": "net_live", "c": "cached", "f": "free", "o": "holes", "h": "held", "r": "resident", "w": "waste"}
_NAMES = {"net_live": "growth"}
_SHOWN = (*COLUMNS[:2], *CHANGES, *COLUMNS[2:])
_COLUMNS = [key for key, _, _ in _SHOWN]
_HEADINGS = [heading for _, heading, _ in _SHOWN]


class Screen(App):
    """Reads the heap of a process anew at each interval; what cannot be read any more ends it with `error`."""

    TITLE = "hakmem top"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #whole { padding: 0 1; height: auto; }
    #rates { padding: 0 1; height: 1; color: $text-muted; }
    #tabs, #tabs ContentSwitcher, TabPane, ScreenTable { height: 1fr; }
    TabPane { padding: 0; }
    ScreenTable { padding: 0 1; }
    """
    BINDINGS = [
        Binding("q", "quit", "quit"),
        Binding("space", "pause", "pause"),
        Binding("tab", "other", "classes/threads", priority=True),
        Binding("n", "sort('name')", "name"),
        *(Binding(key, f"sort('{column}')", _NAMES.get(column, column)) for key, column in _KEYS.items()),
    ]

    def __init__(self, memory, interval):
        super().__init__()
        self._memory = memory
        self._layout = None
        self._interval = interval
        self._sorted_by = "held"
        self._paused = False
        self.error = None
        self.document = None
        self._lines = []  # of the headline

    def compose(self):
        yield Static(id="whole", markup=False)
        yield Static(id="rates", markup=False)
        with TabbedContent(id="tabs"):
            with TabPane("by size class", id="classes"):
                yield ScreenTable(["size", *_COLUMNS], ["size", *_HEADINGS], id="classes-table")
            with TabPane("by thread", id="threads"):
                yield ScreenTable(["heap", *_COLUMNS], ["thread", *_HEADINGS], id="threads-table")
        yield Footer()

    def on_mount(self):
        self.look()
        self.set_interval(self._interval, self.look)

    def look(self):
        if self._paused or not self.query("#whole"):  # or it is ending
            return
        try:
            self._memory.refresh()
            heap = Heap(self._memory, self._layout)
        except InspectError as error:
            self.error = error
            self.exit()
            return
        self._layout = heap.layout
        before, self.document = self.document, of(heap)
        if before is not None:
            tell_changes(before, self.document)
        text = headline(self.document)
        lines, self._lines = self._lines, text.splitlines()
        wraps = any(len(line) > self.size.width - 2 for line in self._lines)
        self.query_one("#whole", Static).update(text, layout=wraps or len(lines) != len(self._lines))
        self.query_one("#rates", Static).update(rates(before, self.document) or "…", layout=False)
        self.fill()

    def fill(self):
        """Shows the document, in the order that is wanted."""
        self._rows("classes", "size", lambda one: f"{one['size']:,} B")
        self._rows("threads", "heap", lambda one: one["who"])

    def _rows(self, name, key, label):
        by = key if self._sorted_by == "name" else self._sorted_by
        rows = sorted(self.document[name], key=lambda one: one.get(by) or 0, reverse=by != key)
        shown_rows = [[label(one), *(shown(one, column, form) for column, _, form in _SHOWN)] for one in rows]
        self.query_one(f"#{name}-table", ScreenTable).show(shown_rows, by)

    def action_sort(self, column):
        self._sorted_by = column
        if self.document is not None:
            self.fill()

    def action_pause(self):
        self._paused = not self._paused

    def action_other(self):
        tabs = self.query_one("#tabs", TabbedContent)
        tabs.active = "threads" if tabs.active == "classes" else "classes"
