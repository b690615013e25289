"""Let a bot of the Tetris Bot Protocol take a computer player's seat in a match."""

from __future__ import annotations

import time

from firmware.engine.controls import HARD_DROP, HOLD
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.players.player import IDLE
from tools.bots.host import Dialogue, straighten
from tools.bots.places import Places, find_edges
from tools.bots.process import Bot, Fault
from tools.bots.protocol import Message, Move, find_place
from tools.bots.snapshot import restore, snapshot

_MOST_ROWS = 2  # that a Tetrimino falls while it is looked at


class Rival:
    """Play a game of a match as a Player does, see firmware/players/player.py: `look` after each `advance` of it.

    pace_ms: from a generation to the presses, which come at once; less where it falls fast.
    think_s: for so long it may think on before it is asked.
    lost: by what, in words that follow the name of the bot; from then on nothing is pressed.
    """

    def __init__(self, bot: Bot, game: Game, pace_ms: int, think_s: float = 0.0) -> None:
        self.bot = bot
        self.pace_ms = pace_ms
        self.think_s = think_s
        self.lost = ""
        self.watch(game)

    def watch(self, game: Game) -> None:
        """Begin to play a game."""
        self.game = game
        self.dialogue = Dialogue(self.bot, game, game.options.next_count)
        self.copy = Game(1, game.options, Mode())
        self.number = -1
        self.greeted = False
        self.said: Message | None = None
        self.edges: list[tuple[int, int, int]] = []
        self.due_ms = IDLE
        self.button = self.pressed = 0

    def prepare(self) -> None:
        """Have the next edge ready."""
        if self.edges:
            self.button, self.pressed, self.due_ms = self.edges.pop(0)
        else:
            self.due_ms = IDLE

    def look(self, pool: int = 0) -> int:
        """See what happened; ask the bot where it is time to. It thinks in time of its own, not of the match."""
        game = self.game
        if game.over or self.lost:
            self.due_ms = IDLE
        elif game.piece and game.lock_downs != self.number:
            wait_ms = min(self.pace_ms, _MOST_ROWS * game.interval_us // 1000)
            if game.time_ms >= game.entered_ms + wait_ms:
                self.number = game.lock_downs
                try:
                    self.decide()
                except Fault as fault:
                    self.lost = str(fault)
        return pool

    def decide(self) -> None:
        """Tell the bot what was played since, or all of it again, and plan its move."""
        game, dialogue = self.game, self.dialogue
        if not self.greeted:
            self.bot.greet()
            self.greeted = True
            dialogue.start()
        elif self.said and self.copy.matrix.masks == game.matrix.masks:
            self.bot.send({"type": "play", "move": self.said})
            dialogue.show_queue()
        else:
            self.bot.send({"type": "stop"})
            dialogue.start()
        time.sleep(self.think_s)
        move, self.said = dialogue.ask()
        if not self.plan(move):
            # It has fallen too far for that, which is none of the bot's faults.
            self.said = None
            self.edges = [(HARD_DROP, 1, game.now_ms), (HARD_DROP, 0, game.now_ms)]
            dialogue.queue.pop(0)
        self.edges = [(button, pressed, t_ms - game.now_ms + game.time_ms) for button, pressed, t_ms in self.edges]
        self.prepare()

    def plan(self, move: Move) -> bool:
        """Find the edges of a move by playing it in a copy of the game; return whether it can be."""
        copy = self.copy
        restore(copy, snapshot(self.game))
        self.edges = []
        if move.piece != copy.piece:
            for pressed in (1, 0):
                self.edges.append((HOLD, pressed, copy.now_ms))
                copy.input(HOLD, pressed, copy.now_ms)
        places = Places(copy)
        place = find_place(places, move)
        try:
            if not place:
                return False
            self.edges += find_edges(copy, straighten(copy, places.steps(place), place))
        except ValueError:
            return False
        self.dialogue.take(move)
        while not copy.piece and not copy.over:
            copy.advance(copy.now_ms + max(1, -(-copy.wait_us // 1000)))
        return True
