"""See everything in a folder, and do without root's rights."""

import codecs
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

NOBODY = 65534
needs_rights = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")


def look(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return everything below a folder by path: kind and rights, time, and bytes or the target of a link."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_mtime_ns, content)
    return found


@contextlib.contextmanager
def without_rights() -> Iterator[None]:
    """Give up root's rights for as long as the context lasts."""
    codecs.lookup("ascii")  # else it is looked for where others may not read, and never again
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root:
        os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        if is_root:
            os.setresuid(0, 0, 0)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody can enter; pytest's own folders are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
