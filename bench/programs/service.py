"""A service as docs/seeing.md looks at it: python3 service.py grows|burst|elsewhere [SECONDS]

grows      takes in records, and forgets none
burst      takes in 300,000 records, then drops nine in ten, and waits
elsewhere  keeps its data in memory that it has mapped itself
"""

import ctypes
import mmap
import random
import sys
import time


def records(count):
    return [bytes(random.randrange(30, 800)) for _ in range(count)]


def main(what, seconds):
    random.seed(1)
    ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1))  # PR_SET_PTRACER: whoever is of this user may look
    end = time.monotonic() + seconds
    kept = []
    if what == "burst":
        taken = records(300_000)
        kept = [one for i, one in enumerate(taken) if i % 10 == 0]
        del taken
    elif what == "elsewhere":
        kept = mmap.mmap(-1, 120 << 20)
        for at in range(0, len(kept), mmap.PAGESIZE):
            kept[at] = 1
    print("ready", flush=True)
    while time.monotonic() < end:
        if what == "grows":
            kept += records(2_000)
        time.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 3)
