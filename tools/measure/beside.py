"""Estimate on this PC what tools.measure.emulated measures on CircuitPython, case by case and under the same names."""

import functools
from collections.abc import Callable, Iterator

from tools import interpreters
from tools.measure import board, scenes, scripts, starting, versus
from tools.measure.emulated import (
    NAME_AGAIN,
    NAME_EDGE,
    NAME_GAME,
    NAME_PICTURE,
    NAME_RECORDED,
    RECORDED_FRAMES,
    RECORDING,
    Figure,
    name_heap,
    name_match,
    name_pace,
    read_recording,
    summarise_frames,
)
from tools.versus import play_alone

# A game so long that no single Tetrimino matters.
PACED_PIECES = 200
# Milliseconds until the board's button scanner reports a contact: at the second of two scans, 5 ms apart.
SETTLED_MS = (5, 10)


def estimate_start(name: str, key: str) -> Iterator[Figure]:
    yield Figure(name, starting.estimate_s(key), "s")


def estimate_recording() -> Iterator[Figure]:
    yield from summarise_frames([frame.board_us / 1000 for frame in _frames()[:RECORDED_FRAMES]], NAME_RECORDED)


def estimate_edges() -> Iterator[Figure]:
    """Estimate the time from a press to its last pixel, from the recorded frames that show an edge."""
    edges = [frame for frame in _frames() if frame.edge and frame.sent]
    settled_ms = sum(SETTLED_MS) / len(SETTLED_MS)
    mean_us = sum(frame.waited_us / 2 + frame.board_us for frame in edges) / len(edges)
    yield Figure(f"{NAME_EDGE}, mean", settled_ms + mean_us / 1000, "ms")
    worst_us = max(frame.edge_to_pixels_us for frame in edges)
    yield Figure(f"{NAME_EDGE}, worst", SETTLED_MS[-1] + worst_us / 1000, "ms")


def estimate_match(computers: int) -> Iterator[Figure]:
    name = name_match(computers)
    yield from summarise_frames([us / 1000 for us in versus.measure_frames(computers + 1).board_us], name)
    for part, used in scenes.measure_match(versus.choose(computers + 1)).items():
        yield Figure(name_heap(name, part), used, "B")
    if computers == 1:
        alone = play_alone((versus.LEVEL, 1, PACED_PIECES, 0))[0]
        yield Figure(name_pace(name), 1000 * alone.pieces / alone.time_ms, "pieces/s")


def estimate_game(name: str, again: bool = False) -> Iterator[Figure]:
    """Estimate the heap of a game for one player; with `again` also the time until the next game begins."""
    for part, used in scenes.measure_game(name).items():
        yield Figure(name_heap(name, part), used, "B")
    if again:
        yield Figure(NAME_AGAIN, starting.estimate_s("anew"), "s")


ESTIMATES: dict[str, Callable[[], Iterator[Figure]]] = {
    "boot": functools.partial(estimate_start, NAME_PICTURE, "picture"),
    "loading": functools.partial(estimate_start, NAME_GAME, "chosen"),  # there is no estimate for a match
    "recording": estimate_recording,
    "edges": estimate_edges,
    "marathon": functools.partial(estimate_game, "Marathon", again=True),
    "sprint": functools.partial(estimate_game, "Sprint"),
    "zen": functools.partial(estimate_game, "Zen"),
    "puzzle": functools.partial(estimate_game, "Puzzle"),
    "tetress": functools.partial(estimate_game, "Tetress"),
    "match-1": functools.partial(estimate_match, 1),
    "match-3": functools.partial(estimate_match, 3),
}


@functools.cache
def _frames() -> list[board.Frame]:
    return board.frames_of(RECORDING, scripts.measure_frames(read_recording()), interpreters.turn_fuel())
