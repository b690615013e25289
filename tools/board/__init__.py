"""Play the deployed game on the real CircuitPython, in an emulator of the Raspberry Pi Pico."""

from sim.terminal import Refusal


class BoardError(Refusal):
    """Describe in one line why the emulated board cannot start or continue."""
