"""Play a computer player's seat in a match by a bot of the Tetris Bot Protocol."""

import time
from concurrent.futures import Future, ThreadPoolExecutor

from firmware.engine.controls import HARD_DROP, HOLD
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.match.seat import Seat
from firmware.players.player import IDLE
from sim.bots.host import Dialogue, straighten
from sim.bots.places import Places, play_steps
from sim.bots.process import Fault, Partner
from sim.bots.protocol import Message, Move, find_place
from sim.bots.snapshot import Snapshot, restore, snapshot

_MOST_ROWS = 2  # limit of a Tetrimino's fall before the presses
_NOTHING = -1


class Rival:
    """Play a game of a match like firmware/players/player.py: call `look` after each `advance` of the game.

    pace_ms: time from a generation to the presses, less if the Tetrimino falls fast.  gap_ms: time between two presses;
    0 presses all at once, as happens if the gaps would miss the place.
    think_s: how long the bot may think before it is asked.
    span_ms: if not 0, the mean time from one Hard Drop to the next, which replaces pace_ms.
    lost: None, or the Fault that lost the match. After it only Hard Drops are pressed, so that the match ends by its
    rules and its recording can be replayed.
    """

    def __init__(self, bot: Partner, game: Game, pace_ms: int, think_s: float = 0.0, gap_ms: int = 0) -> None:
        self.bot = bot
        self.pace_ms = pace_ms
        self.gap_ms = gap_ms
        self.think_s = think_s
        self.span_ms = 0
        self.lost: Fault | None = None
        self.watch(game)

    def watch(self, game: Game) -> None:
        self.game = game
        self.copy = type(game)(1, game.options, Mode())  # in MODERN it is of another class
        self.dialogue = Dialogue(self.bot, game, game.options.next_count)
        self.answered_lock_downs = _NOTHING
        self.last_move: Message | None = None
        self.edges: list[tuple[int, int, int]] = []
        self.due_ms = IDLE
        self.button = self.pressed = 0
        self.beat_ms = game.time_ms

    def prepare(self) -> None:
        if self.edges:
            self.button, self.pressed, self.due_ms = self.edges.pop(0)
        else:
            self.due_ms = IDLE

    @property
    def wait_ms(self) -> int:
        """The time from the generation to the presses; at least `guard_ms`, during which Hard Drop is ignored."""
        game = self.game
        guard_ms = 0 if game.hard_dropped else game.options.guard_ms
        pace_ms = self.beat_ms - game.entered_ms if self.span_ms else self.pace_ms
        return max(guard_ms, min(pace_ms, _MOST_ROWS * game.interval_us // 1000))

    @property
    def coming(self) -> int:
        """The lines in the Receiving Queue plus the lines that arrive before the presses."""
        seat = self.game.mode
        if not isinstance(seat, Seat):
            return 0
        flight, until_ms = seat.coming, self.game.entered_ms + self.wait_ms
        return seat.queued + sum(flight.lines[i] for i in range(flight.count) if flight.due_ms[i] <= until_ms)

    def look(self, pool: int = 0) -> int:
        """Ask the bot or press buttons if it is time; return `pool` unchanged: a bot uses no units of thought."""
        game = self.game
        if game.over:
            self.due_ms = IDLE
        elif game.piece and game.lock_downs != self.answered_lock_downs and self.due_ms == IDLE:
            late = game.time_ms >= game.entered_ms + self.wait_ms
            try:
                if not self.lost:
                    self.advance_bot(late)
                elif late:
                    self.drop()
            except Fault as fault:
                self.lose(fault)
        return pool

    def lose(self, fault: Fault) -> None:
        self.lost = fault
        self.pace_ms = self.span_ms = 0  # end the match quickly

    def wake(self) -> bool:
        """Tell the bot the rules, once, and return whether it knows them or has lost; here, wait for that."""
        try:
            if not self.lost:
                self.bot.greet()
        except Fault as fault:
            self.lose(fault)
        return True

    def advance_bot(self, late: bool) -> None:
        """Ask the bot and press its move once it is `late`; raise Fault. The match waits while the bot thinks."""
        if late:
            self.press_move(self.consult())

    def consult(self) -> tuple[Move, Message]:
        """Send the bot its last move, or the whole position; return its next move, parsed and as sent."""
        dialogue = self.dialogue
        self.bot.greet()
        if self.last_move and self.bot.at_play and self.copy.matrix.masks == dialogue.game.matrix.masks:
            self.bot.send({"type": "play", "move": self.last_move})
            dialogue.show_queue()
        else:
            dialogue.start()
        if "garbage" in self.bot.features:  # our extension: how many rows wait to rise
            self.bot.send({"type": "garbage", "rows": self.coming})
        time.sleep(self.think_s)
        return dialogue.ask()

    def press_move(self, answer: tuple[Move, Message]) -> None:
        """Press the buttons of a move. If the Tetrimino has fallen too far, which is not the bot's fault, drop it."""
        game = self.game
        self.answered_lock_downs = game.lock_downs
        self.beat_ms = max(self.beat_ms, game.time_ms - self.span_ms) + self.span_ms
        move, sent_move = answer
        if any(self.plan(move, gap_ms) for gap_ms in (self.gap_ms, 0)):
            self.last_move = sent_move
            self.edges = [(button, pressed, t_ms - game.now_ms + game.time_ms) for button, pressed, t_ms in self.edges]
            self.prepare()
        else:
            self.drop()

    def drop(self) -> None:
        """Press only Hard Drop; the bot will be sent the position that results."""
        self.answered_lock_downs = self.game.lock_downs
        self.last_move = None
        self.edges = [(HARD_DROP, pressed, self.game.time_ms) for pressed in (1, 0)]
        self.prepare()

    def plan(self, move: Move, gap_ms: int) -> bool:
        """Find the edges of a move by playing it in a copy of the game; return whether they lead there."""
        gap_ms = min(gap_ms, self.game.options.das_ms - 1)  # or Auto-Repeat would move it further
        copy = self.copy
        restore(copy, snapshot(self.game))
        self.edges = []
        if move.piece != copy.piece:
            for pressed in (1, 0):
                self.edges.append((HOLD, pressed, copy.now_ms))
                copy.input(HOLD, pressed, copy.now_ms)
                copy.advance(copy.now_ms + gap_ms * pressed)
        try:
            places = Places(copy, spins=copy.options.spins)
            place = find_place(places, move)
            if not place:
                return False
            self.edges += play_steps(copy, straighten(copy, places.steps(place), place), gap_ms)
        except ValueError:
            return False
        if (copy.facing, copy.x, copy.y, copy.spun) != place[:4]:
            return False
        self.dialogue.take_from_queue(move)
        while not copy.piece and not copy.over:
            copy.advance(copy.now_ms + max(1, -(-copy.wait_us // 1000)))
        return True


class LiveRival(Rival):
    """Play against a person: time passes while the bot thinks in its own process and a thread waits for it.

    It may think until its presses are due. If its Tetrimino locks down before that, the answer is ignored.
    """

    def __init__(self, bot: Partner, game: Game, pace_ms: int, gap_ms: int = 0) -> None:
        self.asker = ThreadPoolExecutor(1, "bot")
        self.waking: Future[bool] | None = None
        super().__init__(bot, game, pace_ms, 0.0, gap_ms)

    def watch(self, game: Game) -> None:
        super().watch(game)
        self.dialogue.game = type(game)(1, game.options, Mode())  # a copy that does not change while the bot thinks
        self.asked_lock_downs = _NOTHING
        self.answer: Future[tuple[Move, Message]] | None = None

    def wake(self) -> bool:
        self.waking = self.waking or self.asker.submit(super().wake)
        return self.waking.done()

    def advance_bot(self, late: bool) -> None:
        """Ask about the Tetrimino in play; if asked already, press the answer once `late`; raise Fault."""
        if self.answer and not self.answer.done():
            return
        game = self.game
        if self.asked_lock_downs == game.lock_downs:
            if late and self.answer:
                self.press_move(self.answer.result())
            return
        if self.answer and self.asked_lock_downs != self.answered_lock_downs:
            self.answer.result()  # too late to use, but it may raise Fault
            self.last_move = None
        self.asked_lock_downs = game.lock_downs
        self.think_s = self.wait_ms / 1000
        self.answer = self.asker.submit(self.consult_on, snapshot(game))

    def consult_on(self, state: Snapshot) -> tuple[Move, Message]:
        restore(self.dialogue.game, state)
        return self.consult()
