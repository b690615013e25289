"""Find the best place for each Tetrimino by the strong player's search, and what the chosen place cost against it.

A loss is the difference of two values: that of the best place found and that of the chosen one. Both are values after
the best continuation with all pieces that the player saw, by two searches of equal effort.
"""

import time
from functools import cache
from typing import Any, NamedTuple

from firmware.engine.extra_rules import ALL, ExtraRulesGame
from firmware.engine.game import Game
from firmware.engine.matrix import Matrix
from firmware.engine.mode import Mode
from firmware.engine.options import ALL_SPINS, COMBOS, Options
from firmware.match.options import CLEAR, COMBO, CUSTOM, CUSTOM_COUNTS, SPINS
from firmware.modes.catalogue import MARATHON, find, make_mode
from firmware.modes.rules import find_rules
from firmware.save.match_choices import OWN, pack_own
from sim.bots.attacks import GUIDELINE, find_attacks, name_rules
from sim.bots.host import straighten
from sim.bots.places import Places, play_steps
from sim.bots.protocol import Move, find_place
from tools.bots.strong import beam
from tools.bots.strong.bot import find_code, read_code, read_columns
from tools.bots.strong.columns import PIECE, SPIN
from tools.bots.strong.evaluation import reward
from tools.bots.strong.preparing import prepare
from tools.bots.strong.search import FORESEEN, NOWHERE, Search
from tools.bots.strong.weights import ATTACK, DEFENCE, NAMES, find_extras
from tools.review.let_go import LetGo, find_let_go
from tools.review.positions import FAST_LEVEL, Position

MOST_LOSS = 20.0  # holes; more only says that the game was lost

_TRIPLES = ("triple_2", "triple_3", "t_spin_3")
# Few people build for T-Spin Triples, so a review does not ask for them.
SOBER = tuple(
    defence if name in _TRIPLES else attack for name, attack, defence in zip(NAMES, ATTACK, DEFENCE, strict=True)
)

_HOLE = [NAMES.index(name) for name in ("buried", "hole_rows", "cover")]
_NODES_A_MS = 1000.0  # assumed until measured
_LEAST_NODES = 400
_PRESS_MS = 17
_LOST = -(1 << 40)


class Setup(NamedTuple):
    """The rules of a game, and the effort for each of its pieces.

    variant: MARATHON for a match.  attacks: the table of attacks, by its name.  think_ms: CPU time.
    nodes: rate this many places instead.
    """

    variant: int = MARATHON
    attacks: str = GUIDELINE
    think_ms: int = 20
    nodes: int = 0


class Verdict(NamedTuple):
    """What one placement cost.

    loss: in holes, 0 or more.  move, held: the best place found; the chosen one if that is as good.
    lost: whether the game cannot continue after the chosen place.  defends: whether the weights of defence were used.
    chosen_path, best_path: the best continuations of both, as moves of the search, with these places.
    let_go: an all-clear that the chosen place let go.  ended: what a combo is worth that the best place
    continues and the chosen one does not, in holes.
    """

    loss: float
    move: Move
    held: bool
    lost: bool = False
    defends: bool = False
    chosen_path: tuple[int, ...] = ()
    best_path: tuple[int, ...] = ()
    let_go: LetGo | None = None
    ended: float = 0.0


class Rating(NamedTuple):
    """A move by its best continuation.

    value: _LOST if it ends the game.  path: the move and its continuation.  combo: after the move.
    """

    value: int
    path: tuple[int, ...]
    combo: int


Root = tuple[Any, int, int, list[int]]  # columns, Hold, chain, queue


def is_race(variant: int) -> bool:
    return not find(variant)[b"result"].startswith(b"points")


def choose_table(variant: int, options: Options) -> str:
    """Return the table of the match whose spins (firmware/modes/README.md, 23) and combos (5.1) are those of a game."""
    rules = find_rules(make_mode(variant), options)
    chosen = bytearray(len(CUSTOM_COUNTS))
    if hasattr(rules, "is_taken"):
        chosen[SPINS] = ALL if options.modern & ALL_SPINS else options.spins
    if issubclass(rules, ExtraRulesGame) and options.modern & COMBOS and not is_race(variant):
        chosen[COMBO], chosen[CLEAR] = 1, 2
    number = pack_own(bytes(OWN) + chosen)
    return name_rules(CUSTOM + number) if number else GUIDELINE


class Judge:
    """Judge the positions of one game; each by itself, so that their order does not matter.

    spent_s: CPU time so far.  nodes_a_ms: measured.  rated: places, for the last verdict.
    """

    def __init__(self, setup: Setup) -> None:
        prepare()
        self.setup = setup
        weights = DEFENCE if is_race(setup.variant) else SOBER
        weights += find_extras(setup.attacks)
        widest = max(1024, (setup.nodes or int(_NODES_A_MS * setup.think_ms)) // 16)
        self.search = Search(weights, DEFENCE, widest, find_attacks(setup.attacks))
        self.nodes_a_ms = _NODES_A_MS
        self.spent_s = 0.0
        self.rated = 0

    def judge(self, position: Position) -> Verdict:
        """Return the verdict on a position. Half of the effort finds the best place, half compares it."""
        start_s = time.process_time()
        self.rated = 0
        effort = self.setup.nodes or int(self.setup.think_ms * self.nodes_a_ms)
        root, chosen = self.make_root(position)
        best = self.find_best(position, root, effort // 2)
        if best in (NOWHERE, chosen):
            verdict = Verdict(0.0, position.move, position.held)
        else:
            verdict = self.compare(position, root, best, chosen, effort // 4)
        spent_s = time.process_time() - start_s
        self.spent_s += spent_s
        if self.rated and spent_s:
            self.nodes_a_ms += (self.rated / (1000 * spent_s) - self.nodes_a_ms) / 16
        return verdict

    def make_root(self, position: Position) -> tuple[Root, int]:
        """Return a position as the search has it, and the chosen place as one of its moves."""
        queue, hold = list(position.queue), position.hold if position.can_hold else 0
        # A piece that comes while Hold is empty can be placed or held, as a held one can: it makes no difference.
        swapped = position.can_hold and not hold and len(queue) > 1
        if swapped:
            hold = queue.pop(0)
        chain = beam.make_chain(position.chain, position.combo, self.search.table)
        root = (read_columns(make_matrix(position.rows)), hold, chain, queue)
        return root, find_code(position.move, position.held != swapped and hold != queue[0])

    def begin(self, position: Position, root: Root, nodes: int) -> None:
        """Give a position to the search, with the number of places to rate and the pieces that may follow the queue."""
        search = self.search
        search.set_position(*root)
        search.coming, search.gap = position.coming, position.gap
        search.budget = max(_LEAST_NODES, nodes)
        search.bag = list(position.bag) if len(position.bag) > 1 else []

    def find_best(self, position: Position, root: Root, nodes: int) -> int:
        """Return the best move that can be played, or NOWHERE; the search keeps the weights that fit the position."""
        search = self.search
        self.begin(position, root, nodes)
        search.weights = search.attack  # not those of the last position
        search.choose_weights()
        search.think(int(search.budget * (1 - FORESEEN)))
        children, _values = search.rank()
        self.rated += search.rated
        firsts = map(int, search.find_first(children)) if len(children) else ()
        return next((code for code in firsts if self.can_play(position, code)), NOWHERE)

    def compare(self, position: Position, root: Root, best: int, chosen: int, nodes: int) -> Verdict:
        """Return what the chosen move costs against the best one."""
        weights = self.search.weights
        better, mine = (self.rate(position, root, code, nodes, weights) for code in (best, chosen))
        hole = -sum(int(weights[at]) for at in _HOLE)
        loss = min(MOST_LOSS, (better.value - mine.value) / hole)
        if loss <= 0:
            return Verdict(0.0, position.move, position.held)
        move = read_code(best)
        ended = 0.0
        if position.combo and not mine.combo:
            ended = min(loss, int(self.search.table.more[beam.COMBO_POINTS]) * better.combo / hole)
        return Verdict(
            loss,
            move,
            held=move.piece != position.queue[0],
            lost=mine.value == _LOST,
            defends=tuple(weights) == DEFENCE,
            chosen_path=mine.path,
            best_path=better.path,
            ended=ended,
        )

    def rate(self, position: Position, root: Root, code: int, nodes: int, weights: Any) -> Rating:
        """Rate a move by its best continuation."""
        search = self.search
        self.begin(position, root, nodes)
        chain = search.chain
        lines = search.play(code)
        combo = search.chain >> beam.COMBO
        if lines < 0:
            return Rating(_LOST, (code,), combo)
        value = int(reward(code >> PIECE & 7, code >> SPIN & 3, lines, min(1, chain & beam.CHAIN), weights))
        if lines:
            value += int(beam.rate_more(code, lines, chain, search.before_rise, search.table))
        search.weights = weights
        if not search.queue:
            return Rating(value, (code,), combo)
        search.think(int(search.budget * (1 - FORESEEN)))
        children, values = search.rank()
        self.rated += search.rated
        if not len(children):
            return Rating(_LOST, (code,), combo)
        return Rating(value + int(values[0]), (code, *search.find_path(int(children[0]))), combo)

    def can_play(self, position: Position, code: int) -> bool:
        """Return whether quick presses lead to a place before the Tetrimino lands."""
        if position.level < FAST_LEVEL:
            return True
        move = read_code(code)
        mode = make_mode(self.setup.variant)
        options = Options()
        options.spins = find_attacks(self.setup.attacks).spins
        game: Game = find_rules(mode, options)(1, None, Mode())
        game.matrix = make_matrix(position.rows)
        game.level = position.level
        game.next[0] = move.piece
        game.generate()
        if not game.piece:
            return False
        places = Places(game, spins=options.spins)
        place = find_place(places, move)
        try:
            if place:
                play_steps(game, straighten(game, places.steps(place), place), _PRESS_MS)
        except ValueError:
            return False
        return place is not None and (game.facing, game.x, game.y) == place[:3]


def make_matrix(rows: tuple[bytes, ...]) -> Matrix:
    matrix = Matrix()
    for y, row in enumerate(rows):
        if any(row):
            matrix.set_row(y, row)
    return matrix


def judge_one(task: tuple[Setup, Position]) -> tuple[Verdict, float]:
    """Judge a position in any process; return the verdict and the CPU time in s."""
    setup, position = task
    judge = get_judge(setup)
    before_s = judge.spent_s
    verdict = judge.judge(position)
    start_s = time.process_time()
    verdict = verdict._replace(let_go=find_let_go(position))
    judge.spent_s += time.process_time() - start_s
    return verdict, judge.spent_s - before_s


@cache
def get_judge(setup: Setup) -> Judge:
    return Judge(setup)
