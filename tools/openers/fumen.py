"""Show the steps of an opener as text and as a fumen, a link of the community's viewers."""

from importlib.util import find_spec

from sim.bots.places import cells_of
from sim.terminal import tell_install
from tools.openers.steps import find_shown
from tools.openers.text import Opener, OpenerError
from tools.puzzles.text import FACINGS, FULL, LETTERS, Masks, draw_step, drop_full_rows

_VIEWER = "https://fumen.zui.jp/?"
_ROTATIONS = ("SPAWN", "RIGHT", "REVERSE", "LEFT")


def draw_steps(opener: Opener) -> list[str]:
    """Return a picture of the Matrix for each step; the new Tetrimino has its letter."""
    masks: Masks = ()
    pictures = []
    for number, (step, turned) in enumerate(find_shown(opener), 1):
        rows, masks = draw_step(masks, step)
        lines = masks.count(FULL)
        masks = drop_full_rows(masks)
        note = f", {'T-Spin' if turned else 'clears'} {lines}" if lines else ""
        head = f"{number}. {LETTERS[step.piece]} {FACINGS[step.facing]}{note}"
        pictures.append("\n".join([head, *rows]))
    return pictures


def link(opener: Opener) -> str:
    """Return a link to a fumen with a page for each step; raise OpenerError without py-fumen-py."""
    if find_spec("py_fumen_py") is None:
        raise OpenerError(f"a fumen needs py-fumen-py; {tell_install('sim')}")
    from py_fumen_py import Mino, Operation, Page, Rotation, encode

    pages = []
    for step, _turned in find_shown(opener):
        cells = cells_of(*step)
        operation = Operation(Mino[LETTERS[step.piece]], Rotation[_ROTATIONS[step.facing]], 0, 0)
        shape = operation.shape()
        operation.x = min(x for x, _y in cells) - min(x for x, _y in shape)
        operation.y = min(y for _x, y in cells) - min(y for _x, y in shape)
        pages.append(Page(operation=operation))
    return _VIEWER + encode(pages)
