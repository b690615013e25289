"""Report events of another player of a linked match, who plays on another device, to this one."""

from collections.abc import Callable
from typing import Any

from firmware.engine.options import Options
from firmware.link.events import LOCK
from firmware.link.linked import LinkedMatch
from firmware.link.players import FarSeat
from firmware.match.options import MatchOptions
from tests.support.drill import choose
from tests.support.handhelds.ring_harness import make_event

NONE = (0, 0, 0)  # lines that a Lock Down sent, countered and left queued
I = 1  # noqa: E741 - a Tetrimino


def make_match(count: int = 2, **rules: int) -> tuple[Any, Any]:
    """Return a new match, and the seat of its remote player 1."""
    options = choose(MatchOptions(), players=count, **rules)
    match: Any = LinkedMatch(5, options, [Options() for _ in range(count)], 0)
    return match, match.seats[1]


def fill(seat: FarSeat, rows: int) -> None:
    """Fill the lowest rows except the leftmost column."""
    for y in range(rows):
        seat.game.matrix.set_row(y, bytes(8 * (x > 0) for x in range(10)))


def deferred(act: Callable[..., Any]) -> Callable[..., Callable[[Any], bool]]:
    """Turn a function of a seat into a maker of calls that get the seat later."""
    return lambda *values, **named: lambda seat: bool(act(seat, *values, **named))


@deferred
def report(seat: Any, kind: int, time_ms: int, *rest: int, low: int = 0) -> Any:
    return seat.apply_event(make_event(kind, time_ms, *rest, low=low), 0)


@deferred
def lock(
    seat: Any, x: int, y: int, piece: int = 0, facing: int = 0, time_ms: int = 0, lines: Any = NONE, **forged: int
) -> Any:
    """Report a Lock Down of the Tetrimino in play, or of `piece`, at a place."""
    hand = seat.hand
    hand.piece = piece or hand.piece
    packed = forged.get("told", hand.piece) << 5 | facing << 3 | forged.get("hold", hand.hold)
    now_ms = time_ms or max(seat.game.time_ms, seat.known_ms, seat.game.entered_ms) + 10
    return seat.apply_event(make_event(LOCK, now_ms, packed, x + 3, y + 3, *lines, low=forged.get("to", 0)), 0)


@deferred
def drop(
    seat: Any, time_ms: int = 0, x: int = 0, piece: int = 0, facing: int = 0, lines: Any = NONE, to: int = 0
) -> bool:
    """Report a Lock Down after a fall in a column."""
    seat.hand.piece = piece or seat.hand.piece
    seat.game.place(seat.hand.piece, x, 30, facing)
    y = seat.game.ghost_y
    seat.game.piece = 0
    return lock(x, y, 0, facing, time_ms, lines, to=to)(seat)


def drop_i(time_ms: int = 1000, lines: Any = NONE, piece: int = I, to: int = 0) -> Callable[[Any], bool]:
    return drop(time_ms, -2, piece, 1, lines, to)


@deferred
def change(seat: Any, **values: Any) -> bool:
    """Change attributes of the seat; `entered_ms` is the game's."""
    for name, value in values.items():
        setattr(seat.game if name == "entered_ms" else seat, name, value)
    return True


def cover(seat: Any) -> bool:
    """Close the fifth row, so that nothing gets below it."""
    seat.game.matrix.set_row(4, bytes([8] * 10))
    return True


@deferred
def send(seat: Any, time_ms: int, lines: int) -> bool:
    return seat.coming.send(time_ms, lines) is None
