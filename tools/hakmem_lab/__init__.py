"""The lab: measures hakmem against other allocators on this machine.

One job a module, each using only those above it in this list:

    errors      what can go wrong, as one sentence and an exit status
    workloads   the registry: what is run
    peers       the allocators: hakmem, and its peers from their crates or from Debian (a package)
    runner      one run of one program on one allocator, proved
    stats       medians, paired ratios, bootstrap intervals
    comparison  the subject against its peers on one workload: interleaved rounds of runs
    counting    instructions and system calls of one run
    acceptance  the figures that the project promises, each against its target
    progress    how far a long command is
    report      the figures as JSON
    tables      the figures as tables
    console     where sentences and tables go
    bench       the command `bench`
    hot         the command `hot`: a package, its modules listed there
    cli         the commands together
"""
