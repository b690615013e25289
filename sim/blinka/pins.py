"""Find the pins of a Raspberry Pi by Blinka's names, and the lines of Linux behind them."""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from sim.terminal import IS_CLONE, Refusal, first_line, tell_install

# By module: the package that brings it. The extra `blinka` of pyproject.toml has them all.
_PACKAGES = {"board": "Adafruit-Blinka", "gpiod": "gpiod"}
_CURE = "python3 -m tools.setup sim --blinka installs it" if IS_CLONE else tell_install("blinka")


def find_pins() -> tuple[str, dict[str, Any]]:
    """Return Blinka's name of this board, and its pins by name; refuse another computer.

    Two names of one pin have the same object, so that a pin with two uses is noticed.
    """
    require(_PACKAGES)
    # Blinka would ask on the terminal whether to install what other projects need.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        board_id = _detect()
        board = import_module("board")
    except (ImportError, OSError, RuntimeError, ValueError) as problem:  # such as of a USB adapter that is not there
        raise Refusal(f"Blinka does not start: {first_line(problem)}") from None
    kind = import_module("microcontroller").Pin
    found: dict[Any, Any] = {}
    named = {name: pin for name, pin in sorted(vars(board).items()) if isinstance(pin, kind)}
    return board_id, {name: found.setdefault(pin.id, pin) for name, pin in named.items()}


def require(packages: dict[str, str]) -> None:
    """Refuse if a module is missing, and say what installs it."""
    for module, package in packages.items():
        if find_spec(module) is None:
            raise Refusal(f"--blinka needs {package}; {_CURE}")


def _detect() -> str:
    """Return Blinka's name of this board; refuse a computer that is no Raspberry Pi."""
    detected = import_module("adafruit_platformdetect").Detector().board
    if not detected.any_raspberry_pi:
        name = f"this is {detected.id}" if detected.id else "Blinka does not know this computer"
        raise Refusal(f"--blinka needs a Raspberry Pi, and {name}; without --blinka the game opens a window")
    return str(detected.id)


def find_line(pin: Any) -> tuple[str, int]:
    """Return the device of Linux that has a pin, and the number of its line; refuse without the right to open it."""
    try:
        return f"/dev/gpiochip{pin.chip_index}", int(pin.id)
    except PermissionError:
        raise refuse_rights("/dev/gpiochip*", "gpio") from None
    except RuntimeError as problem:
        raise Refusal(f"Linux shows no pins here: {problem}") from None


def refuse_rights(path: str, group: str) -> Refusal:
    """Return the refusal for a device that belongs to a group of users."""
    return Refusal(f"no permission for {path}: run `sudo usermod -aG {group} $USER`, then log out and in")
