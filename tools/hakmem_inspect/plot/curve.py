"""What a command and those that it starts hold, sampled over time from outside."""

import time
from dataclasses import dataclass, field

from ..errors import InspectError
from ..figures import Sums
from ..heap import Heap
from ..process import Process, has_library

_LEAST_WAIT = 0.02  # seconds from one sample to the next
_SHARE = 4  # times the processor time of a sample: a fifth of one processor at most
_MOST_SAMPLES = 1500


@dataclass(slots=True)
class Sample:
    """Bytes, of all processes of the command together that run on hakmem."""

    seconds: float
    processes: int = 0
    resident: int = 0  # of the processes whole
    live: int = 0
    cached: int = 0
    free: int = 0  # in slabs, or kept by threads: the rest of what is held
    retained: int = 0
    held: int = 0


@dataclass
class Curve:
    """The samples, thinned out where there are many: of two neighbours the one with more resident stays."""

    samples: list = field(default_factory=list)
    limit: int = 0
    least_wait: float = _LEAST_WAIT

    def add(self, sample):
        self.samples.append(sample)
        if len(self.samples) > _MOST_SAMPLES:
            pairs = zip(self.samples[::2], self.samples[1::2], strict=False)
            last = self.samples[-1]
            self.samples = [max(pair, key=lambda one: one.resident) for pair in pairs]
            if self.samples[-1] is not last:
                self.samples.append(last)
            self.least_wait *= 2


class Watch:
    """Samples a process and its descendants. `wait` is how long to the next sample."""

    def __init__(self, pid):
        self._pid = pid
        self._start = time.monotonic()
        self._readers = {}  # pid: (Process, its Layout)
        self.curve = Curve()
        self.wait = _LEAST_WAIT

    def look(self):
        """Takes a sample; nothing while no process of the command runs on hakmem."""
        began = time.process_time()
        sample = Sample(time.monotonic() - self._start)
        pids = list(descendants(self._pid))
        before = _resident_of(set(pids) & set(self._readers))
        found = [pid for pid in pids if self._add(pid, sample)]
        if found:
            sample.processes = len(found)
            sample.resident = max(before, _resident_of(found))  # the heap was read in between
            self.curve.add(sample)
        for pid in set(self._readers) - set(pids):
            del self._readers[pid]
        self.wait = max(self.curve.least_wait, _SHARE * (time.process_time() - began))

    def _add(self, pid, sample):
        """Adds what a process holds; False: it is not on hakmem, or has ended."""
        try:
            if pid not in self._readers:
                memory, layout = Process(pid), None
                if not has_library(pid):
                    return False
            else:
                memory, layout = self._readers[pid]
                memory.refresh()
            heap = Heap(memory, layout)
        except InspectError:
            self._readers.pop(pid, None)  # it has become another program, perhaps
            return False
        self._readers[pid] = memory, heap.layout
        total = Sums(heap, with_resident=False).total
        sample.live += total.live
        sample.cached += total.slabs.cached
        sample.retained += total.retained
        sample.held += total.held
        sample.free = sample.held - sample.live - sample.cached - sample.retained
        self.curve.limit = max(self.curve.limit, heap.limit)
        return True


def descendants(pid):
    """A process, and those that it or they have started."""
    yield pid
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = file.read().split()
    except OSError:
        return
    for child in children:
        yield from descendants(int(child))


def _resident_of(pids):
    return sum(resident(pid, shared=len(pids) > 1) for pid in pids)


def resident(pid, shared=False):
    """Resident bytes; where pages may be shared between processes that are added up, each page's part."""
    name, key = ("smaps_rollup", "Pss:") if shared else ("status", "VmRSS:")
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith(key)), 0)
    except OSError:
        return 0
