"""What the processor and the kernel count of a program, on hakmem and beside peers.

One job a module, each using only those above it in this list:

    events      what `perf stat` prints of its events, and which of them a machine has not
    record      runs the program on each allocator in turn, proved
    figures     the rows: medians of the runs, and the ratio to the first peer
    command     the command `stat`
"""
