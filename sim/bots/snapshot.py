"""Save a Game's state in some microseconds, and restore it: for bots that try moves."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from firmware.engine.game import Game
from firmware.engine.manipulation import Manipulation


def _make_writer(names: tuple[str, ...]) -> Callable[[object, tuple[Any, ...]], None]:
    """Return a function that sets these attributes in one assignment: a setattr loop takes three times as long."""
    found: dict[str, Any] = {}
    exec(f"def write(part, values): {', '.join('part.' + name for name in names)} = values", found)
    writer: Callable[[object, tuple[Any, ...]], None] = found["write"]
    return writer


Snapshot = tuple[Any, ...]
"""The result of `snapshot`; it never changes, so it can be restored any number of times."""

_PARTS = ("matrix", "statistics", "random", "garbage", "dealer", "mode", "options", "next", "hits")
_SLOTS = [name for kind in reversed(Game.__mro__) for name in getattr(kind, "__slots__", ())]
_PLAIN = tuple(name for name in _SLOTS if name not in _PARTS)
_COUNTS = ("back_to_backs", "combo", "longest_combo", "pieces", "holds", "faults", "presses", "straight") + (
    "keys",
    "minis",
)
_read = attrgetter(*_PLAIN)
_read_counts = attrgetter(*_COUNTS)
_write = _make_writer(_PLAIN)
_write_counts = _make_writer(_COUNTS)
_NO_ROW = bytes(10)

assert "rest_y" in Manipulation.__slots__  # the snapshot keeps whether the Ghost was computed


def snapshot(game: Game) -> Snapshot:
    """Return everything in a game that can change, its dealer and mode included; options cannot change."""
    matrix, statistics = game.matrix, game.statistics
    return (
        _read(game),
        b"".join(matrix.rows[: matrix.top]),
        matrix.masks[:],
        matrix.top,
        matrix.version,
        _read_counts(statistics),
        statistics.kinds[:],
        (game.random.a, game.random.b, game.garbage.a, game.garbage.b),
        bytes(game.next),
        bytes(game.hits),
        _copy_attributes(game.dealer),
        _copy_attributes(game.mode),
        _copy_attributes(game) if hasattr(game, "__dict__") else None,
    )


def restore(game: Game, state: Snapshot) -> None:
    """Restore a snapshot of this game, or of another one with the same class, options and mode."""
    plain, cells, masks, top, version, counts, kinds, numbers, queue, hits, dealer, mode, more = state
    _write(game, plain)
    matrix, statistics = game.matrix, game.statistics
    rows = matrix.rows
    for y in range(top):
        rows[y][:] = cells[10 * y : 10 * y + 10]
    for y in range(top, matrix.top):
        rows[y][:] = _NO_ROW
    matrix.masks[:] = masks
    matrix.top = top
    matrix.version = version
    _write_counts(statistics, counts)
    statistics.kinds[:] = kinds
    game.random.a, game.random.b, game.garbage.a, game.garbage.b = numbers
    game.next[:] = queue
    game.hits[:] = hits
    _restore_attributes(game.dealer, dealer)
    _restore_attributes(game.mode, mode)
    if more is not None:
        _restore_attributes(game, more)


def _copy_attributes(part: object) -> list[tuple[str, Any]]:
    """Return the attributes of a part, with copies of its lists and bytes, without the game's `random`."""
    return [
        (name, value[:] if isinstance(value, (bytearray, list)) else value)
        for name, value in vars(part).items()
        if name != "random"
    ]


def _restore_attributes(part: object, state: list[tuple[str, Any]]) -> None:
    for name, value in state:
        if isinstance(value, (bytearray, list)):
            getattr(part, name)[:] = value
        else:
            setattr(part, name, value)
