"""The hot-path report: where the instructions or the time of a program on hakmem go.

One job a module, each using only those above it in this list:

    groups      which source file of the library belongs to which group, and its colour
    profile     what was measured: stacks with their weights, entry points, processes
    symbols     an address in the library: its function, what is inlined there, its source files
    callgrind   reads callgrind's files
    perf        reads what `perf script` prints
    stacks      both kinds of file as stacks of frames
    record      runs the program under valgrind or perf
    proof       refuses what hakmem did not serve, and what has too few samples
    shares      a profile as shares that sum to 100 %
    flame       the flame graph, as SVG
    page        the report, as one HTML file
    command     the command `hot`
"""
