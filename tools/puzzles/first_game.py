"""Read the steps of FIRST GAME from first_game.txt, prove and pack them.

firmware/modes/first_game.py describes the format of the file; first_game.txt that of the text.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from firmware.engine.options import Options
from firmware.modes import first_game
from firmware.modes.puzzle import PuzzleGame
from sim.terminal import read_text_or_refuse, tell_line
from tools import ROOT
from tools.puzzles.packing import FIRST_LINE, play
from tools.puzzles.text import FACINGS, LETTERS, PuzzleError, Step, read_pieces, read_row

SOURCE = Path(__file__).resolve().parent / "first_game.txt"
TARGET = ROOT / "firmware" / first_game.FILE
CONTROLS = ("left", "right", "soft", "hard", "cw", "ccw", "hold")  # in the order of their numbers
UNTIL = {"pressed": first_game.PRESSED, "there": first_game.THERE, "locked": first_game.LOCKED}
LETTERS_ALONE = 16  # of a line of words
LETTERS_BESIDE_HOLD = 11
_KEYS = ("until", "press", "words", "praise", "hold", "queue", "place", "marks", "goes")
_NO_HOLD = 8
_LESSON = 16
_PLACE = re.compile(r"([IJLOSTZ])([NESW])(-?[0-9]{1,2}),(-?[0-9]{1,2})")


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
        if self.until == first_game.PRESSED:
            return None
        found = _PLACE.fullmatch(self.get("place"))
        if not found:
            raise PuzzleError(f"{self.name}: '{self.get('place')}' is no place such as TE3,0")
        return Step(LETTERS.index(found[1]), FACINGS.index(found[2]), int(found[3]), int(found[4]))


def read(path: Path = SOURCE) -> list[Lesson]:
    """Return the steps of a file; raise Refusal."""
    steps: list[Lesson] = []
    fields, rows = dict[str, str](), list[str]()
    for number, line in enumerate(read_text_or_refuse(path).splitlines(), 1):
        key, _, value = line.partition(" ")
        if key == "=":
            fields, rows = {}, []
            steps.append(Lesson(value.strip(), fields, ()))
        elif not steps or not line.strip():
            continue
        elif key in _KEYS:
            fields[key] = value.strip()
        elif value:
            raise PuzzleError(tell_line(path, number, f"'{key}' is none of {', '.join(_KEYS)}"))
        else:
            rows.append(key)
            steps[-1] = Lesson(steps[-1].name, fields, tuple(rows))
    return steps


def pack(step: Lesson) -> bytes:
    """Return the bytes of one step, without its length; raise PuzzleError."""
    queue = [*read_pieces(step.get("queue"), step.name), 0]
    hold = step.fields.get("hold", "-")
    flags = _LESSON | (0 if step.has_hold else _NO_HOLD) | (read_pieces(hold, step.name)[0] if hold != "-" else 0)
    flags |= (first_game.MARKS if "marks" in step.fields else 0) | (first_game.GOES_ON if step.goes_on else 0)
    packed = bytearray([step.until, sum(1 << control for control in step.controls), 1, flags, len(queue) - 1])
    packed += bytes(queue[i] | queue[i + 1] << 4 for i in range(0, len(queue) - 1, 2))
    packed.append(len(step.rows))
    for row in reversed(step.rows):
        packed += read_row(row).to_bytes(2, "little")
    place = step.place
    packed.append(1 if place else 0)
    if place:
        number = place.facing | place.x + 3 << 2 | place.y + 3 << 6 | place.piece << 12
        packed += number.to_bytes(2, "little")
    packed += "|".join(step.words).encode("ascii")
    if len(packed) > 255:
        raise PuzzleError(f"{step.name}: it takes {len(packed)} bytes, and there is room for 255")
    return bytes(packed)


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
    return FIRST_LINE + bytes([len(steps)]) + b"".join(bytes([len(one)]) + one for one in map(pack, steps))
