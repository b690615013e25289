"""Restore a suspended game, unless no player could have left it so."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import RIGHT, SOFT_DROP
from firmware.engine.game import Game
from firmware.engine.matrix import HEIGHT, UNCLEARABLE, WIDTH
from firmware.engine.options import Options
from firmware.engine.phases import ANIMATE, FALLING, GAME_OVER, GENERATION, LOCK
from firmware.engine.randomizer import SEEDS, STATES_A, STATES_B, Bag, Random
from firmware.modes.rules import find_rules
from firmware.save.suspended import FORMAT, OLDEST, OPTIONS, SOLID_CELL, walk
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob, MakeMode, Matrix

_FULL = const(0xFFFF)
_LAST_CELL = const(8)
_MOST = const((1 << 29) - 1)  # for fields without a range of their own: a clock's ticks wrap there
_LONGEST_US = const(2_000_000)  # of a row's fall, an animation, a generation

# The range of a game's numbers, if not 0 to _MOST; no number is below -4.
_RANGES = {
    "piece": (0, 7),
    "facing": (0, 3),
    "x": (-3, 9),
    "y": (-3, 39),
    "ghost_y": (-3, 39),
    "hold": (0, 7),
    "pressed": (0, 255),
    "early": (0, 255),
    "early_steps": (-4, 4),
    "early_turns": (0, 3),
    "shift_step": (-1, 1),
    "shift_us": (0, 1_000_000_000),
    "fall_us": (0, _LONGEST_US),
    "interval_us": (0, _LONGEST_US),
    "lock_us": (0, 5_000_000),
    "wait_us": (0, _LONGEST_US),
    "time_us": (0, 999),
    "lowest": (0, HEIGHT),
    "moves_left": (0, 15),
    "goal": (0, 1 << 20),
    "score": (0, (1 << 35) - 5),  # of Endless, in a number's 35 bits
    "level": (0, 0xFFFF),
    "spun": (0, 2),
    "cleared": (0, 4),
    "over": (0, 4),
    "events": (0, (1 << 25) - 1),
    "action": (0, (1 << 25) - 1),
    "hit_count": (0, 4),
    "combo": (-1, _MOST),
    "left": (0, 7),
    "top": (0, HEIGHT),
}


class Ranged(Numbers):
    """Read numbers, and raise ValueError at one out of its range."""

    def fields(self, owner: object, names: tuple[str, ...]) -> None:
        """Read attributes of `owner`."""
        Numbers.fields(self, owner, names)
        for name in names:
            least, most = _RANGES.get(name, (0, _MOST))
            if isinstance(owner, Random):
                most = SEEDS  # is_dealt checks the rest
            if not least <= getattr(owner, name) <= most:
                raise ValueError(name)


def restore(buffer: "Blob", make_mode: "MakeMode") -> "Game | None":
    """Return the game of a record in `buffer`, or None for an unknown format.

    Return None also if a number is out of range or contradicts the rest; any returned game can continue.

    make_mode: as of firmware/modes/catalogue.py. The game continues unchanged. The caller that starts its clock
    releases the `pressed` controls that are no longer down.
    """
    numbers = Ranged(buffer, False)
    try:
        form = numbers.get()
        if not OLDEST <= form <= FORMAT:
            return None
        mode = make_mode(numbers.get())
        seed = numbers.get()
        options = Options()
        count = numbers.get()
        if count > len(OPTIONS) or seed >= SEEDS:
            return None
        numbers.fields(options, OPTIONS[:count])
        game = find_rules(mode, options.modern)(seed, options, mode)
        dealt = game.next[0] > 0  # else the mode picks the next Tetrimino
        walk(game, numbers, form)
        fill(game.matrix, buffer, numbers.at)
    except (IndexError, ValueError):
        return None
    return game if is_dealt(game, dealt) and is_played(game) and is_held(game) else None


def fill(matrix: "Matrix", buffer: "Blob", at: int) -> None:
    """Put the Blocks of all rows below the top into place; `at` is where they begin.

    Raise ValueError for a cell that is none.
    """
    top = matrix.top
    version = matrix.version
    row = bytearray(WIDTH)
    for y in range(HEIGHT):
        for x in range(0, WIDTH, 2):
            pair = buffer[at] if y < top else 0
            row[x] = pair >> 4
            row[x + 1] = pair & 15
            at += 1
        solid = row[WIDTH - 1] == SOLID_CELL
        if solid:
            row[WIDTH - 1] = row[0]
        if max(row) > _LAST_CELL or solid and not min(row):
            raise ValueError("cell")
        matrix.set_row(y, row)
        if solid:
            matrix.masks[y] = UNCLEARABLE
    matrix.top = top
    matrix.version = version


def is_dealt(game: "Game", dealt: bool) -> bool:
    """Return whether the dealer can continue, and the Next Queue holds Tetriminos."""
    for random in (game.random, game.garbage):
        # From other states than these the generators never get away.
        if isinstance(random, Random) and not (0 < random.a <= STATES_A and 0 < random.b <= STATES_B):
            return False
    dealer = game.dealer
    if isinstance(dealer, Bag) and sorted(dealer.order) != [1, 2, 3, 4, 5, 6, 7]:
        return False
    return min(game.next) >= dealt and max(game.next) <= 7


def is_played(game: "Game") -> bool:
    """Return whether phase, level, the Tetrimino in play and the rows about to go agree."""
    phase = game.phase
    if (phase == GAME_OVER) != (game.over > 0):
        return False
    # Only Standard's rules say where levels begin. They have no Lock Phase: a resting piece still falls.
    standard = hasattr(game, "first_level")
    if game.piece:
        if phase != FALLING and phase != LOCK or not game.interval_us:
            return False
        turned_last = game.turned_last
        point_5_used = game.point_5_used
        if not game.place(game.piece, game.x, game.y, game.facing):
            return False
        game.turned_last = turned_last
        game.point_5_used = point_5_used
        if (phase == LOCK) != (not standard and game.y == game.ghost_y):
            return False
    elif phase != GENERATION and phase != ANIMATE and phase != GAME_OVER:
        return False
    matrix = game.matrix
    above = -1
    for i in range(game.hit_count):
        y = game.hits[i]
        if phase != ANIMATE and phase != GAME_OVER or not above < y < HEIGHT or matrix.masks[y] != _FULL:
            return False
        above = y
    # A level outside the rules gives a pace outside the rules.
    interval_us = game.interval_us
    if not standard and not game.level and not game.over:
        return False
    game.set_interval()
    known = game.interval_us > 0
    game.interval_us = interval_us
    if game.limit_ms and game.time_ms > game.limit_ms:
        return False
    return known and game.entered_ms <= game.time_ms


def is_held(game: "Game") -> bool:
    """Return whether movement that continues by itself has a held control."""
    step = game.shift_step
    if step and not game.pressed >> (RIGHT if step > 0 else 0) & 1:
        return False
    if game.soft and not game.pressed >> SOFT_DROP & 1:
        return False
    return not game.sliding or step != 0 and not game.options.arr_ms
