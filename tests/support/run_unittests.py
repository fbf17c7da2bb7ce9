"""Runs modules of unit tests and prints how each test ended, without times: FILE is where, then the modules' names.

Standard error is the tests' own.
"""

import sys
import unittest


class Outcomes(unittest.TestResult):
    """How each test ended, by its name; of the parts of a test the worst counts."""

    def __init__(self):
        super().__init__()
        self.ended = {}
        self.reports = []

    def _note(self, test, outcome):
        self.ended[test.id()] = outcome

    def _fail(self, test, outcome, error):
        self._note(test, outcome)
        self.reports.append(f"{test.id()}: {self._exc_info_to_string(error, test)}")

    def addSuccess(self, test):
        self._note(test, "ok")

    def addSkip(self, test, reason):
        self._note(test, "skipped")

    def addExpectedFailure(self, test, err):
        self._note(test, "expected failure")

    def addUnexpectedSuccess(self, test):
        self._note(test, "unexpected success")

    def addError(self, test, err):
        self._fail(test, "error", err)

    def addFailure(self, test, err):
        self._fail(test, "failure", err)

    def addSubTest(self, test, subtest, err):
        if err:
            self._fail(test, "failure", err)


def main():
    path, *modules = sys.argv[1:]
    sys.argv[1:] = []
    tests = unittest.defaultTestLoader.loadTestsFromNames(modules)
    outcomes = Outcomes()
    tests.run(outcomes)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{name}: {outcome}\n" for name, outcome in sorted(outcomes.ended.items()))
    sys.stdout.writelines(outcomes.reports)


if __name__ == "__main__":  # workers that are spawned import this file again
    main()
