"""What can go wrong, as a sentence for the user, a remedy and an exit status."""

WRONG_TARGET = 2  # it is not there, or is no such thing
UNREADABLE = 3  # it is there, and cannot be read or understood


class InspectError(Exception):
    """Ends the command after saying `what` was wrong and, where there is one, the `remedy`."""

    def __init__(self, what, remedy="", status=UNREADABLE):
        super().__init__(what)
        self.what = what
        self.remedy = remedy
        self.status = status

    def __str__(self):
        return f"{self.what}. {self.remedy}." if self.remedy else f"{self.what}."


class Unreadable(Exception):
    """Nothing can be read at an address."""

    def __init__(self, address, size=0):
        super().__init__(f"{size} bytes at {address:#x} cannot be read")
        self.address = address
        self.size = size
