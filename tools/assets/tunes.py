"""Generate the notes of firmware/sound/: the tunes and the sound effects.

    python -m tools.assets.tunes                rewrite the modules
    python -m tools.assets.tunes --check        exit 1 when a committed module differs

To listen: `python -m tools.export NAME --wav FILE`.

The scores are the files tools/art/*.tune. A line that begins with `#` is a comment. `= NAME` opens a strain or an
effect; an empty line or the next `=` ends it. In a tune each line of a strain is a bar. A note is a letter, an optional
`#` or `b`, and an octave; `-` is a rest. Then comes the length: `/4` is a quarter note, `/4.` a dotted quarter, `:24`
24 ms. Directives: `title`; in a tune also `metre 3/4`, `tempo 150` (quarters a minute) and `order A B A`, which plays
strains at the tempo above it. There may be several `order` lines. In effects.tune an effect has the name of its event;
below the line `named` it has the name of a constant, by which the firmware plays it.
"""

import re
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from firmware.engine import events
from sim import terminal
from sim.terminal import Refusal
from tools import ROOT
from tools.assets import generation
from tools.assets.generation import as_literal

SOUND = ROOT / "firmware" / "sound"

EFFECTS = "effects"
NAMES = ("korobeiniki", "minuet", "mountain_king", EFFECTS)
MOST_EFFECTS_BYTES = 256  # an effect's start is one byte

UNIT_MS = 8
MOST_UNITS = 255
GAP_UNITS = 3  # of silence between two notes of the same pitch, else they sound like one
LOWEST_HZ, HIGHEST_HZ = 60, 5000

SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
NOTE = re.compile(r"(?:([A-G])([#b]?)([2-7])|-)(?:/(1|2|4|8|16)(\.?)|:([1-9]\d*))")

Pair = tuple[int, int]
"""A length, 1 to 255 units of 8 ms, and a note in semitones from 1 = C2; 0 is a rest."""


class TuneError(Refusal):
    """Describe an error of a score in one line."""


@dataclass
class Note:
    """One note of a score: its number (see Pair) and its exact length."""

    number: int
    length_ms: Fraction


@dataclass
class Score:
    """One file: its title and its notes in the order of playing."""

    title: str = ""
    bars: list[tuple[str, list[Note]]] = field(default_factory=list)
    """(label, notes) of each bar or effect; the label is a bar's number and strain, or an effect's name."""
    named: list[str] = field(default_factory=list)
    """The effects that belong to no event."""


def pitch_hz(number: int) -> int:
    """Return the frequency of a note in whole Hz: equal temperament, 1 is C2, A4 is 440 Hz."""
    return round(440 * 2 ** ((number - 34) / 12))


def read_note(text: str, tempo: Fraction) -> Note:
    """Return the note `text` at `tempo` quarters a minute; raise TuneError if it is invalid."""
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


class Reader:
    """What the lines of a score have said so far.

    strains: the lines of notes by name. plays: the strains to play, with their tempo. strain: where the next line goes.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.score = Score()
        self.strains: dict[str, list[list[str]]] = {}
        self.plays: list[tuple[Fraction, list[str]]] = []
        self.tempo = self.metre = Fraction(0)
        self.strain: list[list[str]] | None = None
        self.is_named = False

    def read(self, line: str) -> None:
        """Understand the next line; raise TuneError."""
        words = line.split()
        if not words:
            self.strain = None
        elif words[0] == "=" and len(words) == 2:
            self.begin_strain(words[1])
        elif self.strain is not None:
            for word in words:
                read_note(word, Fraction(1))
            self.strain.append(words)
        elif words == ["named"] and self.name == EFFECTS:
            self.is_named = True
        elif words[0] == "title":
            self.score.title = " ".join(words[1:])
        elif re.fullmatch(r"tempo\s+0*[1-9]\d*", line.strip()):
            self.tempo = Fraction(words[1])
        elif re.fullmatch(r"metre\s+[1-9]\d*/[248]", line.strip()):
            self.metre = Fraction(words[1])
        elif words[0] == "order" and self.tempo and self.metre:
            self.plays.append((self.tempo, words[1:]))
        else:
            raise TuneError(f"what is '{line}'?")

    def begin_strain(self, label: str) -> None:
        if label in self.strains:
            raise TuneError(f"'{label}' is written twice")
        self.strain = self.strains[label] = []
        if self.is_named:
            self.score.named.append(label)


def read_score(name: str) -> Score:
    """Return the score tools/art/`name`.tune; raise TuneError with the line number, or OSError."""
    reader = Reader(name)
    for number, line in enumerate((generation.ART / f"{name}.tune").read_text(encoding="utf-8").splitlines(), 1):
        try:
            if not line.startswith("#"):
                reader.read(line)
        except TuneError as error:
            raise TuneError(terminal.tell_line(f"{name}.tune", number, error)) from None
    score, strains = reader.score, reader.strains
    try:
        for tempo, order in [(Fraction(0), list(strains))] if name == EFFECTS else reader.plays:
            add_strains(score, name, strains, order, reader.metre * 240_000, tempo)
    except TuneError as error:
        raise TuneError(f"{name}.tune: {error}") from None
    if not score.bars or not score.title:
        raise TuneError(f"{name}.tune: no {'notes' if score.title else 'title'}")
    return score


def add_strains(
    score: Score, name: str, strains: dict[str, list[list[str]]], order: list[str], whole: Fraction, tempo: Fraction
) -> None:
    """Append strains to the score in their order; `whole` as in `add_bar`."""
    for label in order:
        if label not in strains:
            raise TuneError(f"'{label}' is not written")
        for words in strains[label]:
            add_bar(score, name, label, [read_note(word, tempo) for word in words], whole, tempo)


def add_bar(score: Score, name: str, label: str, notes: list[Note], whole: Fraction, tempo: Fraction) -> None:
    """Append one line of a strain to the score; raise TuneError if a tune's bar has the wrong length.

    whole: length of a full bar in ms, times the tempo.
    """
    if name == EFFECTS:
        score.bars.append((label, notes))
        return
    length_ms = sum((note.length_ms for note in notes), Fraction(0))
    bar = len(score.bars) + 1
    if length_ms * tempo != whole:
        raise TuneError(f"bar {bar} ({label}) is {float(length_ms * tempo / whole):g} of a bar")
    score.bars.append((f"{bar:>2} {label}", notes))


def pairs_of(bars: list[list[Note]], loops: bool) -> list[list[Pair]]:
    """Return the notes of each bar in whole units; each starts at the unit nearest to its exact time.

    loops: whether it is a tune, where the first note follows the last. There a note ends in a short rest if the next
    one has the same pitch.
    """
    notes = [note for bar in bars for note in bar]
    next_notes = notes[1:] + notes[:1]
    pairs_by_bar: list[list[Pair]] = []
    index = 0
    end_ms, end_units = Fraction(0), 0
    for bar in bars:
        pairs: list[Pair] = []
        for note in bar:
            end_ms += note.length_ms
            units = round(end_ms / UNIT_MS) - end_units
            end_units += units
            if units < 1:
                raise TuneError(f"a note of {float(note.length_ms):g} ms is too short")
            repeated = loops and note.number and next_notes[index].number == note.number
            gap = GAP_UNITS if repeated and units > GAP_UNITS else 0
            units -= gap
            while units > MOST_UNITS:
                pairs.append((MOST_UNITS, note.number))
                units -= MOST_UNITS
            pairs.append((units, note.number))
            if gap:
                pairs.append((gap, 0))
            index += 1
        pairs_by_bar.append(pairs)
    return pairs_by_bar


def read_pairs(name: str) -> tuple[Score, list[list[Pair]]]:
    score = read_score(name)
    try:
        if name == EFFECTS:
            return score, [pairs_of([notes], False)[0] for _label, notes in score.bars]
        return score, pairs_of([notes for _label, notes in score.bars], True)
    except TuneError as error:
        raise TuneError(f"{name}.tune: {error}") from None


def pack(pairs: list[Pair]) -> bytes:
    """Return pairs in the format of firmware/sound/voice.py, with a 0 after the last."""
    return bytes(value for pair in pairs for value in pair) + b"\0"


def bit_of(name: str) -> int:
    """Return the number of an event's bit; raise TuneError."""
    mask = getattr(events, name, 0)
    if not isinstance(mask, int) or bin(mask).count("1") != 1:
        raise TuneError(f"{EFFECTS}.tune: there is no event '{name}'; other sounds stand below `named`")
    return mask.bit_length() - 1


def render(name: str) -> str:
    """Return the text of firmware/sound/`name`.py; raise TuneError or OSError."""
    score, bars = read_pairs(name)
    head = f"# Generated by `python -m tools.assets.tunes` from tools/art/{name}.tune; do not edit.\n"
    if name != EFFECTS:
        tune = pack([pair for bar in bars for pair in bar])
        return head + f'"""Hold the notes of {score.title}."""\n\n' + as_literal("NOTES", tune, 24)
    heard_bits = sum(1 << bit_of(label) for label, _notes in score.bars if label not in score.named)
    first = heard_bits.bit_length()
    starts = bytearray(first + len(score.named))
    notes = bytearray()
    for (label, _notes), pairs in zip(score.bars, bars, strict=True):
        if len(notes) >= MOST_EFFECTS_BYTES:
            raise TuneError(f"{EFFECTS}.tune: '{label}' starts after byte {MOST_EFFECTS_BYTES}; shorten some")
        starts[first + score.named.index(label) if label in score.named else bit_of(label)] = len(notes)
        notes += pack(pairs)
    return (
        head
        + '"""Hold the sound effects by the number of their event bit (Guideline 13.2)."""\n\n'
        + "from firmware.compat import const\n\n"
        + f"# The event bits that have a sound.\nHEARD = const(0x{heard_bits:06X})\n\n"
        + "# The sounds that belong to no event, for Voice.tell_menu.\n"
        + "".join(f"{label} = const({at})\n" for at, label in enumerate(score.named))
        + "\n# The start in NOTES of the effect of each event bit, then of each sound without an event.\n"
        + f"NAMED = const({first})\n"
        + as_literal("STARTS", bytes(starts), 24)
        + "\n"
        + as_literal("NOTES", bytes(notes), 24)
    )


TARGETS = {SOUND / f"{name}.py": partial(render, name) for name in NAMES}
main = generation.make_main("tools.assets.tunes", __doc__, TARGETS)

if __name__ == "__main__":
    sys.exit(terminal.run(main))
