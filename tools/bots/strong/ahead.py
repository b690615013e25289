"""Search behind the visible pieces: complete the queue by sampled bags, and search each sample by a beam of its own.

A sample begins with the best paths through the known pieces. What is left of the bag comes first, in any order, then
new bags of seven. A first move's value in a sample is how far its best path falls behind the best of all when the beam
last had one. The best mean over the samples decides.
"""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from tools.bots.strong import beam
from tools.bots.strong.compiling import compiled

_SEED = 1
_ALL = range(1, 8)
_WORST = -3000  # points that a first move can fall behind in one sample
_CHILDREN = 40  # of a position, about: those of two pieces
_LEAST_WIDTH = 10
# Positions opened in all: number of samples, pieces of each.
_PLANS = ((0, 4, 3), (1000, 8, 4), (15_000, 16, 5), (60_000, 24, 6))


class Ahead:
    """Look ahead from a ply; widest: the most positions of a ply."""

    def __init__(self, widest: int, room: beam.Room) -> None:
        self.widest = widest
        self.room = room
        self.pool = beam.make_pool(64 * widest, 1 << (96 * widest).bit_length())
        self.plies = beam.make_ply(widest), beam.make_ply(widest)
        self.first = beam.make_ply(widest)

    def rate(
        self, ply: beam.Ply, count: int, known: Sequence[int], bag: Sequence[int], nodes: int, weights: Any
    ) -> tuple[Any, Any, int]:
        """Rate the first moves of a ply's best positions, by about `nodes` children.

        known: pieces that come next.  bag: those that may follow, each once.
        Return the first moves, their values and the number of children rated.
        """
        opened = nodes // _CHILDREN
        _, samples, pieces = max(plan for plan in _PLANS if plan[0] <= opened)
        width = min(self.widest, max(_LEAST_WIDTH, opened // (samples * pieces)))
        count = min(count, width)
        moves, owners = np.unique(ply.paths[:count, 0], return_inverse=True)
        values = np.zeros(len(moves), np.int64)
        rated = 0
        if len(moves) > 1:
            for mine, given in zip(self.first, ply, strict=True):
                mine[:count] = given[:count]
            for queue in complete(known, bag, samples, pieces):
                behind = np.zeros(len(moves), np.int64)
                room = self.pool, self.plies, self.room
                rated += int(follow(self.first, count, owners, queue, width, weights, *room, behind)[0])
                values += behind
        return moves, values, rated


def complete(known: Sequence[int], bag: Sequence[int], samples: int, pieces: int, seed: float = _SEED) -> list[Any]:
    """Return queues of `pieces` pieces: the known ones, and others that the bag allows; as many as possible differ."""
    chance = random.Random(seed)
    left = sorted(bag)
    queues = []
    for at in range(samples):
        if at % len(left) == 0:
            chance.shuffle(left)
        first = left[at % len(left)]
        queue = [*known, first, *chance.sample([piece for piece in left if piece != first], len(left) - 1)]
        while len(queue) < pieces:
            queue += chance.sample(_ALL, len(_ALL))
        queues.append(np.array(queue[:pieces], np.int64))
    return queues


@compiled
def follow(
    first: beam.Ply,
    count: int,
    owners: Any,
    queue: Any,
    width: int,
    weights: Any,
    pool: beam.Pool,
    plies: tuple[beam.Ply, beam.Ply],
    room: beam.Room,
    behind: Any,
) -> tuple[int, int]:
    """Search one queue from `count` positions; return the number of children rated, and the value of the best path.

    owners: of each position the index of its first move.  behind: by that index, how far its best path falls behind.
    """
    pieces = np.array([0, 1, 0, 0])
    limits = np.zeros(3, np.int64)
    owner = owners.copy()
    best = np.zeros(len(behind), np.int64)
    ply = first
    rated = 0
    top = beam.LOST
    for n in range(len(queue)):
        pieces[0] = queue[n]
        limits[0] = 0
        limits[1] = 1 << 40
        limits[2] = 0
        beam.open_ply(ply, 0, count, pieces, limits, weights, pool, room)
        rated += limits[2]
        found = limits[0]
        beam.clear_slots(pool, found)
        if not found:
            return rated, beam.LOST
        best[:] = beam.LOST
        for child in range(found):
            at = owner[pool.parents[child]]
            best[at] = max(best[at], pool.values[child])
        cut = pool.values[:found].min()
        if found > width:
            cut = np.partition(pool.values[:found], found - width)[found - width]
        top = best.max()
        for at in range(len(best)):
            # A lost path would not have come back before those that were kept.
            behind[at] = max(_WORST, best[at] - top if best[at] > beam.LOST else min(behind[at], cut - top))
        chosen = np.zeros(min(found, width), np.int64)
        count = 0
        for child in range(found):
            if count < width and pool.values[child] >= cut:
                chosen[count] = child
                count += 1
        after = plies[n & 1]
        beam.keep_children(ply, pool, chosen[:count], 0, 0, pieces, after, weights, room.table)
        before = owner
        owner = np.zeros(count, np.int64)
        for i in range(count):
            owner[i] = before[pool.parents[chosen[i]]]
        ply = after
    return rated, top
