"""Make a circuit board and a case for the handheld from the table of its pins."""


class HardwareError(Exception):
    """Say in one line what of the board or the case is wrong."""
