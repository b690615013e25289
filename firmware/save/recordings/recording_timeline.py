"""Go forwards and backwards through a recorded game, by time and by Tetrimino."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.controls import PAUSE
from firmware.engine.game import Game
from firmware.modes.rules import find_rules
from firmware.save.recordings.recording import Player, Recording

if TYPE_CHECKING:
    from firmware.contracts import Any, Clock, MakeMode

_SLICE_MS = const(250)  # game time simulated between two looks at the clock; takes an RP2040 2 ms, at most 4
_BUDGET_MS = const(30)  # time of a frame for simulating without showing; buttons answer within two such frames


def make_timed(rules: "Any") -> "Any":
    """Return a subclass of the Game class `rules` that appends the time of each Lock Down, rounded up, to `times`.

    Every Lock Down calls `settle` once; those of STILL games come without `lock_down`.
    """

    class Timed(rules):  # type: ignore[misc]  # any rules
        times: list[int]

        def settle(self) -> bool:
            self.times.append(self.time_ms + (1 if self.time_us else 0))
            inside: bool = rules.settle(self)
            return inside

    return Timed


class Timeline:
    """Hold a recording and its game at one moment.

    To find the Lock Downs, the whole recording is simulated once (`reading`). Going backwards restarts from the
    beginning. Both use the spare time of many frames: call `work` in each frame until it returns True.

    game: the game at time_ms. end_ms: when it ends. times: the targets of steps: the beginning, every Lock Down, the
    end. total: the number of all Lock Downs. seeking: whether the game is on its way to times[mark].
    """

    game: "Any"
    player: "Any"

    def __init__(self, recording: Recording, make_mode: "MakeMode") -> None:
        """Begin to read; `make_mode` is firmware.modes.catalogue.make_mode or alike."""
        self.recording = recording
        self.make_mode = make_mode
        self.times = [0]
        self.total = 0
        self.end_ms = 0
        self.mark = 0
        self.target_ms = 0
        self.seeking = False
        self.reading = True
        self.rewind()

    def rewind(self) -> None:
        """Go back to the beginning of the game."""
        recording = self.recording
        self.game = self.player = None  # two games would take twice the memory
        recording.rewind()
        mode = self.make_mode(recording.variant)
        if self.reading:
            rules = find_rules(mode, recording.options)
            self.game = make_timed(rules)(recording.seed, recording.options, mode)
            self.game.times = self.times
        else:
            self.game = recording.game(mode)
        self.player = Player(recording, self.game)
        self.time_ms = 0

    def work(self, clock: "Clock", now_ms: int) -> bool:
        """Read or seek in the rest of a frame that began at `now_ms`; return whether this is finished."""
        if self.target_ms < self.time_ms and not self.reading:
            self.rewind()
        player = self.player
        while not player.finished() if self.reading else self.time_ms < self.target_ms:
            self.time_ms += _SLICE_MS
            if not self.reading and self.time_ms > self.target_ms:
                self.time_ms = self.target_ms
            player.advance(self.time_ms)
            if ticks_diff(clock.ticks_ms(), now_ms) >= _BUDGET_MS:
                return False
        if self.reading:
            self.close()
        else:
            player.advance(self.time_ms)  # edges at time 0 need this
        self.seeking = False
        return True

    def close(self) -> None:
        """Record the end of the game that was read, and return to the beginning."""
        game = self.game
        self.total = game.lock_downs
        self.end_ms = game.time_ms + 1 if game.time_us else game.time_ms
        if self.end_ms > self.times[self.total]:
            self.times.append(self.end_ms)
        self.reading = False
        self.rewind()

    def pass_time(self, passed_ms: int) -> int:
        """Advance the game by `passed_ms`, at most to its end; return the event bits on the way."""
        self.time_ms = min(self.time_ms + passed_ms, self.end_ms)
        return self.player.advance(self.time_ms)

    def step(self, step: int) -> bool:
        """Seek the next Lock Down (1) or the previous one (-1); return whether it is earlier.

        While seeking, a step counts from the current target.
        """
        times = self.times
        at = self.mark
        if not self.seeking:
            at = self.game.lock_downs
            if step < 0:
                at += 1
                while at > 1 and times[at - 1] >= self.time_ms:
                    at -= 1
        return self.leap(max(0, min(at + step, len(times) - 1)))

    def leap(self, mark: int) -> bool:
        """Seek times[mark]; return whether it is earlier, which makes a new `game`."""
        self.mark = mark
        self.target_ms = self.times[mark]
        self.seeking = True
        return self.target_ms < self.time_ms

    def hand_over(self) -> Game:
        """Return the game for a player to continue; release the buttons that the recorded player holds."""
        game = self.game
        for button in range(PAUSE):
            if game.pressed >> button & 1:
                game.input(button, 0, self.time_ms)
        return game
