"""Read the names in the ROM of CircuitPython for an RP2040 from its UF2 file; rom_names.txt has those of 10.0.0.

python -m tools.deploy.rom FIRMWARE.UF2    rewrite rom_names.txt
"""

import struct
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from sim import terminal
from sim.ownership import write_clone
from tools.deploy import DeployError, compiling

NAMES = Path(__file__).with_name("rom_names.txt")
_BASE = 0x10000000
_FEWEST, _MOST = 100, 10_000  # names in one pool
_ALLOCATED = 10  # the `alloc` field of every pool in ROM (py/qstr.c)
_WIDTH = 120


def load() -> set[str]:
    """Return the names in rom_names.txt."""
    lines = NAMES.read_text(encoding="ascii").splitlines()
    return {name for line in lines if not line.startswith("#") for name in line.split()}


def read(uf2: bytes) -> set[str]:
    """Return all names in ROM that are identifiers; raise DeployError if there are no names."""
    flash = compiling.read_payload(uf2)
    words = struct.unpack(f"<{len(flash) // 4}I", flash[: len(flash) // 4 * 4])
    found = {name for at in range(len(words) - 6) for name in _read_pool(flash, words, at)}
    if not found:
        raise DeployError("no names of CircuitPython for an RP2040 in this file")
    return {name for name in found if name.isidentifier()}


def _read_pool(flash: bytes, words: tuple[int, ...], at: int) -> Iterator[str]:
    """Yield the names of the qstr_pool_t (py/qstr.h) at an index, if there is one."""
    _before, _total, allocated, count, _hashes, lengths = words[at : at + 6]
    pointers = words[at + 6 : at + 6 + count]
    if allocated != _ALLOCATED or not _FEWEST < count < _MOST or len(pointers) < count:
        return
    if not all(_BASE <= pointer < _BASE + len(flash) for pointer in (lengths, *pointers)):
        return
    for number, pointer in enumerate(pointers):
        start = pointer - _BASE
        yield flash[start : start + flash[lengths - _BASE + number]].decode()


def main() -> int:
    """Write rom_names.txt; return the exit code."""
    parser = terminal.Parser(prog="python -m tools.deploy.rom", description="Rewrite rom_names.txt.")
    parser.add_argument("uf2", type=terminal.path, help="CircuitPython for a Raspberry Pi Pico")
    try:
        content = terminal.read(parser.parse_args().uf2)
        names = " ".join(sorted(read(content)))
    except (OSError, DeployError) as problem:
        return parser.refuse(problem)
    version = compiling.find_version(compiling.read_payload(content))
    comment = (
        f"# CircuitPython {version}, Raspberry Pi Pico: names in its ROM, read from its UF2 by tools/deploy/rom.py."
    )
    write_clone(NAMES, f"{comment}\n{textwrap.fill(names, _WIDTH)}\n".encode())
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
