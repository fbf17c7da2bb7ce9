"""The figures of one reading as one document, which --json prints and the screen shows."""

from .figures import Figures, Sums
from .words import count, percent, signed, signed_size, size

# Of size classes and of threads: key, heading, how it is shown.
COLUMNS = (
    ("live", "live", size),
    ("blocks", "blocks", "{:,}".format),
    ("cached", "cached", size),
    ("free", "free", size),
    ("holes", "holes", size),
    ("fresh", "fresh", size),
    ("held", "held", size),
    ("resident", "resident", size),
    ("waste", "waste", percent),
)

# How each row changes, a second: allocated less freed, which is all that two looks can tell.
CHANGES = (("net_blocks", "net blocks/s", signed), ("net_live", "net live/s", signed_size))

# Where a terminal is narrow these are left out, the first of them first; --json has all.
_LEFT_OUT = ("fresh", "holes", "net_blocks", "cached", "resident", "free", "blocks", "net_live")
GAP = 2  # between columns


def fitting(keys, widths, room, sorted_by=None):
    """The numbers of the columns, of these keys and widths, that there is room for."""
    found = dict(zip(keys, range(len(keys)), strict=True))
    for key in _LEFT_OUT:
        if sum(widths[i] + GAP for i in found.values()) - GAP <= room:
            break
        if key != sorted_by:
            found.pop(key, None)
    return list(found.values())


def of(heap, sums=None):
    """The document."""
    sums = sums or Sums(heap)
    return {
        "process": _process(heap),
        "total": _total(sums, heap),
        "classes": [_class(heap, index, one, sums) for index, one in sorted(sums.by_class.items())],
        "threads": [_thread(heap, owner, sums) for owner in sorted(set(heap.heaps) | set(sums.by_owner))],
    }


def _process(heap):
    memory = heap.memory
    return {
        "pid": memory.pid,
        "command": memory.command,
        "source": memory.describe,
        "library": heap.layout.library,
        "variant": heap.layout.variant,
        "milliseconds": memory.now,
    }


def _total(sums, heap):
    total, memory = sums.total, heap.memory
    return {
        "live": total.live,
        "blocks": total.slabs.blocks + total.large_blocks + total.huge_blocks,
        "cached": total.slabs.cached,
        "free": total.slabs.free,
        "holes": total.slabs.holes,
        "fresh": total.slabs.fresh,
        "kept": total.kept,
        "retained": total.retained,
        "held": total.held,
        "resident": None if total.resident is None else total.resident - total.refilled,
        "refilled": total.refilled,
        "fragmentation": round(total.fragmentation, 4),
        "large": total.large,
        "large_blocks": total.large_blocks,
        "huge": total.huge,
        "huge_blocks": total.huge_blocks,
        "slabs": total.slabs.slabs,
        "slab_live": total.slabs.live,
        "slab_bytes": total.slabs.bound + total.large + total.kept,
        "superslabs": total.superslabs,
        "torn": total.torn,
        "limit": heap.limit or None,
        "process_resident": memory.resident_kib * 1024 or None,
        "process_peak": memory.peak_kib * 1024 or None,
    }


def _figures(one, known):
    return {
        "slabs": one.slabs,
        "live": one.live,
        "blocks": one.blocks,
        "cached": one.cached,
        "free": one.free,
        "holes": one.holes,
        "fresh": one.fresh,
        "rest": one.rest,
        "held": one.bound - one.fresh - one.holes,
        "resident": one.resident if known else None,
        "waste": round(one.waste, 4),
    }


def _class(heap, index, one, sums):
    return {"size": heap.layout.classes[index].stride, "class": index, **_figures(one, sums.knows_resident)}


def _thread(heap, owner, sums):
    one = heap.heaps.get(owner)
    return {
        "heap": owner,
        "thread": one.tid if one else 0,
        "name": one.name if one else "",
        "state": one.state_name if one else "unknown",
        "who": heap.who(owner),
        **_figures(sums.by_owner.get(owner, Figures()), sums.knows_resident),
    }


def shown(one, key, form):
    """A figure as text; – where it is not known."""
    return "–" if one.get(key) is None else form(one[key])


def tell_changes(before, after):
    """Adds to each row of `after` how it has changed a second since `before`, a document of the same process."""
    seconds = seconds_between(before, after)
    for rows, name in (("classes", "size"), ("threads", "heap")):
        then = {one[name]: one for one in before[rows]} if seconds > 0 else {}
        for one in after[rows] if seconds > 0 else ():
            was = then.get(one[name], {"blocks": 0, "live": 0})
            one["net_blocks"] = round((one["blocks"] - was["blocks"]) / seconds)
            one["net_live"] = round((one["live"] - was["live"]) / seconds)


def seconds_between(before, after):
    return (after["process"]["milliseconds"] - before["process"]["milliseconds"]) / 1000


def headline(document):
    """A few lines that tell the whole."""
    process, total = document["process"], document["total"]
    resident = "" if total["resident"] is None else f", {size(total['resident'])} of it resident"
    again = f"; {size(total['refilled'])} more in holes that the system has filled again" if total["refilled"] else ""
    lines = [f"{process['source']} on hakmem {process['library']} ({process['variant']})"]
    if total["process_resident"] is not None:
        lines.append(f"process   {size(total['process_resident'])} resident, {size(total['process_peak'])} at its peak")
    lines += [
        f"heap      {size(total['held'])} held{resident}{again}",
        f"live      {size(total['live'])} in {count(total['blocks'], 'block')}; of it {size(total['large'])} in "
        f"{count(total['large_blocks'], 'large block')}, {size(total['huge'])} in "
        f"{count(total['huge_blocks'], 'huge block')}",
        f"not live  {percent(total['fragmentation'])} of what is held: {size(total['cached'])} cached, "
        f"{size(total['free'])} free in slabs, {size(total['kept'])} kept, {size(total['retained'])} retained",
    ]
    if total["torn"]:
        lines.append(f"torn      {count(total['torn'], 'record')} in the middle of a change")
    return "\n".join(lines)


def rates(before, after):
    """How the whole changes, bytes a second."""
    seconds = seconds_between(before, after) if before else 0
    if seconds <= 0:
        return ""

    def rate(key):
        return f"{signed_size(((after['total'][key] or 0) - (before['total'][key] or 0)) / seconds)}/s"

    return f"net change: live {rate('live')}, held {rate('held')}, process resident {rate('process_resident')}"
