"""`hakmem test`: every kind of test behind one interface, one progress display and one count.

Its modules:

    suite      what a suite of tests is, and the outcome of one test
    junit      reads the result files that ctest and pytest write
    ctest, pytests, style
               the suites
    durations  how long each test took last time: the time left is told from it
    progress   shows what is done and how long the rest will take
    report     failures, table, count
    session    the order of it all
"""

from .session import run

__all__ = ["run"]
