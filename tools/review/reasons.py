"""Say in words why one place is worse than another, by the two Matrices after them."""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sim.bots.attacks import GUIDELINE, find_attacks
from sim.bots.protocol import LETTERS, Move
from tools.bots.strong.beam import make_room
from tools.bots.strong.bot import read_code, read_columns
from tools.bots.strong.columns import T
from tools.bots.strong.evaluation import rate_position, reward
from tools.bots.strong.weights import DEFENCE, NAMES
from tools.review.judging import SOBER, Verdict, make_matrix
from tools.review.positions import Position

KEY_COST = 0.1  # holes, for each press more than the fewest

_WELL = 3  # rows below both neighbours
_FILLED = 0.5  # holes: the least cost of a well that is filled, or of a T-Spin given away
_MANY_KEYS = 2
_TALLER = 2
_LEAST = 0.25  # holes, for a reason worth a line
_MOST_REASONS = 3
_WALL = 40
_SLOTS = ("slot_1", "slot_2", "slot_2_again", "triple_2", "triple_3", "notch")
_LINES = ("nothing", "Single", "Double", "Triple", "Tetris")
_SPINS = ("", "Mini {}-Spin", "{}-Spin")


class Reason(NamedTuple):
    """A reason; cost in holes.

    kind: lost, hole, cover, well, t_slot, lines, combo, height, surface, keys, later, or all_clear, whose cost is its
        chance.
    """

    kind: str
    words: str
    cost: float


class Outcome:
    """The Matrix after a place and its Line Clear.

    rows: cell codes, lowest row first.  cells: of the Tetrimino, before the Line Clear.  lines: cleared.
    heights: of the columns.  holes: empty cells below a Block, as (column, row), rows counted before the Line Clear.
    hold: the piece in Hold.
    """

    def __init__(self, rows: tuple[bytes, ...], move: Move | None = None, hold: int = 0) -> None:
        self.move = move
        self.cells = move.cells() if move else frozenset()
        whole = [bytearray(row) for row in rows]
        if move:
            for x, y in self.cells:
                whole[y][x] = move.piece
        self.filled = [bytes(row) for row in whole]
        stay = [y for y, row in enumerate(self.filled) if not all(row)]
        self.lines = len(whole) - len(stay)
        self.rows = tuple([self.filled[y] for y in stay] + [bytes(10)] * self.lines)
        self.heights = [max((y + 1 for y, row in enumerate(self.rows) if row[x]), default=0) for x in range(10)]
        self.holes = {(x, stay[y]) for x in range(10) for y in range(self.heights[x]) if not self.rows[y][x]}
        self.hold = hold

    @cached_property
    def features(self) -> dict[str, int]:
        """The features of its Matrix that the strong player rates, each without its weight."""
        columns, full_rows = read_columns(make_matrix(self.rows)), make_room().full_rows
        ones = np.eye(len(NAMES), dtype=np.int64)
        return {name: int(rate_position(columns, self.hold, 0, ones[at], full_rows)) for at, name in enumerate(NAMES)}

    @property
    def move_spins(self) -> bool:
        """Whether it clears lines by a spin."""
        return bool(self.move and self.move.spin and self.lines)

    @property
    def name(self) -> str:
        return f"{name_spin(self.move)} {_LINES[self.lines]}".strip() if self.move and self.lines else ""


def name_spin(move: Move) -> str:
    return _SPINS[move.spin].format(LETTERS[move.piece])


def find_held(position: Position, held: bool) -> int:
    """Return what Hold has after a placement."""
    return position.queue[0] if held else position.hold


def find_well(heights: list[int]) -> int:
    """Return the column of the deepest well, -1 if there is none."""
    around = [_WALL, *heights, _WALL]
    depths = [min(around[x], around[x + 2]) - heights[x] for x in range(10)]
    return depths.index(max(depths)) if max(depths) >= _WELL else -1


def count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def explain(position: Position, verdict: Verdict) -> list[Reason]:
    """Return the reasons why the chosen place cost something: the worst first, what happens later last."""
    reasons = []
    if verdict.lost:
        reasons.append(Reason("lost", "The game ends here.", verdict.loss))
    if verdict.ended:
        words = f"It ends a combo after {count(position.combo, 'Line Clear')}."
        reasons.append(Reason("combo", words, verdict.ended))
    if verdict.loss > 0:
        reasons += [reason for reason in Comparison(position, verdict).compare() if reason.cost >= _LEAST]
    unexplained = verdict.loss - sum(reason.cost for reason in reasons)
    later = []
    if unexplained > verdict.loss / 2:
        words = foretell(position, verdict) if not position.coming else ""
        if words or not reasons:
            words = words or "The difference shows with the pieces that follow."
            later.append(Reason("later", words, unexplained))
    if verdict.let_go:
        chance, needed = verdict.let_go
        words = f"{100 * chance:.0f} % would have been there: an all-clear with {count(needed, 'Tetrimino')}."
        later.append(Reason("all_clear", words, chance))
    if position.wasted >= _MANY_KEYS:
        words = f"{position.presses} presses where {position.fewest or 'none'} would do."
        reasons.append(Reason("keys", words, position.wasted * KEY_COST))
    reasons.sort(key=lambda reason: -reason.cost)
    return reasons[: _MOST_REASONS - len(later)] + later


def foretell(position: Position, verdict: Verdict) -> str:
    """Say what the best continuations with the pieces seen lead to; "" if the better one shows nothing better."""
    mine, better = (follow(position.rows, path) for path in (verdict.chosen_path, verdict.best_path))
    after = f"With the {len(verdict.best_path)} pieces seen"
    attacks = find_attacks(GUIDELINE)
    sent = [
        sum(attacks.count_lines(one.move.spin, one.lines, 0, 0, False) for one in side if one.move)
        for side in (mine, better)
    ]
    if sent[1] > sent[0]:
        told = [name_clears(side) or "nothing of the kind" for side in (mine, better)]
        if told[0] != told[1]:
            return f"{after} the better place leads to {told[1]}, this one to {told[0]}."
    more = len(mine[-1].holes) - len(better[-1].holes)
    if more > 0:
        return f"{after} this place leads to {count(more, 'hole')} more."
    return ""


def follow(rows: tuple[bytes, ...], path: tuple[int, ...]) -> list[Outcome]:
    outcomes = []
    for code in path:
        outcomes.append(Outcome(rows, read_code(code)))
        rows = outcomes[-1].rows
    return outcomes


def name_clears(outcomes: list[Outcome]) -> str:
    """Return the names of the Tetrises and T-Spins, with their numbers; "" if there are none."""
    names = Counter(one.name for one in outcomes if one.lines == 4 or one.move_spins)
    plurals = {"Tetris": "Tetrises"}
    told = [
        f"a {name}" if number == 1 else f"{number} {plurals.get(name, name + 's')}" for name, number in names.items()
    ]
    return " and ".join(told)


class Comparison:
    """The Matrix before a placement, after it, and after the better one; costs are in holes by the weights in use."""

    def __init__(self, position: Position, verdict: Verdict) -> None:
        self.position = position
        self.weights = np.array(DEFENCE if verdict.defends else SOBER, np.int64)
        self.named = dict(zip(NAMES, map(int, self.weights), strict=True))
        self.hole = -(self.named["buried"] + self.named["hole_rows"] + self.named["cover"])
        self.before = Outcome(position.rows, hold=position.hold)
        self.mine = Outcome(position.rows, position.move, find_held(position, position.held))
        self.better = Outcome(position.rows, verdict.move, find_held(position, verdict.held))

    def weigh(self, *names: str) -> float:
        """Return how many holes more these features cost after the chosen place."""
        mine, better = self.mine.features, self.better.features
        return sum(self.named[name] * (better[name] - mine[name]) for name in names) / self.hole

    def find_reward(self, outcome: Outcome) -> float:
        assert outcome.move
        chain = min(1, self.position.chain)
        return int(reward(outcome.move.piece, outcome.move.spin, outcome.lines, chain, self.weights)) / self.hole

    def compare(self) -> Iterator[Reason]:
        yield from self.compare_holes()
        yield from self.compare_lock_downs()
        top, mine, better = (max(one.heights) for one in (self.before, self.mine, self.better))
        uneven = self.weigh("steps", "steps_squared")
        if len(self.mine.holes) <= len(self.better.holes):
            uneven += self.weigh("row_changes")
        if mine - top >= _TALLER and mine > better:
            high = self.weigh("above_10", "above_15", "height")
            words = f"It raises the stack by {mine - top} rows, the better place by {max(0, better - top)}."
            yield Reason("height", words, max(_LEAST, high + uneven))
        else:
            yield Reason("surface", "The Skyline is more uneven.", uneven)

    def compare_holes(self) -> Iterator[Reason]:
        before, mine, better = self.before, self.mine, self.better
        new = mine.holes - before.holes
        more = len(mine.holes) - len(better.holes)
        holes = self.weigh("buried", "overhung", "hole_rows", "cover")
        ready = self.weigh("ready", "ready_4")
        well = find_well(before.heights)
        column = f"the well in column {well + 1}"
        touched = well >= 0 and any(x == well for x, _ in mine.cells) and better.heights[well] <= before.heights[well]
        if touched and any(x == well for x, _ in new):
            yield Reason("well", f"It covers {column}.", holes + ready)
        elif more > 0:
            words = f"It makes {count(len(new), 'hole')}." if new else f"It leaves {count(more, 'hole')} more."
            yield Reason("hole", words, holes)
        else:
            yield Reason("cover", "It puts Blocks above a hole.", self.weigh("cover"))
            if touched and mine.lines < 4 and not mine.move_spins:
                yield Reason("well", f"It fills {column} without a Tetris.", max(_FILLED, ready))

    def compare_lock_downs(self) -> Iterator[Reason]:
        """Yield what is worse about slots for a T-Spin and about the lines cleared."""
        mine, better = self.mine, self.better
        paid = self.find_reward(better) - self.find_reward(mine)
        slots = self.weigh(*_SLOTS)
        if better.move_spins and not mine.move_spins:
            yield Reason("t_slot", f"It gives a {better.name} away.", max(_FILLED, paid + slots))
            return
        if slots > 0:
            had, has = (sum(one.features[name] for name in _SLOTS) for one in (self.before, mine))
            words = "It closes a slot for a T-Spin." if has < had else "The better place makes a slot for a T-Spin."
            yield Reason("t_slot", words, slots)
        if better.lines == 4 != mine.lines:
            yield Reason("lines", "The better place clears a Tetris.", paid)
        elif mine.lines and not mine.move_spins:
            yield Reason("lines", f"It spends rows on a {mine.name} that a Tetris or T-Spin could use.", paid)
        elif mine.move and better.move and mine.move.piece == T != better.move.piece and not mine.move_spins:
            yield Reason("lines", "It uses up the T without a T-Spin.", paid)


def describe(position: Position, move: Move, held: bool) -> str:
    columns = sorted({x + 1 for x, _ in move.cells()})
    where = f"column {columns[0]}" if len(columns) == 1 else f"columns {columns[0]} to {columns[-1]}"
    spin = f", a {name_spin(move)}" if move.spin else ""
    lines = Outcome(position.rows, move).lines
    cleared = f", clears {count(lines, 'line')}" if lines else ""
    return f"{'Hold, then ' if held else ''}{LETTERS[move.piece]} in {where}{spin}{cleared}"
