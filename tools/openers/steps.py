"""Find what the engine's rules allow: where each Tetrimino of an opener can go, and the steps to show."""

from functools import cache
from typing import NamedTuple

from firmware.engine.manipulation import FULL_SPIN
from sim.bots.places import Place
from tools.openers.text import CLEAR_ALL, Cells, Opener, OpenerError, Stage, find_step
from tools.puzzles.solver import Search, find_rests
from tools.puzzles.text import ACTIONS, FULL, LETTERS, WIDTH, Masks, Puzzle, Step, drop_full_rows, join
from tools.puzzles.text import CLEAR_ALL as GOAL_CLEAR_ALL

_SETS = 1 << 7  # of the seven Tetriminos
_MIRROR = str.maketrans("JLSZjlsz", "LJZSljzs")


class Shown(NamedTuple):
    """One step to show.  turned: whether it comes by a rotation."""

    step: Step
    turned: bool


def mirror_cells(cells: Cells) -> Cells:
    return frozenset((WIDTH - 1 - x, y) for x, y in cells)


def mirror(opener: Opener) -> Opener:
    def turn(stage: Stage) -> Stage:
        cells = {letter.translate(_MIRROR): mirror_cells(cells) for letter, cells in stage.cells.items()}
        return Stage(cells, mirror_cells(stage.blocks), stage.attacks, stage.queue.translate(_MIRROR))

    following = turn(opener.following) if opener.following else None
    optional = opener.optional.translate(_MIRROR)
    return Opener(opener.name, opener.source, opener.words, optional, turn(opener.bag), following)


def to_masks(cells: Cells) -> Masks:
    return join((), cells)


def bit_of(letter: str) -> int:
    return 1 << LETTERS.index(letter) - 1


@cache
def find_rests_of(masks: Masks, letter: str) -> dict[Cells, Place]:
    """Return the cells that a Tetrimino can come to rest in, each with its best place."""
    found: dict[Cells, Place] = {}
    for rest in find_rests(masks, LETTERS.index(letter.upper())):
        if rest.cells not in found or rest.place.spin > found[rest.cells].spin:
            found[rest.cells] = rest.place
    return found


def attacks_with(masks: Masks, place: Place, cells: Cells, attack: str) -> bool:
    """Return whether a Lock Down in these cells is the attack."""
    return place.spin * 5 + join(masks, cells).count(FULL) == ACTIONS[attack]


def find_ready(opener: Opener) -> bytes:
    """Return for each mask of built Tetriminos the mask of those that can reach their places; raise OpenerError."""
    cells = opener.bag.cells
    ready = bytearray(_SETS)
    known = {0}
    waiting = [0]
    for built in waiting:
        here = [letter for letter in cells if built & bit_of(letter)]
        masks = to_masks(frozenset().union(*(cells[letter] for letter in here)))
        if FULL in masks:
            if opener.attacker in here:
                continue
            raise OpenerError(f"{opener.name}: a row is full before the attack")
        for letter in cells:
            if letter in here:
                continue
            last = letter == opener.attacker
            if last and not set(opener.required) <= {*here, letter}:
                continue
            place = find_rests_of(masks, letter).get(cells[letter])
            if not place:
                continue
            if last and not attacks_with(masks, place, cells[letter], opener.bag.attacks[0]):
                raise OpenerError(f"{opener.name}: its T is no {opener.bag.attacks[0]}")
            ready[built] |= bit_of(letter)
            after = built | bit_of(letter)
            if after not in known:
                known.add(after)
                waiting.append(after)
    return bytes(ready)


def find_common_ready(opener: Opener) -> bytes:
    """Return what is ready on both sides: the kicks of I are not symmetrical."""
    ready = bytearray(find_ready(opener))
    other = find_ready(mirror(opener))
    for built in range(_SETS):
        ready[built] &= mirror_mask(other[mirror_mask(built)])
    return bytes(ready)


def mirror_mask(mask: int) -> int:
    return sum(bit_of(letter.translate(_MIRROR)) for letter in LETTERS[1:] if mask & bit_of(letter))


def order_stage(cells: dict[str, Cells], blocks: Masks, last: str = "") -> tuple[list[Step], Masks]:
    """Return the steps that build a picture on Blocks, and the rows afterwards; raise OpenerError."""
    dead: set[frozenset[str]] = set()  # by what is left alone: no row is removed, so it tells the Blocks, too

    def build(left: frozenset[str], masks: Masks) -> list[str] | None:
        if not left:
            return []
        if left in dead:
            return None
        for letter in sorted(left):
            if letter == last and len(left) > 1 or cells[letter] not in find_rests_of(masks, letter):
                continue
            rest = build(left - {letter}, join(masks, cells[letter]))
            if rest is not None:
                return [letter, *rest]
        dead.add(left)
        return None

    letters = build(frozenset(cells), blocks)
    if letters is None:
        raise OpenerError("its Tetriminos cannot get to their places in any order")
    masks = blocks
    for letter in letters:
        masks = join(masks, cells[letter])
    return [find_step(letter, cells[letter]) for letter in letters], masks


def find_attack(masks: Masks, attack: str) -> tuple[Shown, Masks]:
    """Return the T that is the attack, and the rows afterwards; raise OpenerError."""
    for cells, place in find_rests_of(masks, "T").items():
        if place.spin == FULL_SPIN and attacks_with(masks, place, cells, attack):
            return Shown(Step(LETTERS.index("T"), *place[:3]), True), drop_full_rows(join(masks, cells))
    raise OpenerError(f"there is no {attack}")


def find_shown(opener: Opener) -> list[Shown]:
    """Return the steps to show: the first bag, and what follows; raise OpenerError if its attacks are impossible."""
    try:
        steps, masks = order_stage(opener.bag.cells, (), opener.attacker)
        shown = [Shown(step, LETTERS[step.piece] == opener.attacker) for step in steps]
        masks = drop_full_rows(masks)
        stage = opener.following
        if not stage:
            return shown
        if stage.queue:
            return shown + solve(masks, stage)
        if to_masks(stage.blocks) != masks:
            raise OpenerError("the X of its second picture are not what the first bag leaves")
        steps, masks = order_stage(stage.cells, masks)
        if FULL in masks:
            raise OpenerError("a row of the second picture is full before the attack")
        shown += [Shown(step, False) for step in steps]
        for attack in stage.attacks:
            step, masks = find_attack(masks, attack)
            shown.append(step)
        return shown
    except OpenerError as problem:
        raise OpenerError(f"{opener.name}: {problem}") from None


def solve(masks: Masks, stage: Stage) -> list[Shown]:
    """Return the steps by which a given queue reaches the attack; raise OpenerError."""
    attack = stage.attacks[0]
    queue = tuple(LETTERS.index(letter) for letter in stage.queue)
    goal = (GOAL_CLEAR_ALL, 0) if attack == CLEAR_ALL else (1, ACTIONS[attack])
    answer = Search(Puzzle("", *goal, 1, masks, queue), 1).run()
    if not answer.first:
        raise OpenerError(f"{stage.queue} leads to no {attack}")
    return [Shown(step, step.piece == LETTERS.index("T")) for step in answer.first]
