"""Record a match in play; firmware/save/recordings/match_recording.py reads it and describes the format."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import NAMES

if TYPE_CHECKING:
    from firmware.contracts import Blob, Match, MatchOptions, Recorder
    from firmware.engine.options import Options

MATCH = const(3)  # a format without taps; firmware/save/recorder.py has formats 1 and 2
WITH_TAPS = const(4)
WITH_CHANGES = const(6)  # with taps and changes of options
NEXT_ROUND = const(1 << 4)  # with a released PAUSE: a round ends here and the next begins
CHANGES = const(2 << 4)  # with a released PAUSE: options change here
TAP = const(1 << 6)  # with a press: the button is held as long as the player's last one

# Sizes of the buffer during and after a match: four minutes for two players, about two minutes for more players,
# because their games need the heap.
_BYTES = const(8192)
_BYTES_OF_MANY = const(4096)
_MOST_BYTES = const(1 << 16)
TAIL_BYTES = const(14)  # the end of a round, an end mark and the CRC
SHIFT = const(7)  # of the time before an edge
_SEATS = const(4)
_NOWHERE = const(-1)


def start_recording(recorder: "Recorder", form: int, players: int, owner: object) -> None:
    """Begin the recording of a match, in a buffer for this number of players."""
    recorder.begin(form, _BYTES if players < 3 else _BYTES_OF_MANY, _MOST_BYTES, owner)


def put_options(recorder: "Recorder", options: "MatchOptions", choices: "list[Options]") -> None:
    """Write the options of a match, and of each player's games; match_reading.py reads them."""
    # Imported late: saves 900 bytes of heap in play.
    from firmware.match.fields import FIELDS as MATCH_FIELDS

    recorder.put(len(MATCH_FIELDS))
    recorder.put_fields(options, [row[0] for row in MATCH_FIELDS])
    recorder.put(len(NAMES))
    for choice in choices:
        recorder.put_fields(choice, NAMES)


class MatchRecorder:
    """Record the edges of all players into the buffer of a Recorder, without allocating.

    seed: of the match. held_ms: how long each player held the last button released before the next press. button,
    pressed_ms: each player's last press and its time. at: where this press is recorded, -1 if it cannot become a tap.
    """

    def __init__(self, recorder: "Recorder") -> None:
        self.recorder = recorder
        self.seed = self.end_ms = 0
        self.held_ms = [0] * _SEATS
        self.button = bytearray(_SEATS)
        self.pressed_ms = [0] * _SEATS
        self.at = [_NOWHERE] * _SEATS

    def begin_match(self, match: "Match") -> None:
        """Begin a new recording of a match, from its current round on."""
        self.begin_from(match, match.choices, match.round, match.wins)

    def begin_from(self, match: "Match", choices: "list[Options]", number: int, wins: "Blob") -> None:
        """Begin a new recording of a match, from round `number` on; `choices` are the options of the games."""
        recorder = self.recorder
        start_recording(recorder, WITH_TAPS, match.options.players, self)
        self.seed = match.first_seed
        self.end_ms = 0
        recorder.put(match.first_seed)
        put_options(recorder, match.options, choices)
        recorder.put(number)
        for won in wins:
            recorder.put(won)
        for i in range(_SEATS):
            self.held_ms[i] = self.pressed_ms[i] = self.button[i] = 0
            self.at[i] = _NOWHERE

    def note_edge(self, number: int, button: int, pressed: int, time_ms: int) -> None:
        """Add an edge of player `number` at the round's time; a full buffer ends the recording.

        Ignore a released PAUSE: in the file it marks the end of a round or of the recording.
        """
        recorder = self.recorder
        if pressed:
            self.at[number] = recorder.used
            self.button[number] = button
            self.pressed_ms[number] = time_ms
            if not recorder.put_entry(SHIFT, number << 4 | 8 | button, time_ms, TAIL_BYTES):
                self.at[number] = _NOWHERE
        elif button != PAUSE:
            if button == self.button[number]:
                held_ms = time_ms - self.pressed_ms[number]
                if held_ms == self.held_ms[number] and self.at[number] != _NOWHERE:
                    recorder.buffer[self.at[number]] |= TAP
                    self.at[number] = _NOWHERE
                    return
                self.held_ms[number] = held_ms
            # A tap's release comes before other edges of the same moment, so it would change their order.
            self.at[number] = _NOWHERE
            recorder.put_entry(SHIFT, number << 4 | button, time_ms, TAIL_BYTES)

    def note_round(self, match: "Match") -> None:
        for i in range(_SEATS):
            self.at[i] = _NOWHERE
        recorder = self.recorder
        recorder.put_entry(SHIFT, NEXT_ROUND | PAUSE, match.time_ms, TAIL_BYTES)
        recorder.continue_at(recorder.used, 0, recorder.full)

    def begin_round(self, match: "Match") -> None:
        """Begin the recording again with this round if the earlier rounds fill half of the buffer."""
        recorder = self.recorder
        if recorder.full or recorder.used > recorder.capacity >> 1:
            self.begin_match(match)

    def stop(self, time_ms: int) -> None:
        """Set the end of the recording that `replay` returns to the round's time `time_ms`."""
        self.end_ms = time_ms

    def replay(self) -> bytes:
        """Return the whole file; recording may continue."""
        return self.recorder.recorded(self.end_ms, SHIFT)
