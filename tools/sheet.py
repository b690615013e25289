"""Put the golden frames on sheets to look at: four times as large, and at their own size, blurred by one pixel.

    python -m tools.sheet                         every frame, as sheet_4x_1.png ... and sheet_blurred.png
    python -m tools.sheet 'large*' --into /tmp    frames of matching names, into another folder
    python -m tools.sheet title main --output screens.png    these frames, in this order, as one picture
    python -m tools.sheet "mid_game=Marathon"     a frame under another name

A blurred frame looks as it does to an eye: the display's pixels are a sixth of a millimetre wide.
"""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from sim import terminal
from sim.oled import HEIGHT, WIDTH
from sim.ownership import output, to_file, to_folder
from sim.terminal import Refusal, add_path, writing
from tools import ROOT

if TYPE_CHECKING:
    from PIL.Image import Image

GOLDEN = ROOT / "tests" / "golden"

HALVES = " ▀▄█"  # a character is two pixels, one above the other
MASKED = "░"  # pixels that the tests do not compare
SCALE = 4
COLUMNS = {SCALE: 8, 1: 16}
ROWS = 3  # on a sheet of large frames
GAP_PX = 8
NAME_PX = 12
BACKGROUND = 48
SIGMA_PX = 1


def read_frame(path: Path) -> Image:
    """Return a golden frame as a picture in greys; raise Refusal if the file is no golden frame."""
    from PIL import Image

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"cannot read {path}: {error}") from error
    rows = [line[1:-1] for line in lines]
    if len(rows) != HEIGHT // 2 or any(len(row) != WIDTH or set(row) - {*HALVES, MASKED} for row in rows):
        raise Refusal(f"{path} is not a golden frame: {HEIGHT // 2} lines of {WIDTH} characters between bars wanted")
    pixels = bytes(
        BACKGROUND if character == MASKED else 255 * (HALVES.index(character) >> half & 1)
        for row in rows
        for half in (0, 1)
        for character in row
    )
    return Image.frombytes("L", (WIDTH, HEIGHT), pixels)


def lay_out(frames: dict[str, Image], scale: int) -> Image:
    """Return one sheet of frames at `scale`, each below the last letters of its name that fit."""
    from PIL import Image, ImageDraw

    columns = min(COLUMNS[scale], len(frames))
    width, height = WIDTH * scale + GAP_PX, HEIGHT * scale + NAME_PX + GAP_PX
    sheet = Image.new("L", (columns * width + GAP_PX, -(-len(frames) // columns) * height + GAP_PX), BACKGROUND)
    pen = ImageDraw.Draw(sheet)
    for i, (name, frame) in enumerate(frames.items()):
        x, y = GAP_PX + i % columns * width, GAP_PX + i // columns * height
        while pen.textlength(name) > WIDTH * scale:
            name = name[1:]
        pen.text((x, y - 1), name, fill=255)
        sheet.paste(frame.resize((WIDTH * scale, HEIGHT * scale), Image.Resampling.NEAREST), (x, y + NAME_PX))
    return sheet


def draw_sheets(frames: dict[str, Image]) -> dict[str, Image]:
    from PIL import ImageFilter

    names = list(frames)
    page = COLUMNS[SCALE] * ROWS
    sheets = {
        f"sheet_{SCALE}x_{first // page + 1}.png": lay_out({n: frames[n] for n in names[first : first + page]}, SCALE)
        for first in range(0, len(names), page)
    }
    blurred = {name: frame.filter(ImageFilter.GaussianBlur(SIGMA_PX)) for name, frame in frames.items()}
    sheets["sheet_blurred.png"] = lay_out(blurred, 1)
    return sheets


def main(arguments: list[str] | None = None) -> int:
    """Write the sheets; return 0, or 2 after one line on stderr that says what was wrong."""
    words = "Put golden frames on sheets: 24 frames a PNG file at 4x, and one file of all at 1x, blurred."
    parser = terminal.Parser(prog="python -m tools.sheet", description=words)
    words = "frames to show; * and ? match anything (default: all); NAME=WORDS shows it under these words"
    parser.add_argument("names", nargs="*", metavar="NAME", help=words)
    add_path(parser, "--golden", "FOLDER", "folder of the frames", GOLDEN)
    words = "write the named frames to one PNG file"
    parser.add_argument("--output", type=to_file(".png"), metavar="OUT.png", help=words)
    words = "folder for the sheets (default: here)"
    parser.add_argument("--into", type=to_folder(), default=Path(), metavar="FOLDER", help=words)
    return parser.run(draw, arguments)


def draw(options: argparse.Namespace) -> None:
    paths = sorted(options.golden.glob("*.txt"))
    wanted = [name.partition("=")[::2] for name in options.names or ["*"]]
    named = {words or path.stem: path for name, words in wanted for path in paths if fnmatch(path.stem, name)}
    if not named:
        unknown = terminal.tell_unknown(wanted[0][0], [path.stem for path in paths], "frame")
        raise Refusal(f"{options.golden}: {unknown}")
    frames = {name: read_frame(path) for name, path in named.items()}
    if options.output:
        sheets = {options.output: lay_out(frames, SCALE)}
    else:
        sheets = {options.into / name: sheet for name, sheet in draw_sheets(frames).items()}
    for path, sheet in sheets.items():
        with writing(path), output(path) as file:
            sheet.save(file, "PNG")
        print(path)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
