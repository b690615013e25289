"""Find the allowed actions of all games, as `action_mask` of tools/bots/env.py."""

from typing import Any

import numpy as np

from tools.bots.batch.blocks import FIRSTS, LOWS, WIDTHS, find_top, fits
from tools.bots.batch.compiling import compiled
from tools.bots.batch.places import DROPS, PLACES, find_places, turn_to
from tools.bots.batch.state import ENTRY_Y, HELD, HOLD, NEXT, OPEN_ROWS, OVER, PIECE, SKYLINE, Rules
from tools.bots.strong.columns import (
    EDGE,
    FULL_SPIN,
    KINDS,
    MINI_SPIN,
    NO_SPIN,
    ROWS,
    SPOTS,
    I,
    T,
    find_lowest,
    widen,
)

from firmware.engine.game import SPAWN_X, SPAWN_Y  # isort: skip


def _list_free_drops() -> Any:
    """Return the mask of each piece's drops into a low Matrix."""
    masks = np.zeros((8, DROPS), np.int8)
    for piece in range(1, 8):
        for facing in range(KINDS[piece]):
            masks[piece, facing * 10 : facing * 10 + 11 - WIDTHS[piece, facing]] = 1
    return masks


_FREE_DROPS = _list_free_drops()


@compiled
def mask_drops(columns: Any, wide: Any, piece: int, entry_y: int, mask: Any) -> None:
    """Mark each drop that reaches its facing and column from `entry_y`, among Blocks."""
    widen(columns, wide)
    if not fits(wide, piece, 0, SPAWN_X, entry_y):
        return
    for wanted in range(KINDS[piece]):
        facing, x, y, _turned, _fifth = turn_to(wide, piece, wanted, entry_y)
        if facing != wanted:
            continue
        first = x
        last = x
        while fits(wide, piece, facing, first - 1, y):
            first -= 1
        while fits(wide, piece, facing, last + 1, y):
            last += 1
        at = facing * 10 + FIRSTS[piece, facing]
        for there in range(first, last + 1):
            mask[at + there] = 1


@compiled
def mask_places(columns: Any, wide: Any, piece: int, maps: Any, landings: Any, mask: Any) -> None:
    """Mark each place that a piece reaches."""
    if not find_places(columns, wide, piece, maps, landings):
        return
    for facing in range(KINDS[piece]):
        lowest = ROWS - 1 + LOWS[piece, facing]  # the bit of a box whose lowest Mino is in row 0
        for spot in range(1, SPOTS - 1):
            bits = landings[NO_SPIN, facing, spot]
            if piece == T:
                bits |= landings[MINI_SPIN, facing, spot] | landings[FULL_SPIN, facing, spot]
            at = (facing * 10 + spot - EDGE + FIRSTS[piece, facing]) * (SKYLINE + 1)
            above = bits & (2 << lowest - SKYLINE) - 1
            if above:
                mask[at + SKYLINE] = 1
                bits ^= above
            while bits:
                mask[at + lowest - find_lowest(bits)] = 1
                bits &= bits - 1


@compiled
def find_entry(columns: Any, wide: Any, piece: int) -> int:
    """Return the y at which a piece enters; meaningless if it cannot enter."""
    y = SPAWN_Y - 1 if piece == I else SPAWN_Y
    widen(columns, wide)
    return y - 1 if fits(wide, piece, 0, SPAWN_X, y) and fits(wide, piece, 0, SPAWN_X, y - 1) else y


@compiled
def mask_actions(words: Any, columns: Any, wide: Any, maps: Any, landings: Any, rules: Rules, mask: Any) -> None:
    """Write the mask of one game; after its end all actions are 1."""
    if words[OVER]:
        mask[:] = 1
        return
    here = words[PIECE]
    other = 0
    if rules.hold_on and not words[HELD]:
        other = words[HOLD] or words[NEXT]
    half = PLACES if rules.spins else DROPS
    low = not rules.spins and find_top(columns) <= OPEN_ROWS
    for i in range(2):
        piece = other if i else here
        part = mask[i * half : i * half + half]
        if low:
            for at in range(half):
                part[at] = _FREE_DROPS[piece, at]
            continue
        if i and piece == here:
            part[:] = mask[:half]
            continue
        part[:] = 0
        if not piece:
            continue
        if rules.spins:
            mask_places(columns, wide, piece, maps, landings, part)
        else:
            entry_y = find_entry(columns, wide, piece) if i else words[ENTRY_Y]
            mask_drops(columns, wide, piece, entry_y, part)


@compiled
def choose_all(masks: Any, fractions: Any, actions: Any) -> None:
    """Choose an allowed action of each game, all equally likely, by a fraction from 0 to below 1."""
    for i in range(len(actions)):
        mask = masks[i]
        allowed = 0
        for action in range(len(mask)):
            allowed += mask[action]
        left = int(fractions[i] * allowed)
        at = -1
        while left >= 0:
            at += 1
            left -= mask[at]
        actions[i] = at
