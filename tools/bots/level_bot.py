"""A bot of the Tetris Bot Protocol that plays like a computer player of one level."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from firmware.engine import scoring
from firmware.engine.matrix import Matrix
from firmware.engine.options import Options
from firmware.engine.profiles import PROFILES
from firmware.players.levels import LEVELS, NAMES
from firmware.players.opening import HELD
from firmware.players.player import UNITS, Player
from sim.bots.protocol import Message, Move, find_place, find_places, read_matrix
from sim.terminal import read_whole
from tools.bots.bot_server import BotServer

if TYPE_CHECKING:
    from firmware.engine.game import Game as Base  # so that type checkers accept a Position as a Game
else:
    Base = object

LEVEL_NAMES = [name.decode() for name in NAMES[:LEVELS]]

_UNITS = 60 * UNITS  # units of thought that a board does in a second


class Position(Base):
    """The parts of a Game that a Player reads, filled from the protocol."""

    def __init__(self, matrix: Matrix, chain: bool) -> None:
        self.matrix = matrix
        self.chain = int(chain)
        self.piece = self.hold = self.lock_downs = self.time_ms = 0
        self.held = False
        self.next = bytearray(6)
        self.options = Options()


class LevelBot(BotServer):
    """Answer the messages of a host; equal messages get equal answers."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self.name = f"Skyline {LEVEL_NAMES[level - 1]}"
        self.player = Player(level)
        self.position = Position(Matrix(), False)

    def start(self, message: Message) -> None:
        self.position = Position(read_matrix(message.get("board")), message.get("back_to_back") is True)
        self.player.watch(self.position)

    def suggest(self) -> tuple[Move | None, Message]:
        """Return a move of the piece in play or of the held one; None if neither can be played."""
        game, player = self.position, self.player
        queue = self.known()
        game.hold, game.held = self.hold, False
        if not self.hold and player.holds_first and len(self.queue) > 1:
            # Hold the first piece, as a computer player does: then each later piece can be played or held.
            game.hold, game.held = queue.pop(0), True
        game.piece = queue[0]
        game.next[:] = bytes(queue[1:7]).ljust(6, b"\0")
        player.notice(game)
        move = self.choose(game) or self.find_any(game)
        return move, {"depth": max(1, player.beam.ply.number - player.number)}

    def choose(self, game: Position) -> Move | None:
        """Think; return the move to the best reachable place."""
        player, beam = self.player, self.player.beam
        while True:
            beam.think(_UNITS)
            while not beam.is_ready(player.number):
                beam.think(_UNITS)
            place = beam.choose(player.number)
            if place < 0:
                if not player.try_anything(game):
                    return None
                continue
            slips = player.slips and player.random.below(256) < player.slips
            for tried in (player.slip(place), place) if slips else (place,):
                move = self.reach(game, tried)
                if move:
                    player.expect(tried)
                    beam.commit(player.number, tried)
                    return move
            beam.sift(player.number, place, False)

    def reach(self, game: Position, place: int) -> Move | None:
        """Return the move to a place in a Player's numbering, or None if it cannot be reached."""
        at, x = (place & 31) * 10, place >> 5 & 15
        piece = at // 40 + 1
        y = place >> 9 & 31 if place >> 14 & 7 else self.player.beam.root.land(at, x)
        if piece != (game.hold if place & HELD else game.piece):
            return None
        places = find_places(game.matrix, piece)
        wanted = Move(piece, at // 10 & 3, x - (PROFILES[at] & 15), y - (PROFILES[at] >> 4), 0)
        # Ask for the best spin into these cells.
        found = places and find_place(places, wanted._replace(spin=2))
        return Move(piece, *found[:4]) if found else None

    def find_any(self, game: Position) -> Move | None:
        """Return the lowest place, for when the Player finds none."""
        for piece in (game.piece, 0 if game.held else game.hold):
            places = find_places(game.matrix, piece) if piece else None
            if places:
                return Move(piece, *min(places, key=lambda place: place.y)[:4])
        return None

    def lock_down(self, move: Move, held: bool) -> None:
        game = self.position
        lines = move.lock(game.matrix)
        game.chain = scoring.follow_chain(move.spin, lines, game.chain)
        game.lock_downs += 1


def read_level(text: str) -> int:
    """Return a level's number from its number or its name."""
    if text.upper() in LEVEL_NAMES:
        return LEVEL_NAMES.index(text.upper()) + 1
    with suppress(ValueError):
        if 1 <= read_whole(text) <= LEVELS:
            return read_whole(text)
    raise argparse.ArgumentTypeError(f"no level {text!r}; there are 1 to {LEVELS}: {', '.join(LEVEL_NAMES)}")
