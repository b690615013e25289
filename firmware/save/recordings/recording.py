"""Read a game stored as its seed, its options and its timed edges, and play it.

The file, all numbers little-endian or LEB128 (seven bits a byte, lowest first):

    "SKY"  format (1 byte)  variant  seed  number of options  the options in the order of engine/options.py
        edges, each one number: milliseconds since the last edge << 4 | pressed << 3 | control
        in format 2 also changes of options at the moment of the last edge: place in NAMES << 14 | new value << 4 | 15
        the end: an edge of PAUSE released, at the moment the recording stops
        CRC-32 of everything before it (4 bytes)

An edge within a second of the last one takes at most two bytes.
"""

from firmware.compat import TYPE_CHECKING
from firmware.engine.controls import PAUSE
from firmware.engine.game import Game
from firmware.engine.options import NAMES, Options
from firmware.modes.rules import find_rules
from firmware.save.recorder import CHANGE, PLAIN, WITH_CHANGES
from firmware.save.recordings.recording_reading import change_option, open_blob, read_choice, read_count
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.engine.mode import Mode


class Recording(Numbers):
    """Read a recorded game: variant, seed, options, then edge after edge.

    After `read()` returned True, the edge is in `button`, `pressed` and `time_ms`; after False `time_ms` is the end of
    the recording. `options` has the values before this edge.
    """

    def __init__(self, blob: bytes) -> None:
        """Read the head; raise ValueError with one line if `blob` is no valid recording."""
        if len(blob) < 8 or bytes(blob[0:3]) != b"SKY":
            raise ValueError("not a Skyline recording: it should begin with SKY")
        if not PLAIN <= blob[3] <= WITH_CHANGES:
            raise ValueError("recording has format %d, this version of Skyline reads 1 and 2" % blob[3])
        open_blob(self, blob)
        self.options = Options()
        self.rewind()

    def rewind(self) -> None:
        """Go back to the beginning, before the first edge."""
        self.at = 4
        self.variant = self.get()
        self.seed = self.get()
        read_choice(self, self.options, read_count(self, NAMES))
        self.first = self.at
        self.time_ms = 0
        self.button = 0
        self.pressed = 0
        self.ended = False

    def read(self) -> bool:
        """Step to the next edge; return False at the end and ever after."""
        if self.ended:
            return False
        edge = self.get()
        while edge & 15 == CHANGE:
            self.change(edge >> 4)
            edge = self.get()
        self.time_ms += edge >> 4
        self.button = edge & 7
        self.pressed = edge >> 3 & 1
        self.ended = edge & 15 == PAUSE
        return not self.ended

    def change(self, number: int) -> None:
        """Set an option to its new value; raise ValueError for an unknown one."""
        change_option(self.options, number)

    def game(self, mode: "Mode") -> Game:
        return find_rules(mode, self.options)(self.seed, self.options, mode)


class Player:
    """Feed a recording to its game as time passes."""

    def __init__(self, recording: Recording, game: Game) -> None:
        self.recording = recording
        self.game = game
        self.waiting = recording.read()

    def advance(self, time_ms: int) -> int:
        """Play to the game's time `time_ms`; return the event bits on the way."""
        game = self.game
        recording = self.recording
        happened = 0
        while self.waiting and recording.time_ms <= time_ms:
            happened |= game.input(recording.button, recording.pressed, recording.time_ms)
            self.waiting = recording.read()
        if not self.waiting and time_ms > recording.time_ms:
            time_ms = recording.time_ms
        return happened | game.advance(time_ms)

    def finished(self) -> bool:
        """Return whether the game or the recording is over."""
        return not self.waiting and self.game.time_ms >= self.recording.time_ms or self.game.over > 0
