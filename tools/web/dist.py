"""Make the folder for a web server: static files, relative addresses, a new name for each changed file.

index.html   builder.html   sw.js   manifest.webmanifest   icons
app-HASH/    the scripts and styles of sim/web
mpy-HASH/    MicroPython
rom-HASH.bin the firmware that a first game needs.
rest-HASH.bin the rest of the firmware, loaded in a first game.
builder-HASH.bin the part of the firmware that checks settings.
.skyline-web lists the files above: the next build of this folder replaces these files only
"""

import gzip
import hashlib
import json
import re
from argparse import ArgumentTypeError
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from sim import terminal
from sim.terminal import Refusal
from tools import ROOT
from tools.web import bundling, install, npm, packing, romfs, slimming, tables

PAGE = ROOT / "sim" / "web"
BOARD = ROOT / "tools/hardware/files/board-front.png"
MADE = ROOT / "build" / "wheel" / "page"  # by tools.release, for a wheel
IS_MADE = not terminal.IS_CLONE and MADE.is_dir()
DEFAULT = ROOT / "dist" if terminal.IS_CLONE else Path("dist")

WORKER = "sw.js"  # from offline/; its scope is its own folder
_UNPACKING = ("device/unpacking.js", "device/crc32.js")  # also in the worker
LICENCES = "licences.txt"
MARKER = ".skyline-web"
# The files that a page or a worker loads; they include all others.
ENTRIES = [
    *("main.js", "builder/builder.js", "glass/studio.js", "device/unpacker.js", "saves/archive.js"),
    *("style/style.css", "style/light.css", "builder/builder.css"),
]
# The page loads files with names that begin so when a player asks for them; the worker keeps them after a first game.
_LATER = ("builder", "studio.", "archive.", LICENCES)
_SUM_LETTERS = 8
# The beginnings of the names that build() gives to what weigh() tells apart; `shared-` is esbuild's.
_MICROPYTHON, _FIRMWARE, _REST, _SHARED = "mpy-", "rom-", "rest-", "shared-"


@dataclass(frozen=True)
class Sizes:
    """Download of a first visit, in bytes as a host with gzip sends them."""

    own: int  # HTML, scripts and styles
    firmware: int
    micropython: int

    @property
    def total(self) -> int:
        return self.own + self.firmware + self.micropython


def build(cache: Path | None = None, relay: str | None = None, has_book: bool = False) -> dict[str, bytes]:
    """Return the files by path: those of a wheel, or else made with packages from `cache` or npm. Raise Refusal.

    relay: the address of the one that the page uses unless the player names another.
    has_book: whether tools.site puts the book beside it.
    """
    if IS_MADE:
        if relay:
            raise Refusal("the wheel's page names no relay; build the page in a clone")
        return read(MADE)
    found = {name: content for each in npm.PACKAGES for name, content in each.unpack(each.fetch(cache)).items()}
    loader = bundling.minify(npm.SCRIPT, slimming.slim(found[npm.SCRIPT].decode()).encode(), cache)
    micropython = {npm.SCRIPT: loader, "micropython.bin": packing.pack(found[npm.PROGRAM])}
    mpy = f"{_MICROPYTHON}{hash_files(micropython)}"
    images = dict(zip(("rom", "rest", "builder"), (*romfs.build(), romfs.build_checker()), strict=True))
    packed = {kind: packing.pack(image) for kind, image in images.items()}
    names = {kind: f"{kind}-{hash_files({kind: content})}.bin" for kind, content in packed.items()}
    addresses = {
        "micropython": f"../{mpy}/{npm.SCRIPT}",
        "program": f"../{mpy}/micropython.bin",
        "firmware": f"../{names['rom']}",
        "rest": f"../{names['rest']}",
        "checker": f"../{names['builder']}",
    }
    app = bundling.bundle(gather(addresses, found[npm.QR]), ENTRIES, cache)
    folder = f"app-{hash_files(app)}"
    files = {f"{mpy}/{name}": content for name, content in micropython.items()}
    files |= {names[kind]: content for kind, content in packed.items()}
    files |= {f"{folder}/{name}": content for name, content in app.items()}
    files |= {f"icon-{size_px}.png": install.icon(size_px) for size_px in install.ICONS_PX}
    files["manifest.webmanifest"] = install.manifest()
    files |= _make_pages(folder, relay or "", has_book)
    files["builder-board.png"] = BOARD.read_bytes()
    files[LICENCES] = (PAGE / LICENCES).read_bytes()
    files[WORKER] = _worker(files, cache)
    return files


def _make_pages(folder: str, relay: str, has_book: bool) -> dict[str, bytes]:
    """Return the HTML files; their scripts and styles are in `folder`."""
    pages = {}
    for path in sorted(PAGE.glob("*.html")):
        page = path.read_text(encoding="utf-8")
        page = page.replace(' id="relay"', ' id="relay" value=' + quoteattr(relay))
        page = page if has_book else re.sub(".*i-book.*\n", "", page)
        pages[path.name] = re.sub(r'((?:src|href)=")(?:\w+/)?(?=[\w-]+\.(?:js|css)")', rf"\1{folder}/", page).encode()
    return pages


def name_relay(text: str) -> str:
    """Return the whole address of a relay; raise ArgumentTypeError for anything else."""
    address = text if "://" in text else f"wss://{text}"
    if not re.fullmatch(tables.RELAY, address, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is no relay such as relay.example.org")
    return address


def read(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def gather(addresses: dict[str, str], qr: bytes) -> dict[str, bytes]:
    """Return all scripts and styles by path before bundling, with the generated tables.

    addresses: of the files that the scripts fetch, relative to the scripts.  qr: the module that draws QR codes.
    """
    paths = [path for path in sorted(PAGE.rglob("*")) if path.suffix in (".css", ".js") and path.name != WORKER]
    return {path.relative_to(PAGE).as_posix(): path.read_bytes() for path in paths} | {
        "qr.js": qr,
        "tables.js": tables.script({**tables.build(), "FILES": addresses}).encode(),
        "archive_form.js": tables.script(tables.build_archive()).encode(),
        "wiring.js": tables.script(tables.build_wiring()).encode(),
    }


def _worker(files: dict[str, bytes], cache: Path | None) -> bytes:
    """Return the service worker, with the names of the files and the beginning of each one's SHA-256."""
    later = _list_later(files)
    sums = {name: hashlib.sha256(content).hexdigest()[:_SUM_LETTERS] for name, content in files.items()}
    sums["./"] = sums.pop("index.html")
    text = (PAGE / "offline" / WORKER).read_text(encoding="utf-8")
    text = text.replace("VERSION", hash_files({**files, WORKER: text.encode()}), 1)
    for kind, is_later in (("FIRST", False), ("LATER", True)):
        chosen = {name: digits for name, digits in sums.items() if (name in later) == is_later}
        text = text.replace(f"{kind} = {{}}", f"{kind} = {json.dumps(chosen)}", 1)
    sources = {f"offline/{WORKER}": text.encode()} | {name: (PAGE / name).read_bytes() for name in _UNPACKING}
    return bundling.bundle_worker(sources, f"offline/{WORKER}", cache)


def _list_later(files: dict[str, bytes]) -> set[str]:
    """Return the files that a first game never downloads: those of _LATER, and scripts that only they import."""
    later = {name for name in files if name.rpartition("/")[2].startswith(_LATER)}
    scripts = b"".join(content for name, content in files.items() if name.endswith(".js") and name not in later)
    shared = {name for name in files if f"/{_SHARED}" in name}
    return later | {name for name in shared if name.rpartition("/")[2].encode() not in scripts}


def weigh(files: dict[str, bytes]) -> Sizes:
    """Return what a first visit downloads of the files of build(), before a player asks for more."""
    later = _list_later(files)
    own = firmware = micropython = 0
    for name, content in files.items():
        if name in later or name.startswith(_REST):
            continue
        size = len(content) if name.endswith(".bin") else len(gzip.compress(content, 9))  # a .bin is packed
        if name.startswith(_FIRMWARE):
            firmware += size
        elif name.startswith(_MICROPYTHON):
            micropython += size
        else:
            own += size
    return Sizes(own, firmware, micropython)


def hash_files(files: dict[str, bytes]) -> str:
    """Return a hash of these files, ten letters long."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:10]
