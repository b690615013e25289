"""Read and play a linked match that one device recorded: its own edges, and the events of others.

The file, all numbers little-endian or LEB128 (seven bits a byte, lowest first):

    "SKY"  format 5 or 7 (1 byte)  the local player's number  seed
        number of match options  the options in the order of match/fields.py
        number of game options  the options of each player
        the initials of each player (3 bytes)
        entries, each one number: milliseconds of the local match since the last entry << 6 | player << 4 | four bits
          local player: an edge, pressed << 3 | control; PAUSE pressed is the control of the Target Mark. PAUSE released
            is followed by a byte: 1 the next round begins, 0 the recording ends, or 2 the local player leaves, with two
            numbers as for a gone player. In format 7 also 3, the local player changes options: a number for each,
            1 + (place in the FIELDS of a game << 10 | its new value), then 0
          another player: the kind of an event; the event follows as in firmware/link/README.md. A gone player has two
            numbers instead: how many of that player's events count, and the time of going out
        CRC-32 of everything before it (4 bytes)
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import NAMES
from firmware.link.events import GONE, SIZES
from firmware.link.linked import LinkedMatch
from firmware.save.recordings.link_recorder import CHANGED, LEFT, LINKED, LINKED_WITH_CHANGES, NEXT
from firmware.save.recordings.match_reading import read_options
from firmware.save.recordings.recording_reading import change_option, open_blob
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob

_NAME = const(3)
_ONE = const(49)  # a name may end with a digit if two players have the same initials
_FOUR = const(52)
_A = const(65)
_Z = const(90)
_DASH = const(45)


def is_linked(blob: "Blob") -> bool:
    """Return whether `blob` begins like the recording of a linked match."""
    return len(blob) > 3 and bytes(blob[0:3]) == b"SKY" and blob[3] in (LINKED, LINKED_WITH_CHANGES)


class LinkRecording(Numbers):
    """Read a recorded linked match: seed, options, names, then entry after entry.

    After `read()` returned True, `low` has the four bits of the entry of player `number` at `time_ms`. Another player's
    event is in `blob` from `event_at` on; a gone player's numbers are in `counted` and `out_ms`. If `next_round` is
    True the round ends here. After False `time_ms` is the end of the recording. me: the number of the local player.
    names: of all players. choices: the options of each player's games. changes: of the local player's options, by this
    entry, as `change_option` takes them.
    """

    def __init__(self, blob: bytes) -> None:
        """Read the head; raise ValueError with one line if `blob` is no valid recording."""
        if len(blob) < 8 or not is_linked(blob):
            raise ValueError("not a recorded match over a link: it should begin with SKY and 5 or 7")
        open_blob(self, blob)
        self.me = self.get()
        self.seed = self.get()
        self.options, self.choices = read_options(self)
        if self.me >= self.options.players:
            raise ValueError("recording is damaged: there is no player %d" % (self.me + 1))
        self.names = []
        for _ in range(self.options.players):
            name = blob[self.at : self.at + _NAME]
            self.at += _NAME
            for letter in name:
                if not _A <= letter <= _Z and letter != _DASH and not _ONE <= letter <= _FOUR:
                    raise ValueError("recording is damaged: a player has no name")
            self.names.append(name)
        self.first = self.at
        self.first_options = self.mark()
        self.rewind()

    def rewind(self) -> None:
        """Go back to the beginning, before the first entry."""
        self.go_back(self.first, self.first_options)

    def mark(self) -> list[int]:
        """Return the local player's options, for `go_back`."""
        return [getattr(self.choices[self.me], name) for name in NAMES]

    def go_back(self, at: int, options: list[int]) -> None:
        """Go to the first entry of a round, which is at `at`; `options` is the result of `mark` there."""
        for name, value in zip(NAMES, options):
            setattr(self.choices[self.me], name, value)
        self.at = self.event_at = at
        self.changes: list[int] = []
        self.time_ms = self.number = self.low = self.counted = self.out_ms = 0
        self.next_round = self.ended = False

    def read(self) -> bool:
        """Step to the next entry; return False at the end and ever after."""
        if self.ended:
            return False
        if self.next_round:
            self.time_ms = 0
            self.next_round = False
        entry = self.get()
        self.time_ms += entry >> 6
        self.number = entry >> 4 & 3
        self.low = entry & 15
        self.changes = []
        if self.number == self.me:
            if self.low == PAUSE:
                mark = self.get()
                self.next_round = mark == NEXT
                if mark == LEFT:
                    self.counted = self.get()
                    self.out_ms = self.get()
                elif mark == CHANGED:
                    number = self.get()
                    while number:
                        self.changes.append(number - 1)
                        number = self.get()
                    if not self.changes:
                        self.refuse()
                else:
                    self.ended = not self.next_round
        elif self.low == GONE:
            self.counted = self.get()
            self.out_ms = self.get()
        else:
            self.event_at = self.at
            self.at += SIZES[self.low]
            if self.event_at == self.at or self.at > self.end:
                self.refuse()
        if self.number >= self.options.players:
            self.refuse()
        return not self.ended

    def refuse(self) -> None:
        """Raise ValueError: the entry is impossible."""
        raise ValueError("recording is damaged: player %d cannot have done that" % (self.number + 1))

    def is_at_border(self) -> bool:
        """Return whether the entry is the end of a round or of the recording."""
        return self.next_round or self.ended


class Replayed(LinkedMatch):
    """Play a recording; decide a round only at its end. is_told: whether all entries of the round were played."""

    is_told = False

    def find_settled(self) -> int:
        """Return the match time up to which all events are known, or -1 before the end of the round."""
        return self.read_known_ms() if self.is_told else -1


class LinkPlayer:
    """Feed a recording to its match over time: own edges, and the events of others.

    match: the match at the current moment. me: the local player's number. lenient: whether an impossible entry ends the
    recording and sets `damaged`, instead of raising ValueError.
    """

    def __init__(self, recording: LinkRecording, lenient: bool = False) -> None:
        self.recording = recording
        self.lenient = lenient
        self.damaged = False
        recording.rewind()
        self.me = recording.me
        self.match = Replayed(recording.seed, recording.options, recording.choices, recording.me)
        self.mark_round()
        self.read_next()

    def read_next(self) -> None:
        try:
            self.recording.read()
        except ValueError:
            if not self.lenient:
                raise
            self.end_early()

    def end_early(self) -> None:
        """End the recording here, or raise ValueError."""
        recording = self.recording
        if not self.lenient:
            recording.refuse()
        self.damaged = recording.ended = True
        recording.next_round = False
        recording.time_ms = self.match.time_ms

    def advance(self, time_ms: int) -> None:
        """Play to the round's time `time_ms`, at most to its end; raise ValueError for an impossible entry."""
        match = self.match
        recording = self.recording
        while not recording.is_at_border() and recording.time_ms <= time_ms:
            self.pass_to(recording.time_ms)
            if recording.number == self.me and recording.low != PAUSE:
                match.input(recording.number, recording.low & 7, recording.low >> 3, recording.time_ms)
            elif recording.changes:
                self.change_options()
            elif recording.low == GONE or recording.number == self.me:
                match.remove_player(recording.number, recording.counted, recording.out_ms)
            elif not match.apply_event(recording.number, recording.blob, recording.event_at):
                self.end_early()
            self.read_next()
        if time_ms < recording.time_ms or not recording.is_at_border():
            self.pass_to(time_ms)
            return
        self.pass_to(recording.time_ms)
        match.is_told = True
        match.decide_round()

    def change_options(self) -> None:
        """Change options of the local player's games."""
        try:
            for number in self.recording.changes:
                change_option(self.match.choices[self.me], number)
        except ValueError:
            if not self.lenient:
                raise
            self.end_early()

    def play(self) -> None:
        """Play the whole recording; raise ValueError for an impossible entry."""
        self.play_round()
        while self.begin_next():
            self.play_round()

    def play_round(self) -> None:
        while not self.is_round_over():
            self.advance(self.recording.time_ms)

    def pass_to(self, time_ms: int) -> None:
        """Advance the own game."""
        self.match.events.clear()  # no link sends them
        self.match.advance(time_ms)

    def is_round_over(self) -> bool:
        return self.match.is_told

    def begin_next(self) -> bool:
        """Begin the next round after the end of a round; return whether there is a next one."""
        if not self.recording.next_round:
            return False
        self.mark_round()
        self.read_next()
        self.begin_round(self.match.round + 1)
        return True

    def begin_round(self, number: int) -> None:
        self.match.is_told = False
        self.match.begin_round(number)

    def mark_round(self) -> None:
        """Save the beginning of this round for `rewind_round`."""
        self.round_at = self.recording.at
        self.round_options = self.recording.mark()
        self.round_wins = bytes(self.match.wins)

    def rewind_round(self) -> None:
        """Go back to the beginning of this round."""
        self.recording.go_back(self.round_at, self.round_options)
        self.read_next()
        match = self.match
        for team in range(len(match.wins)):
            match.wins[team] = self.round_wins[team]
        self.begin_round(match.round)
