"""What a command line asks for beside its command."""

HELP = ("--help", "-h")

# What follows their own options is another program's, with or without -- before it.
_RUN_A_PROGRAM = ("run", "hot", "stat", "profile")
_WITH_A_VALUE = ("--output", "-o", "--every", "--interval", "--signal", "--preset", "--runs", "--report", "--library")


def asks_help(arguments):
    """Whether help on a command is asked for; what stands after -- is another program's."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if own[:1] and own[0] in _RUN_A_PROGRAM:
        own = _own_options(own[1:])
    return any(flag in own for flag in HELP)


def _own_options(arguments):
    own, rest = [], list(arguments)
    while rest and rest[0].startswith("-"):
        own.append(rest.pop(0))
        if own[-1] in _WITH_A_VALUE:
            rest = rest[1:]
    return own
