"""Read the names in the ROM of CircuitPython for an RP2040 from UF2 files; rom_names.txt has those of all versions.

python -m tools.deploy.rom FIRMWARE.UF2 ...    rewrite rom_names.txt with the names that all these files have
"""

import struct
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from sim import terminal
from sim.ownership import write_clone
from tools.deploy import DeployError, compiling

NAMES = Path(__file__).with_name("rom_names.txt")
BASE = 0x10000000  # address of the ROM's first byte
_ALLOCATED = 10  # the `alloc` field of every pool in ROM (py/qstr.c)
_COUNTS = range(101, 10_000)  # of names in one pool
_IS_SORTED = 1 << 31  # a flag in the number of names before a pool
_WIDTH = 120


@dataclass(frozen=True)
class Pool:
    """Names in ROM, a qstr_pool_t (py/qstr.h); the interpreter numbers them from `first` on."""

    first: int
    names: tuple[str, ...]


def load() -> set[str]:
    lines = NAMES.read_text(encoding="ascii").splitlines()
    return {name for line in lines if not line.startswith("#") for name in line.split()}


def read(uf2: bytes) -> set[str]:
    """Return all names in ROM that are identifiers; raise DeployError if there are no names."""
    pools = find_pools(compiling.read_payload(uf2))
    return {name for pool in pools for name in pool.names if name.isidentifier()}


def find_pools(flash: bytes) -> list[Pool]:
    """Return the pools of names in the content of a UF2 file; raise DeployError if there are none."""
    words = struct.unpack(f"<{len(flash) // 4}I", flash[: len(flash) // 4 * 4])
    pools = [
        pool for at in range(len(words) - 6) if words[at + 2] == _ALLOCATED for pool in _read_pool(flash, words, at)
    ]
    if not pools:
        raise DeployError("no names of CircuitPython for an RP2040 in this file")
    return pools


def _read_pool(flash: bytes, words: Sequence[int], at: int) -> Iterator[Pool]:
    """Yield the pool at an index, if there is one."""
    _before, first, _allocated, count, _hashes, lengths = words[at : at + 6]
    pointers = words[at + 6 : at + 6 + count] if count in _COUNTS else ()
    if not pointers or len(pointers) < count:
        return
    if not all(BASE <= pointer < BASE + len(flash) for pointer in (lengths, *pointers)):
        return
    sizes = flash[lengths - BASE :][:count]
    names = (flash[pointer - BASE :][:size].decode() for pointer, size in zip(pointers, sizes, strict=True))
    yield Pool(first & ~_IS_SORTED, tuple(names))


def main() -> int:
    parser = terminal.Parser(prog="python -m tools.deploy.rom", description="Rewrite rom_names.txt.")
    words = "each supported CircuitPython for a Raspberry Pi Pico: only names that all of them have are written"
    parser.add_argument("uf2", type=terminal.path, nargs="+", help=words)
    try:
        contents = [terminal.read(path) for path in parser.parse_args().uf2]
        names = reduce(set.intersection, map(read, contents))
    except (OSError, DeployError) as problem:
        return parser.refuse(problem)
    versions = ", ".join(compiling.find_version(compiling.read_payload(content)) for content in contents)
    comment = f"# CircuitPython {versions}, Raspberry Pi Pico: names in their ROM, read by tools/deploy/rom.py."
    write_clone(NAMES, f"{comment}\n{textwrap.fill(' '.join(sorted(names)), _WIDTH)}\n".encode())
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
