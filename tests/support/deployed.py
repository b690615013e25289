"""Deploy the firmware to a folder that stands for a board's drive."""

from pathlib import Path

import pytest

from tests.support.board_lint import rp2040
from tools.deploy import compiling, image, mark, minifying
from tools.deploy.__main__ import main

BOARD = rp2040()
BOOT_OUT = "Adafruit CircuitPython 10.2.1 on 2026-05-01; Raspberry Pi Pico with rp2040\nBoard ID:raspberry_pi_pico\n"
HEAD = compiling.FORMATS[10]
Files = dict[str, bytes]


def build(display: str, head: bytes | None = None) -> Files:
    """Return the files of a drive: sources, or compiled ones that begin with `head`."""
    cache = minifying.Cache(minifying.cache_path("renamed" if head else "minified"))
    return image.build(display, head, cache=cache)


def content(drive: Path) -> Files:
    """Return the files of a drive, without those that CircuitPython and the owner write."""
    paths = [path for path in drive.rglob("*") if path.is_file()]
    more = [path for path in paths if path.name not in ("boot_out.txt", "settings.toml")]
    return {path.relative_to(drive).as_posix(): path.read_bytes() for path in more}


def own(drive: Path) -> Files:
    """Return the content of a drive without the mark."""
    files = content(drive)
    if mark.read(files.get(mark.NAME, b"")):
        del files[mark.NAME]
    return files


def deploy(drive: Path, *options: str) -> int:
    return main(["--drive", str(drive), *options])


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tools.deploy: ")
    return line
