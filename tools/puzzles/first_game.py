"""Read the steps of FIRST GAME from first_game.txt, prove and pack them.

firmware/modes/first_game.py describes the format of the file; first_game.txt that of the text.
"""

from dataclasses import dataclass
from pathlib import Path

from firmware.engine.options import Options
from firmware.modes import first_game
from firmware.modes.puzzle import PuzzleGame
from tools import ROOT
from tools.puzzles.packing import LESSON, NO_HOLD, join_records, pack_record, play
from tools.puzzles.text import PuzzleError, Step, read_pieces, read_row, read_sections, read_step

SOURCE = Path(__file__).resolve().parent / "first_game.txt"
TARGET = ROOT / "firmware" / first_game.FILE
CONTROLS = ("left", "right", "soft", "hard", "cw", "ccw", "hold")  # in the order of their numbers
UNTIL = {"pressed": first_game.PRESSED, "there": first_game.THERE, "locked": first_game.LOCKED}
LETTERS_ALONE = 16  # of a line of words
LETTERS_BESIDE_HOLD = 11
_KEYS = ("until", "press", "words", "praise", "hold", "queue", "place", "marks", "goes")


@dataclass(frozen=True)
class Lesson:
    """One step: its fields and rows as in the text."""

    name: str
    fields: dict[str, str]
    rows: tuple[str, ...]

    def get(self, key: str) -> str:
        """Return a field; raise PuzzleError if it is missing."""
        if not self.fields.get(key):
            raise PuzzleError(f"{self.name}: no {key}")
        return self.fields[key]

    @property
    def has_hold(self) -> bool:
        return "hold" in self.fields

    @property
    def goes_on(self) -> bool:
        return "goes" in self.fields

    @property
    def until(self) -> int:
        """PRESSED, THERE or LOCKED."""
        if self.get("until") not in UNTIL:
            raise PuzzleError(f"{self.name}: until is one of {', '.join(UNTIL)}")
        return UNTIL[self.get("until")]

    @property
    def controls(self) -> list[int]:
        words = self.get("press").split()
        if set(words) - set(CONTROLS):
            raise PuzzleError(f"{self.name}: the controls are {', '.join(CONTROLS)}")
        return sorted(CONTROLS.index(word) for word in words)

    @property
    def words(self) -> list[str]:
        """Two lines, and the praise."""
        lines = [*self.get("words").split("|"), self.fields.get("praise", "")]
        most = LETTERS_BESIDE_HOLD if self.has_hold else LETTERS_ALONE
        if len(lines) != 3 or any(len(line) > most for line in lines):
            raise PuzzleError(f"{self.name}: words are two lines, and they and the praise have up to {most} letters")
        return lines

    @property
    def place(self) -> Step | None:
        """The place of the Tetrimino, which all steps have but those until `pressed`."""
        return None if self.until == first_game.PRESSED else read_step(self.get("place"), self.name)


def read(path: Path = SOURCE) -> list[Lesson]:
    """Return the steps of a file; raise Refusal."""
    sections = read_sections(path, _KEYS)
    return [Lesson(section.name, section.fields, tuple(section.join_rows())) for section in sections]


def pack(step: Lesson) -> bytes:
    """Return the bytes of one step, without its length; raise PuzzleError."""
    queue = read_pieces(step.get("queue"), step.name)
    hold = step.fields.get("hold", "-")
    flags = LESSON | (0 if step.has_hold else NO_HOLD) | (read_pieces(hold, step.name)[0] if hold != "-" else 0)
    flags |= (first_game.MARKS if "marks" in step.fields else 0) | (first_game.GOES_ON if step.goes_on else 0)
    head = step.until, sum(1 << control for control in step.controls), 1, flags
    masks = [read_row(row) for row in reversed(step.rows)]
    return pack_record(step.name, head, queue, masks, [step.place] if step.place else [], step.words)


def prove(step: Lesson) -> None:
    """Play a step with the engine if a Lock Down alone does it; raise PuzzleError if that does not end it well."""
    if step.until == first_game.LOCKED and step.place and not step.goes_on:
        try:
            play(PuzzleGame(0, Options(), first_game.Step(pack(step))), (step.place,))
        except ValueError as problem:
            raise PuzzleError(f"{step.name}: {problem}") from None


def pack_all(steps: list[Lesson]) -> bytes:
    """Prove the steps, and return the whole file; raise PuzzleError."""
    for step in steps:
        prove(step)
    return join_records([pack(step) for step in steps])
