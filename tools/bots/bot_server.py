"""Define the base class of our Tetris Bot Protocol bots, and connect them to a host."""

import queue
import threading
from collections.abc import Iterator
from typing import BinaryIO

from sim.bots.process import Partner
from sim.bots.protocol import LETTERS, Message, Move, read_message, read_move, read_piece, read_pieces, write_message

STRONG_MS = 100  # default CPU time of the strong player for each piece

_BAG = list(range(1, 8))


class BotServer:
    """Answer the messages of a host.

    name, features: sent to the host.  hold, queue: from the host; the queue starts with the piece in play.
    bag: the pieces left in the bag after the queue, empty if unknown.  ponders: whether it thinks between questions.
    at_play: whether there is a position, between `start` and `stop`.
    """

    name = ""
    features: tuple[str, ...] = ("randomizer", "move_info")
    ponders = False

    def __init__(self) -> None:
        self.hold = 0
        self.queue: list[int] = []
        self.bag: list[int] = []
        self.at_play = False

    def answer(self, message: Message) -> Message | None:
        """Process one message and return the answer, if there is one; raise ValueError for a malformed message."""
        kind = message["type"]
        if kind == "rules":
            self.prepare()
            return {"type": "ready"}
        if kind == "start":
            self.read_pieces(message)
            self.start(message)
            self.at_play = True
        elif kind == "stop":
            self.at_play = False
        elif kind == "suggest":
            move, info = self.suggest() if self.at_play and self.known() else (None, {})
            if not move:
                return {"type": "suggestion", "moves": []}
            return {"type": "suggestion", "moves": [move.as_json()], "move_info": info}
        elif kind == "play":
            self.play(read_move(message.get("move")))
        elif kind == "new_piece":
            self.append(read_piece(message.get("piece")))
        else:
            self.accept_other(message)
        return None

    def read_pieces(self, message: Message) -> None:
        """Read Hold, queue and bag of a start message."""
        hold = message.get("hold")
        self.hold = read_piece(hold) if hold else 0
        self.queue = read_pieces(message.get("queue"))
        randomizer = message.get("randomizer")
        known = isinstance(randomizer, dict) and randomizer.get("type") == "seven_bag"
        self.bag = read_pieces(randomizer.get("bag_state")) if known and isinstance(randomizer, dict) else []

    def append(self, piece: int) -> None:
        self.queue.append(piece)
        if piece in self.bag:
            self.bag.remove(piece)
            self.bag = self.bag or _BAG[:]

    def known(self) -> list[int]:
        """Return the queue, plus the last piece of the bag if only one is left."""
        return self.queue + (self.bag if len(self.bag) == 1 else [])

    def take_piece(self, piece: int) -> bool:
        """Remove a move's piece from the queue, by Hold if needed; return whether it could be played."""
        if self.queue and piece != self.queue[0]:
            held = self.queue.pop(0)
            if self.hold:
                self.queue.insert(0, self.hold)
            self.hold = held
        if not self.queue or piece != self.queue[0]:
            return False
        self.queue.pop(0)
        return True

    def play(self, move: Move) -> None:
        """Apply a played move; raise ValueError if it is impossible."""
        if not self.at_play:
            raise ValueError("a play without a start")
        held = not self.queue or move.piece != self.queue[0]
        if not self.take_piece(move.piece) or not self.fits(move):
            raise ValueError(f"{LETTERS[move.piece]} cannot be played there")
        self.lock_down(move, held)

    # -- for subclasses ------------------------------------------------------------------

    def prepare(self) -> None:
        """Do slow preparations before the bot is ready."""

    def start(self, message: Message) -> None:
        raise NotImplementedError

    def suggest(self) -> tuple[Move | None, Message]:
        """Return a move, or None if there is none, and its move_info; there is a position with a piece in play."""
        raise NotImplementedError

    def fits(self, move: Move) -> bool:
        """Return whether a played move is possible, if `lock_down` does not find out."""
        return True

    def lock_down(self, move: Move, held: bool) -> None:
        """Apply a played move, whose piece has left the queue, by Hold if `held`."""
        raise NotImplementedError

    def accept_other(self, message: Message) -> None:
        """Accept a message of another kind, or ignore it."""

    def ponder(self) -> bool:
        """Think briefly while no question waits; return False if there is nothing to think about."""
        return False


def serve(bot: BotServer, source: BinaryIO, sink: BinaryIO) -> None:
    """Serve a host until it quits; raise ValueError with one line for a malformed message."""

    def say(message: Message) -> None:
        sink.write(write_message(message))
        sink.flush()

    features = list(bot.features)
    say({"type": "info", "name": bot.name, "version": "1", "author": "the Skyline developers", "features": features})
    for line in _read_pondering(bot, source) if bot.ponders else source:
        if not line.strip():
            continue
        message = read_message(line)
        if message["type"] == "quit":
            return
        answer = bot.answer(message)
        if answer:
            say(answer)


def _read_pondering(bot: BotServer, source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a host; let the bot think between them."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # Unbuffered: at exit a thread that still reads would hold the buffer's lock and abort the process.
    unbuffered = getattr(source, "raw", source)

    def read() -> None:
        for line in unbuffered:
            lines.put(line)
        lines.put(b"")

    threading.Thread(target=read, daemon=True).start()
    while True:
        while lines.empty() and bot.ponder():
            pass
        line = lines.get()
        if not line:
            return
        yield line


class InProcessBot(Partner):
    """Run one of our bots in this process; a host calls the same methods as for a bot in a process."""

    def __init__(self, bot: BotServer) -> None:
        super().__init__(bot.name)
        self.bot = bot
        self.features = list(bot.features)
        self._answers: list[Message] = []

    def send(self, message: Message) -> None:
        answer = self.bot.answer(message)
        if answer:
            self._answers.append(answer)

    def receive(self, kind: str) -> Message:
        while True:
            answer = self._answers.pop(0)
            if answer["type"] == kind:
                return answer

    def greet(self) -> None:
        """Send the bot the rules at the first call."""
        if not self.greeted:
            self.greeted = True
            self.send({"type": "rules"})
            self.receive("ready")
