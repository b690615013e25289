"""Compare a canvas with a picture kept as text art in tests/golden/, or rewrite the picture.

SKYLINE_WRITE_GOLDEN=1 in the environment rewrites every picture that a test asks for.
"""

import os
from itertools import zip_longest
from pathlib import Path

from firmware.view.canvas import HEIGHT, WIDTH, Canvas

FOLDER = Path(__file__).parents[1] / "golden"
WRITE = os.environ.get("SKYLINE_WRITE_GOLDEN") == "1"
HALVES = " ▀▄█"
MASKED = "░"  # in a picture: not compared


def as_text(canvas: Canvas) -> str:
    """Return the picture as 64 lines of text: a character is two pixels, one above the other."""
    lines = (
        "".join(HALVES[canvas.pixel(x, y) | canvas.pixel(x, y + 1) << 1] for x in range(WIDTH))
        for y in range(0, HEIGHT, 2)
    )
    return "".join(f"|{line}|\n" for line in lines)


def compare(canvas: Canvas, name: str) -> None:
    """Fail if the canvas differs from tests/golden/`name`.txt; pytest shows the differing lines.

    A name may begin with the name of a scene: match.over uses files match_over, menus.over uses files over.
    """
    room, _, module = name.rpartition(".")
    is_short = room in ("", "menus", "play", module[: len(room)])
    path = FOLDER / f"{module if is_short else name.replace('.', '_')}.txt"
    text = as_text(canvas)
    wanted = path.read_text(encoding="utf-8") if path.exists() else ""
    shown = "".join(MASKED if mask == MASKED else shade for shade, mask in zip_longest(text, wanted[: len(text)]))
    if WRITE:
        path.write_text(shown, encoding="utf-8", newline="\n")
        wanted = shown
    assert shown.splitlines() == wanted.splitlines(), f"{path} differs"
