"""Be a bot of the Tetris Bot Protocol: what all of ours have in common, and how they talk to a host."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import BinaryIO

from sim.bots.process import Partner
from sim.bots.protocol import Message, Move, read_message, read_move, read_piece, read_pieces, write_message

_BAG = list(range(1, 8))


class Answerer:
    """Answer the messages of a host.

    name, features: as it says.  hold, queue: as told, the piece in play first.  bag: what is left in it behind the
    queue, or nothing where the host does not tell.  ponders: it has something to do while nobody asks.
    """

    name = ""
    features: tuple[str, ...] = ("randomizer", "move_info")
    ponders = False

    def __init__(self) -> None:
        self.hold = 0
        self.queue: list[int] = []
        self.bag: list[int] = []

    def answer(self, message: Message) -> Message | None:
        """Take in one message and return the answer to it, if there is one; raise ValueError for nonsense."""
        kind = message["type"]
        if kind == "rules":
            self.prepare()
            return {"type": "ready"}
        if kind == "start":
            self.read_pieces(message)
            self.start(message)
        elif kind == "stop":
            self.stop()
        elif kind == "suggest":
            move, info = self.suggest()
            if not move:
                return {"type": "suggestion", "moves": []}
            return {"type": "suggestion", "moves": [move.as_json()], "move_info": info}
        elif kind == "play":
            self.play(read_move(message.get("move")))
        elif kind == "new_piece":
            self.append(read_piece(message.get("piece")))
        else:
            self.hear(message)
        return None

    def read_pieces(self, message: Message) -> None:
        """Take in Hold, queue and bag of a start."""
        hold = message.get("hold")
        self.hold = read_piece(hold) if hold else 0
        self.queue = read_pieces(message.get("queue"))
        randomizer = message.get("randomizer")
        known = isinstance(randomizer, dict) and randomizer.get("type") == "seven_bag"
        self.bag = read_pieces(randomizer.get("bag_state")) if known and isinstance(randomizer, dict) else []

    def append(self, piece: int) -> None:
        """Take in that a piece is at the end of the queue."""
        self.queue.append(piece)
        if piece in self.bag:
            self.bag.remove(piece)
            self.bag = self.bag or _BAG[:]

    def known(self) -> list[int]:
        """Return the queue, and what must come next: of a bag with one piece left that one."""
        return self.queue + (self.bag if len(self.bag) == 1 else [])

    def take(self, piece: int) -> bool:
        """Take from Hold and queue what a move plays, maybe with Hold; return whether it is there."""
        if self.queue and piece != self.queue[0]:
            held = self.queue.pop(0)
            if self.hold:
                self.queue.insert(0, self.hold)
            self.hold = held
        if not self.queue or piece != self.queue[0]:
            return False
        self.queue.pop(0)
        return True

    # -- what each does in its own way ------------------------------------------------------------------

    def prepare(self) -> None:
        """Do what takes long, before it is ready."""

    def start(self, message: Message) -> None:
        """Begin with a position."""
        raise NotImplementedError

    def stop(self) -> None:
        """Forget the position."""

    def suggest(self) -> tuple[Move | None, Message]:
        """Return a move, or None where there is none, and what is to be said of it."""
        raise NotImplementedError

    def play(self, move: Move) -> None:
        """Take in what was played; raise ValueError where that cannot be."""
        raise NotImplementedError

    def hear(self, message: Message) -> None:
        """Take in a message of another kind, or ignore it."""

    def ponder(self) -> bool:
        """Think a moment while nobody asks; return False where there is nothing to think about."""
        return False


def serve(bot: Answerer, source: BinaryIO, sink: BinaryIO) -> None:
    """Talk to a host until it quits; raise ValueError with one line where it speaks nonsense."""

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


def _read_pondering(bot: Answerer, source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a host; think as long as none has come."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # Without a buffer: its lock, held by who still reads when this process ends, would abort it.
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


class Inside(Partner):
    """A bot of ours in this very process, as whoever hosts it sees it."""

    def __init__(self, bot: Answerer) -> None:
        super().__init__(bot.name)
        self.bot = bot
        self.features = list(bot.features)
        self._answers: list[Message] = []

    def send(self, message: Message) -> None:
        """Have it take in a message."""
        answer = self.bot.answer(message)
        if answer:
            self._answers.append(answer)

    def receive(self, kind: str) -> Message:
        """Return its next message of a kind."""
        while True:
            answer = self._answers.pop(0)
            if answer["type"] == kind:
                return answer

    def greet(self) -> None:
        """Tell it the rules, once."""
        if not self.greeted:
            self.greeted = True
            self.send({"type": "rules"})
            self.receive("ready")
