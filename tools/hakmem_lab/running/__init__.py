"""One run of one program on one allocator, proved.

One job a module, each using only those above it in this list:

    process     a process on an allocator: its environment, and the sentence when it fails
    programs    the real programs: are they here, where are their inputs
    witness     who served each process of a program, and what memory it took
    resident    the resident memory of a process beside us
    redis       a server under its client
    runner      a workload's run, whichever kind it is
"""
