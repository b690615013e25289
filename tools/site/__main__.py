"""Build the whole site: a folder for any static host, also in a subfolder of it."""

import argparse
import hashlib
import re
import sys
from pathlib import Path

from sim import terminal
from sim.ownership import check_folder, to_folder, write_folder
from sim.terminal import Refusal, add_path
from tools import ROOT
from tools.site import book, links
from tools.web import WebError, dist

DEFAULT = ROOT / "build" / "site"
MARKER = ".skyline-site"
SUMS = "SHA256SUMS"
_BACK = '<p><a href="../index.html">Play</a> <a href="../book/index.html">Book</a></p>'  # from the arena
_NAME = re.compile(r"\w[\w.+-]*")


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.site", description=__doc__, needs_clone=True)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    words = "make the playing page, the book with the API, and what the options add; check all links"
    build = commands.add_parser("build", help=words, needs_clone=True)
    words, kind = "folder to write (default: build/site)", to_folder(MARKER)
    build.add_argument("-o", "--output", type=kind, default=DEFAULT, metavar="FOLDER", help=words)
    add_path(build, "--downloads", "FOLDER", "the files of a release with its SHA256SUMS, to offer them")
    add_path(build, "--arena", "FOLDER", "a folder that `tools.bots arena --page` made, to show its tables")
    words = "address of the relay that the page uses (default: none)"
    build.add_argument("--relay", type=dist.name_relay, metavar="ADDRESS", help=words)
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    """Build the site; raise Refusal."""
    check_folder(options.output, MARKER)
    try:
        files = make(options.downloads, options.arena, options.relay)
    except WebError as problem:
        raise Refusal(str(problem)) from None
    for line in links.find_broken(files):
        raise Refusal(line)
    write_folder(options.output, files, MARKER)
    pages = sum(name.endswith(".html") for name in files)
    print(f"{options.output}: {len(files)} files, {pages} pages, {sum(map(len, files.values())):,} bytes")


def make(downloads: Path | None = None, arena: Path | None = None, relay: str | None = None) -> dict[str, bytes]:
    """Return the files of the site by path; raise Refusal or WebError."""
    released = read_release(downloads) if downloads else {}
    files = dist.build(relay=relay, has_book=True)
    files |= {f"book/{name}": content for name, content in book.make(released, arena is not None).items()}
    files |= {f"downloads/{name}": content for name, content in released.items()}
    if arena:
        text = terminal.read_text_or_refuse(arena / "index.html")
        text = text.replace('href="play/', 'href="../index.html').replace("<h1>", f"{_BACK}<h1>", 1)
        files["arena/index.html"] = text.encode()
    return files


def read_release(folder: Path) -> dict[str, bytes]:
    """Return the files of a release by name; refuse a folder whose files have other sums."""
    files = {}
    for line in terminal.read_text_or_refuse(folder / SUMS).splitlines():
        digits, _, name = line.partition("  ")
        if not _NAME.fullmatch(name):
            raise Refusal(f"{folder / SUMS} lists {name!r}, which is no name of a file of a release")
        files[name] = terminal.read_or_refuse(folder / name)
        if hashlib.sha256(files[name]).hexdigest() != digits:
            raise Refusal(f"{folder / name} is not the file that {SUMS} lists")
    return files | {SUMS: (folder / SUMS).read_bytes()}


if __name__ == "__main__":
    sys.exit(terminal.run(main))
