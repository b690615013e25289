"""Start bots in separate processes."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sim.bots.process import Bot
from sim.bots.protocol import read_message, write_message
from tools.bots.bot_server import serve

GENEROUS_S = 60.0  # reached only by a test that hangs
TBP = f'"{sys.executable}" -m tools.bots tbp'
EMPTY: list[list[str | None]] = [[None] * 10 for _ in range(40)]
SUGGEST = {"type": "suggest"}

# Functions of a bot; a test appends its fault.
STUB = """
import json, sys
def say(**message):
    print(json.dumps(message), flush=True)
def wait_for(kind):
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == kind:
            return message
    sys.exit()
def drop(piece, x=4, y=0):
    return {"location": {"type": piece, "orientation": "north", "x": x, "y": y}, "spin": "none"}
def greet():
    say(type="info", name="Stub", version="1", author="nobody", features=[])
    wait_for("rules")
    say(type="ready")
    queue = wait_for("start")["queue"]
    wait_for("suggest")
    return queue
"""


def start(queue: str, hold: str | None = None, board: list[list[str | None]] = EMPTY, **more: object) -> dict[str, Any]:
    position = {"hold": hold, "queue": list(queue), "combo": 0, "back_to_back": False, "board": board}
    return {"type": "start", **position, **more}


def talk(bot: Any, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a bot's answers to these messages, without its `info`."""
    sink = io.BytesIO()
    serve(bot, io.BytesIO(b"".join(write_message(message) for message in messages)), sink)
    return [read_message(line) for line in sink.getvalue().splitlines()][1:]


@contextmanager
def start_patient_bot(command: str) -> Iterator[Bot]:
    with Bot(command, GENEROUS_S) as bot:
        bot.goodbye_s = GENEROUS_S
        yield bot


def write_stub_bot(folder: Path, text: str) -> str:
    path = folder / "stub.py"
    path.write_text(STUB + text, encoding="utf-8")
    return f'"{sys.executable}" -I -S "{path}"'
