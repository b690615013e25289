"""Time the engine on this Python, beside a plain loop timed in the same run: seconds alone say nothing elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from firmware.modes.catalogue import make_mode
from firmware.save.recording import Player, Recording

_RUNS = 7
_TURNS = 300_000


def turn(turns: int) -> int:
    """Do the loop that everything is compared with, here and on the board."""
    s = 0
    for i in range(turns):
        s += i & 3
    return s


def fastest_s(*calls: Callable[[], object]) -> list[float]:
    """Return the CPU time that each of some calls takes: the best of several runs in turn, for others compute too."""
    best_s = [float("inf")] * len(calls)
    for _ in range(_RUNS):
        for i, call in enumerate(calls):
            begun_s = time.process_time()
            call()
            best_s[i] = min(best_s[i], time.process_time() - begun_s)
    return best_s


def play(blobs: list[bytes]) -> int:
    """Play recordings with the engine alone, as fast as it goes; return the number of Tetriminos."""
    pieces = 0
    for blob in blobs:
        recording = Recording(blob)
        game = recording.game(make_mode(recording.variant))
        game.start(0)
        player = Player(recording, game)
        while not player.finished():
            player.advance(game.time_ms + 60_000)
        pieces += game.statistics.pieces
    return pieces


def turns_a_piece(blobs: list[bytes]) -> float:
    """Return how many turns of the loop take as long as a Tetrimino of these recordings."""
    play_s, turn_s = fastest_s(lambda: play(blobs), lambda: turn(_TURNS))
    return play_s / play(blobs) / (turn_s / _TURNS)
