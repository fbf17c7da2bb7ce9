"""Sizes, parts and times as people read them."""


def size(count):
    """Bytes: 512 B, 1.5 KiB, 20 MiB."""
    if count < 1024:
        return f"{count} B"
    value, units = count / 1024, ("KiB", "MiB", "GiB", "TiB")
    for unit in units:
        if value < 1024 or unit == units[-1]:
            return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"
        value /= 1024
    return ""


def signed(number):
    """A change: +3, −20, 0."""
    return f"{'+' if number > 0 else '−' if number < 0 else ''}{abs(number):,}"


def signed_size(change):
    """A change in bytes."""
    return f"{'+' if change > 0 else '−' if change < 0 else ''}{size(round(abs(change)))}"


def percent(part):
    return f"{100 * part:.0f} %"


def count(number, what):
    """1 block, 2 blocks."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def age(milliseconds):
    """A time span."""
    seconds = milliseconds / 1000
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
