"""Play the deployed game on the real CircuitPython, in an emulator of the Raspberry Pi Pico."""


class BoardError(Exception):
    """Describe in one line why the emulated board cannot start or continue."""
