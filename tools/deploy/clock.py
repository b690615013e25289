"""Set the clock of a handheld over its console, as its raw REPL lets a PC do: DAILY begins with the day that it shows.

A board has no battery for its clock: it goes on until the handheld is switched off.
"""

import time
from typing import Any

from tools.deploy import DeployError

_BAUD = 115_200
_PATIENCE_S = 1.0
_WRITE_S = 10.0
_TRIES = 5
_SETTLE_S = 0.3
_INTERRUPT = b"\x03"
_ENTER_RAW = b"\r\x01"  # after any key
_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
_RUN = b"\x04"
_LEAVE_AND_RESTART = b"\x02\x04"
_VENDORS = (0x239A, 0x2E8A)  # Adafruit, whose numbers most boards of CircuitPython have, and Raspberry Pi
_OURS = "skyline"  # boot.py calls itself so
_SECOND = "CDC2"  # the port for matches, where settings.toml asks for it


def write_program(now: time.struct_time) -> str:
    """Return what a board runs to know the time."""
    return f"import rtc, time\nrtc.RTC().datetime = time.struct_time({(*now[:8], -1)})\n"


def find_port(ports: list[Any]) -> str:
    """Return the console of the one board among pyserial's `ports`; raise DeployError when there is none, or more."""
    ports = [port for port in ports if _SECOND not in (port.interface or "")]
    found = [port for port in ports if _OURS in f"{port.manufacturer} {port.product}".lower()]
    found = found or [port for port in ports if port.vid in _VENDORS]
    # Where the system tells no more of two ports of one board, the console is the first.
    boards = {port.serial_number or port.device: port.device for port in sorted(found, key=_place, reverse=True)}
    if len(boards) > 1:
        raise DeployError(f"more than one board: {', '.join(sorted(boards.values()))}; choose with --port")
    if not boards:
        raise DeployError("no handheld at a serial port: plug it in and switch it on, or name it with --port")
    return next(iter(boards.values()))


def _place(port: Any) -> tuple[int, str]:
    """Return what sorts COM9 before COM10."""
    return len(port.device), port.device


def set_clock(name: str = "", now: time.struct_time | None = None) -> str:
    """Set the clock of the handheld at a port, the one there is by default, and return the port; raise DeployError."""
    try:
        import serial
        from serial.tools import list_ports
    except ImportError:
        raise DeployError("--clock needs pyserial; pip install pyserial") from None
    name = name or find_port(list_ports.comports())
    try:
        with serial.serial_for_url(name, _BAUD, timeout=_PATIENCE_S, write_timeout=_WRITE_S) as port:
            _ask(port, write_program(now or time.localtime()))
    except (OSError, ValueError) as problem:
        raise DeployError(f"cannot use {name}: {getattr(problem, 'strerror', None) or problem}") from None
    return name


def _ask(port: Any, program: str) -> None:
    """Run a program on the board in place of the game, then restart the game."""
    for _ in range(_TRIES):
        port.write(_INTERRUPT)
        time.sleep(_SETTLE_S)  # what comes together with that key, or right after it, is lost
        port.write(_ENTER_RAW)
        if port.read_until(_PROMPT).endswith(_PROMPT):
            break
    else:
        raise DeployError("the board does not answer: another program uses its console, or it is in its bootloader")
    port.write(program.encode() + _RUN)
    _read(port, b"OK")
    _read(port, b"\x04")
    trouble = _read(port, b"\x04").decode(errors="replace").split("\r\n")
    port.write(_LEAVE_AND_RESTART)
    port.flush()
    if trouble != [""]:
        raise DeployError(f"the board says: {next(filter(None, reversed(trouble)), '')}")


def _read(port: Any, end: bytes) -> bytes:
    """Return what comes before `end`."""
    came: bytes = port.read_until(end)
    if not came.endswith(end):
        raise DeployError("the board fell silent: switch it off and on, and try again")
    return came.removesuffix(end)
