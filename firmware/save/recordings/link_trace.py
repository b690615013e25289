"""List the events of a recorded linked match; the recordings of all its players give the same lines."""

from firmware.link.events import EventHash
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording


class LoggingHash(EventHash):
    """Log a line for every event that counts."""

    def __init__(self, number: int, lines: list[tuple[int, int, int, int]]) -> None:
        EventHash.__init__(self)
        self.number = number
        self.lines = lines

    def end_event(self, time_ms: int) -> None:
        """Mix in the time of an event, and log the event."""
        EventHash.end_event(self, time_ms)
        self.lines.append((time_ms, self.number, self.count, self.value))

    def keep_first(self, count: int) -> None:
        """Drop all but the first `count` events."""
        EventHash.keep_first(self, count)
        self.lines[:] = [line for line in self.lines if line[1] != self.number or line[2] <= count]


class LinkTrace(LinkPlayer):
    """Play a recording from beginning to end. lines: one for every event, and one for each finished round."""

    def __init__(self, recording: LinkRecording) -> None:
        LinkPlayer.__init__(self, recording)
        self.lines: list[str] = []
        self.events: list[tuple[int, int, int, int]] = []

    def play_round(self) -> None:
        """Play a round to its end, and list the events of all players."""
        self.events = []
        for seat in self.match.seats:
            seat.hashed = LoggingHash(seat.number, self.events)
        LinkPlayer.play_round(self)
        self.write_down()

    def write_down(self) -> None:
        """Add the lines of a round."""
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
