"""Find the CIRCUITPY drive, and check that its board can run Skyline."""

import getpass
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firmware.device import profiles
from sim.terminal import tell_unknown
from tools.deploy import DeployError

MAJOR = 10
LABEL = "CIRCUITPY"
_BOOTLOADER_FILE = "INFO_UF2.TXT"
_FAMILIES = {"RP2040": 0xE48BFF56, "RP2350": 0xE48BFF59}  # of UF2 files
_SMALL = "samd21"  # the chip of the Trinket M0 and similar boards; its RAM is too small for Skyline


def mounted(system: str = sys.platform, base: Path = Path("/")) -> list[Path]:
    """Return the folders of mounted drives, including the PC's own disks."""
    if system == "win32":
        return [Path(f"{letter}:\\") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ" if Path(f"{letter}:\\").exists()]
    if system == "darwin":
        folders = [base / "Volumes"]
    else:
        user = _user()
        folders = [base / "media" / user, base / "run" / "media" / user, base / "media", base / "mnt"]
    found = []
    for folder in folders:
        try:
            found += sorted(path for path in folder.iterdir() if path.is_dir())
        except OSError:
            continue  # missing or not readable
    return found


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "root"


def find(places: list[Path], label_of: Callable[[Path], str] = lambda path: path.name) -> Path:
    """Return the only CircuitPython drive among `places`; raise DeployError unless there is exactly one."""
    boards = [path for path in places if label_of(path).startswith(LABEL)]
    boards = boards or [path for path in places if (path / "boot_out.txt").is_file()]
    if len(boards) > 1:
        raise DeployError(f"more than one board: {', '.join(map(str, boards))}; choose with --drive")
    if boards:
        return boards[0]
    for path in places:
        if (path / _BOOTLOADER_FILE).is_file():
            raise DeployError(
                f"the board at {path} waits in its bootloader: put CircuitPython {MAJOR} on it first, or use --uf2"
            )
    raise DeployError(
        f"no {LABEL} drive: connect the board with a cable that carries data, or name its place with --drive"
    )


def windows_label(path: Path) -> str:
    import ctypes

    name = ctypes.create_unicode_buffer(261)
    ask = getattr(ctypes, "windll").kernel32.GetVolumeInformationW  # noqa: B009 (only Windows has it)
    return name.value if ask(str(path), name, len(name), None, None, None, None, 0) else ""


def check_board(drive: Path) -> str:
    """Return the first line of boot_out.txt; raise DeployError for no board, a small one or a wrong CircuitPython."""
    if not drive.is_dir():
        raise DeployError(f"{drive} is no drive")
    try:
        text = (drive / "boot_out.txt").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise DeployError(f"{drive} is not the drive of a CircuitPython board: it has no boot_out.txt") from None
    except OSError as problem:
        raise DeployError(f"cannot read {drive / 'boot_out.txt'}: {problem.strerror}") from None
    first = text.splitlines()[0].strip() if text.strip() else ""
    if _SMALL in first.lower():
        raise DeployError(
            f"{first.split(';')[-1].strip()} has too little memory, 32 KB; Skyline needs a board such as the "
            "Raspberry Pi Pico, with 264 KB"
        )
    version = re.match(r"Adafruit CircuitPython (\d+)\.\S+", first)
    if version is None:
        raise DeployError(f"{drive}/boot_out.txt does not say which CircuitPython this is")
    if int(version[1]) != MAJOR:
        raise DeployError(f"{version[0]} is on the board, Skyline needs {MAJOR}: see circuitpython.org/downloads")
    return first


def find_board_id(drive: Path) -> str:
    """Return the ID of a checked board, such as raspberry_pi_pico; "" if its boot_out.txt has none."""
    found = re.search(r"^Board ID:(\w+)", (drive / "boot_out.txt").read_text("utf-8", "replace"), re.MULTILINE)
    return found[1] if found else ""


class Place(NamedTuple):
    """Where the drive of a board lies in its flash, and the family of its chip in UF2 files."""

    family: int
    start: int
    size: int

    def list_options(self) -> list[str]:
        options = {"--family-id": self.family, "--flash-offset": self.start, "--fs-size": self.size}
        return [word for option, value in options.items() for word in (option, hex(value))]


def find_place(board: str) -> Place:
    """Return the place that profiles.txt or folder2uf2 knows; raise DeployError for an unknown board."""
    from folder2uf2 import BOARDS

    places = {}
    for record in profiles.read():
        size_kb = int(record["drive"])
        start_kb = -size_kb % 2048  # the drive ends with the flash, which has a multiple of 2 MB
        places[record["board"]] = Place(_FAMILIES[record["chip"]], start_kb * 1024, size_kb * 1024)
    for name, (family, start, end) in BOARDS.items():
        if family in _FAMILIES.values():
            places.setdefault(name, Place(family, start, end - start))
    if board not in places:
        raise DeployError(tell_unknown(board, places, "board"))
    return places[board]
