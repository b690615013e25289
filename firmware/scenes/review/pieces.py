"""Judge each Tetrimino of a recording, and keep the three moments that cost most (modes/README 10)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.game import AIM_REACHED
from firmware.modes.rules import find_rules
from firmware.players.judge import Judge, read_place
from firmware.save.recordings.recording import Player
from firmware.save.recordings.recording_timeline import Timeline
from firmware.save.suspended import pack
from firmware.scenes.review.found import Moment

if TYPE_CHECKING:
    from firmware.contracts import Any, Clock, MakeMode
    from firmware.save.recordings.recording import Recording

_KEPT = const(3)
_UNITS = const(60)  # of thought between two looks at the clock: 5 ms on a board
_SLICE_MS = const(250)  # of the game: 4 ms on a board
BUDGET_MS = const(30)  # of a frame; buttons answer within two frames

# The steps of a review
READ = const(0)
ENTER = const(1)
SEARCH = const(2)
PLAY = const(3)
WEIGH = const(4)
DONE = const(5)


def make_placed(rules: "Any") -> "Any":
    """Return a subclass of the Game class `rules` that keeps the place of the last Lock Down, and Hold at that time."""

    class Placed(rules):  # type: ignore[misc]  # any rules
        placed = hold_then = 0

        def settle(self) -> bool:  # as in recording_timeline.py
            self.placed = read_place(self.piece, self.facing, self.x, self.y)
            self.hold_then = self.hold
            inside: bool = rules.settle(self)
            return inside

    return Placed


class Reviewer:
    """Review a recording in the spare time of many frames: call `work` in each one until it returns True.

    number: how many Tetriminos are judged. total: how many there are, 0 while the recording is read.
    """

    game: "Any"
    player: "Any"
    judge: "Any"
    recording: "Any"  # or a MatchRecording
    line: "Any"  # reads the recording; its method is not wrapped, because a board's stack has no room for deeper calls

    def __init__(self, recording: "Recording", make_mode: "MakeMode") -> None:
        self.make_mode = make_mode
        self.times: list[int] = []
        self.prepare(recording, recording.variant)
        self.line = Timeline(recording, make_mode)

    def prepare(self, recording: "Any", variant: int) -> None:
        """Begin to read; TRY AGAIN plays by the rules of `variant`."""
        self.recording = recording
        self.variant = variant
        self.kept = [Moment() for _ in range(_KEPT)]
        self.spare = Moment()
        self.game = self.player = self.judge = None
        self.number = self.total = self.time_ms = 0
        self.step = READ

    def work(self, clock: "Clock", now_ms: int) -> bool:
        """Review on in the rest of a frame that began at `now_ms`; return whether all is judged."""
        if self.step == READ:
            if self.line.work(clock, now_ms):
                self.begin()
            return False
        judge = self.judge
        while self.step != DONE:
            if self.step == ENTER:
                self.enter()
            elif self.step == PLAY:
                self.play()
            elif judge.work(_UNITS):
                if self.step == SEARCH:
                    self.step = PLAY
                else:
                    self.note()
            if ticks_diff(clock.ticks_ms(), now_ms) >= BUDGET_MS:
                break
        return self.step == DONE

    def begin(self) -> None:
        """Play the game again from its beginning."""
        self.times = self.line.times
        self.total = self.line.total
        self.line = None  # two games would take twice the memory
        recording = self.recording
        recording.rewind()
        mode = self.make_mode(recording.variant)
        rules = make_placed(find_rules(mode, recording.options))
        self.game = rules(recording.seed, recording.options, mode)
        self.player = Player(recording, self.game)
        self.judge = Judge()
        self.step = ENTER if self.total else DONE

    def enter(self) -> None:
        """Go on to the moment when the next Tetrimino comes into play."""
        game = self.game
        if game.piece:
            self.search(game)
        elif game.lock_downs > self.number or game.over:
            self.go_on()  # it locked down in the millisecond in which it came into play
        else:
            # Exactly to the end of the wait: the next edge may be a Hard Drop.
            self.time_ms += (game.wait_us + 999) // 1000
            self.player.advance(self.time_ms)

    def search(self, game: "Any") -> None:
        """Keep this moment, and begin to search the best place."""
        moment = self.spare
        pack(game, self.variant, moment.record)
        moment.number = self.number
        moment.time_ms = game.time_ms
        self.judge.enter(game)
        self.step = SEARCH

    def play(self) -> None:
        """Go on to the Lock Down."""
        number = self.number + 1
        end_ms = self.times[-1 if number == self.total else number]  # only the end shows whether it reached the aim
        self.time_ms = max(self.time_ms, min(self.time_ms + _SLICE_MS, end_ms))
        self.player.advance(self.time_ms)
        if self.time_ms >= end_ms:
            game = self.game
            if game.lock_downs == number and game.over != AIM_REACHED:  # nothing beats the aim
                self.judge.weigh(game.placed, game.spun, game.hold_then)
            self.step = WEIGH

    def note(self) -> None:
        """Keep the moment if it is one of the worst."""
        judge = self.judge
        moment = self.spare
        moment.cost = judge.cost
        moment.count = judge.count
        # Swapped, not copied: the judge writes the next plans over those of the moment dropped last.
        moment.own_plan, judge.own_plan = judge.own_plan, moment.own_plan
        moment.best_plan, judge.best_plan = judge.best_plan, moment.best_plan
        kept = self.kept
        for i in range(_KEPT):
            if moment.cost > kept[i].cost:
                kept[i], moment = moment, kept[i]
        self.spare = moment
        self.go_on()

    def go_on(self) -> None:
        """Go on to the next Tetrimino, or end."""
        self.number += 1
        self.step = ENTER if self.number < self.total else DONE

    def list_moments(self) -> list[Moment]:
        """Return the moments found, the worst first."""
        return [moment for moment in self.kept if moment.cost]
