"""Read a match stored as its seed, its options and the timed edges of all players, and play it.

The file, all numbers little-endian or LEB128 (seven bits a byte, lowest first):

    "SKY"  format 4 or 6 (1 byte)  seed  number of match options  the options in the order of match/fields.py
        number of game options  the options of each player
        the first round, from 0  the wins of each team before it, one number for each player
        edges, each one number: milliseconds since the last edge << 7 | tap << 6 | player << 4 | pressed << 3
          | control. PAUSE pressed is the control of the Target Mark. A tap has no edge for its release: the player
          holds it as long as the last button that had such an edge, with no other press in between
        the end of a round and the beginning of the next: PAUSE released, of player 1; time restarts at 0
        in format 6, when options change: PAUSE released, of player 2; then a number for each change, 1 + ((player << 5
          | place in the FIELDS of a game) << 10 | its new value); then 0
        the end: PAUSE released, of player 0, at the moment the recording stops
        CRC-32 of everything before it (4 bytes)

Format 3 has no taps, hence << 6, and begins with round 0. Computers hold every press equally long, so each of their
Tetriminos takes ten bytes, a person's twenty.

The presses of computers are recorded, too: watching a match needs no search.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import NAMES
from firmware.match.match import Match
from firmware.save.recordings.match_changes import change
from firmware.save.recordings.match_reading import read_options
from firmware.save.recordings.match_recorder import CHANGES, MATCH, NEXT_ROUND, SHIFT, TAP, WITH_CHANGES, WITH_TAPS
from firmware.save.recordings.recording_reading import open_blob
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob

_NEVER = const(-1)
_NOTHING = const(-1)
_SEATS = const(4)


def is_match(blob: "Blob") -> bool:
    """Return whether `blob` begins like the recording of a match."""
    return len(blob) > 3 and bytes(blob[0:3]) == b"SKY" and blob[3] in (MATCH, WITH_TAPS, WITH_CHANGES)


class MatchRecording(Numbers):
    """Read a recorded match: seed, options, then edge after edge.

    After `read()` returned True, the edge is in `number`, `button`, `pressed` and `time_ms`. If `next_round` is True
    the round ends at `time_ms`. After False `time_ms` is the end of the recording. choices: the options of each
    player's games before this edge. changes: the changes of options after this edge (match_changes.py).
    """

    def __init__(self, blob: bytes) -> None:
        """Read the head; raise ValueError with one line if `blob` is no valid recording."""
        if len(blob) < 8 or not is_match(blob):
            raise ValueError("not a recorded match: it should begin with SKY and 3, 4 or 6")
        open_blob(self, blob)
        self.shift = SHIFT - 1 if blob[3] == MATCH else SHIFT
        self.rewind()

    def rewind(self) -> None:
        """Go back to the beginning, before the first edge."""
        self.at = 4
        self.seed = self.get()
        self.options, self.choices = read_options(self)
        self.round = 0
        self.wins = bytearray(self.options.players)
        if self.shift == SHIFT:
            self.round = self.get()
            rounds = 0
            for team in range(self.options.players):
                won = self.get()
                rounds += won
                # MicroPython would store 256 as 0.
                if won >= self.options.wins or rounds > self.round:
                    raise ValueError("recording is damaged: team %d cannot have %d wins" % (team + 1, won))
                self.wins[team] = won
        self.first = self.at
        self.go_back(self.first)

    def mark(self) -> "tuple[list[int], list[int], bytes]":
        """Return how long each player held a button, and each player's last press and its time, for `go_back`."""
        return list(self.held_ms), list(self.pressed_ms), bytes(self.buttons)

    def go_back(self, at: int, keys: "tuple[list[int], list[int], bytes] | None" = None) -> None:
        """Go to the first edge of a round, which is at `at`; `keys` is the result of `mark` there."""
        held_ms, pressed_ms, buttons = keys or ([0] * _SEATS, [0] * _SEATS, bytes(_SEATS))
        self.held_ms = list(held_ms)
        self.pressed_ms = list(pressed_ms)
        self.buttons = bytearray(buttons)
        self.due_ms = [_NEVER] * _SEATS
        self.at = self.next_at = at
        self.time_ms = self.last_ms = self.next_ms = 0
        self.number = self.button = self.pressed = 0
        self.next_round = self.ended = False
        self.next = _NOTHING
        self.changes: list[int] = []

    def read(self) -> bool:
        """Step to the next edge; return False at the end and ever after."""
        if self.ended:
            return False
        if self.next_round:
            self.last_ms = 0
        if self.next == _NOTHING:
            for number in self.changes:
                change(self.choices, number)
            self.changes = []
            self.next_at = self.at
            self.next = self.get()
            self.next_ms = self.last_ms + (self.next >> self.shift)
        if self.let_go():
            return True
        edge = self.next
        self.next = _NOTHING
        self.time_ms = self.last_ms = self.next_ms
        self.number = number = edge >> 4 & 3
        self.button = edge & 7
        self.pressed = edge >> 3 & 1
        self.next_round = edge & 63 == NEXT_ROUND | PAUSE
        self.ended = edge & 63 == PAUSE
        if edge & 63 == CHANGES | PAUSE:
            self.number = number = 0  # a released PAUSE of player 0 does nothing
            self.read_changes()
        if number >= self.options.players:
            raise ValueError("recording is damaged: it has an edge of player %d" % (number + 1))
        if self.next_round or self.ended:
            for i in range(len(self.due_ms)):
                self.due_ms[i] = _NEVER
        elif self.pressed:
            self.buttons[number] = self.button
            self.pressed_ms[number] = self.time_ms
            if self.shift == SHIFT and edge & TAP:
                self.due_ms[number] = self.time_ms + self.held_ms[number]
        elif self.button == self.buttons[number]:
            self.held_ms[number] = self.time_ms - self.pressed_ms[number]
            self.due_ms[number] = _NEVER
        return not self.ended

    def read_changes(self) -> None:
        """Read the changes of options into `changes`."""
        number = self.get()
        while number:
            self.changes.append(number - 1)
            number = self.get()

    def is_ahead(self) -> bool:
        """Return whether an edge was read ahead, because releases of taps come before it."""
        return self.next != _NOTHING

    def let_go(self) -> bool:
        """Make the release of a tap the current edge if it comes next; return whether it does."""
        due_ms = self.next_ms
        number = _NOTHING
        for i in range(len(self.due_ms)):
            if self.due_ms[i] != _NEVER and self.due_ms[i] <= due_ms:
                due_ms = self.due_ms[i]
                number = i
        if number == _NOTHING:
            return False
        self.due_ms[number] = _NEVER
        self.time_ms = due_ms
        self.number = number
        self.button = self.buttons[number]
        self.pressed = 0
        self.next_round = False
        return True

    def match(self) -> Match:
        match = Match(self.seed, self.options, self.choices)
        if self.round:
            match.begin_round(self.round)
        for team in range(self.options.players):
            match.wins[team] = self.wins[team]
        return match


class MatchPlayer:
    """Feed a recording to its match as time passes.

    match: the match at the current moment. waiting: whether an edge is still to come. me: the player shown first.
    """

    me = 0

    def __init__(self, recording: MatchRecording) -> None:
        self.recording = recording
        recording.rewind()
        self.match = recording.match()
        self.mark_round()
        self.waiting = recording.read()

    def advance(self, time_ms: int) -> None:
        """Play to the round's time `time_ms`, at most to its end."""
        match = self.match
        recording = self.recording
        while self.waiting and not recording.next_round and recording.time_ms <= time_ms:
            match.advance(recording.time_ms)  # not left to `input`: a board's stack has no room for deeper calls
            match.input(recording.number, recording.button, recording.pressed, recording.time_ms)
            self.waiting = recording.read()
        if time_ms > recording.time_ms and (not self.waiting or recording.next_round):
            time_ms = recording.time_ms
        match.advance(time_ms)

    def is_round_over(self) -> bool:
        match = self.match
        return match.over or (not self.waiting or self.recording.next_round) and match.time_ms >= self.recording.time_ms

    def begin_next(self) -> bool:
        """Begin the next round; return whether there is a next one."""
        if not self.waiting:
            return False
        while self.waiting and not self.recording.next_round:
            self.waiting = self.recording.read()
        if not self.waiting:
            return False
        self.mark_round()
        self.waiting = self.recording.read()
        self.match.begin_round(self.match.round + 1)
        return True

    def mark_round(self) -> None:
        """Save the beginning of this round for `rewind_round`."""
        recording = self.recording
        self.round_at = recording.at
        self.round_wins = bytes(self.match.wins)
        self.round_keys = recording.mark()
        self.round_choices = [[getattr(choice, name) for name in NAMES] for choice in self.match.choices]

    def rewind_round(self) -> None:
        """Go back to the beginning of this round."""
        recording = self.recording
        recording.go_back(self.round_at, self.round_keys)
        self.waiting = recording.read()
        match = self.match
        for team in range(len(match.wins)):
            match.wins[team] = self.round_wins[team]
        for choice, values in zip(match.choices, self.round_choices):
            for name, value in zip(NAMES, values):
                setattr(choice, name, value)
        match.begin_round(match.round)
