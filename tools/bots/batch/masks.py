"""Find the allowed actions of all games, as `action_mask` of tools/bots/env.py."""

from typing import Any

import numpy as np

from tools.bots.batch import state
from tools.bots.batch.blocks import find_top, fits
from tools.bots.batch.compiling import compiled
from tools.bots.batch.games import NOWHERE, find_entry_y
from tools.bots.batch.places import DROPS, PLACES, find_bits, find_places, turn_to
from tools.bots.batch.state import Game, Rules
from tools.bots.strong import columns as bits


def _list_free_drops() -> Any:
    """Return the mask of each piece's drops into a low Matrix."""
    masks = np.zeros((8, DROPS), np.int8)
    for piece in range(1, 8):
        for facing in range(bits.KINDS[piece]):
            masks[piece, facing * 10 : facing * 10 + 11 - bits.WIDTHS[piece, facing]] = 1
    return masks


_FREE_DROPS = _list_free_drops()


@compiled
def mask_drops(game: Game, wide: Any, piece: int, entry_y: int, mask: Any) -> None:
    """Mark each drop that reaches its facing and column from `entry_y`, among Blocks."""
    bits.widen(game.columns, wide)
    for wanted in range(bits.KINDS[piece]):
        facing, x, y, _turned, _fifth = turn_to(wide, piece, wanted, entry_y)
        if facing != wanted:
            continue
        first = x
        last = x
        while fits(wide, piece, facing, first - 1, y):
            first -= 1
        while fits(wide, piece, facing, last + 1, y):
            last += 1
        at = facing * 10 + bits.FIRSTS[piece, facing]
        for there in range(first, last + 1):
            mask[at + there] = 1


@compiled
def mask_places(columns: Any, piece: int, scratch: bits.Scratch, spins: int, mask: Any) -> int:
    """Mark each place that a piece reaches; return as `find_places` does."""
    kinds = find_places(columns, piece, scratch, spins)
    if not kinds:
        return kinds
    for facing in range(bits.KINDS[piece]):
        lowest = bits.ROWS - 1 + bits.LOWS[piece, facing]  # the bit of a box whose lowest Mino is in row 0
        for spot in range(1, bits.SPOTS - 1):
            found = find_bits(scratch.landings, kinds, facing, spot)
            at = (facing * 10 + spot - bits.EDGE + bits.FIRSTS[piece, facing]) * (state.SKYLINE + 1)
            above = found & (2 << lowest - state.SKYLINE) - 1
            if above:
                mask[at + state.SKYLINE] = 1
                found ^= above
            while found:
                mask[at + lowest - bits.find_lowest(found)] = 1
                found &= found - 1
    return kinds


@compiled
def mask_actions(game: Game, rules: Rules, scratch: bits.Scratch, mask: Any) -> None:
    """Write the mask of one game; after its end all actions are 1."""
    if game.over or game.ended:
        mask[:] = 1
        return
    here = game.piece
    other = 0
    if rules.hold_on and not game.held:
        other = game.hold or game.next[0]
    half = PLACES if rules.spins else DROPS
    low = not rules.spins and find_top(game.columns) <= state.OPEN_ROWS
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
            mask_places(game.columns, piece, scratch, 0, part)
            continue
        entry_y = find_entry_y(game.columns, scratch.wide, piece) if i else game.entry_y
        if entry_y != NOWHERE:
            mask_drops(game, scratch.wide, piece, entry_y, part)


@compiled
def mask_slice(games: Any, rules: Rules, masks: Any, first: int, last: int) -> None:
    """Write the masks of the games from `first` to before `last`."""
    scratch = bits.make_scratch()
    for i in range(first, last):
        mask_actions(games[i], rules, scratch, masks[i])


@compiled
def choose_all(masks: Any, fractions: Any, actions: Any) -> None:
    """Choose an allowed action of each game, all equally likely, by a fraction from 0 to below 1."""
    for i in range(len(actions)):
        mask = masks[i]
        allowed = 0
        for action in range(len(mask)):
            allowed += int(mask[action])
        left = int(fractions[i] * allowed)
        at = -1
        while left >= 0:
            at += 1
            left -= int(mask[at])
        actions[i] = at
