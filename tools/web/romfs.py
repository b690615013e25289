"""Compile the firmware and the page's Device for MicroPython, and put them into one file system image."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

from sim.keys_page import PAGES
from sim.terminal import tell_install
from tools import ROOT
from tools.deploy import compiling, image, inlining, minifying
from tools.web import WebError, first_game, numbering, sorting

PAGE = ROOT / "sim" / "web"
_SHARED_NAMES = (
    "daily",
    "keys_page",
    "moment",
    "pasted",
    "reading",
    "rules",
    "scenes",
    "spoken",
    "suspended_recording",
)
SHARED = [ROOT / "sim" / f"{name}.py" for name in _SHARED_NAMES]
# The modules of firmware/device that need no hardware; only boards need the others.
PLAIN = ("chords", "edges", "handheld")
# All that the page for builders needs: no game.
_CHECKS = ("chip", "config_error", "libraries", "settings_file", "wiring", "wiring_reading")
CHECKING = ("firmware/compat.py", *(f"firmware/device/{name}.py" for name in _CHECKS))
CHECKER = (PAGE / "builder.py", ROOT / "sim" / "settings_check.py")

# A page has no bus whose speed could be set, room for every match, and scenes of its own; a board reads some settings
# before it has an App.
_ELSEWHERE = (
    *("firmware/scenes/setup/speed.py", "firmware/scenes/match/entrance.py", "firmware/save/early_settings.py"),
    *(f"firmware/scenes/{name.replace('.', '/')}.py" for name in PAGES),
)


def is_wanted(name: str) -> bool:
    """Return whether a page needs this file of a board's drive too."""
    if name in _ELSEWHERE:
        return False
    if name.startswith("firmware/device/"):
        return Path(name).stem in (*PLAIN, "__init__")
    return name.startswith("firmware/")


def build() -> tuple[bytes, bytes]:
    """Return the images of the files that a first game needs, and of the others; raise Refusal."""
    paths = [path for path in (*PAGE.glob("*.py"), *SHARED) if path not in CHECKER]
    small = _minify(paths, is_wanted)
    data = {name: content for name, content in image.read_data().items() if is_wanted(name)}
    first = first_game.find_files(small)
    return _build(*_part(small, data, True, first)), _build(*_part(small, data, False, first))


def _part(
    small: dict[str, str], data: dict[str, bytes], is_first: bool, first: set[str]
) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the sources and the data of a half of the firmware."""
    return (
        {name: text for name, text in small.items() if (name in first) == is_first},
        {name: content for name, content in data.items() if (name in first) == is_first},
    )


def build_checker() -> bytes:
    """Return the image of the files that check settings for the page for builders; raise Refusal."""
    return _build(_minify([PAGE / "__init__.py", *CHECKER], CHECKING.__contains__), {})


def _minify(paths: Iterable[Path], wanted: Callable[[str], bool]) -> dict[str, str]:
    texts = image.read_sources()
    # Minify all files of a board: the cache may have the result of the same set.
    board_texts = minifying.minify_all(texts, minifying.Cache(minifying.cache_path()))
    page = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    page_texts = minifying.minify_all(page, shared=inlining.find_constants(texts | page))
    return {name: text for name, text in board_texts.items() if wanted(name)} | page_texts


def _build(small: dict[str, str], files: dict[str, bytes]) -> bytes:
    with ThreadPoolExecutor() as threads:
        # A traceback says `play.py`: whole paths would take half a kilobyte. Minified, line numbers say nothing.
        names = (name.rpartition("/")[2] for name in small)
        compiled = threads.map(compiling.compile_source, names, small.values(), repeat("-O3"))
        files |= {name.removesuffix("py") + "mpy": content for name, content in zip(small, compiled, strict=True)}
    return pack(numbering.renumber(files))


def pack(files: dict[str, bytes]) -> bytes:
    """Return a ROMFS image of files by their paths, sorted (tools/web/sorting.py)."""
    try:
        from mpremote.romfs import VfsRomWriter
    except ImportError:
        raise WebError(f"mpremote is not installed; {tell_install('web')}") from None
    writer = VfsRomWriter()
    written = _write_folder(writer, files)
    return sorting.sort(bytes(writer.finalise()), written)


def _write_folder(writer: object, files: dict[str, bytes]) -> list[bytes]:
    """Write the files of one folder, then its subfolders; return the contents in this order."""
    written = []
    inner: dict[str, dict[str, bytes]] = {}
    for name, content in sorted(files.items()):
        folder, slash, rest = name.partition("/")
        if slash:
            inner.setdefault(folder, {})[rest] = content
        else:
            writer.mkfile(name, content)  # type: ignore[attr-defined]
            written.append(content)
    for folder, below in inner.items():
        writer.opendir(folder)  # type: ignore[attr-defined]
        written += _write_folder(writer, below)
        writer.closedir()  # type: ignore[attr-defined]
    return written
