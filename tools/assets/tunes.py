"""Generate the notes of firmware/sound/: the tunes and the sound effects.

    python -m tools.assets.tunes                rewrite the modules
    python -m tools.assets.tunes --check        exit 1 when a committed module differs

To listen: `python -m tools.export NAME --wav FILE`.

The scores are the files tools/art/*.tune. A line that begins with `#` is a remark. `= NAME` opens a strain, or an
effect, that ends at an empty line or the next one; in a tune each of its lines is a bar. A note is a letter, perhaps #
or b, and an octave; `-` is a rest. Then `/4` and the like give its part of a whole note, a dot half as much again, or
`:24` its length in ms. Directives: `title`; in a tune also `metre 3/4`, `tempo 150` (quarters a minute) and `order A B
A`. The last plays strains at the last tempo, and may follow another one.
"""

import re
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from firmware.engine import events
from sim import terminal
from tools import ROOT
from tools.assets import generation
from tools.assets.generation import as_literal

SOUND = ROOT / "firmware" / "sound"

EFFECTS = "effects"
NAMES = ("korobeiniki", "minuet", "mountain_king", EFFECTS)
# Besides the events of a game: the sounds of the menus, then those of a match.
MENU = ("MENU_MOVE", "MENU_CHOOSE", "MENU_BACK", "LINES_SENT", "LINES_COUNTERED", "LINES_COMING", "TOP_OUT_NEAR")
FIRST_MENU_BIT = 23
MOST_EFFECTS_BYTES = 256  # an effect's start is one byte

UNIT_MS = 8
MOST_UNITS = 255
GAP_UNITS = 3  # of silence between two notes of the same pitch, or they would be one
LOWEST_HZ, HIGHEST_HZ = 60, 5000

SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
NOTE = re.compile(r"(?:([A-G])([#b]?)([2-7])|-)(?:/(1|2|4|8|16)(\.?)|:([1-9]\d*))")

Pair = tuple[int, int]
"""A length in units of 8 ms, 1..255, and a note counted in semitones from 1 = C2, 0 for a rest."""


class TuneError(ValueError):
    """Say in one line what is wrong with a score."""


@dataclass
class Note:
    """One note as it is written: its number and its length in ms, exactly."""

    number: int
    length_ms: Fraction


@dataclass
class Score:
    """One file: its title, its notes as they are to be heard, and where each bar or effect starts."""

    title: str = ""
    bars: list[tuple[str, list[Note]]] = field(default_factory=list)
    """(label, notes) in the order of playing; the label is a bar's number and strain, or an effect's name."""


def pitch_hz(number: int) -> int:
    """Return the frequency of a note counted from 1 = C2, equal temperament on A4 = 440 Hz, in whole Hz."""
    return round(440 * 2 ** ((number - 34) / 12))


def read_note(text: str, tempo: Fraction) -> Note:
    """Return the note `text` says at `tempo` quarters a minute; raises TuneError."""
    found = NOTE.fullmatch(text)
    if not found:
        raise TuneError(f"'{text}' is not a note")
    letter, sign, octave, part, dot, length_ms = found.groups()
    number = 0
    if letter:
        number = 1 + SEMITONES[letter] + {"#": 1, "b": -1, "": 0}[sign] + 12 * (int(octave) - 2)
        if not (number > 0 and LOWEST_HZ <= pitch_hz(number) <= HIGHEST_HZ):
            raise TuneError(f"'{text}' is not within {LOWEST_HZ} to {HIGHEST_HZ} Hz")
    if length_ms:
        return Note(number, Fraction(length_ms))
    if not tempo:
        raise TuneError(f"'{text}' needs a tempo")
    return Note(number, Fraction(240_000, int(part)) / tempo * (Fraction(3, 2) if dot else 1))


def read_score(name: str) -> Score:
    """Return the score tools/art/`name`.tune. Raises TuneError with the line, and OSError."""
    score = Score()
    strains: dict[str, list[list[str]]] = {}
    plays: list[tuple[Fraction, list[str]]] = []
    tempo, metre = Fraction(0), Fraction(0)
    strain: list[list[str]] | None = None
    for number, line in enumerate((generation.ART / f"{name}.tune").read_text(encoding="utf-8").splitlines(), 1):
        words = line.split()
        try:
            if line.startswith("#"):
                continue
            if not words:
                strain = None
            elif words[0] == "=" and len(words) == 2:
                if words[1] in strains:
                    raise TuneError(f"'{words[1]}' is written twice")
                strain = strains[words[1]] = []
            elif strain is not None:
                for word in words:
                    read_note(word, Fraction(1))
                strain.append(words)
            elif words[0] == "title":
                score.title = " ".join(words[1:])
            elif words[0] == "tempo" and len(words) == 2 and words[1].isdigit() and int(words[1]):
                tempo = Fraction(words[1])
            elif words[0] == "metre" and len(words) == 2 and re.fullmatch(r"[1-9]\d*/(2|4|8)", words[1]):
                metre = Fraction(words[1])
            elif words[0] == "order" and tempo and metre:
                plays.append((tempo, words[1:]))
            else:
                raise TuneError(f"what is '{line}'?")
        except TuneError as error:
            raise TuneError(f"{name}.tune, line {number}: {error}") from None
    if name == EFFECTS:
        plays = [(Fraction(0), list(strains))]
    try:
        for tempo, order in plays:
            for label in order:
                if label not in strains:
                    raise TuneError(f"'{label}' is not written")
                for words in strains[label]:
                    add_bar(score, name, label, [read_note(word, tempo) for word in words], metre * 240_000, tempo)
    except TuneError as error:
        raise TuneError(f"{name}.tune: {error}") from None
    if not score.bars or not score.title:
        raise TuneError(f"{name}.tune: no {'notes' if score.title else 'title'}")
    return score


def add_bar(score: Score, name: str, label: str, notes: list[Note], whole: Fraction, tempo: Fraction) -> None:
    """Append one line of a strain to what is played; raises TuneError for a tune's bar that is not whole."""
    if name == EFFECTS:
        score.bars.append((label, notes))
        return
    lasts_ms = sum((note.length_ms for note in notes), Fraction(0))
    bar = len(score.bars) + 1
    if lasts_ms * tempo != whole:
        raise TuneError(f"bar {bar} ({label}) is {float(lasts_ms * tempo / whole):g} of a bar")
    score.bars.append((f"{bar:>2} {label}", notes))


def pairs_of(bars: list[list[Note]], loops: bool) -> list[list[Pair]]:
    """Return the notes of each bar in whole units, each begun at the unit nearest to its moment.

    Where a note follows itself, in a tune also from its end to its beginning, the first of the two
    ends in a short rest.
    """
    notes = [note for bar in bars for note in bar]
    after = notes[1:] + notes[:1]
    told: list[list[Pair]] = []
    at = 0
    moment, begun = Fraction(0), 0
    for bar in bars:
        pairs: list[Pair] = []
        for note in bar:
            moment += note.length_ms
            units = round(moment / UNIT_MS) - begun
            begun += units
            if units < 1:
                raise TuneError(f"a note of {float(note.length_ms):g} ms is too short")
            gap = GAP_UNITS if loops and note.number and after[at].number == note.number and units > GAP_UNITS else 0
            units -= gap
            while units > MOST_UNITS:
                pairs.append((MOST_UNITS, note.number))
                units -= MOST_UNITS
            pairs.append((units, note.number))
            if gap:
                pairs.append((gap, 0))
            at += 1
        told.append(pairs)
    return told


def read_pairs(name: str) -> tuple[Score, list[list[Pair]]]:
    """Return a score and its pairs, bar by bar or effect by effect."""
    score = read_score(name)
    try:
        if name == EFFECTS:
            return score, [pairs_of([notes], False)[0] for _label, notes in score.bars]
        return score, pairs_of([notes for _label, notes in score.bars], True)
    except TuneError as error:
        raise TuneError(f"{name}.tune: {error}") from None


def pack(pairs: list[Pair]) -> bytes:
    """Return pairs as the voice reads them, with the 0 that ends them."""
    return bytes(value for pair in pairs for value in pair) + b"\0"


def bit_of(name: str) -> int:
    """Return the number of an event's bit, or of a menu's sound after them; raises TuneError."""
    if name in MENU:
        return FIRST_MENU_BIT + MENU.index(name)
    mask = getattr(events, name, 0)
    if not isinstance(mask, int) or bin(mask).count("1") != 1:
        raise TuneError(f"{EFFECTS}.tune: there is no event '{name}'")
    return mask.bit_length() - 1


def render(name: str) -> str:
    """Return the whole text of firmware/sound/`name`.py. Raises TuneError and OSError."""
    score, bars = read_pairs(name)
    head = f"# Generated by `python -m tools.assets.tunes` from tools/art/{name}.tune; do not edit.\n"
    if name != EFFECTS:
        tune = pack([pair for bar in bars for pair in bar])
        return head + f'"""Hold the notes of {score.title}."""\n\n' + as_literal("NOTES", tune, 24)
    starts = bytearray(FIRST_MENU_BIT + len(MENU))
    notes = bytearray()
    heard_bits = 0
    for (label, _notes), pairs in zip(score.bars, bars, strict=True):
        bit = bit_of(label)
        if bit < FIRST_MENU_BIT:
            heard_bits |= 1 << bit
        starts[bit] = len(notes)
        notes += pack(pairs)
    if len(notes) > MOST_EFFECTS_BYTES:
        raise TuneError(f"{EFFECTS}.tune: {len(notes)} bytes; {MOST_EFFECTS_BYTES} can be told apart")
    return (
        head
        + '"""Hold the sound effects, numbered by the event bit that each announces (Guideline 13.2)."""\n\n'
        + "from firmware.compat import const\n\n"
        + f"# The event bits that have a sound.\nHEARD = const(0x{heard_bits:06X})\n\n"
        + "# The start in NOTES of the effect of each event bit, then of each menu sound.\n"
        + as_literal("STARTS", bytes(starts), 24)
        + "\n"
        + as_literal("NOTES", bytes(notes), 24)
    )


def main(arguments: list[str] | None = None) -> int:
    """Rewrite or check the modules; return the exit code."""
    targets = {SOUND / f"{name}.py": partial(render, name) for name in NAMES}
    return generation.main("tools.assets.tunes", __doc__, targets, arguments, (TuneError, OSError))


if __name__ == "__main__":
    sys.exit(terminal.run(main))
