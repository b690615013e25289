"""Make the folder that a web server shows: everything static, every address relative, what changes under a new name.

index.html   builder.html   sw.js   manifest.webmanifest   icons
app-HASH/    the scripts and styles of sim/web
mpy-HASH/    MicroPython
rom-HASH.bin the firmware
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tools.web import WebError, install, npm, packing, romfs, tables

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "sim" / "web"
DEFAULT = ROOT / "dist"

WORKER = "sw.js"
LICENCES = "licences.txt"
_KINDS = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript"}


@dataclass(frozen=True)
class Sizes:
    """What a first visit downloads, in bytes as a host with gzip sends them."""

    own: int  # HTML, scripts and styles
    firmware: int
    micropython: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.own + self.firmware + self.micropython


def build(cache: Path | None = None) -> dict[str, bytes]:
    """Return the files by their paths; what others made is fetched where `cache` has it not. Raise WebError."""
    found = {name: content for each in npm.PACKAGES for name, content in each.unpack(each.fetch(cache)).items()}
    loader = minify(npm.SCRIPT, found[npm.SCRIPT].decode())
    micropython = {npm.SCRIPT: loader, "micropython.bin": packing.pack(found[npm.PROGRAM])}
    mpy = f"mpy-{hash_files(micropython)}"
    image = packing.pack(romfs.build())
    rom = f"rom-{hash_files({'rom': image})}.bin"
    scripts = [path for path in sorted(PAGE.iterdir()) if path.suffix in (".css", ".js") and path.name != WORKER]
    app = {path.name: minify(path.name, path.read_text(encoding="utf-8")) for path in scripts}
    app["qr.js"] = found[npm.QR]
    addresses = {
        "micropython": f"../{mpy}/{npm.SCRIPT}",
        "program": f"../{mpy}/micropython.bin",
        "firmware": f"../{rom}",
    }
    app["tables.js"] = minify("tables.js", tables.script({**tables.build(), "FILES": addresses}))
    app["wiring.js"] = minify("wiring.js", tables.script(tables.build_wiring()))
    place = f"app-{hash_files(app)}"
    files = {f"{mpy}/{name}": content for name, content in micropython.items()} | {rom: image}
    files |= {f"{place}/{name}": content for name, content in app.items()}
    files |= {f"icon-{size_px}.png": install.icon(size_px) for size_px in install.ICONS_PX}
    files["manifest.webmanifest"] = install.manifest()
    for path in sorted(PAGE.glob("*.html")):
        page = minify(path.name, path.read_text(encoding="utf-8")).decode()
        files[path.name] = re.sub(r'((?:src|href)=")(?=[\w-]+\.(?:js|css)")', rf"\1{place}/", page).encode()
    files[WORKER] = _worker(files)
    files[LICENCES] = (PAGE / LICENCES).read_bytes()
    return files


def minify(name: str, text: str) -> bytes:
    """Return a script or styles of the same meaning, two thirds as long; raise WebError."""
    if find_spec("minify") is None:
        raise WebError("tdewolff-minify is not installed; pip install 'skyline[web]'")
    from minify import MinifyError, config, string

    try:
        config({"html-keep-quotes": True})  # around addresses, which are replaced
        small: str = string(_KINDS[Path(name).suffix], text)
    except MinifyError as problem:
        raise WebError(f"{name}: {problem}") from None
    return small.encode()


def _worker(files: dict[str, bytes]) -> bytes:
    """Return the service worker that keeps these files."""
    names = json.dumps(["./" if name == "index.html" else name for name in files])
    text = (PAGE / WORKER).read_text(encoding="utf-8")
    return minify(WORKER, text.replace("VERSION", hash_files(files), 1).replace('["FILES"]', names, 1))


def write(files: dict[str, bytes], folder: Path) -> None:
    """Make `folder` hold these files and nothing else; raise WebError for a folder that is not such a one."""
    try:
        if folder.exists() and any(folder.iterdir()) and not (folder / "index.html").is_file():
            raise WebError(f"{folder} holds something else: name an empty folder")
        shutil.rmtree(folder, ignore_errors=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as problem:
        raise WebError(f"cannot write {problem.filename or folder}: {problem.strerror}") from None


def weigh(files: dict[str, bytes]) -> Sizes:
    """Return what a first visit downloads."""
    sizes = {"mpy": 0, "rom": 0, "own": 0}
    for name, content in files.items():
        kind = name[:3] if name[:4] in ("mpy-", "rom-") else "own"
        if name != LICENCES:  # nobody needs it to play
            sizes[kind] += len(content) if name.endswith(".bin") else len(gzip.compress(content, 9))
    return Sizes(sizes["own"], sizes["rom"], sizes["mpy"])


def hash_files(files: dict[str, bytes]) -> str:
    """Return ten letters that stand for these files."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:10]
