"""Go forwards and backwards through the rounds of a recorded match, by time and by Tetrimino."""

from firmware.compat import const, ticks_diff
from firmware.engine.controls import PAUSE

SLICE_MS = const(50)  # between two looks whether somebody locked down
_BUDGET_MS = const(30)  # of a frame, for simulating what is not shown
_TAIL_BYTES = const(14)


class MatchTimeline:
    """Hold a recorded match at one moment of a round; only what was passed once is known.

    player: what plays the recording, a MatchPlayer or a LinkPlayer.  match: its match.
    time_ms: that moment.  times: of each seat the moments of its Lock Downs in this round, as far as they were passed,
    each rounded up to a slice.  seeking: whether it is on its way to `target_ms`, or to the Lock Down `mark` of the
    seat `seeks`; while `goes_on` let SLICE_MS pass.
    """

    def __init__(self, player) -> None:
        self.player = player
        self.match = player.match
        self.seeking = False
        self.seeks = self.mark = self.target_ms = 0
        self.begin_round()

    def begin_next(self) -> bool:
        """Go on with the next round; return whether there is one."""
        begun = self.player.begin_next()
        if begun:
            self.begin_round()
        return begun

    def begin_round(self) -> None:
        """Be at the beginning of a round that is not known yet."""
        self.time_ms = 0
        self.seeking = False
        self.times: list = [[] for _ in self.match.seats]

    def pass_time(self, passed_ms: int) -> None:
        """Let the match go on by so much, at most to the end of the round."""
        end_ms = self.time_ms + passed_ms
        while self.time_ms < end_ms and not self.player.is_round_over():
            # To the next border of a slice, for the same moments to be noted whatever a frame takes.
            self.time_ms = min(end_ms, self.time_ms - self.time_ms % SLICE_MS + SLICE_MS)
            self.player.advance(self.time_ms)
            for seat in self.match.seats:
                known = self.times[seat.number]
                while len(known) < seat.game.lock_downs:
                    known.append(self.time_ms + -self.time_ms % SLICE_MS)

    def step(self, number: int, step: int) -> bool:
        """Seek the next Lock Down of player `number` (1) or the one before (-1); return whether that is backwards.

        While seeking, a step counts from where the one before leads. Before the first is the beginning.
        """
        known = self.times[number]
        at = self.mark
        if not self.seeking:
            at = 0
            while at < len(known) and known[at] <= self.time_ms:
                at += 1
            if step < 0 and at and known[at - 1] < self.time_ms:
                at += 1  # back to the one that was passed last
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

    def goes_on(self, clock, now_ms: int) -> bool:
        """Return whether SLICE_MS more are to pass to where it goes, in a frame that began at `now_ms`."""
        self.seeking = not self.is_found()
        return self.seeking and ticks_diff(clock.ticks_ms(), now_ms) < _BUDGET_MS

    def is_found(self) -> bool:
        """Return whether it is where it was to go, or the round goes no further."""
        if self.player.is_round_over():
            return True
        if self.target_ms >= 0:
            return self.time_ms >= self.target_ms
        return len(self.times[self.seeks]) >= self.mark

    def hand_over(self, number: int, level: int, recorder):
        """Return the match for a person to play on as player `number`; `recorder`, or None, holds what led to it.

        The others are computers: of their levels, or in the place of a person of `level`. A head too long for the
        recorder leaves it full.
        """
        match = self.match
        options = match.options
        for seat in match.seats:
            if seat.number == number:
                options.who &= ~(15 << 4 * seat.number)
            elif not options.level_of(seat.number):
                options.who |= level << 4 * seat.number
        if recorder:
            self.copy_head(recorder)
        for seat in match.seats:
            # Nobody holds now what recorded players held.
            game = seat.practice or seat.game
            for button in range(PAUSE):
                if game.pressed >> button & 1:
                    match.input(seat.number, button, 0, match.time_ms)
                    if recorder:
                        self.noted.note_of(seat.number, button, 0, match.time_ms)
        return match

    def copy_head(self, recorder) -> None:
        """Copy the recording up to, not including, the first edge that is still to come."""
        from firmware.save.match_recorder import MatchRecorder, widen

        recording = self.player.recording
        widen(recorder)
        noted = self.noted = MatchRecorder(recorder)
        noted.begin_from(self.match, recording.round, recording.wins)
        used = recording.next_at
        length = used - recording.first
        if recording.shift < 7 or recorder.used + length + _TAIL_BYTES > recorder.capacity:
            recorder.full = True
            return
        recorder.buffer[recorder.used : recorder.used + length] = recording.blob[recording.first : used]
        recorder.used += length
        recording.at = used
        gap = recording.get() >> recording.shift
        recorder.last_ms = recording.next_ms - gap
        # What was read ahead was not copied: read what was, to know how long everybody held what.
        recording.rewind()
        while recording.at < used or recording.is_ahead():
            recording.read()
        for i in range(len(recording.due_ms)):
            noted.held_ms[i] = recording.held_ms[i]
            noted.pressed_ms[i] = recording.pressed_ms[i]
            noted.button[i] = recording.buttons[i]
