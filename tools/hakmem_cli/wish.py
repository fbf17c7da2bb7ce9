"""What a command line asks for beside its command."""

HELP = ("--help", "-h")


def asks_help(arguments):
    """Whether help on a command is asked for; what stands after -- is another program's."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return any(flag in own for flag in HELP)
