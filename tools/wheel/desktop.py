"""Put the game into the menu of a desktop: the files that tools/release/share.py makes, into the user's folders."""

import re
import sys
from pathlib import Path

from sim.terminal import Refusal, writing
from tools import ROOT

NAME = "org.skyline_game.Skyline"
ENTRY = f"applications/{NAME}.desktop"
SHARE = ROOT / "build" / "wheel" / "share"


def install() -> None:
    """Copy the files and print the path of each; refuse where a desktop has no such folders."""
    if sys.platform in ("win32", "darwin"):
        raise Refusal("--install-desktop is for the desktops of Linux and BSD; here make a shortcut to `skyline`")
    if not SHARE.is_dir():
        raise Refusal("only the wheel of a release has files for a desktop; RELEASING.md tells how to make one")
    from platformdirs import user_data_path

    folder = user_data_path()
    for source in sorted(path for path in SHARE.rglob("*") if path.is_file()):
        name = source.relative_to(SHARE).as_posix()
        content = source.read_bytes()
        if name == ENTRY:
            content = content.replace(b"Exec=skyline", b"Exec=" + quote(Path(sys.argv[0]).absolute()).encode())
        target = folder / name
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        print(target)


def quote(command: Path) -> str:
    """Return a program's path as a desktop entry's Exec reads it."""
    return '"' + re.sub(r'(["`$\\])', r"\\\1", str(command)).replace("\\", "\\\\").replace("%", "%%") + '"'
