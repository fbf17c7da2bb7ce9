"""`./hakmem ab A B`: is B better than A? Answered on paired runs, with an interval.

One job a module, each using only those above it in this list:

    gain        how much less B needs than A, and the interval of that, from paired runs
    schedule    when a measurement may be looked at, and what each look may err
    verdict     GO, NO-GO or NEUTRAL: of one figure, of a workload, of the whole
    revisions   the library of a git revision, built apart and kept
    swaps       the library with a box swapped for another, built apart
    sides       what A and B are: revisions, libraries, swaps or settings of one build
    stage       both sides' libraries where they are run from, and the check of settings
    pairs       blocks of runs A B B A until they answer or the budget ends
    counted     instructions an operation of both sides
    ledger      the verdict as a row of docs/ledger.md
    show        the verdict as a table and as JSON
    command     the command `ab`
"""
