"""Play the deployed game on the real CircuitPython, in an emulator of the Raspberry Pi Pico."""


class BoardError(Exception):
    """Say in one line why the emulated board cannot be made or cannot go on."""
