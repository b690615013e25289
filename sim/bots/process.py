"""Talk to a program by the Tetris Bot Protocol; whatever it does, every wait has a limit."""

from __future__ import annotations

import errno
import os
import queue
import shlex
import subprocess
import threading
import time
from shutil import which
from typing import Any

from sim.bots.guarded import MOST_MEMORY_BYTES, Guarded
from sim.bots.protocol import Message, read_message, show, write_message

ANSWER_S = 10.0  # limit for a bot's answer

_LONGEST = 1 << 20  # bytes of a line
_LONGEST_NAME = 60
_MOST_UNASKED = 1000  # messages of other types than the awaited one
_MOST_UNREAD = 1000  # messages that a bot has not read
_MOST_WAITING = 64  # lines of a bot that we have not read; each may be long
_STDERR_BYTES = 500


class Fault(Exception):
    """The reason why a bot loses, in words that can follow its name.

    sign: the same in at most seven capitals, for a screen of 64 pixels.
    """

    def __init__(self, words: str, sign: str = "ERRED") -> None:
        super().__init__(words)
        self.sign = sign


def split_command(command: str) -> list[str]:
    """Return a program and its arguments; raise ValueError for a command that names none."""
    words = shlex.split(command, posix=os.name == "posix")
    if not words:
        raise ValueError("the command is empty")
    return words


def _read_text(said: object, otherwise: str) -> str:
    """Return what a bot says of itself, fit to print in a line."""
    if not isinstance(said, str) or not said.strip():
        return otherwise
    return said if said.isprintable() and len(said) <= _LONGEST_NAME else show(said)


def start_bot(command: str | list[str], answer_s: float = ANSWER_S) -> Bot:
    """Start a bot; raise ValueError with one line if that fails."""
    try:
        return Bot(command, answer_s)
    except OSError as error:
        raise ValueError(f"cannot start {command}: {error.strerror or error}") from error
    except ValueError as error:
        raise ValueError(f"cannot read the command {command!r}: {error}") from error


class Partner:
    """A bot as a context manager; see Bot, and `InProcessBot` of bot_server.py.

    name, version, features: from its `info` message.  answer_s: limit for an answer.
    greeted: whether it knows the rules.  at_play: whether a game was started.
    """

    def __init__(self, name: str, answer_s: float = ANSWER_S) -> None:
        self.name = name
        self.version = ""
        self.answer_s = answer_s
        self.features: list[object] = []
        self.greeted = self.at_play = False

    def __enter__(self) -> Partner:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """End the conversation."""

    def send(self, message: Message) -> None:
        """Send a message; raise Fault if the bot does not read."""
        raise NotImplementedError

    def receive(self, kind: str) -> Message:
        """Return the bot's next message of type `kind`, drop others; raise Fault if none comes in time."""
        raise NotImplementedError

    def greet(self) -> None:
        """Read the bot's name and send it the rules, once; raise Fault if it does not get ready."""
        raise NotImplementedError


class Bot(Partner):
    """A bot's program as a context manager, which ends it.

    name: its command until it sends a name.  ready_s: limit for `ready`, because a bot may have to compile.
    goodbye_s: limit for ending after `quit`.  A Ctrl+C at our terminal does not reach it.
    """

    ready_s = 90.0
    goodbye_s = 5.0

    def __init__(
        self, command: str | list[str], answer_s: float = ANSWER_S, memory_bytes: int = MOST_MEMORY_BYTES
    ) -> None:
        """Start the program; raise OSError if that fails, ValueError for a command that cannot be split."""
        words = split_command(command) if isinstance(command, str) else command
        super().__init__(" ".join(words), answer_s)
        self.command = command
        try:
            self._guarded = Guarded(words, memory_bytes)
        except PermissionError:
            if os.path.dirname(words[0]) or which(words[0], os.F_OK):
                raise
            # The system says so of an absent program if PATH has a folder that this user may not search.
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), words[0]) from None
        self.process = self._guarded.process
        self._received: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        self._to_send: queue.Queue[bytes] = queue.Queue(_MOST_UNREAD)
        self._stderr_end = b""
        self._closing = False
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._read_stdout, self._write_stdin, self._read_stderr)
        ]
        for thread in self._threads:
            thread.start()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the command only: a copy starts a new process, which knows no game."""
        return start_bot, (self.command, self.answer_s), {"name": self.name, "goodbye_s": self.goodbye_s}

    def __enter__(self) -> Bot:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Ask the bot to quit; then, or if it does not, or after an exception, kill all of its processes."""
        self._closing = True
        try:
            self.send({"type": "quit"})
            self._to_send.put_nowait(b"")
            self.process.wait(0 if kind else self.goodbye_s)
        except (Fault, queue.Full, subprocess.TimeoutExpired):
            pass
        self._guarded.kill()
        while not self._received.empty():
            self._received.get()  # the reading thread may wait for room
        for thread in self._threads:
            thread.join(self.goodbye_s)

    # -- the bot's streams, each in its own thread -------------------------------------------------------

    def _read_stdout(self) -> None:
        assert self.process.stdout
        with self.process.stdout as stream:
            while True:
                line = stream.readline(_LONGEST)
                self._received.put(line)  # blocks while the queue is full
                if not line or self._closing:
                    return

    def _write_stdin(self) -> None:
        assert self.process.stdin
        try:
            with self.process.stdin as stream:
                while line := self._to_send.get():
                    stream.write(line)
                    stream.flush()
        except OSError:
            pass  # the bot has ended; receive() reports that

    def _read_stderr(self) -> None:
        """Keep the end of stderr, which says why a bot died."""
        assert self.process.stderr
        with self.process.stderr as stream:
            while said := stream.read1(_STDERR_BYTES):  # type: ignore[attr-defined]
                self._stderr_end = (self._stderr_end + said)[-_STDERR_BYTES:]

    # -- messages ----------------------------------------------------------------------------------------

    def send(self, message: Message) -> None:
        try:
            self._to_send.put_nowait(write_message(message))
        except queue.Full:
            raise Fault("does not read what it is told", "HANGS") from None

    def receive(self, kind: str) -> Message:
        answer_s = max(self.answer_s, self.ready_s) if kind == "ready" else self.answer_s
        until_s = time.monotonic() + answer_s
        for _ in range(_MOST_UNASKED):
            try:
                line = self._received.get(timeout=max(0.0, until_s - time.monotonic()))
            except queue.Empty:
                raise Fault(f"said no {kind} within {answer_s:g} s", "HANGS") from None
            if not line:
                raise Fault(self._describe_end(), "DIED")
            if len(line) == _LONGEST:
                raise Fault(f"floods: a line of more than {_LONGEST} bytes", "FLOODS")
            if not line.strip():
                continue
            try:
                message = read_message(line)
            except ValueError as problem:
                raise Fault(f"speaks nonsense: {problem}") from None
            if message["type"] == "error":
                raise Fault(f"refuses to play: {show(message.get('reason'))}", "REFUSES")
            if message["type"] == kind:
                return message
        raise Fault(f"floods: {_MOST_UNASKED} messages that nobody asked for", "FLOODS")

    def _describe_end(self) -> str:
        try:
            code = self.process.wait(self.goodbye_s)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._threads[-1].join(self.goodbye_s)
        said = self._stderr_end.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        return f"died with exit code {code}" + (f": {show(last, _STDERR_BYTES)}" if last else "")

    def greet(self) -> None:
        if self.greeted:
            return
        info = self.receive("info")
        self.name = _read_text(info.get("name"), self.name)
        self.version = _read_text(info.get("version"), "")
        features = info.get("features")
        self.features = features if isinstance(features, list) else []
        rules: Message = {"type": "rules"}
        if "randomizer" in self.features:
            rules["randomizer"] = "seven_bag"
        self.send(rules)
        self.receive("ready")
        self.greeted = True
