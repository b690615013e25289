"""Make the book from the pages of the sources: Sphinx lays it out, and what it warns of is an error."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from firmware.save.recordings.match_recording import MatchRecording, is_match
from firmware.save.recordings.recording import Recording
from sim.terminal import Refusal, tell_install
from tools import ROOT
from tools.files import write_files
from tools.markup import element, join
from tools.release import changes
from tools.site import reference
from tools.web.browse import link

PARTS = Path(__file__).with_name("parts")
# The screens of each picture: their names, and where a reader plays them. That is a moment in ms of a recording, in a
# match as its first player, or a screen that the page opens by its name.
SHOWN: dict[str, tuple[tuple[str, str, int], ...]] = {
    "sim/skyline.gif": (("this game", "sim/demo.sky", 12_000),),
    "sim/screens.png": (
        ("Title", "#open=title", 0),
        ("Marathon", "tests/recordings/marathon.sky", 60_000),
        ("Dig", "tests/recordings/modes/dig.sky", 1_000),
        ("T-Spin Double", "#open=t-spin-double", 0),
        ("New best", "#open=menu", 0),
        ("High scores", "#open=scores", 0),
        ("Tetress", "#open=tetress", 0),
        ("Against a computer", "tests/matches/two.sky", 20_000),
    ),
    "sim/web/page.png": (("this game", "tests/recordings/fast.sky", 20_000),),
    "tools/tetress/tetress.gif": (("Tetress", "#open=tetress", 0),),
}
_LAST = "| change the game |"  # what a site may have comes before this row
_MAIN = '<article role="main" id="furo-main-content">'
MENDED = (
    (' role="heading"', ' role="heading" aria-level="2"'),
    ('<aside class="sidebar-drawer"', '<aside aria-label="Pages of the book" class="sidebar-drawer"'),
    ('<aside class="toc-drawer', '<aside aria-label="Parts of this page" class="toc-drawer'),
    ('<th class="head"><p></p></th>', "<td></td>"),
)
_TOCTREES = re.compile(r"^```{toctree}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PAGE = re.compile(r"^(?:[^:\n].*<)?([\w/]+)>?$", re.MULTILINE)
_LINKS = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
_PLAY = re.compile(r"\[Play now\]\(https:[^)]*\)")


def make(downloads: Mapping[str, bytes], has_arena: bool = False) -> dict[str, bytes]:
    """Return the files of the book by path. Raise Refusal.

    downloads: the files of a release by name, for a page with their sums.  has_arena: whether the site has one.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "source"), Path(folder, "made")
        write_files(source, gather(downloads, has_arena))
        run_sphinx(source, made)
        files = {
            path.relative_to(made).as_posix(): path.read_bytes() for path in sorted(made.rglob("*")) if path.is_file()
        }
    unwanted = (".buildinfo", "objects.inv")
    files = {
        name: files[name] for name in files if name not in unwanted and not name.endswith((".map", ".LICENSE.txt"))
    }
    files |= {name: mend(name, files[name].decode()).encode() for name in files if name.endswith(".html")}
    return files | {"sw.js": write_worker(files)}


def mend(name: str, text: str) -> str:
    """Return a page of Furo without what axe finds in it."""
    for old, new in MENDED:
        text = text.replace(old, new)
    return text.replace(_MAIN, f"{_MAIN}<h1>Search</h1>") if name == "search.html" else text


def gather(downloads: Mapping[str, bytes], has_arena: bool = False) -> dict[str, bytes]:
    """Return Sphinx's sources by path: the pages that index.md lists, where they lie in a clone, and their files."""
    index = (PARTS / "index.md").read_text(encoding="utf-8")
    texts = {}
    for name in (f"{page}.md" for toctree in _TOCTREES.findall(index) for page in _PAGE.findall(toctree)):
        if (ROOT / name).is_file():
            texts[name] = (ROOT / name).read_text(encoding="utf-8")
    support = (ROOT / ".github" / "SUPPORT.md").read_text(encoding="utf-8")
    texts["SUPPORT.md"] = support.replace("](../", "](")  # hosts leave out folders whose names begin with a dot
    files = {}
    for name, text in texts.items():
        for _, _, target, _ in _LINKS.findall(text):
            path = (ROOT / name).parent / target
            if path.is_file() and path.suffix != ".md":
                files[path.resolve().relative_to(ROOT).as_posix()] = path.read_bytes()
        files[name] = "".join(_rewrite(name, text)).encode()
    if downloads:
        files["downloads.md"] = write_downloads(downloads).encode()
        index = index.replace(_LAST, "| download a release | [Files with their sums](downloads.md) |\n" + _LAST, 1)
        index += "\n```{toctree}\n:caption: Downloads\n\ndownloads\n```\n"
    if has_arena:
        arena = element("a", "The arena", href="../arena/index.html")
        index = index.replace(_LAST, f"| watch bots play | {arena} |\n{_LAST}", 1)
    files |= {f"api/{name}.rst": reference.write(name).encode() for name in reference.PAGES}
    files |= {f"_static/{name}": (PARTS / name).read_bytes() for name in ("book.css", "book.js")}
    return files | {"index.md": index.encode()}


def _rewrite(name: str, text: str) -> Iterator[str]:
    """Yield the lines of a page, with a way to play below each picture of a game."""
    up = "../" * (name.count("/") + 1)
    for line in text.splitlines(keepends=True):
        yield _PLAY.sub(element("a", "Play now", href=f"{up}index.html"), line)
        for is_picture, _, target, _ in _LINKS.findall(line):
            shown = SHOWN.get(os.path.normpath(os.path.join(os.path.dirname(name), target)).replace(os.sep, "/"), ())
            if is_picture and shown:
                page = f"{up}index.html"
                ways = join(
                    (element("a", words, href=page + find_moment(path, at_ms)) for words, path, at_ms in shown), ", "
                )
                yield f"\n{element('p', 'Play: ', ways, '.', class_='try')}\n"


def find_moment(name: str, at_ms: int) -> str:
    """Return the part of the page's address that lets a reader play on from a moment; a name with # is this part."""
    from tools.review.positions import read_match
    from tools.review.retry import cut_game, cut_match

    if name.startswith("#"):
        return name
    blob = (ROOT / name).read_bytes()
    if not is_match(blob):
        return link(cut_game(Recording(blob), at_ms), 1)
    positions = read_match(MatchRecording(blob), 0)
    return link(cut_match(MatchRecording(blob), next(each for each in positions if each.at_ms >= at_ms)), 1)


def write_downloads(files: Mapping[str, bytes]) -> str:
    """Return a page of files with sizes and sums."""
    rows = [
        f"| {element('a', name, href=f'../downloads/{name}')} | {len(content):,} "
        f"| `{hashlib.sha256(content).hexdigest()}` |"
        for name, content in sorted(files.items())
    ]
    head = ["# Downloads", "", "SHA256SUMS has the same sums for `sha256sum --check`.", ""]
    return "\n".join([*head, "| file | bytes | SHA-256 |", "|---|---:|---|", *rows]) + "\n"


def run_sphinx(source: Path, made: Path) -> None:
    """Run Sphinx in a process of its own; refuse what it warns of."""
    if sys.version_info < (3, 11):
        raise Refusal("the book needs Python 3.11 or newer")
    variables = os.environ | {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(changes.find_epoch()), "NO_COLOR": "1"}
    shutil.copy(Path(__file__).with_name("conf.py"), source)
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", "-d", f"{made}-trees", str(source), str(made)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    words = [line.replace(f"{source}{os.sep}", "") for line in done.stderr.splitlines() if line.strip()]
    if done.returncode and any("No module named" in line for line in words):
        raise Refusal(f"Sphinx, Furo or MyST is not installed; {tell_install('site')}")
    if done.returncode or words:
        raise Refusal(f"the book: {words[0] if words else 'Sphinx failed and said nothing'}")


def write_worker(files: Mapping[str, bytes]) -> bytes:
    """Return the service worker with the names of all files, and a version that changes with any of them."""
    digest = hashlib.sha256(repr([(name, hashlib.sha256(files[name]).digest()) for name in sorted(files)]).encode())
    text = (PARTS / "sw.js").read_text(encoding="utf-8").replace("VERSION", digest.hexdigest()[:10], 1)
    return text.replace("FILES = []", f"FILES = {json.dumps(sorted(files))}", 1).encode()
