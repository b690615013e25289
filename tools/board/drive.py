"""Make the CIRCUITPY drive of a board after tools.deploy."""

import contextlib
import io
import os
import tempfile
from pathlib import Path

from folder2uf2 import SECTOR, FatBuilder, Geometry, build_tree

from tools.board import BoardError
from tools.board.firmware_image import DRIVE_START, VERSION
from tools.board.rp2040.layout import FLASH_BYTES
from tools.deploy.__main__ import main as run_deploy
from tools.files import write_files

DRIVE_BYTES = FLASH_BYTES - DRIVE_START
SETTINGS = "settings.toml"
_BOOT_OUT = (
    f"Adafruit CircuitPython {VERSION} on 2025-10-01; Raspberry Pi Pico with rp2040\r\nBoard ID:raspberry_pi_pico\r\n"
)
_FILE_TIME = 1_767_225_600  # 2026-01-01 for every file, so that equal files make equal drives
_VOLUME_ID = 0x5C711E01


def deploy_files(options: list[str] | None = None) -> dict[str, bytes]:
    """Return the files that tools.deploy copies to a board, by path; raise BoardError.

    options: more arguments for tools.deploy, such as ["--plain"].
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "boot_out.txt").write_text(_BOOT_OUT, encoding="utf-8")
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            failed = run_deploy(["--drive", folder, *(options or [])])
        if failed:
            raise BoardError(f"tools.deploy: {output.getvalue().strip().splitlines()[-1]}")
        return read_files(Path(folder))


def read_files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def with_settings(files: dict[str, bytes], lines: list[str]) -> dict[str, bytes]:
    text = files.get(SETTINGS, b"")
    if lines and text and not text.endswith((b"\n", b"\r")):
        text += b"\n"
    return files | {SETTINGS: text + "".join(f"{line}\n" for line in lines).encode()}


def make_drive(files: dict[str, bytes]) -> bytes:
    """Return the drive as CircuitPython formats it (FAT12, 1 MiB) with these files; raise BoardError if it is full."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), files)
        for path in Path(folder).rglob("*"):
            os.utime(path, (_FILE_TIME, _FILE_TIME))
        try:
            builder = FatBuilder(Geometry(DRIVE_BYTES // SECTOR), volume_id=_VOLUME_ID, build_ts=_FILE_TIME)
            builder.layout(build_tree(folder, build_ts=_FILE_TIME))
        except ValueError as problem:
            raise BoardError(f"the files do not fit on the drive: {problem}") from None
    return bytes(builder.image)
