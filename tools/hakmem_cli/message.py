"""What the standard-library half says to the user, always on standard error: the output of a program stays its own."""

import sys


class Refusal(Exception):
    """Ends the command with `status` after saying `what` was wrong and, where there is one, the `remedy`."""

    def __init__(self, what, remedy="", status=2):
        super().__init__(what)
        self.what = what
        self.remedy = remedy
        self.status = status

    def __str__(self):
        return f"{self.what}. {self.remedy}." if self.remedy else f"{self.what}."


def say(line):
    """One line of news."""
    print(f"hakmem: {line}", file=sys.stderr, flush=True)
