"""Read and write puzzles as text; README.md describes the format."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sim.bots.places import cells_of
from sim.terminal import Refusal, read_text_or_refuse, tell_line

LETTERS = ".IJLOSTZ"
FACINGS = "NESW"
SOURCE = Path(__file__).resolve().parent / "puzzles.txt"

# Goals
CLEAR_ALL = 0
ACTION = 1
LINES = 2
COMBO = 3

ACTIONS = {
    "single": 1,
    "double": 2,
    "triple": 3,
    "tetris": 4,
    "mini t-spin": 5,
    "mini t-spin single": 6,
    "t-spin": 10,
    "t-spin single": 11,
    "t-spin double": 12,
    "t-spin triple": 13,
}
NAME_LETTERS = 12  # the room behind a number and a mark
WORD_LETTERS = 16
WORD_LINES = 2
MOST_PIECES = 12
MOST_ROWS = 18
WIDTH = 10
FULL = (1 << WIDTH) - 1
Masks: TypeAlias = tuple[int, ...]
"""The rows with Blocks from the lowest up, bit x for column x."""
_NAME = re.compile(r"[A-Z0-9 .,:!?+'-]+")
_STEP = re.compile(r"([IJLOSTZ])([NESW])(-?[0-9]{1,2}),(-?[0-9]{1,2})")
_KEYS = ("goal", "hold", "queue", "words", "lesson", "proof", "solutions")


class PuzzleError(Refusal, ValueError):
    """Say in one line what is wrong with a puzzle."""


class Section(NamedTuple):
    """What follows a line `= NAME`: the fields by their keys, and the rows below each key."""

    name: str
    fields: dict[str, str]
    rows: dict[str, list[str]]

    def join_rows(self) -> list[str]:
        return [*chain(*self.rows.values())]


class Step(NamedTuple):
    """The place of a Tetrimino: facing and corner of its box, as in a Game."""

    piece: int
    facing: int
    x: int
    y: int

    def __str__(self) -> str:
        return f"{LETTERS[self.piece]}{FACINGS[self.facing]}{self.x},{self.y}"


@dataclass(frozen=True)
class Puzzle:
    """One puzzle.

    goal: CLEAR_ALL, ACTION (`times` actions of `kind`, an index of Statistics.kinds), LINES (`times` lines) or COMBO
    (`times` successive Tetriminos clear a line each).  queue: pieces in the order in which they come.
    hold: the piece in the Hold Queue at the beginning, or 0.  proof: a solution, or empty if unknown.
    solutions: 1, 2 for more, 0 for not known.
    """

    name: str
    goal: int
    kind: int
    times: int
    masks: Masks
    queue: tuple[int, ...]
    hold: int = 0
    hold_on: bool = True
    words: str = ""
    lesson: bool = False
    proof: tuple[Step, ...] = ()
    solutions: int = 0

    @property
    def count(self) -> int:
        return len(self.queue) + (1 if self.hold else 0)

    def named(self) -> str:
        if self.goal == CLEAR_ALL:
            return "clear all"
        if self.goal == LINES:
            return f"lines {self.times}"
        if self.goal == COMBO:
            return f"combo {self.times}"
        name = next(name for name, kind in ACTIONS.items() if kind == self.kind)
        return name if self.times == 1 else f"{name} x{self.times}"


def read_goal(text: str) -> tuple[int, int, int]:
    """Return goal, kind and times of a goal in words; raise PuzzleError."""
    words = " ".join(text.lower().split())
    if words in ("clear all", "perfect clear"):
        return CLEAR_ALL, 0, 1
    found = re.fullmatch(r"(lines|combo) ([0-9]{1,2})", words)
    if found and 1 <= int(found[2]) <= 20:
        return (LINES if found[1] == "lines" else COMBO), 0, int(found[2])
    found = re.fullmatch(r"(.*?)(?: x([1-9]))?", words)
    if found and found[1] in ACTIONS:
        return ACTION, ACTIONS[found[1]], int(found[2] or 1)
    raise PuzzleError(f"goal '{text}' is none of: clear all, lines N, combo N, {', '.join(ACTIONS)}, each of these x2")


def read_pieces(text: str, what: str) -> tuple[int, ...]:
    """Return the codes of Tetriminos given as letters; raise PuzzleError."""
    letters = text.upper().replace(" ", "")
    wrong = set(letters) - set(LETTERS[1:])
    if wrong:
        raise PuzzleError(f"{what}: '{min(wrong)}' is no Tetrimino, they are {LETTERS[1:]}")
    return tuple(LETTERS.index(letter) for letter in letters)


def read_row(row: str) -> int:
    """Return the mask of a row; raise PuzzleError."""
    if len(row) != WIDTH:
        raise PuzzleError(f"row '{row}' has {len(row)} cells, not {WIDTH}")
    if row.strip(".X#" + LETTERS[1:]):
        raise PuzzleError(f"row '{row}': a cell is a dot, X, or the letter of a Tetrimino")
    return sum(1 << x for x, cell in enumerate(row) if cell != ".")


def read_step(word: str, what: str) -> Step:
    """Return the place that a word such as TE3,0 tells; raise PuzzleError."""
    found = _STEP.fullmatch(word)
    if not found:
        raise PuzzleError(f"{what}: '{word}' is no place such as TE3,0")
    return Step(LETTERS.index(found[1]), FACINGS.index(found[2]), int(found[3]), int(found[4]))


def make(name: str, fields: dict[str, str], rows: list[str]) -> Puzzle:
    """Return the puzzle of these lines, checked without a search; raise PuzzleError."""
    try:
        for key in ("goal", "queue"):
            if key not in fields:
                raise PuzzleError(f"no {key}")
        goal, kind, times = read_goal(fields["goal"])
        masks = [read_row(row) for row in reversed(rows)]
        while masks and not masks[-1]:
            masks.pop()
        hold = fields.get("hold", "")
        solutions = fields.get("solutions", "0")
        if solutions not in ("0", "1", "many"):
            raise PuzzleError("solutions is 1 or many")
        puzzle = Puzzle(
            name,
            goal,
            kind,
            times,
            tuple(masks),
            read_pieces(fields["queue"], "queue"),
            0 if hold in ("", "off") else (*read_pieces(hold, "hold"), 0)[0],
            hold != "off",
            fields.get("words", ""),
            fields.get("lesson", "no") == "yes",
            tuple(read_step(word, "proof") for word in fields.get("proof", "").split()),
            2 if solutions == "many" else int(solutions),
        )
        check(puzzle)
    except PuzzleError as problem:
        raise PuzzleError(f"{name or 'a puzzle without a name'}: {problem}") from None
    return puzzle


def check(puzzle: Puzzle) -> None:
    """Raise PuzzleError for a puzzle that the handheld cannot show."""
    check_name(puzzle.name, NAME_LETTERS)
    if puzzle.words:
        check_words(puzzle.words)
    if not 1 <= puzzle.count <= MOST_PIECES or not puzzle.queue:
        raise PuzzleError(f"there are 1 to {MOST_PIECES} Tetriminos")
    if len(puzzle.masks) > MOST_ROWS:
        raise PuzzleError(f"the Blocks take {len(puzzle.masks)} rows, there is room for {MOST_ROWS}")
    if FULL in puzzle.masks:
        raise PuzzleError("a row is full already")
    if puzzle.hold and not puzzle.hold_on:
        raise PuzzleError("what is in Hold can never be played")


def check_name(name: str, most: int) -> None:
    if not _NAME.fullmatch(name) or len(name) > most:
        raise PuzzleError(f"a name has 1 to {most} capitals, digits or signs .,:!?+'-")


def check_words(words: str) -> None:
    lines = words.split("|")
    if len(lines) > WORD_LINES or any(len(line) > WORD_LETTERS or not _NAME.fullmatch(line) for line in lines):
        raise PuzzleError(f"words are 1 to {WORD_LINES} lines of {WORD_LETTERS} capitals, parted by a bar")


def read_sections(path: Path, keys: tuple[str, ...]) -> list[Section]:
    """Return the sections of a file; raise Refusal."""
    sections: list[Section] = []
    key = ""
    for number, line in enumerate(read_text_or_refuse(path).splitlines(), 1):
        word, _, value = line.partition(" ")
        if word == "=":
            sections.append(Section(value.strip(), {}, {}))
            key = ""
        elif not sections or not line.strip():
            continue
        elif word in keys:
            key = word
            sections[-1].fields[key] = value.strip()
        elif value:
            raise PuzzleError(tell_line(path, number, f"'{word}' is none of {', '.join(keys)}; a row has no spaces"))
        else:
            sections[-1].rows.setdefault(key, []).append(word)
    return sections


def read(path: Path = SOURCE) -> list[Puzzle]:
    """Return the puzzles of a file; raise Refusal."""
    sections = read_sections(path, _KEYS)
    puzzles = [make(section.name, section.fields, section.join_rows()) for section in sections]
    names = [puzzle.name for puzzle in puzzles]
    for name in names:
        if names.count(name) > 1:
            raise PuzzleError(f"{name}: there are two of this name")
    return puzzles


def write(puzzle: Puzzle) -> str:
    """Return a puzzle as text, as `read` reads it."""
    lines = [f"= {puzzle.name}", f"goal {puzzle.named()}"]
    if puzzle.hold or not puzzle.hold_on:
        lines.append(f"hold {LETTERS[puzzle.hold] if puzzle.hold else 'off'}")
    lines.append("queue " + "".join(LETTERS[piece] for piece in puzzle.queue))
    if puzzle.words:
        lines.append(f"words {puzzle.words}")
    if puzzle.lesson:
        lines.append("lesson yes")
    if puzzle.proof:
        lines.append("proof " + " ".join(map(str, puzzle.proof)))
    if puzzle.solutions:
        lines.append(f"solutions {'1' if puzzle.solutions == 1 else 'many'}")
    lines += draw(puzzle.masks)
    return "\n".join(lines) + "\n"


def draw(masks: Iterable[int]) -> list[str]:
    """Return the rows as text, the highest first."""
    return ["".join("X" if mask >> x & 1 else "." for x in range(WIDTH)) for mask in reversed(list(masks))]


def draw_step(masks: Masks, step: Step) -> tuple[list[str], Masks]:
    """Return the rows as text, with the letter of a Tetrimino at its place, and their masks with its Blocks."""
    cells = cells_of(*step)
    masks = join(masks, cells)
    rows = [
        "".join(LETTERS[step.piece] if (x, y) in cells else cell for x, cell in enumerate(row))
        for y, row in enumerate(reversed(draw(masks)))
    ]
    return rows[::-1], masks


def join(masks: Masks, cells: Iterable[tuple[int, int]]) -> Masks:
    """Return the rows with more Blocks."""
    rows = list(masks)
    for x, y in cells:
        rows += [0] * (y + 1 - len(rows))
        rows[y] |= 1 << x
    return tuple(rows)


def drop_full_rows(masks: Masks) -> Masks:
    """Return the rows that are left after a Line Clear."""
    return tuple(row for row in masks if row != FULL)
