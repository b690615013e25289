"""Draw a game of Tetress: as text, as a PNG, and action by action as a GIF (Pillow)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from firmware.tetress.game import SIZE, Game
from sim.ownership import output
from tools.tetress.notation import COLOURS, cells_of, format_action, outcome

if TYPE_CHECKING:
    from PIL.Image import Image

CELL_PX = 32
STEP_MS = 700
END_MS = 4000

_MARGIN_PX = 40
_FOOT_PX = 56
_GROUND = "#f4f1ea"
_EMPTY = "#ffffff"
_LINE = "#c9c3b6"
_INK = "#26231e"
_TOKENS = ("#d9483b", "#2f6fd0")
_DARK = ("#8f2219", "#163f80")


def as_text(game: Game) -> str:
    head = "   " + " ".join(f"{c:>2}" for c in range(SIZE))
    rows = [f"{r:>2}  " + "  ".join(".RB"[game.token(r, c)] for c in range(SIZE)) for r in range(SIZE)]
    return "\n".join([head, *rows])


def draw(game: Game) -> Image:
    """Return a picture of the board; the last action is outlined, also where its tokens were removed."""
    from PIL import Image, ImageDraw

    side = SIZE * CELL_PX
    image = Image.new("RGB", (side + 2 * _MARGIN_PX, side + _MARGIN_PX + _FOOT_PX), _GROUND)
    pen = ImageDraw.Draw(image)
    last = game.action(game.played - 1) if game.played else None
    marked = cells_of(last) if last is not None else ()
    mover = game.played & 1 ^ 1
    for r in range(SIZE):
        middle = _MARGIN_PX + r * CELL_PX + CELL_PX // 2
        pen.text((_MARGIN_PX // 2, middle), str(r), fill=_INK, anchor="mm")
        pen.text((middle, _MARGIN_PX // 2), str(r), fill=_INK, anchor="mm")
        for c in range(SIZE):
            x, y = _MARGIN_PX + c * CELL_PX, _MARGIN_PX + r * CELL_PX
            pen.rectangle((x, y, x + CELL_PX, y + CELL_PX), fill=_EMPTY, outline=_LINE)
            token = game.token(r, c)
            if token:
                box = (x + 3, y + 3, x + CELL_PX - 3, y + CELL_PX - 3)
                pen.rounded_rectangle(box, 5, fill=_TOKENS[token - 1])
                if token == 2:  # distinct without colours too
                    pen.ellipse((x + 11, y + 11, x + CELL_PX - 11, y + CELL_PX - 11), fill=_EMPTY)
            if (r, c) in marked:
                box = (x + 2, y + 2, x + CELL_PX - 2, y + CELL_PX - 2)
                pen.rounded_rectangle(box, 5, outline=_DARK[mover], width=3)
    words = [outcome(game)]
    if last is not None:
        words.insert(0, f"{game.played}. {COLOURS[mover]}: {format_action(last)}")
    for i, line in enumerate(words):
        pen.text((_MARGIN_PX, _MARGIN_PX + side + 10 + 20 * i), line, fill=_INK)
    return image


def save(actions: list[int], path: Path) -> None:
    """Write the last position as a PNG, or the whole game if `path` ends in .gif; raise OSError, ValueError."""
    game = Game()
    images = [draw(game)]
    for action in actions:
        game.play(action)
        if path.suffix.lower() == ".gif":
            images.append(draw(game))
    with output(path) as file:
        if path.suffix.lower() != ".gif":
            draw(game).save(file, "PNG")
            return
        durations = [STEP_MS] * (len(images) - 1) + [END_MS]
        images = [image.quantize(16) for image in images]
        images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0, disposal=1)
