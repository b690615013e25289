"""Read a puzzle from a fumen: a link of the community's viewers, or the "v115@..." in it."""

import re
from importlib.util import find_spec

from sim.terminal import tell_install
from tools.puzzles.text import LETTERS, WIDTH, PuzzleError

_FUMEN = re.compile(r"[vdmVDM]1[01][05]@[A-Za-z0-9+/?]+")
_QUIZ = re.compile(r"#Q=\[([IJLOSTZ]?)\]\(([IJLOSTZ]?)\)([IJLOSTZ]*)")
_ROWS = 23


def read_fumen(link: str) -> tuple[list[str], str, str]:
    """Return the rows of the first page, the highest first, the Next Queue and the piece in Hold.

    The pieces come from its quiz, "#Q=[hold](current)next", or else from the Lock Downs of its pages.  Raise
    PuzzleError with one line.
    """
    found = _FUMEN.search(link.replace("%3F", "?"))
    if not found:
        raise PuzzleError("this is no fumen: it should hold v115@ and what follows")
    if find_spec("py_fumen_py") is None:
        raise PuzzleError(f"a fumen needs py-fumen-py; {tell_install('sim')}")
    from py_fumen_py import decode

    try:
        pages = decode(found[0])
    except Exception as problem:  # the decoder may raise anything
        raise PuzzleError(f"this fumen cannot be read: {problem or type(problem).__name__}") from None
    if not pages or pages[0].field is None:
        raise PuzzleError("this fumen has no page")
    rows: list[str] = []
    for y in range(_ROWS - 1, -1, -1):
        row = "".join(pages[0].field.at(x, y).name for x in range(WIDTH)).replace("_", ".")
        if rows or row.strip("."):
            rows.append(row)
    quiz = _QUIZ.search(pages[0].comment or "")
    if quiz:
        return rows, quiz[2] + quiz[3], quiz[1]
    queue = "".join(page.operation.mino.name for page in pages if page.operation)
    return rows, "".join(piece for piece in queue if piece in LETTERS[1:]), ""
