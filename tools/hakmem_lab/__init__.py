"""The lab: measures hakmem against other allocators on this machine.

One job a module, each using only those above it in this list:

    errors      what can go wrong, as one sentence and an exit status
    workloads   the registry: what is run (a package)
    peers       the allocators: hakmem, and its peers from their crates or from Debian (a package)
    running     one run of one program on one allocator, proved (a package)
    stats       medians, paired ratios, geometric means, bootstrap intervals
    progress    how far a long command is
    comparison  the subject against its peers on one workload: interleaved rounds of runs
    plan        how many rounds a workload gets, within the time there is
    board       all contestants on all workloads, with more rounds where an interval is wide; what fails is marked
    summary     the board in a few figures: ratios to the best peer, their means
    counting    instructions and system calls of one run
    acceptance  the figures that the project promises, each against its target
    report      the figures as JSON; the history, the board's tables and the page come from it
    history     the boards so far, a line each
    tables      the figures as tables
    console     where sentences and tables go
    labels      names beside points, none on another
    picture     the board's means as one SVG
    page        the board as one HTML page, with plots (a package)
    paper       which files a command writes
    bench       the command `bench`
    ab          the command `ab`: is B better than A? (a package)
    hot         the command `hot`: where the time goes (a package)
    counters    the command `stat`: what is counted of a program beside a peer (a package)
    cores       the command `cores`: what a workload would do on more cores (a package)
    analysis    the command `analysis`: where the cycles go, by box, written down (a package)
    cli         the commands together
"""
