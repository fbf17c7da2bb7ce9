"""What a workload would do on many cores, from what its threads contend for here.

One job a module, each using only those above it in this list:

    subjects    the workloads that can have any number of threads, and their arguments
    counts      one run of one of them: its operations, locks, shared lines and time
    queueing    the throughput of customers who share queues, by Mean Value Analysis
    model       from the counts to the queues, and to a prediction for each number of cores
    tables      the prediction and the counts as tables, and as JSON
    command     the command `cores`
"""
