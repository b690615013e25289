"""Make all files of a release: source, wheel, page, files for a board, parts, circuit board and case, bill and sums."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from firmware.device.libraries import LIBRARIES
from firmware.device.wiring import DIRECT
from firmware.scenes.options.facts import VERSION
from sim import terminal
from sim.ownership import check_folder, to_folder, write_clone, write_folder
from sim.terminal import Refusal, writing
from tools import ROOT
from tools.deploy import DeployError, compiling, find_time, image, mark, minifying
from tools.deploy import __main__ as deploying
from tools.measure.environment import call
from tools.parts import packages
from tools.release import archives, bill, changes, share
from tools.web import WebError, dist

DEFAULT = ROOT / "build" / "release"
MARKER = ".skyline-release"  # lists the files of a release: a folder with a page is none
_COPY = """\
1. Put CircuitPython {major} on your board: circuitpython.org/downloads. A drive named CIRCUITPY appears.
2. Keep a copy of your own program: the game replaces boot.py, code.py and safemode.py. Delete code.txt, which would
   start instead, and the folder firmware of an older Skyline.
3. Copy this zip to the drive, but not COPY.txt and LICENSE, and of the folder lib only the library of your display. An
   SSD1306 and a built-in display need none. Keep your own settings.toml if you changed it.
4. Switch the board off and on.
"""


def make_parser() -> terminal.Parser:
    parser = terminal.Parser(
        prog="python -m tools.release",
        description=f"{__doc__} The same sources give the same bytes; SOURCE_DATE_EPOCH sets the time in them.",
        epilog="RELEASING.md has the steps of a release.",
    )
    words = "folder to write (default: build/release); new, empty or of an earlier release"
    parser.add_argument("-o", "--output", type=to_folder(MARKER), default=DEFAULT, metavar="FOLDER", help=words)
    words = "refuse any tag but this version's, and a README whose page has no address yet"
    parser.add_argument("--tag", metavar="TAG", help=words)
    uf2 = parser.add_argument_group("one file to drag onto a board in its bootloader")
    terminal.add_path(uf2, "--uf2", "FIRMWARE.UF2", "CircuitPython for this board, which the file will contain")
    name = "raspberry_pi_pico"
    uf2.add_argument("--board", default=name, metavar="NAME", help=f"name of the board (default: {name})")
    return parser


def main(arguments: list[str] | None = None) -> int:
    return make_parser().run(run, arguments)


def run(options: argparse.Namespace) -> None:
    """Make the files, and print the name and size of each."""
    check_folder(options.output, MARKER)
    version = VERSION.decode()
    notes = changes.read_notes(version)
    changes.check_citation()
    if options.tag is not None:
        changes.check_tag(options.tag, version)
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(changes.find_epoch()))
    name = f"skyline-{version}"
    files = {}
    try:
        epoch_s = find_time() or 0
        if options.uf2:
            files[f"{name}-{options.board}.uf2"] = make_uf2(options.uf2, options.board)
        page = dist.build()
        parts = bill.make()
        put_into_wheel(page, parts)
        files |= build_packages()
        files[f"{name}-page.zip"] = archives.pack_zip(page, epoch_s)
        for major, head in compiling.FORMATS.items():
            files[f"{name}-circuitpython-{major}.zip"] = archives.pack_zip(list_drive(major, head), epoch_s)
        made = {path.name: path.read_bytes() for path in sorted((ROOT / "tools/hardware/files").glob("[!.]*"))}
        files[f"{name}-hardware.zip"] = archives.pack_zip(made, epoch_s)
        for part in packages.PARTS:
            folder = f"circuitpython-{part.replace('_', '-')}-{version}"
            inside = {f"{folder}/{each}": content for each, content in packages.make(part).items()}
            files[f"{folder}.zip"] = archives.pack_zip(inside, epoch_s)
        files |= {f"{name}.cdx.json": parts, "release-notes.md": notes.encode()}
        files["SHA256SUMS"] = archives.list_sums(files)
        write_folder(options.output, files, MARKER)
    except (DeployError, WebError) as problem:
        raise Refusal(str(problem)) from None
    for each, content in sorted(files.items()):
        print(f"{len(content):9} {options.output / each}")


def put_into_wheel(page: dict[str, bytes], parts: bytes) -> None:
    """Write the files that a wheel has besides the sources."""
    from tools.wheel.hatch_build import BILL

    words = {each: terminal.name_commands(page[each].decode(), is_clone=False) for each in page if ".html" in each}
    files = {f"page/{each}": content for each, content in page.items()}
    files |= {f"page/{each}": text.encode() for each, text in words.items()}
    files |= {f"share/{each}": content for each, content in share.make().items()}
    write_folder(dist.MADE.parent, files, dist.MARKER)
    with writing(ROOT / BILL):
        write_clone(ROOT / BILL, parts)


def build_packages() -> dict[str, bytes]:
    """Return the source distribution and the wheel by name."""
    with tempfile.TemporaryDirectory() as folder:
        call([sys.executable, "-m", "hatchling", "build", "-d", folder], "hatchling", cwd=ROOT)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def list_drive(major: int, head: bytes) -> dict[str, bytes]:
    """Return the files to copy to a board's drive, with the libraries of all displays."""
    cache = minifying.Cache(minifying.cache_path("renamed"))
    files = image.build(DIRECT, head, cache=cache)
    files[mark.NAME] = mark.of_empty_drive(files).render()
    files |= {f"lib/{name}.py": image.read_library(name) for name, *_ in LIBRARIES.values()}
    texts = {image.SETTINGS: image.settings_text(), "COPY.txt": _COPY.format(major=major)}
    return files | {name: text.encode() for name, text in texts.items()} | {"LICENSE": (ROOT / "LICENSE").read_bytes()}


def make_uf2(firmware: Path, board: str) -> bytes:
    """Return CircuitPython and the game in one UF2 file."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "skyline.uf2")
        chosen = {"uf2": firmware, "board": board, "output": target, "display": None}
        deploying.make_uf2(argparse.Namespace(**chosen, dry_run=False, source=False, plain=False))
        return target.read_bytes()


if __name__ == "__main__":
    sys.exit(terminal.run(main))
