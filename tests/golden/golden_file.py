"""The golden file, and how it differs from what is counted now."""

import json

_FIGURES = ("instructions", "loads", "stores", "branches")
_GROUPS = ("paths", "counted")


def read(file):
    """The file's contents; one that is not there is empty."""
    golden = json.loads(file.read_text()) if file.exists() else {}
    return {"compiler": "", **{group: {} for group in _GROUPS}, **golden}


def write(file, contents):
    """With a line for each entry."""
    groups = []
    for group in _GROUPS:
        lines = [f"    {json.dumps(entry)}: {json.dumps(mix)}" for entry, mix in contents[group].items()]
        groups.append(f'  "{group}": {{\n' + ",\n".join(lines) + "\n  }")
    compiler = f'  "compiler": {json.dumps(contents["compiler"])}'
    file.write_text("{\n" + ",\n".join([compiler, *groups]) + "\n}\n")


def changes(golden, now):
    """(entry, figure, golden, now) of each figure that is not what it was."""
    rows = []
    for group in _GROUPS:
        for entry in [*golden[group], *(entry for entry in now[group] if entry not in golden[group])]:
            for figure in _FIGURES:
                before, after = (side[group].get(entry, {}).get(figure, "-") for side in (golden, now))
                if before != after:
                    rows.append((entry, figure, str(before), str(after)))
    return rows


def table(rows):
    """The same to be read."""
    rows = [("entry", "figure", "golden", "now"), *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}" for row in rows
    )
