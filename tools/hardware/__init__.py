"""Make a circuit board and a case for the handheld from the table of its pins."""

from sim.terminal import Refusal


class HardwareError(Refusal):
    """Say in one line what of the board or the case is wrong."""
