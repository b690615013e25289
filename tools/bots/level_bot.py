"""Be a bot of the Tetris Bot Protocol: a level of computer player as on a board, asked for its places alone."""

from __future__ import annotations

from typing import BinaryIO

from firmware.engine import scoring
from firmware.engine.matrix import Matrix
from firmware.engine.options import Options
from firmware.engine.profiles import PROFILES
from firmware.players.levels import NAMES
from firmware.players.opening import HELD
from firmware.players.player import Player
from tools.bots.protocol import (
    LETTERS,
    Message,
    Move,
    find_place,
    find_places,
    read_matrix,
    read_message,
    read_move,
    read_piece,
    read_pieces,
    write_message,
)

FEATURES = ["randomizer", "move_info"]

_UNITS = 2640  # a second of a board's thought
_BAG = list(range(1, 8))


class Position:
    """Hold what a Player looks at of a Game, where the protocol tells it instead."""

    def __init__(self, matrix: Matrix, chain: bool) -> None:
        self.matrix = matrix
        self.chain = int(chain)
        self.piece = self.hold = self.lock_downs = self.time_ms = 0
        self.held = False
        self.next = bytearray(6)
        self.options = Options()


class LevelBot:
    """Answer the messages of a host; the same messages get the same answers.

    hold, queue: as told, the piece in play first.  bag: what is left in it behind the queue, or nothing where the host
    does not tell.
    """

    def __init__(self, level: int) -> None:
        self.name = f"Skyline {NAMES[level - 1]}"
        self.player = Player(level)
        self.position: Position | None = None
        self.hold = 0
        self.queue: list[int] = []
        self.bag: list[int] = []

    def answer(self, message: Message) -> Message | None:
        """Take in one message and return the answer to it, if there is one; raise ValueError for nonsense."""
        kind = message["type"]
        if kind == "rules":
            return {"type": "ready"}
        if kind == "start":
            self.start(message)
        elif kind == "stop":
            self.position = None
        elif kind == "suggest":
            move = self.suggest()
            if not move:
                return {"type": "suggestion", "moves": []}
            info = {"depth": max(1, self.player.beam.ply.number - self.player.number)}
            return {"type": "suggestion", "moves": [move.as_json()], "move_info": info}
        elif kind == "play":
            self.play(read_move(message.get("move")))
        elif kind == "new_piece":
            self.append(read_piece(message.get("piece")))
        return None

    def start(self, message: Message) -> None:
        """Begin with a position."""
        self.position = Position(read_matrix(message.get("board")), message.get("back_to_back") is True)
        hold = message.get("hold")
        self.hold = read_piece(hold) if hold else 0
        self.queue = read_pieces(message.get("queue"))
        randomizer = message.get("randomizer")
        known = isinstance(randomizer, dict) and randomizer.get("type") == "seven_bag"
        self.bag = read_pieces(randomizer.get("bag_state")) if known and isinstance(randomizer, dict) else []
        self.player.watch(self.position)

    def append(self, piece: int) -> None:
        """Take in that a piece is at the end of the queue."""
        self.queue.append(piece)
        if piece in self.bag:
            self.bag.remove(piece)
            self.bag = self.bag or _BAG[:]

    def suggest(self) -> Move | None:
        """Return where to play the piece in play, or the one to be held for it; None where nothing can be played."""
        game, player = self.position, self.player
        # Of a bag with one piece left that one comes next.
        queue = self.queue + (self.bag if len(self.bag) == 1 else [])
        if not game or not queue:
            return None
        game.hold, game.held = self.hold, False
        if not self.hold and player.holds_first and len(self.queue) > 1:
            # As a board's player does: from then on each one can be had now or later.
            game.hold, game.held = queue.pop(0), True
        game.piece = queue[0]
        game.next[:] = bytes(queue[1:7]).ljust(6, b"\0")
        player.notice(game)
        return self.choose(game) or self.find_any(game)

    def choose(self, game: Position) -> Move | None:
        """Think, and return the best place that can be reached."""
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
        """Return the move to a place as a Player numbers it, or None where nothing leads there."""
        at, x = (place & 31) * 10, place >> 5 & 15
        piece = at // 40 + 1
        y = place >> 9 & 31 if place >> 14 & 7 else self.player.beam.root.land(at, x)
        if piece != (game.hold if place & HELD else game.piece):
            return None
        places = find_places(game.matrix, piece)
        wanted = Move(piece, at // 10 & 3, x - (PROFILES[at] & 15), y - (PROFILES[at] >> 4), 0)
        # What is worth most of what is there.
        found = places and find_place(places, wanted._replace(spin=2))
        return Move(piece, *found[:4]) if found else None

    def find_any(self, game: Position) -> Move | None:
        """Return the lowest place, where no other is worth a thought."""
        for piece in (game.piece, 0 if game.held else game.hold):
            places = find_places(game.matrix, piece) if piece else None
            if places:
                return Move(piece, *min(places, key=lambda place: place.y)[:4])
        return None

    def play(self, move: Move) -> None:
        """Take in what was played; raise ValueError where that cannot be."""
        game, queue = self.position, self.queue
        if not game:
            raise ValueError("a play without a start")
        if queue and move.piece != queue[0]:
            held = queue.pop(0)
            if self.hold:
                queue.insert(0, self.hold)
            self.hold = held
        masks = game.matrix.masks
        free = all(0 <= x < 10 and 0 <= y < 40 and not masks[y] >> x + 3 & 1 for x, y in move.cells())
        if not queue or move.piece != queue[0] or not free:
            raise ValueError(f"{LETTERS[move.piece]} cannot be played there")
        queue.pop(0)
        game.matrix.lock(move.piece, move.x, move.y, (move.piece - 1) * 16 + move.facing * 4)
        hits = bytearray(4)
        lines = game.matrix.mark_full(move.y, hits)
        game.matrix.collapse(hits, lines)
        game.chain = scoring.follow_chain(move.spin, lines, game.chain)
        game.lock_downs += 1


def serve(bot: LevelBot, source: BinaryIO, sink: BinaryIO) -> None:
    """Talk to a host until it quits; raise ValueError with one line where it speaks nonsense."""

    def say(message: Message) -> None:
        sink.write(write_message(message))
        sink.flush()

    say({"type": "info", "name": bot.name, "version": "1", "author": "the Skyline developers", "features": FEATURES})
    for line in source:
        if not line.strip():
            continue
        message = read_message(line)
        if message["type"] == "quit":
            return
        answer = bot.answer(message)
        if answer:
            say(answer)
