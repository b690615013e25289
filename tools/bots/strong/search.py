"""Search ahead with a rolling beam: the results for one piece are kept for the next.

The ply is sorted by value, and its positions are opened in turn. The best children in the pool become the next ply. A
played move drops every path that does not begin with it; then the ply is one piece nearer, and the newly visible piece
opens it again. When garbage changes the Matrix, all kept paths are replayed on it.
"""

from typing import Any

import numpy as np

from sim.bots.attacks import GUIDELINE, Attacks, find_attacks
from tools.bots.strong import beam
from tools.bots.strong import columns as bits
from tools.bots.strong.ahead import Ahead
from tools.bots.strong.weights import ATTACK, DEFENCE, NAMES, Learned

NOWHERE = -1

_WIDEST = 1 << 14
_LEAST_KEPT = 256
_LOW, _HIGH = 10, 13  # rows, see choose_weights()
_SLOT_ROWS, _MORE_ROWS = 3, 3
_ALL = range(1, 8)
_CHILDREN_A_PIECE = 20  # about
FORESEEN = 0.15  # share of the rated children that choose() rates, with the first unseen piece
_AHEAD = 0.8  # the same with sampled bags
_LEAST_AHEAD = 5000  # with fewer children choose() looks at the first unseen piece only
_MOST_AHEAD = 2048


def make_points(weights: Any, patterns: Any) -> Any:
    """Return the weights of all features, followed by the points of patterns, for `rate_position`."""
    return np.concatenate([np.array(each, np.int64) for each in (weights[: len(NAMES)], patterns)])


class Search:
    """Think about one game.

    columns, hold, chain: the position before the next move; beam.update_chain() describes the chain.
    queue: the known pieces, the one in play first.
    bag: the pieces left in the bag after the queue, empty if unknown.
    depth: how many moves ahead the ply is; of its `count` positions, `opened` are opened.
    barred: whether Hold cannot be used for the next move.
    attack, defence: weights for a low and a high Matrix; those in `attack` for another table than the guideline's may
        have the EXTRAS. Both may go on with points of patterns.  weights: those in use.
    table: of attacks.
    budget, beyond: children to rate for a move: of the known pieces, and of sampled ones behind them.
    rated: children rated since the last move.  share: the number of rated children at which the ply is deepened.
    """

    def __init__(
        self,
        attack: Any = ATTACK,
        defence: Any = DEFENCE,
        widest: int = _WIDEST,
        attacks: Attacks | None = None,
        patterns: Any = (),
        defence_patterns: Any = (),
    ) -> None:
        known = len(NAMES)
        self.attack = make_points(attack, patterns)
        self.defence = make_points(defence, defence_patterns)
        self.table = beam.make_table(attacks or find_attacks(GUIDELINE), attack[known:] or (0, 0))
        self.weights = self.attack
        self.ply = beam.make_ply(widest)
        self.spare = beam.make_ply(widest)
        self.widest = widest
        self.pool = beam.make_pool(64 * widest, 1 << (96 * widest).bit_length())
        self.room = beam.make_room(self.table)
        self.ahead = Ahead(min(_MOST_AHEAD, widest), self.room)
        self.foreseen = np.zeros(widest, np.int64)
        self.limits = np.zeros(3, np.int64)
        self.pieces = np.zeros(4, np.int64)
        self.columns = np.zeros(10, np.int64)
        self.before_rise = self.columns
        self.risen = 0
        self.budget = self.beyond = 0
        self.set_position(self.columns, 0, 0, [])

    def set_points(self, learned: Learned) -> None:
        """Rate by other weights and points from now on."""
        defends = self.weights is self.defence
        self.attack = make_points(learned.weights, learned.patterns)
        self.defence = make_points(learned.defence, learned.defence_patterns)
        self.weights = self.defence if defends else self.attack
        self.replay(0)

    def set_position(self, columns: Any, hold: int, chain: int, queue: list[int], barred: bool = False) -> None:
        self.columns = np.array(columns, np.int64)
        self.hold = hold
        self.chain = chain
        self.queue = list(queue)
        self.bag: list[int] = []
        self.barred = barred
        self.coming, self.gap = 0, 0
        self.rated = 0
        self.restart()

    def restart(self) -> None:
        ply = self.ply
        ply.columns[0] = self.columns
        ply.gains[0] = ply.rises[0] = 0
        ply.holds[0] = self.hold
        ply.chains[0] = self.chain
        self.depth = 0
        self.count = 1
        self.clear_pool()

    def clear_pool(self) -> None:
        """Clear the pool, and open the ply from its start again."""
        beam.clear_slots(self.pool, int(self.limits[0]))
        self.opened = 0
        self.limits[0] = 0
        self.share = -1

    def set_budget(self, nodes: int) -> int:
        """Share out the children to rate for a move; return how many of them are for think(), the rest for choose()."""
        self.beyond = int(nodes * _AHEAD) if nodes * _AHEAD >= _LEAST_AHEAD else 0
        self.budget = nodes - self.beyond
        return self.budget if self.beyond else int(nodes * (1 - FORESEEN))

    # -- thinking -------------------------------------------------------------------------------------

    def think(self, nodes: int) -> int:
        """Rate about `nodes` children; return the number rated, 0 if there is nothing left to rate.

        The plies that are left share the rest of `budget`, the number of children to rate for this move.
        """
        before = self.rated
        until = before + nodes
        while self.rated < until:
            left = min(len(self.queue), beam.LONGEST) - self.depth
            if left <= 0:
                break
            if self.share < 0:
                self.share = self.rated + max(1, (self.budget - self.rated) // left)
            if left > 1 and (self.opened == self.count or self.rated >= self.share):
                if not self.limits[0]:
                    break  # every move ends the game
                self.deepen()
                continue
            if self.opened == self.count:
                break
            self.open(until if left == 1 else min(until, self.share))
            if self.limits[0] > len(self.pool.values) - 1024:
                break
        return self.rated - before

    def open(self, until: int) -> None:
        """Open some positions of the ply."""
        pieces = self.pieces
        pieces[0] = self.queue[self.depth]
        pieces[1] = 0 if self.barred and not self.depth else 1
        pieces[2] = 0 if self.depth else self.coming
        pieces[3] = self.gap
        limits = self.limits
        limits[1] = until - self.rated
        limits[2] = 0
        self.opened += beam.open_ply(
            self.ply, self.opened, self.count, pieces, limits, self.weights, self.pool, self.room
        )
        self.rated += int(limits[2])

    def deepen(self, first: int = NOWHERE) -> None:
        """Make the best children the next ply; with `first`, only those with that first move, which is dropped."""
        chosen = np.arange(int(self.limits[0]))
        if first >= 0:
            chosen = chosen[self.find_first(chosen) == first]
        width = min(self.widest, max(_LEAST_KEPT, self.budget // 8))
        chosen = self.find_best(chosen, width)
        drop = int(first >= 0)
        self.keep_children(chosen, drop)
        self.ply, self.spare = self.spare, self.ply
        self.count = len(chosen)
        self.depth += 1 - drop
        self.clear_pool()

    def find_first(self, children: Any) -> Any:
        return self.ply.paths[self.pool.parents[children], 0] if self.depth else self.pool.moves[children]

    def find_best(self, children: Any, most: int) -> Any:
        """Return at most `most` children of the pool, the best first."""
        values = self.pool.values[children]
        if len(children) > most:
            best = np.argpartition(-values, most - 1)[:most]
            children, values = children[best], values[best]
        return children[np.argsort(-values, kind="stable")]

    def keep_children(self, chosen: Any, drop: int) -> None:
        """Fill the spare ply with chosen children, without the first `drop` moves of their paths."""
        self.pieces[0] = self.queue[self.depth]
        self.pieces[2] = 0 if self.depth else self.coming
        self.pieces[3] = self.gap
        beam.keep_children(
            self.ply, self.pool, chosen, self.depth, drop, self.pieces, self.spare, self.weights, self.table
        )

    def choose(self) -> int:
        """Return the first move of the best path, or NOWHERE if no piece can enter.

        What is left of the budget goes into what may come behind the known pieces.
        """
        if not self.limits[0] and not (self.depth and self.count):
            return self.find_lowest()
        if self.beyond:
            return self.choose_ahead(self.beyond + max(0, self.budget - self.rated))
        if not self.limits[0]:
            return self.choose_foreseen()
        best, ahead = self.find_foreseen()
        first = self.find_first(best)
        if (first == first[0]).all():
            return int(first[0])
        return int(first[np.argmax(self.foresee(best, ahead))])

    def choose_ahead(self, nodes: int) -> int:
        """Return the first move with the best mean over sampled queues."""
        ply, count, depth = self.find_ends(self.ahead.widest)
        bag = self.bag or _ALL
        moves, values, rated = self.ahead.rate(ply, count, self.queue[depth:], bag, nodes, self.weights)
        self.rated += rated
        return int(moves[np.argmax(values)])

    def find_ends(self, most: int) -> tuple[beam.Ply, int, int]:
        """Return the ply with the best ends of all paths, their number (at most `most` if rated) and their depth."""
        if not self.limits[0]:
            return self.ply, self.count, self.depth
        best = self.find_best(np.arange(int(self.limits[0])), min(most, self.widest))
        self.keep_children(best, 0)
        return self.spare, len(best), self.depth + 1

    def choose_foreseen(self) -> int:
        """Return the first move of the ply's best path, if nothing was rated: every known piece is searched already.

        What would be rated for a visible piece goes into the first unseen one.
        """
        ahead = self.list_ahead(self.depth)
        count = min(self.count, max(1, self.budget // (_CHILDREN_A_PIECE * (len(ahead) + 2))))
        first = self.ply.paths[:count, 0]
        if (first == first[0]).all():
            return int(first[0])
        self.rated += int(beam.foresee(self.ply, count, ahead, self.weights, self.room, self.foreseen))
        return int(first[np.argmax(self.foreseen[:count])])

    def rank(self) -> tuple[Any, Any]:
        """Return the best children and the values of their paths, the best first; empty if every move ends the game."""
        if not self.limits[0]:
            return self.limits[:0], self.limits[:0]
        best, ahead = self.find_foreseen()
        values = self.foresee(best, ahead)
        order = np.argsort(-values, kind="stable")
        return best[order], values[order]

    def find_path(self, child: int) -> list[int]:
        """Return the moves that lead to a child of the pool."""
        before = self.ply.paths[self.pool.parents[child], : self.depth]
        return [int(move) for move in (*before, self.pool.moves[child])]

    def find_foreseen(self) -> tuple[Any, Any]:
        """Return the best children that the budget lets `foresee` rate, and the pieces that may come."""
        ahead = self.list_ahead(self.depth + 1)
        most = int(self.budget * FORESEEN) // (_CHILDREN_A_PIECE * (len(ahead) + 2))
        return self.find_best(np.arange(int(self.limits[0])), max(1, min(self.widest, most))), ahead

    def list_ahead(self, depth: int) -> Any:
        """Return the pieces that may come `depth` moves ahead."""
        return np.array(self.queue[depth : depth + 1] or self.bag or _ALL, np.int64)

    def foresee(self, best: Any, ahead: Any) -> Any:
        """Rate children again with one more piece: the next known one, or the mean over the bag."""
        self.keep_children(best, 0)
        self.rated += int(beam.foresee(self.spare, len(best), ahead, self.weights, self.room, self.foreseen))
        return self.foreseen[: len(best)]

    def find_lowest(self) -> int:
        """Return the move to the lowest place, NOWHERE if there is none; used when every move ends the game."""
        scratch, found = self.room.search, self.room.found
        top = bits.widen(self.columns, scratch.wide)
        moves: list[int] = []
        for held, piece in enumerate((self.queue[0], 0 if self.barred else self.hold)):
            if piece:
                kinds = bits.find_landings(scratch, top, piece, int(self.table.more[beam.SPINS]))
                count = beam.list_moves(piece, held, kinds, scratch.landings, found)
                moves += map(int, found[:count])
        return max(moves, key=lambda move: move & 63, default=NOWHERE)

    # -- the game -----------------------------------------------------------------------------------

    def append(self, piece: int) -> None:
        self.queue.append(piece)

    def play(self, move: int) -> int:
        """Play a move and drop all paths that do not begin with it; return the rows cleared, -1 if the game is over."""
        if self.depth and self.limits[0]:
            self.deepen(move)
        elif self.depth > 1:
            self.drop_other_paths(move)
        else:
            self.count = 0
        columns = self.columns.copy()
        lines = int(bits.lock(columns, move))
        self.before_rise = columns.copy()
        self.risen = 0
        if self.coming and lines >= 0:
            self.risen = int(beam.find_rise(move, lines, self.chain, self.coming, columns, self.table))
        bits.raise_rows(columns, self.risen, self.gap)
        self.columns = columns
        self.chain = int(beam.update_chain(self.chain, move, lines, self.table))
        piece = self.queue.pop(0)
        if move >> bits.HELD:
            self.hold = piece
        self.barred = False
        self.coming = 0
        self.rated = 0
        if not self.count:
            self.restart()
        return lines

    def drop_other_paths(self, move: int) -> None:
        """Keep only the ply's paths that begin with a move, while no position is opened."""
        ply = self.ply
        self.reorder(np.flatnonzero(ply.paths[: self.count, 0] == move))
        ply.paths[: self.count, :-1] = ply.paths[: self.count, 1:]
        ply.rises[: self.count] = 0
        self.depth -= 1

    def reorder(self, order: Any) -> None:
        """Keep only these positions of the ply, in this order."""
        for part in self.ply:
            part[: len(order)] = part[order]
        self.count = len(order)
        self.clear_pool()

    def follow_matrix(self, columns: Any) -> bool:
        """Adopt a Matrix that follows from the last move, with or without garbage; return False for any other."""
        columns = np.array(columns, np.int64)
        if (columns == self.columns).all():
            return True
        for rows in range(bits.ROWS):
            if (columns & (1 << bits.ROWS - rows) - 1 == self.before_rise >> rows).all():
                self.columns = columns
                self.replay(rows - self.risen)
                return True
        return False

    def expect_garbage(self, coming: int, gap: int) -> None:
        """Set how many rows wait to rise after the next move, and the column of their gap."""
        if coming != self.coming or coming and gap != self.gap:
            self.coming, self.gap = coming, gap
            self.replay(0)

    def choose_weights(self) -> None:
        """Choose the weights by the height, announced garbage included: a high Matrix needs those of defence.

        Rows with holes count twice, beyond the first few: a slot for a T-Spin Triple has three of its own.
        """
        columns = self.columns
        blocks = int(np.bitwise_or.reduce(columns)) | 1 << bits.ROWS
        holes = int(np.bitwise_or.reduce(~columns & ~((columns & -columns) - 1))) & bits.FIELD
        high = bits.ROWS + 1 - (blocks & -blocks).bit_length() + self.coming
        high += min(_MORE_ROWS, max(0, holes.bit_count() - _SLOT_ROWS))
        weights = self.weights
        if high > _HIGH:
            weights = self.defence
        elif high <= _LOW:
            weights = self.attack
        if weights is not self.weights:
            self.weights = weights
            self.replay(0)

    def replay(self, rows: int) -> None:
        """Replay all kept paths on a Matrix that rose by `rows` rows."""
        if self.depth:
            self.pieces[2:4] = self.coming, self.gap
            root = np.append(self.columns, self.chain)
            count = beam.replay(
                self.ply, self.count, self.depth, rows, root, self.pieces, self.weights, self.pool, self.room
            )
            self.reorder(np.argsort(-self.pool.values[:count], kind="stable"))
        if not self.depth or not self.count:
            self.restart()
