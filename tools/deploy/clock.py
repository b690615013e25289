"""Set the clock of a handheld through the raw REPL of its console: DAILY uses its date.

A board's clock has no battery: it runs until the handheld is switched off.
"""

import time
from typing import Any

from sim.terminal import tell_install
from tools.deploy import DeployError

_BAUD = 115_200
_READ_TIMEOUT_S = 1.0
_WRITE_TIMEOUT_S = 10.0
_TRIES = 5
_SETTLE_S = 0.3
_INTERRUPT = b"\x03"
_ENTER_RAW = b"\r\x01"  # a key to enter the REPL, then Ctrl-A
_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
_RUN = b"\x04"
_LEAVE_AND_RESTART = b"\x02\x04"
_VENDORS = (0x239A, 0x2E8A)  # Adafruit, used by most CircuitPython boards, and Raspberry Pi
_OURS = "skyline"  # in the USB names set by boot.py
_SECOND = "CDC2"  # the port for matches, if settings.toml enables it


def find_port(ports: list[Any]) -> str:
    """Return the console of the only board among pyserial's `ports`; raise DeployError unless there is exactly one."""
    ports = [port for port in ports if _SECOND not in (port.interface or "")]
    found = [port for port in ports if _OURS in f"{port.manufacturer} {port.product}".lower()]
    found = found or [port for port in ports if port.vid in _VENDORS]
    # If two ports of one board look alike, the console is the first; COM9 comes before COM10.
    found.sort(key=lambda port: (len(port.device), port.device), reverse=True)
    boards = {port.serial_number or port.device: port.device for port in found}
    if len(boards) > 1:
        raise DeployError(f"more than one board: {', '.join(sorted(boards.values()))}; choose with --port")
    if not boards:
        raise DeployError("no handheld at a serial port: plug it in and switch it on, or name it with --port")
    return next(iter(boards.values()))


def set_clock(name: str = "") -> str:
    """Set the clock of the handheld at a port, by default the only one; return the port; raise DeployError."""
    try:
        import serial
        from serial.tools import list_ports
    except ImportError:
        raise DeployError(f"--clock needs pyserial; {tell_install('deploy')}") from None
    name = name or find_port(list_ports.comports())
    try:
        with serial.serial_for_url(name, _BAUD, timeout=_READ_TIMEOUT_S, write_timeout=_WRITE_TIMEOUT_S) as port:
            now = (*time.localtime()[:8], -1)
            _run_program(port, f"import rtc, time\nrtc.RTC().datetime = time.struct_time({now})\n")
    except (OSError, ValueError) as problem:
        raise DeployError(f"cannot use {name}: {getattr(problem, 'strerror', None) or problem}") from None
    return name


def _run_program(port: Any, program: str) -> None:
    for _ in range(_TRIES):
        port.write(_INTERRUPT)
        time.sleep(_SETTLE_S)  # the board loses bytes that come right after this key
        port.write(_ENTER_RAW)
        if port.read_until(_PROMPT).endswith(_PROMPT):
            break
    else:
        raise DeployError("the board does not answer: another program uses its console, or it is in its bootloader")
    port.write(program.encode() + _RUN)
    _read(port, b"OK")
    _read(port, b"\x04")
    errors = _read(port, b"\x04").decode(errors="replace").split("\r\n")
    port.write(_LEAVE_AND_RESTART)
    port.flush()
    if errors != [""]:
        raise DeployError(f"the board says: {next(filter(None, reversed(errors)), '')}")


def _read(port: Any, end: bytes) -> bytes:
    """Return the bytes before `end`; raise DeployError if `end` does not come."""
    received: bytes = port.read_until(end)
    if not received.endswith(end):
        raise DeployError("the board fell silent: switch it off and on, and try again")
    return received.removesuffix(end)
