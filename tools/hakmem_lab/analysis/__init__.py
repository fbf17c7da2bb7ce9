"""Where the cycles of a workload go, by box, written down: docs/analysis.

One job a module, each using only those above it in this list:

    boxes       a profile by box: the source file that ran, or what is not the library's
    measure     one workload: instructions by callgrind, samples of the time by perf, counts beside glibc
    text        the measured workload as a document
    command     the command `analysis`
"""
