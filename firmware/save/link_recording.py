"""Read a match over a link as one of its devices noted it, and play it: own edges, and of the others what they told.

The file, all numbers little-endian or LEB128 (seven bits a byte, lowest first):

    "SKY"  format 5 (1 byte)  the number of the player here  seed
    count of options of a match  these in the order of its FIELDS  count of options of a game  these for each player
    entries, each one number: milliseconds of the match here since the one before << 6 | player << 4 | four bits
        of the player here an edge: pressed << 3 | control, where PAUSE pressed stands for the control of the Target
        Mark and PAUSE released for the end of a round: a byte follows, 1 where another begins, 0 at the end of the file
        of another player the kind of an event, which follows as firmware/link/README.md has it; in place of
        one that tells that the player is gone two numbers: how many events of that one count, and since when it is out
    CRC-32 of everything before it (4 bytes)
"""

from firmware.engine.controls import PAUSE
from firmware.engine.options import FIELDS, Options
from firmware.link.linked import LinkedMatch
from firmware.link.news import GONE, SIZES, Chronicle
from firmware.match.fields import FIELDS as MATCH_FIELDS
from firmware.match.fields import check
from firmware.match.options import MatchOptions
from firmware.save.link_recorder import END, LINKED
from firmware.save.recording_reading import Reader


def is_linked(blob) -> bool:
    """Return whether these bytes begin as the recording of a match over a link does."""
    return len(blob) > 3 and bytes(blob[0:3]) == b"SKY" and blob[3] == LINKED


class Replayed(LinkedMatch):
    """Play what was noted: the end of a round is known only where it was.  is_told: whether nothing more comes."""

    is_told = False

    def find_settled(self) -> int:
        """Return the moment until which all is known of everybody."""
        return self.read_known_ms() if self.is_told else -1


class Told(Chronicle):
    """Write a line for every event that counts."""

    def __init__(self, number: int, lines: list) -> None:
        Chronicle.__init__(self)
        self.number = number
        self.lines = lines

    def close(self, time_ms: int) -> None:
        """End an event of this moment."""
        Chronicle.close(self, time_ms)
        self.lines.append((time_ms, self.number, self.count, self.value))

    def cut(self, count: int) -> None:
        """Forget what came after the first `count` events."""
        Chronicle.cut(self, count)
        self.lines[:] = [line for line in self.lines if line[1] != self.number or line[2] <= count]


class LinkRecording(Reader):
    """Play a recording from its beginning to its end.

    match: as far as it was played.  lines: of each round that is over, what `trace` returns.
    """

    def __init__(self, blob: bytes) -> None:
        """Raise ValueError with one line that says what is wrong with `blob`."""
        if len(blob) < 8 or not is_linked(blob):
            raise ValueError("not a recorded match over a link: it should begin with SKY and 5")
        self.open(blob)
        self.me = self.get()
        seed = self.get()
        options = MatchOptions()
        self.take(options, MATCH_FIELDS, self.count(MATCH_FIELDS))
        check(options)
        count = self.count(FIELDS)
        choices = []
        for _ in range(options.players):
            choice = Options()
            self.take(choice, FIELDS, count)
            choice.check()
            choices.append(choice)
        if self.me >= options.players:
            raise ValueError("recording is damaged: there is no player %d" % (self.me + 1))
        self.match = Replayed(seed, options, choices, self.me)
        self.lines: list = []
        self.events: list = []
        self.listen()

    def listen(self) -> None:
        """Let everybody's events of this round be written down."""
        self.events = []
        for seat in self.match.seats:
            seat.chronicle = Told(seat.number, self.events)

    def play(self) -> None:
        """Play all of it; raise ValueError where it tells what cannot be."""
        match = self.match
        time_ms = 0
        while True:
            entry = self.get()
            time_ms += entry >> 6
            number = entry >> 4 & 3
            low = entry & 15
            match.news.used = 0  # nobody listens
            match.advance(time_ms)
            if number != self.me:
                self.tell(number, low)
            elif low != PAUSE:
                match.input(number, low & 7, low >> 3, time_ms)
            else:
                match.is_told = True
                match.judge()
                match.is_told = False
                self.write_down()
                if self.get() == END:
                    return
                match.begin(match.round + 1)
                self.listen()
                time_ms = 0

    def tell(self, number: int, kind: int) -> None:
        """Let something happen to another player."""
        match = self.match
        sound = number < len(match.seats)
        if kind == GONE:
            count = self.get()
            out_ms = self.get()
            if sound:
                match.lose(number, count, out_ms)
        else:
            size = SIZES[kind]
            sound = sound and size > 0 and self.at + size <= self.end and match.take(number, self.blob, self.at)
            self.at += size
        if not sound:
            raise ValueError("recording is damaged: player %d cannot have done that" % (number + 1))

    def write_down(self) -> None:
        """Add the lines of a round: the same whoever of its players noted it."""
        match = self.match
        for time_ms, number, count, value in sorted(self.events):
            self.lines.append(
                "round %d  player %d %5d %8d ms  %08x" % (match.round + 1, number + 1, count, time_ms, value)
            )
        if match.over:
            winner = "nobody" if match.winner < 0 else "team %d" % (match.winner + 1)
            self.lines.append(
                "round %d  %d ms  won by %s  %08x" % (match.round + 1, match.ends_ms, winner, match.hash())
            )
