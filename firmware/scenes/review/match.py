"""Judge the Tetriminos of the first person in a recorded match on one handheld (modes/README 10)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.match.options import PERSON
from firmware.players.judge import Judge, read_place
from firmware.save.recordings.match_recording import MatchPlayer
from firmware.scenes.review.pieces import BUDGET_MS, DONE, ENTER, WEIGH, Reviewer

if TYPE_CHECKING:
    from firmware.contracts import Any, Clock, Game
    from firmware.save.recordings.match_recording import MatchRecording

_COUNT_MS = const(250)  # between two looks at the clock
_PLAY_MS = const(50)  # shorter than the time from a Lock Down to the next Tetrimino
_NONE = const(-1)


class Rounds:
    """Play all rounds once, and count the Lock Downs of player `me`."""

    def __init__(self, recording: "MatchRecording") -> None:
        self.player = MatchPlayer(recording)
        options = self.player.match.options
        self.total = self.me = 0
        while options.level_of(self.me) != PERSON and self.me + 1 < options.players:
            self.me += 1

    def work(self, clock: "Clock", now_ms: int) -> bool:
        """Play on in the rest of a frame that began at `now_ms`; return whether this is finished."""
        player = self.player
        while True:
            if player.is_round_over():
                self.total += player.match.seats[self.me].game.lock_downs
                if not player.begin_next():
                    return True
            player.advance(player.match.time_ms + _COUNT_MS)
            if ticks_diff(clock.ticks_ms(), now_ms) >= BUDGET_MS:
                return False


class MatchReviewer(Reviewer):
    """Review one player through all rounds.

    me: the player. local: number of the Tetrimino in its round. placed, hold_then: of the last Lock Down; placed is -1
    before. entered, held: the Tetrimino and Hold when it came into play.
    """

    def __init__(self, recording: "MatchRecording", variant: int) -> None:
        self.prepare(recording, variant)
        self.line = Rounds(recording)
        self.me = self.line.me
        self.local = self.hold_then = self.entered = self.held = 0
        self.placed = _NONE

    def begin(self) -> None:
        self.total = self.line.total
        self.line = None  # two matches would take twice the memory
        self.player = MatchPlayer(self.recording)
        self.judge = Judge()
        self.sit()
        self.step = ENTER if self.total else DONE

    def sit(self) -> None:
        """Watch the player's seat in this round."""
        seat: "Any" = self.player.match.seats[self.me]
        seat.match = self.see
        self.game = seat.game
        self.local = 0

    def see(self, game: "Game") -> None:
        """Note the place of a Lock Down, in the Pattern Phase."""
        piece = self.entered
        if game.hold != self.held:
            piece = self.held
        self.placed = read_place(piece, game.facing, game.x, game.y) if piece else _NONE
        self.hold_then = game.hold

    def enter(self) -> None:
        """Go on to the moment when the next Tetrimino comes into play, perhaps in the next round."""
        game = self.game
        player = self.player
        match = player.match
        if player.is_round_over():
            if player.begin_next():
                self.sit()
            else:
                self.step = DONE
        elif game.over:
            player.advance(match.time_ms + _COUNT_MS)
        elif game.piece:
            self.entered = game.piece
            self.held = game.hold
            self.placed = _NONE
            self.search(game)
        else:
            player.advance(match.time_ms + max(1, (game.wait_us + 999) // 1000))

    def play(self) -> None:
        """Go on to the Lock Down, or to the end of the round."""
        player = self.player
        player.advance(player.match.time_ms + _PLAY_MS)
        game = self.game
        if game.lock_downs > self.local:
            self.local = game.lock_downs
            if self.placed >= 0:
                self.judge.weigh(self.placed, game.spun, self.hold_then)
            self.step = WEIGH
        elif game.over or player.is_round_over():
            self.step = ENTER
