"""Explain why CircuitPython is in safe mode."""

import supervisor

_WORDS = {
    "BROWNOUT": "The power dipped: try another cable or battery.",
    "HARD_FAULT": "The firmware crashed.",
    "NLR_JUMP_FAIL": "The firmware ran out of memory.",
    "NO_HEAP": "No memory for the game.",
    "USER": "The reset button was pressed at start.",
    "WATCHDOG": "The watchdog found nothing going on.",
    "STACK_OVERFLOW": "The stack was full.",
    "FLASH_WRITE_FAIL": "The flash could not be written.",
}


def reason() -> str:
    """Return the reason and a remedy in a few sentences."""
    name = str(supervisor.runtime.safe_mode_reason).split(".")[-1]
    return _WORDS.get(name, "Reason: " + name) + "\nThe drive is on the PC. Switch off and on to play."
