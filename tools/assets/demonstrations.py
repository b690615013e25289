"""Generate firmware/modes/lessons/demonstrations.py: a recorded demonstration of every action that scores.

    python -m tools.assets.demonstrations            rewrite the table
    python -m tools.assets.demonstrations --check    exit 1 when the committed table differs

tools/art/scoring.demo describes its own format. The real engine plays each demonstration here, to find when a Tetrimino
lands and locks down and when the next one appears. The firmware gets timed edges in the format of a recording.
"""

import sys
from dataclasses import dataclass, field

from firmware.engine import controls, events
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.lessons.demonstration import Demonstration
from firmware.save.recorder import PLAIN, Recorder
from sim import terminal
from sim.terminal import Refusal
from tools import ROOT
from tools.assets import generation

TARGET = ROOT / "firmware" / "modes" / "lessons" / "demonstrations.py"

CODES = ".IJLOSTZ"
WIDTH = 10
NO_VARIANT = 127
TAPS = {
    "left": controls.LEFT,
    "right": controls.RIGHT,
    "cw": controls.ROTATE_CW,
    "ccw": controls.ROTATE_CCW,
    "hard": controls.HARD_DROP,
}
FIRST_MS = 700  # before the first press
STEP_MS = 230  # from press to press
TAP_MS = 60
LANDED_MS = 300  # from landing to the next press; the Lock Down Timer takes 500
END_MS = 100  # after the last Line Clear; the next Tetrimino would come after 200
LONGEST_MS = 60_000


class DemonstrationError(Refusal):
    """Describe an error of a demonstration in one line."""


@dataclass
class Script:
    """One demonstration as in tools/art/scoring.demo."""

    name: str
    fields: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)

    def get(self, key: str) -> str:
        """Return a field; raise DemonstrationError if it is missing."""
        if not self.fields.get(key):
            raise DemonstrationError(f"{self.name}: no {key}")
        return self.fields[key]

    @property
    def points(self) -> list[int]:
        words = self.get("points").split()
        if not all(word.isdigit() for word in words):
            raise DemonstrationError(f"{self.name}: points are numbers")
        return [int(word) for word in words]

    @property
    def words(self) -> list[str]:
        """The player's actions; `left*3` yields three words."""
        actions: list[str] = []
        for word in self.get("play").split():
            name, star, times = word.partition("*")
            if name not in {*TAPS, "soft", "land", "lock"} or star and not times.isdigit():
                raise DemonstrationError(f"{self.name}: a player cannot '{word}'")
            actions += [name] * int(times or 1)
        return actions

    def pack_start(self) -> bytes:
        """Return the first part of the blob, the queue and the Matrix (firmware/modes/lessons/demonstration.py)."""
        queue = self.get("queue")
        if set(queue) - set(CODES[1:]) or any(len(row) != WIDTH or set(row) - set(CODES) for row in self.rows):
            raise DemonstrationError(f"{self.name}: Tetriminos are IJLOSTZ, and a row has ten of them or dots")
        packed = bytearray([len(queue), *map(CODES.index, queue), len(self.rows)])
        for row in reversed(self.rows):
            cells = [CODES.index(cell) for cell in row]
            packed += bytes(left | right << 4 for left, right in zip(cells[::2], cells[1::2], strict=True))
        return bytes(packed)


class Take:
    """Play one demonstration with the engine and record the edges."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.start = script.pack_start()
        self.game = Game(0, Options(), Demonstration(self.start))
        self.recorder = Recorder()
        self.recorder.buffer[:4] = b"SKY" + bytes([PLAIN])
        self.recorder.used = 4
        for number in (NO_VARIANT, 0, 0):  # variant, seed (unused), number of options that follow
            self.recorder.put(number)
        self.time_ms = 0
        self.game.start(0)

    def wait(self, ms: int) -> int:
        """Advance the game; return the event bits."""
        self.time_ms += ms
        return self.game.advance(self.time_ms)

    def wait_for(self, wanted: int) -> None:
        for _ in range(LONGEST_MS):
            if self.wait(1) & wanted:
                return
        raise DemonstrationError(f"{self.script.name}: it would take for ever")

    def send_edge(self, control: int, pressed: int) -> int:
        """Send the game an edge now and record it; return the event bits."""
        self.recorder.record_edge(control, pressed, self.time_ms)
        return self.game.input(control, pressed, self.time_ms)

    def wait_for_lock_down(self, happened: int, last: bool) -> None:
        """Wait for Lock Down and Line Clear, and unless `last` for the next Tetrimino.

        happened: the event bits since the last press.
        """
        if not happened & events.LOCKED:
            self.wait_for(events.LOCKED)
        if self.game.hit_count:
            self.wait_for(events.ELIMINATED)
        else:
            self.wait(1)
        if last:
            self.wait(END_MS)
        else:
            self.wait_for(events.GENERATED)
            self.wait(STEP_MS)

    def play(self) -> bytes:
        words = self.script.words
        self.wait_for(events.GENERATED)
        self.wait(FIRST_MS)
        happened = 0
        for i, word in enumerate(words):
            if word == "land":
                if self.game.y != self.game.ghost_y:
                    self.wait_for(events.LANDED)
                self.wait(LANDED_MS)
            elif word == "soft":
                self.wait(STEP_MS)
                self.send_edge(controls.SOFT_DROP, 1)
                self.wait_for(events.LANDED)
                self.send_edge(controls.SOFT_DROP, 0)
            elif word == "lock":
                self.wait_for_lock_down(happened, i == len(words) - 1)
                happened = 0
            else:
                happened = self.send_edge(TAPS[word], 1)
                happened |= self.wait(TAP_MS)
                happened |= self.send_edge(TAPS[word], 0)
                if not happened & events.LOCKED:
                    happened |= self.wait(STEP_MS - TAP_MS)
        return self.start + self.recorder.recorded(self.time_ms)


def read_scripts() -> list[Script]:
    scripts: list[Script] = []
    for line in (generation.ART / "scoring.demo").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" ")
        if key == "=":
            scripts.append(Script(value))
        elif not scripts or not line:
            continue
        elif value:
            scripts[-1].fields[key] = value
        else:
            scripts[-1].rows.append(line)
    return scripts


def split_line(script: Script) -> tuple[str, str]:
    line = script.get("line")
    name, _, points = line.rpartition(" ")
    return (name, points) if name and points.lstrip("+").isdigit() else (line, "")


def as_text(name: str, texts: list[str]) -> str:
    """Return `NAME = (...)`: one bytes literal with a line for each text."""
    last = len(texts) - 1
    return f"{name} = (\n" + "".join(f'    b"{t}' + '\\n"\n' * (i < last) for i, t in enumerate(texts)) + '"\n)\n'


def as_blobs(blobs: list[bytes]) -> str:
    """Return one bytes literal with all demonstrations, each after its length."""
    lines = ["DEMONSTRATIONS = (\n"]
    for blob in blobs:
        blob = bytes([len(blob)]) + blob
        for i in range(0, len(blob), 25):
            text = "".join(f"\\x{byte:02x}" for byte in blob[i : i + 25])
            lines.append(f'    b"{text}"\n')
    return "".join(lines) + ")\n"


def render() -> str:
    """Return the text of firmware/modes/lessons/demonstrations.py; raise DemonstrationError."""
    scripts = read_scripts()
    for script in scripts:
        if len(script.points) != script.words.count("lock"):
            raise DemonstrationError(f"{script.name}: {len(script.points)} points for what locks down")
    blobs = [Take(script).play() for script in scripts]
    for script, blob in zip(scripts, blobs, strict=True):
        if len(blob) > 255:
            raise DemonstrationError(f"{script.name}: it takes {len(blob)} bytes, and there is room for 255")
    return (
        "# Generated by `python -m tools.assets.demonstrations` from tools/art/scoring.demo; do not edit.\n"
        '"""Hold a demonstration of every action that scores (Guideline 8), and the names of these actions."""\n\n'
        "# The title while it plays; a bar separates its lines\n"
        + as_text("NAMES", [script.name for script in scripts])
        + "\n# Name and points of each action in the list of the help\n"
        + as_text("LINES", [split_line(script)[0] for script in scripts])
        + as_text("POINTS", [split_line(script)[1] for script in scripts])
        + "\n# A note about the points of each action\n"
        + as_text("NOTES", [script.get("worth") for script in scripts])
        + "\n# Each demonstration after its length in bytes; see firmware/modes/lessons/demonstration.py\n"
        + as_blobs(blobs)
    )


main = generation.make_main("tools.assets.demonstrations", __doc__, {TARGET: render})

if __name__ == "__main__":
    sys.exit(terminal.run(main))
