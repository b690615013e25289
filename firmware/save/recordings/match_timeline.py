"""Go forwards and backwards through the rounds of a recorded match, by time and by Tetrimino."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff

if TYPE_CHECKING:
    from firmware.contracts import Any, Clock

SLICE_MS = const(50)  # between two checks for Lock Downs
_BUDGET_MS = const(30)  # time of a frame for simulating without showing


class MatchTimeline:
    """Hold a recorded match at one moment of a round; Lock Downs are known up to the latest moment played.

    player: a MatchPlayer or a LinkPlayer of the recording. match: its match. time_ms: the moment. times: the known
    times of each seat's Lock Downs in this round, rounded up to a slice. seeking: whether the match is on its way to
    `target_ms`, or to the Lock Down `mark` of the seat `seeks`. While `goes_on` returns True, pass SLICE_MS.
    """

    def __init__(self, player: "Any") -> None:  # Any: one of two kinds of players
        self.player = player
        self.match = player.match
        self.seeking = False
        self.seeks = self.mark = self.target_ms = 0
        self.begin_round()

    def begin_next(self) -> bool:
        """Begin the next round; return whether there is a next one."""
        begun: bool = self.player.begin_next()
        if begun:
            self.begin_round()
        return begun

    def begin_round(self) -> None:
        """Go to the beginning of a round; forget the times of Lock Downs."""
        self.time_ms = 0
        self.seeking = False
        self.times: list[list[int]] = [[] for _ in self.match.seats]

    def pass_time(self, passed_ms: int) -> None:
        """Advance the match by `passed_ms`, at most to the end of the round."""
        end_ms = self.time_ms + passed_ms
        while self.time_ms < end_ms and not self.player.is_round_over():
            # Stop at each border of a slice: the times must not depend on frames.
            self.time_ms = min(end_ms, self.time_ms - self.time_ms % SLICE_MS + SLICE_MS)
            self.player.advance(self.time_ms)
            for seat in self.match.seats:
                known = self.times[seat.number]
                while len(known) < seat.game.lock_downs:
                    known.append(self.time_ms + -self.time_ms % SLICE_MS)

    def step(self, number: int, step: int) -> bool:
        """Seek the next Lock Down of player `number` (1) or the previous one (-1); return whether it is earlier.

        While seeking, a step counts from the current target. Before the first Lock Down is the beginning.
        """
        known = self.times[number]
        at = self.mark
        if not self.seeking:
            at = 0
            while at < len(known) and known[at] <= self.time_ms:
                at += 1
            if step < 0 and at and known[at - 1] < self.time_ms:
                at += 1  # one step back leads to the last Lock Down before this moment
        self.mark = at = max(0, at + step)
        self.seeks = number
        self.seeking = True
        self.target_ms = 0
        if at:
            self.target_ms = known[at - 1] if at <= len(known) else -1
        if 0 <= self.target_ms < self.time_ms:
            self.player.rewind_round()
            self.time_ms = 0
            return True
        return False

    def goes_on(self, clock: "Clock", now_ms: int) -> bool:
        """Return whether to pass another SLICE_MS in this frame, which began at `now_ms`."""
        self.seeking = not self.is_found()
        return self.seeking and ticks_diff(clock.ticks_ms(), now_ms) < _BUDGET_MS

    def is_found(self) -> bool:
        """Return whether the match has reached its target or the end of the round."""
        if self.player.is_round_over():
            return True
        if self.target_ms >= 0:
            return self.time_ms >= self.target_ms
        return len(self.times[self.seeks]) >= self.mark
