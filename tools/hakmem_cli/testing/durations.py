"""How long each step took last time, kept in build/: what the time left is told from."""

import json
import os

from .. import layout

_FILE = os.path.join(layout.BUILD, "test-durations.json")
_GUESS = 1.0  # seconds, for a step never seen in a suite never seen


class Durations:
    """Seconds by suite and step."""

    def __init__(self):
        try:
            with open(_FILE, encoding="utf-8") as file:
                self._known = json.load(file)
        except (FileNotFoundError, ValueError):
            self._known = {}

    def expected(self, suite, step):
        """What it took last time; for a new step the mean of its suite."""
        known = self._known.get(suite, {})
        if step in known:
            return known[step]
        return sum(known.values()) / len(known) if known else _GUESS

    def note(self, suite, step, seconds):
        """Remembers what a step took now."""
        self._known.setdefault(suite, {})[step] = round(seconds, 3)

    def save(self):
        """Keeps all that was noted for the next run."""
        with open(_FILE, "w", encoding="utf-8") as file:
            json.dump(self._known, file, indent=1, sort_keys=True)
