"""Find the all-clears that a place let go."""

from typing import NamedTuple

from firmware.engine.matrix import WIDTH
from sim.terminal import Refusal
from tools.puzzles.chances import Question
from tools.puzzles.queues import Element, count
from tools.review.positions import MOST_LINES, Position

_MOST = 6  # Tetriminos: with more, a review would wait for seconds
_GOOD = 0.5
_BAG = frozenset(range(1, 8))
_FULL = (1 << WIDTH) - 1


class LetGo(NamedTuple):
    """An all-clear that was there: its chance, and the Tetriminos that it needed."""

    chance: float
    needed: int


def find_let_go(position: Position) -> LetGo | None:
    """Return a good chance of an all-clear of up to four lines that is less than half as good after the place."""
    masks = [sum(1 << x for x in range(WIDTH) if row[x]) for row in position.rows]
    top = max((y + 1 for y, mask in enumerate(masks) if mask), default=0)
    filled = sum(mask.bit_count() for mask in masks)
    most = 0 if position.coming or _FULL in masks else position.most_lines  # Solid Lines stay
    if not 0 < top <= most or WIDTH * MOST_LINES - filled >= 4 * (_MOST + 3):
        return None
    before = _ask(masks[:top], position.hold, list(position.queue), position)
    if not before or before.needed > _MOST or before.tiling.lines > most:
        return None
    chance = _rate(before)
    if chance < _GOOD:
        return None
    for x, y in position.move.cells():
        masks[y] |= 1 << x
    lines = before.tiling.lines - masks.count(_FULL)
    masks = [mask for mask in masks if mask != _FULL]
    if not any(masks):
        return None
    top = max(y + 1 for y, mask in enumerate(masks) if mask)
    after = _ask(masks[:top], *_pass_on(position), position, lines) if top <= lines else None
    return LetGo(chance, before.needed) if not after or _rate(after) < chance / 2 else None


def _pass_on(position: Position) -> tuple[int, list[int]]:
    """Return Hold and the queue after a placement."""
    first, *queue = position.queue
    if not position.held:
        return position.hold, queue
    return first, queue if position.hold else queue[1:]


def _ask(masks: list[int], hold: int, queue: list[int], position: Position, lines: int = 0) -> Question | None:
    """Return the question whether all of a Matrix will be cleared, or None if it cannot be."""
    known = [hold, *queue] if hold and position.can_hold else queue
    pattern: list[Element] = [(frozenset([piece]), 1) for piece in known]
    if position.bag:
        pattern += [(frozenset(position.bag), len(position.bag)), (_BAG, len(_BAG))]
    try:
        return Question(masks, [pattern], position.can_hold, lines) if pattern else None
    except Refusal:
        return None


def _rate(question: Question) -> float:
    good = question.find_good()
    return count(good, good) / question.total
