"""What can go wrong, as a sentence for the user, a remedy and an exit status."""

from hakmem_inspect.errors import UNREADABLE, InspectError


class ProfileError(InspectError):
    """Ends the command after saying `what` was wrong and, where there is one, the `remedy`."""

    def __init__(self, what, remedy="", status=UNREADABLE):
        super().__init__(what, remedy, status)
