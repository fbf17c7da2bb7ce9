"""Reads the result files that ctest and pytest write (JUnit's XML)."""

import os
from xml.etree import ElementTree

from .suite import Outcome

_NOTE = "[NOTE]"


def read(path, join):
    """The outcomes in a result file; `join` makes a test's name of its class name and name. None without a whole file."""
    if not os.path.exists(path):
        return None
    try:
        cases = ElementTree.parse(path).getroot().iter("testcase")
    except ElementTree.ParseError:
        return None
    return [_outcome(case, join(case.get("classname", ""), case.get("name", ""))) for case in cases]


def _outcome(case, name):
    seconds = float(case.get("time") or 0)
    if case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None:
        return Outcome(name, "skipped", seconds, _reason(case))
    bad = next((case.find(tag) for tag in ("failure", "error") if case.find(tag) is not None), None)
    if bad is None:
        return Outcome(name, "passed", seconds, notes=_notes(case))
    text = bad.text or case.findtext("system-out") or bad.get("message") or ""
    return Outcome(name, "failed", seconds, text.strip())


def _notes(case):
    """What a test wants told: pytest's record_property("note", ...), or a line of output that begins with [NOTE]."""
    properties = [item.get("value", "") for item in case.iter("property") if item.get("name") == "note"]
    lines = (case.findtext("system-out") or "").splitlines()
    return (*properties, *(line.removeprefix(_NOTE).strip() for line in lines if line.startswith(_NOTE)))


def _reason(case):
    """Why a test was skipped: pytest says it in an attribute, a GoogleTest under ctest in its output."""
    skipped = case.find("skipped")
    said = skipped.get("message", "") if skipped is not None else ""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines()]
    told = [line for line in lines if line and not line.startswith(("[", "Running main", "Note: Google"))]
    if told and "regular" in said.lower():
        return told[0]
    return said
