"""Read openers from text; README.md describes the format."""

from dataclasses import dataclass
from pathlib import Path

from sim.bots.places import CELLS, cells_of
from tools.puzzles.text import ACTIONS, LETTERS, WIDTH, PuzzleError, Step, check_name, check_words, read_sections

SOURCE = Path(__file__).resolve().parent / "openers.txt"
CLEAR_ALL = "clear all"
NAME_LETTERS = 10

_KEYS = ("from", "words", "optional", "bag", "next")

Cells = frozenset[tuple[int, int]]


class OpenerError(PuzzleError):
    """Say in one line what is wrong with an opener."""


@dataclass(frozen=True, eq=False)
class Stage:
    """A picture and what it leads to.

    cells: the columns and rows of each Tetrimino by its letter; a small letter is one kept from the bag before.
    blocks: those that are there already. attacks: actions, or CLEAR_ALL. queue: Tetriminos instead of a picture.
    """

    cells: dict[str, Cells]
    blocks: Cells
    attacks: tuple[str, ...]
    queue: str


@dataclass(frozen=True, eq=False)
class Opener:
    """One opener.

    source: where its definition comes from. optional: letters of Tetriminos of the bag that may also wait in Hold.
    bag: the first bag; Tetriminos that are not in its picture wait in Hold. following: the second bag, or None.
    """

    name: str
    source: str
    words: str
    optional: str
    bag: Stage
    following: Stage | None

    @property
    def required(self) -> str:
        """Return the letters of the Tetriminos that complete the first bag."""
        return "".join(letter for letter in LETTERS[1:] if letter in self.bag.cells and letter not in self.optional)

    @property
    def attacker(self) -> str:
        """Return the letter of the Tetrimino that comes last because it attacks, or nothing."""
        return "T" if self.bag.attacks else ""


def find_step(letter: str, cells: Cells) -> Step:
    """Return the first facing and box of a Tetrimino that cover these cells; raise OpenerError."""
    piece = LETTERS.index(letter.upper())
    left, low = min(x for x, _y in cells), min(y for _x, y in cells)
    for facing in range(4):
        box = CELLS[piece - 1][facing]
        x = left - min(column for column, _row in box)
        y = low - min(row for _column, row in box)
        if cells_of(piece, facing, x, y) == cells:
            return Step(piece, facing, x, y)
    raise OpenerError(f"the cells {letter} of a picture have not the shape of this Tetrimino")


def read_stage(value: str, rows: list[str]) -> Stage:
    """Return a stage from the rest of its line and its rows; raise OpenerError."""
    goals, _, queue = value.partition(":")
    attacks = tuple(filter(None, (goal.strip() for goal in goals.split(","))))
    for attack in attacks:
        if attack not in (*ACTIONS, CLEAR_ALL):
            raise OpenerError(f"'{attack}' is none of {CLEAR_ALL}, {', '.join(ACTIONS)}")
    found: dict[str, set[tuple[int, int]]] = {}
    for y, row in enumerate(reversed(rows)):
        if len(row) != WIDTH or row.strip(".X" + LETTERS[1:] + LETTERS[1:].lower()):
            raise OpenerError(f"row '{row}' is not 10 dots, X and letters of Tetriminos")
        for x, letter in enumerate(row):
            found.setdefault(letter, set()).add((x, y))
    blocks = frozenset(found.pop("X", ()))
    found.pop(".", None)
    for letter, cells in found.items():
        find_step(letter, frozenset(cells))
    letters = queue.strip().upper()
    if letters.strip(LETTERS[1:]):
        raise OpenerError(f"'{letters}' is no queue of Tetriminos")
    return Stage({letter: frozenset(cells) for letter, cells in found.items()}, blocks, attacks, letters)


def make(name: str, fields: dict[str, str], rows: dict[str, list[str]]) -> Opener:
    """Return the opener of these lines; raise OpenerError."""
    try:
        words = fields.get("words", "")
        check_name(name, NAME_LETTERS)
        check_words(words)
        if not fields.get("from") or not rows.get("bag"):
            raise OpenerError("there is no source or no picture of the bag")
        following = read_stage(fields["next"], rows.get("next", [])) if "next" in fields else None
        return Opener(
            name, fields["from"], words, fields.get("optional", ""), read_stage(fields["bag"], rows["bag"]), following
        )
    except PuzzleError as problem:
        raise OpenerError(f"{name or 'an opener without a name'}: {problem}") from None


def read(path: Path = SOURCE) -> list[Opener]:
    """Return the openers of a file; raise Refusal."""
    openers = [make(*section) for section in read_sections(path, _KEYS)]
    names = [opener.name for opener in openers]
    if not openers or len(set(names)) < len(names):
        raise OpenerError(f"{path}: it has no opener, or two of one name")
    return openers
