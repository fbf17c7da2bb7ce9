"""Documents as plain text, where nothing but the standard library is at hand."""

from .document import COLUMNS, headline, shown


def table(rows):
    """Rows of text, the first the headings; numbers to the right of what they are of."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )


def whole(document):
    """All of a document."""
    parts = [headline(document)]
    for heading, rows, name in (
        ("size class", document["classes"], lambda one: f"{one['size']:,} B"),
        ("thread", document["threads"], lambda one: one["who"]),
    ):
        lines = [[name(one), *(shown(one, key, form) for key, _, form in COLUMNS)] for one in rows]
        parts.append(table([[heading, *(column for _, column, _ in COLUMNS)], *lines]))
    return "\n\n".join(parts)
