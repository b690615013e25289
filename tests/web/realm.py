"""Find and prepare the programs that run the page here: Node and a browser."""

from pathlib import Path

from tests.support import needs
from tools.web import bundling, npm, packing, sorting
from tools.web import dist as made

PLAYER = Path(__file__).parent / "player.js"
ANSWERER = Path(__file__).parent / "node.mjs"
ROOT = Path(__file__).resolve().parents[2]
PARTS = "parts"
# Fetched once, not every run: it is none of what a run makes.
PACKAGES = npm.cache_path()
PLACES = {"micropython": "mpy-*/*.mjs", "program": "mpy-*/*.bin", "firmware": "rom-*.bin", "rest": "rest-*.bin"}


def fetch_packages(cache: Path) -> None:
    """Fetch the page's packages and its bundler; skip the test if they cannot be fetched."""
    with needs.registry():
        for package in (*npm.PACKAGES, bundling.find_program()):
            package.fetch(cache)


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


def unpack(dist: Path, folder: Path, *images: str) -> list[str]:
    """Put files that Node cannot fetch into `folder`; return the arguments of a script for Node.

    images: of the firmware, by their patterns; by default both halves of it.
    """
    (dist / "package.json").write_text('{"type": "module"}')  # every process writes the same content
    program = folder / "micropython.wasm"
    program.write_bytes(packing.unpack(next(dist.glob(PLACES["program"])).read_bytes()))
    arguments = [str(dist / PARTS), str(program)]
    for pattern in images or (PLACES["firmware"], PLACES["rest"]):
        path = next(dist.glob(pattern))
        (folder / path.name).write_bytes(sorting.restore(packing.unpack(path.read_bytes())))
        arguments.append(str(folder / path.name))
    return arguments
