"""Record games of the strong player with one beginner's fault put in: `python -m tests.support.faults` writes them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.recorded import RECORDINGS
from tools.bots.bot_server import InProcessBot
from tools.bots.strong.bot import StrongBot
from tools.review.planted import FAULTS, FaultyHost

FOLDER = RECORDINGS / "faults"
PIECES = 50
SEED = 38

_NODES = 4000


def record(kind: str) -> tuple[bytes, int]:
    """Return the recording of a game with a fault of this kind, and the number of the piece."""
    host = FaultyHost(kind, InProcessBot(StrongBot(nodes=_NODES)), SEED)
    host.play(PIECES)
    assert host.at
    return host.recorder.recorded(host.game.time_ms), host.at


def write_all() -> Iterator[str]:
    for kind in FAULTS:
        blob, at = record(kind)
        (FOLDER / f"{kind}.sky").write_bytes(blob)
        yield f"{kind}: piece {at}, {len(blob)} bytes"


if __name__ == "__main__":
    print(*write_all(), sep="\n")
