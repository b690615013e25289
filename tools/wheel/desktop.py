"""Put the game into the menu of a desktop: the files that tools/release/share.py makes, into the user's folders."""

import re
import sys
from contextlib import suppress
from pathlib import Path

from sim.ownership import add_mark, carries_mark, check_file, output, remove_below
from sim.store import find_data_folder
from sim.terminal import Refusal, writing
from tools import ROOT

NAME = "org.skyline_game.Skyline"
ENTRY = f"applications/{NAME}.desktop"
SHARE = ROOT / "build" / "wheel" / "share"
_SIGNS = (NAME.encode(), b"play a falling-block game")
_COMPILED = r"\w+/[0-9a-f]{16}/(.+/)?([^/]+\.nb[ci]|\w+-[\d.]+-[^/]+)"  # by Numba, and the mark of the strong player
_PACKAGES = r"(npm/)?[^/]+-[\d.-]+\.tgz|lint-[0-9a-f]{10}/node_modules/.+"  # of the page
_CACHED = re.compile(rf"(renamed|minified)\.json|circuitpython-[^/]+\.uf2|{_PACKAGES}|{_COMPILED}")


def install() -> None:
    """Copy the files and print the path of each; refuse where a desktop has no such folders, or has others' files."""
    if not has_desktop():
        raise Refusal("--install-desktop is for the desktops of Linux and BSD; here make a shortcut to `skyline`")
    if not SHARE.is_dir():
        raise Refusal("only the wheel of a release has files for a desktop; RELEASING.md tells how to make one")
    files = list_files()
    for target in files:
        if target.parent.is_dir():
            check_file(target, ours=is_ours)
    for target, content in files.items():
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with output(target, is_ours) as file:
                file.write(content)
        print(target)


def uninstall() -> None:
    """Remove the files of install() and the caches of the tools; print each, and what stays."""
    for target in list_files() if has_desktop() else ():
        if not target.exists() and not target.is_symlink():
            continue
        try:
            check_file(target, ours=is_ours)
        except Refusal:
            print(f"kept: {target} is not ours")
            continue
        with writing(target):
            target.unlink()
        print(target)
    from platformdirs import user_cache_path

    cache = user_cache_path("skyline", appauthor=False)
    if not cache.is_symlink():
        names = list_cached(cache)
        for name in names:
            with writing(cache / name):
                remove_below(cache, name)
        print(f"{cache}: {len(names)} files that the tools kept to be faster")
        with suppress(OSError):
            cache.rmdir()  # if nothing of others is in it
    print(f"kept: your games, in {find_data_folder()}")


def has_desktop() -> bool:
    """Return whether this system has the folders of a free desktop."""
    return sys.platform not in ("win32", "darwin")


def list_files() -> dict[Path, bytes]:
    """Return the desktop's files by their paths in the user's folders."""
    from platformdirs import user_data_path

    files = {}
    for source in sorted(path for path in SHARE.rglob("*") if path.is_file()):
        name = source.relative_to(SHARE).as_posix()
        content = source.read_bytes()
        if name == ENTRY:
            content = content.replace(b"Exec=skyline", b"Exec=" + quote(Path(sys.argv[0]).absolute()).encode())
        files[user_data_path() / name] = content
    return files


def is_ours(content: bytes) -> bool:
    """Return whether this is a file of install(), also of 0.5.0, which set no mark."""
    return (
        carries_mark(content) or any(sign in content for sign in _SIGNS) or add_mark(content) in list_files().values()
    )


def list_cached(cache: Path) -> list[str]:
    """Return the names of what our tools keep in their cache; other files there are not ours."""
    names = [path.relative_to(cache).as_posix() for path in sorted(cache.rglob("*")) if path.is_file()]
    return [name for name in names if _CACHED.fullmatch(name)]


def quote(command: Path) -> str:
    """Return a program's path as a desktop entry's Exec reads it."""
    return '"' + re.sub(r'(["`$\\])', r"\\\1", str(command)).replace("\\", "\\\\").replace("%", "%%") + '"'
