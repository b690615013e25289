"""Start bots as processes of their own."""

from __future__ import annotations

import sys
from pathlib import Path

GENEROUS_S = 60.0  # nobody waits for it: it is there for a test that hangs


TBP = f'"{sys.executable}" -m tools.bots tbp'


# Greets, and reads what comes; each fault follows.
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


def stub(folder: Path, text: str) -> str:
    """Return the command of a bot that does this."""
    path = folder / "stub.py"
    path.write_text(STUB + text, encoding="utf-8")
    return f'"{sys.executable}" -I -S "{path}"'
