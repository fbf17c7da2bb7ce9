"""Explores a model in Promela by spin, and reads what the search printed."""

import re
import subprocess


def explore(model, tool, folder, *definitions, optimized="-O1"):
    """Explores it with these definitions; returns what the search printed."""
    _run([tool("spin"), "-a", *definitions, model], folder)
    search = folder / "search"
    options = [optimized, "-w", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=1024"]
    _run([tool("cc"), *options, "-o", search, folder / "pan.c"], folder)
    return _run([search, "-m100000", "-w24"], folder)


def _run(line, folder):
    done = subprocess.run([str(word) for word in line], cwd=folder, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def figure(pattern, output):
    return int(re.search(pattern, output)[1])


def errors(output):
    return figure(r"errors: (\d+)", output)


def check_is_explored(output):
    """It holds, and nothing was cut off; returns how many states there were."""
    assert errors(output) == 0, output
    assert "max search depth too small" not in output  # else the search was cut off
    assert "Search not completed" not in output
    return figure(r"(\d+) states, stored", output)


def check_is_found(output):
    assert errors(output) > 0
    assert "assertion violated" in output


def steps(model):
    """The model's inline definitions, most of which are functions of the allocator."""
    return set(re.findall(r"^inline (\w+)\(", model.read_text(), re.MULTILINE))
