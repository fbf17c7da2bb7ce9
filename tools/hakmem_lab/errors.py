"""What can go wrong, each as one sentence for the user and an exit status."""

MISSED = 1  # a target was not reached
WRONG_USE = 2
UNSOUND = 3
STOPPED = 130  # by the user, as a shell says it


class LabError(Exception):
    """Ends the command with its sentence."""

    status = WRONG_USE


class UnsoundError(LabError):
    """The measurement itself cannot be trusted."""

    status = UNSOUND
