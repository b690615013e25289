"""Time the engine on this Python, and a plain loop for comparison, because seconds differ between computers."""

import time
from collections.abc import Callable

from firmware.engine.game import Game
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording
from sim.bots.places import Places
from sim.bots.snapshot import restore, snapshot

_RUNS = 7
_TURNS = 300_000
_HEIGHT = 8  # of the Blocks when a bot is asked


def run_loop(turns: int) -> int:
    s = 0
    for i in range(turns):
        s += i & 3
    return s


def fastest_s(*calls: Callable[[], object]) -> list[float]:
    """Return the CPU time of each call: the best of several alternating runs, as other programs slow some."""
    best_s = [float("inf")] * len(calls)
    for _ in range(_RUNS):
        for i, call in enumerate(calls):
            begun_s = time.process_time()
            call()
            best_s[i] = min(best_s[i], time.process_time() - begun_s)
    return best_s


def begin(blob: bytes) -> tuple[Game, Player]:
    """Return the game of a recording at its start, and who plays it."""
    recording = Recording(blob)
    game = recording.game(make_mode(recording.variant))
    game.start(0)
    return game, Player(recording, game)


def play(blobs: list[bytes]) -> int:
    """Play recordings with the engine alone, without waiting; return the number of Tetriminos."""
    pieces = 0
    for blob in blobs:
        game, player = begin(blob)
        while not player.finished():
            player.advance(game.time_ms + 60_000)
        pieces += game.statistics.pieces
    return pieces


def turns_a_piece(blobs: list[bytes]) -> float:
    """Return how many turns of the loop take as long as a Tetrimino of these recordings."""
    play_s, turn_s = fastest_s(lambda: play(blobs), lambda: run_loop(_TURNS))
    return play_s / play(blobs) / (turn_s / _TURNS)


def stop_in_play(blob: bytes) -> Game:
    """Play a recording until the Blocks are high, or to its end; return the game."""
    game, player = begin(blob)
    while not player.finished() and (game.matrix.top < _HEIGHT or not game.piece):
        player.advance(game.time_ms + 100)
    return game


def bot_rows(blob: bytes) -> list[tuple[str, str]]:
    """Return rows with the times of a bot's calls on this Python: all places of a Tetrimino, snapshot, restore."""
    game = stop_in_play(blob)
    saved = snapshot(game)

    def find_places() -> None:
        for i in range(140):
            restore(game, saved)
            game.place(i % 7 + 1, 3, 18, 0)
            Places(game)

    def restore_often() -> None:
        for _ in range(1000):
            restore(game, saved)

    places_s, snapshot_s, restore_s, turn_s = fastest_s(
        find_places, lambda: [snapshot(game) for _ in range(1000)], restore_often, lambda: run_loop(_TURNS)
    )
    spans_s = {
        "all places of a Tetrimino in play": places_s / 140,
        "snapshot": snapshot_s / 1000,
        "restore": restore_s / 1000,
    }
    return [
        (f"{name}: us, turns of `s += i & 3`", f"{span_s * 1e6:.1f}, {span_s / turn_s * _TURNS:.0f}")
        for name, span_s in spans_s.items()
    ]
