"""Read a puzzle from a fumen: a link of the community's viewers, or any text with "v115@..." in it."""

import re

from sim import pasted
from tools.puzzles.fumen_pages import NAMES, ROWS, read_pages
from tools.puzzles.text import LETTERS, WIDTH, PuzzleError

_QUIZ = re.compile(r"#Q=\[([IJLOSTZ]?)\]\(([IJLOSTZ]?)\)([IJLOSTZ]*)")
_SHOWN = bytes.maketrans(bytes(range(len(NAMES))), NAMES.replace("_", ".").encode())


def read_fumen(text: str) -> tuple[list[str], str, str]:
    """Return the rows of the first page, the highest first, the Next Queue and the piece in Hold.

    The pieces come from its quiz, "#Q=[hold](current)next", or else from the Lock Downs of its pages.  Raise
    PuzzleError with one line.
    """
    if not pasted.find(text, pasted.FUMEN):
        raise PuzzleError("this is no fumen: it should hold v115@ and what follows")
    try:
        pages = pasted.read(text, pasted.FUMEN, read_pages)
    except ValueError as problem:
        raise PuzzleError(f"this fumen cannot be read: {problem}") from None
    if not pages:
        raise PuzzleError("this fumen has no page")
    cells = pages[0].cells.translate(_SHOWN).decode()
    rows = [cells[at : at + WIDTH] for at in range(0, ROWS * WIDTH, WIDTH)]
    while rows and not rows[0].strip("."):
        rows.pop(0)
    quiz = _QUIZ.search(pages[0].comment or "")
    if quiz:
        return rows, quiz[2] + quiz[3], quiz[1]
    return rows, "".join(page.piece for page in pages if page.piece in LETTERS[1:]), ""
