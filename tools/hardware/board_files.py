"""Write all files of the circuit board."""

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tools import ROOT
from tools.hardware import assembly, bill, circuit_board, fabrication, kicad, picture, schematic
from tools.release.archives import pack_zip

FOLDER = ROOT / "tools/hardware/files"
ZIP_S = 315_532_800  # the time of each file in a zip: 1980, the first that it can tell
MARKER = ".skyline-hardware"  # lists the files that we wrote into a folder


def build(folder: Path) -> list[Path]:
    files: dict[str, bytes] = {circuit_board.NAME: circuit_board.make().encode()}
    path = folder / circuit_board.NAME
    path.write_bytes(files[circuit_board.NAME])
    board = kicad.read_board(path)
    files["gerbers.zip"] = pack_zip(fabrication.plot(board), ZIP_S)
    files["positions.csv"] = fabrication.list_positions().encode()
    files["bom.csv"] = bill.make().encode()
    files["schematic.svg"] = schematic.draw().encode()
    for side, back in (("front", False), ("back", True)):
        files[f"board-{side}.png"] = picture.draw_png(board, back)
    files |= {name: drawing.encode() for name, drawing in assembly.draw_all().items()}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in files]


def list_changed(folder: Path, built: Iterable[Path]) -> list[str]:
    return [path.name for path in built if not is_same(path.read_bytes(), folder / path.name)]


def is_same(content: bytes, path: Path) -> bool:
    """Return whether a file holds this content; of pictures and archives what they hold, as zlib has many versions."""
    if not path.is_file():
        return False
    kept = path.read_bytes()
    if kept == content or path.suffix not in (".png", ".zip"):
        return kept == content
    try:
        if path.suffix == ".png":
            return is_alike(content, kept)
        return read_archive(content) == read_archive(kept)
    except (OSError, zipfile.BadZipFile):
        return False


def is_alike(content: bytes, kept: bytes) -> bool:
    """Return whether two pictures differ in less than one pixel in 5,000: processors round edges differently."""
    from PIL import Image, ImageChops

    with Image.open(io.BytesIO(content)) as first, Image.open(io.BytesIO(kept)) as second:
        if first.size != second.size:
            return False
        changed = ImageChops.difference(first.convert("RGB"), second.convert("RGB")).convert("L")
    count = sum(changed.histogram()[8:])
    return 5000 * count < changed.width * changed.height


def read_archive(content: bytes) -> object:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
