"""The live screen of ./hakmem top."""

from rich.text import Text
from textual.app import App
from textual.binding import Binding
from textual.widgets import DataTable, Footer, Static, TabbedContent, TabPane

from .document import CHANGES, COLUMNS, headline, of, rates, shown, tell_changes
from .errors import InspectError
from .heap import Heap

_KEYS = {"l": "live", "g": "net_live", "c": "cached", "f": "free", "o": "holes", "h": "held", "r": "resident", "w": "waste"}
_NAMES = {"net_live": "growth"}
_SHOWN = (*COLUMNS[:2], *CHANGES, *COLUMNS[2:])


class Screen(App):
    """Reads the heap of a process anew at each interval; what cannot be read any more ends it with `error`."""

    TITLE = "hakmem top"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #whole { padding: 0 1; height: auto; }
    #rates { padding: 0 1; color: $text-muted; }
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

    def compose(self):
        yield Static(id="whole", markup=False)
        yield Static(id="rates", markup=False)
        with TabbedContent(id="tabs"):
            with TabPane("by size class", id="classes"):
                yield DataTable(id="classes-table", cursor_type="row")
            with TabPane("by thread", id="threads"):
                yield DataTable(id="threads-table", cursor_type="row")
        yield Footer()

    def on_mount(self):
        for name in ("classes", "threads"):
            table = self.query_one(f"#{name}-table", DataTable)
            table.add_columns(
                "size" if name == "classes" else "thread",
                *(Text(heading, justify="right") for _, heading, _ in _SHOWN),
            )
        self.look()
        self.set_interval(self._interval, self.look)

    def look(self):
        if self._paused:
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
        self.query_one("#whole", Static).update(headline(self.document))
        self.query_one("#rates", Static).update(rates(before, self.document) or "…")
        self.fill()

    def fill(self):
        """Shows the document, in the order that is wanted."""
        self._rows("classes", "size", lambda one: f"{one['size']:,} B")
        self._rows("threads", "heap", lambda one: one["who"])

    def _rows(self, name, key, label):
        table = self.query_one(f"#{name}-table", DataTable)
        row = table.cursor_row
        table.clear()
        by = key if self._sorted_by == "name" else self._sorted_by
        for one in sorted(self.document[name], key=lambda one: one.get(by) or 0, reverse=by != key):
            table.add_row(label(one), *(Text(shown(one, column, form), justify="right") for column, _, form in _SHOWN))
        table.move_cursor(row=row)

    def action_sort(self, column):
        self._sorted_by = column
        if self.document is not None:
            self.fill()

    def action_pause(self):
        self._paused = not self._paused

    def action_other(self):
        tabs = self.query_one("#tabs", TabbedContent)
        tabs.active = "threads" if tabs.active == "classes" else "classes"
