"""Read a match stored as its seed, its options and everybody's timed edges, and play it.

The file, all numbers little-endian or LEB128 (seven bits a byte, lowest first):

    "SKY"  format 3 (1 byte)  seed  count of options of a match  these in the order of its FIELDS
    count of options of a game  these for each player
    edges, each one number: milliseconds since the edge before << 6 | player << 4 | pressed << 3 | control,
    where PAUSE pressed stands for the control of the Target Mark
    the end of a round and the beginning of the next: PAUSE released, of player 1; time begins at 0 again
    the end: PAUSE released, of player 0, at the moment the recording stops
    CRC-32 of everything before it (4 bytes)

What computers press is noted like what persons press: to watch a match nobody thinks.
"""

from binascii import crc32

from firmware.engine.controls import PAUSE
from firmware.engine.options import FIELDS, Options
from firmware.match.match import Match
from firmware.match.options import FIELDS as MATCH_FIELDS
from firmware.match.options import MatchOptions
from firmware.save.match_recorder import MATCH, NEXT_ROUND


def is_match(blob) -> bool:
    """Return whether these bytes begin as the recording of a match does."""
    return len(blob) > 3 and bytes(blob[0:3]) == b"SKY" and blob[3] == MATCH


class MatchRecording:
    """Read a recorded match: seed, options, then edge after edge.

    After `read()` returned True the edge is in `number`, `button`, `pressed` and `time_ms`, or where `next_round` is
    True the round ends at `time_ms`; after it returned False, `time_ms` is the moment the recording ends.
    choices: the options of each player's games.
    """

    def __init__(self, blob: bytes) -> None:
        """Raise ValueError with one line that says what is wrong with `blob`."""
        if len(blob) < 8 or not is_match(blob):
            raise ValueError("not a recorded match: it should begin with SKY and 3")
        end = len(blob) - 4
        if crc32(blob[:end]) != int.from_bytes(blob[end:], "little"):
            raise ValueError("recording is damaged: its check sum does not match")
        self.blob = blob
        self.end = end
        self.rewind()

    def rewind(self) -> None:
        """Go back to before the first edge."""
        self.at = 4
        self.seed = self.get()
        self.options = MatchOptions()
        self.take(self.options, MATCH_FIELDS, self.count(MATCH_FIELDS))
        self.options.check()
        count = self.count(FIELDS)
        self.choices = []
        for _ in range(self.options.players):
            choice = Options()
            self.take(choice, FIELDS, count)
            choice.check()
            self.choices.append(choice)
        self.first = self.at
        self.time_ms = 0
        self.number = self.button = self.pressed = 0
        self.next_round = self.ended = False

    def count(self, fields: tuple) -> int:
        """Read how many options follow."""
        count = self.get()
        if count > len(fields):
            raise ValueError("recording has %d options, this version of Skyline knows %d" % (count, len(fields)))
        return count

    def take(self, owner, fields: tuple, count: int) -> None:
        """Read the first `count` options; those of a later version stay at their defaults."""
        for i in range(count):
            setattr(owner, fields[i][0], self.get())

    def get(self) -> int:
        """Return the next number; raise ValueError where the file ends within it."""
        number = 0
        shift = 0
        while True:
            if self.at >= self.end or shift > 28:
                raise ValueError("recording is damaged: a number at byte %d does not end" % self.at)
            byte = self.blob[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def read(self) -> bool:
        """Step to the next edge; return False, then and ever after, at the end."""
        if self.ended:
            return False
        if self.next_round:
            self.time_ms = 0
        edge = self.get()
        self.time_ms += edge >> 6
        self.number = edge >> 4 & 3
        self.button = edge & 7
        self.pressed = edge >> 3 & 1
        self.next_round = edge & 63 == NEXT_ROUND | PAUSE
        self.ended = edge & 63 == PAUSE
        if self.number >= self.options.players:
            raise ValueError("recording is damaged: it has an edge of player %d" % (self.number + 1))
        return not self.ended

    def match(self) -> Match:
        """Return the match at its beginning."""
        return Match(self.seed, self.options, self.choices)


class MatchPlayer:
    """Feed a recording to its match as time passes.

    match: as far as it was played.  waiting: whether there is an edge to come.
    """

    def __init__(self, recording: MatchRecording) -> None:
        self.recording = recording
        recording.rewind()
        self.match = recording.match()
        # Where the edges of this round begin, and the wins before it.
        self.round_at = recording.at
        self.round_wins = bytes(self.match.wins)
        self.waiting = recording.read()

    def advance(self, time_ms: int) -> None:
        """Play on to the round's time `time_ms`, at most to its end."""
        match = self.match
        recording = self.recording
        while self.waiting and not recording.next_round and recording.time_ms <= time_ms:
            match.input(recording.number, recording.button, recording.pressed, recording.time_ms)
            self.waiting = recording.read()
        if time_ms > recording.time_ms and (not self.waiting or recording.next_round):
            time_ms = recording.time_ms
        match.advance(time_ms)

    def is_round_over(self) -> bool:
        """Return whether this round has nothing more to show."""
        match = self.match
        return match.over or (not self.waiting or self.recording.next_round) and match.time_ms >= self.recording.time_ms

    def begin_next(self) -> bool:
        """Go on with the next round; return whether there is one."""
        if not self.waiting:
            return False
        while self.waiting and not self.recording.next_round:
            self.waiting = self.recording.read()
        if not self.waiting:
            return False
        self.round_at = self.recording.at
        self.round_wins = bytes(self.match.wins)
        self.waiting = self.recording.read()
        self.match.begin(self.match.round + 1)
        return True

    def rewind_round(self) -> None:
        """Go back to the beginning of this round."""
        recording = self.recording
        recording.at = self.round_at
        recording.time_ms = 0
        recording.next_round = recording.ended = False
        self.waiting = recording.read()
        match = self.match
        for team in range(len(match.wins)):
            match.wins[team] = self.round_wins[team]
        match.begin(match.round)
