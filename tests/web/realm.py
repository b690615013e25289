"""Find and prepare the programs that run the page here: Node and a browser."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tools.web import WebError, bundling, npm, packing, sorting
from tools.web import dist as made
from tools.web.browse import BROWSERS, find_browser

PLAYER = Path(__file__).parent / "player.js"
ANSWERER = Path(__file__).parent / "node.mjs"
ROOT = Path(__file__).resolve().parents[2]
PARTS = "parts"
PLACES = {"micropython": "mpy-*/*.mjs", "program": "mpy-*/*.bin", "firmware": "rom-*.bin"}
_NODE = 20  # the oldest version


@cache
def node() -> str:
    """Return the path of Node, "" if there is none or it is too old."""
    found = shutil.which("node") or ""
    if not found:
        return ""
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    return found if version[1:].split(".")[0].isdecimal() and int(version[1:].split(".")[0]) >= _NODE else ""


def missing_node() -> str:
    return "" if node() else f"there is no Node {_NODE} or newer here"


def missing_browser() -> str:
    return "" if find_browser() else f"there is no {BROWSERS[0]} here; Debian: apt install {BROWSERS[0]}"


@contextmanager
def skip_if_unreachable() -> Iterator[None]:
    """Skip the test if a package cannot be fetched."""
    try:
        yield
    except WebError as problem:
        pytest.skip(str(problem))


def fetch_packages(cache: Path) -> None:
    """Fetch the page's packages and its bundler; skip the test if they cannot be fetched."""
    with skip_if_unreachable():
        for package in (*npm.PACKAGES, bundling.find_program()):
            package.fetch(cache)


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """Let only one process in at a time; without fcntl, all at once."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def part(dist: Path, cache: Path) -> None:
    """Put the page's unbundled scripts beside it, so that tests can import them; the real page lacks them."""
    found = {name: next(dist.glob(pattern)) for name, pattern in PLACES.items()}
    addresses = {name: f"../../{path.relative_to(dist).as_posix()}" for name, path in found.items()}
    parts = dist / PARTS
    parts.mkdir()
    qr = npm.LEAN_QR.unpack(npm.LEAN_QR.fetch(cache))[npm.QR]
    for name, content in made.gather(addresses, qr).items():
        path = parts / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def unpack(dist: Path, folder: Path, image: str = "rom-*.bin") -> list[str]:
    """Put files that Node cannot fetch into `folder`; return the arguments of a script for Node."""
    (dist / "package.json").write_text('{"type": "module"}')  # every process writes the same content
    program, firmware = folder / "micropython.wasm", folder / "firmware"
    program.write_bytes(packing.unpack(next(dist.glob("mpy-*/*.bin")).read_bytes()))
    firmware.write_bytes(sorting.restore(packing.unpack(next(dist.glob(image)).read_bytes())))
    return [str(dist / PARTS), str(program), str(firmware)]
