"""Restore a saved game in progress, if its state is possible."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import RIGHT, SOFT_DROP
from firmware.engine.game import Game
from firmware.engine.matrix import HEIGHT, UNCLEARABLE, WIDTH
from firmware.engine.options import NAMES, Options
from firmware.engine.phases import ANIMATE, FALLING, GAME_OVER, GENERATION, LOCK
from firmware.engine.randomizer import SEEDS, STATES_A, STATES_B, Bag, Random
from firmware.modes.rules import find_rules
from firmware.save.suspended import FORMAT, OLDEST, SOLID_CELL, walk
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob, MakeMode, Matrix

_FULL = const(0xFFFF)
_LAST_CELL = const(8)
_MOST = const((1 << 29) - 1)  # for fields without a range of their own; clock readings wrap above it
_MOST_LEFT = b"\x07\x0e\x3f\x04\x00"  # in the dealer, by the option `deal`
_LONGEST_US = const(4_000_000)  # most time for one row's fall, an animation or a generation

# The range of each field, if not 0 to _MOST; no number is below -4.
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
    "lock_us": (0, 20_000_000),
    "wait_us": (0, _LONGEST_US),
    "time_us": (0, 999),
    "lowest": (0, HEIGHT),
    "moves_left": (0, 15),
    "goal": (0, 1 << 20),
    "score": (0, (1 << 35) - 5),  # the largest number of 35 bits minus 4: a game without end may score high
    "level": (0, 0xFFFF),
    "spun": (0, 2),
    "cleared": (0, 4),
    "over": (0, 4),
    "events": (0, (1 << 25) - 1),
    "action": (0, (1 << 25) - 1),
    "hit_count": (0, 4),
    "combo": (-1, _MOST),
    "left": (0, 63),
    "top": (0, HEIGHT),
}


class Ranged(Numbers):
    """Read numbers; raise ValueError for a number out of its range."""

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

    Return None also if a number is out of range or contradicts others; any returned game can continue.

    make_mode: from firmware/modes/catalogue.py or alike. The caller starts the game's clock and releases the `pressed`
    controls that are no longer down.
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
        if count > len(NAMES) or seed >= SEEDS:
            return None
        numbers.fields(options, NAMES[:count])
        game = find_rules(mode, options)(seed, options, mode)
        dealt = game.next[0] > 0  # False for a mode that picks the next Tetrimino itself
        walk(game, numbers, form)
        fill(game.matrix, buffer, numbers.at)
    except (IndexError, ValueError):
        return None
    return game if is_dealt(game, dealt) and is_played(game) and is_held(game) else None


def fill(matrix: "Matrix", buffer: "Blob", at: int) -> None:
    """Fill the Matrix below its top with the Blocks that begin at `at` of `buffer`.

    Raise ValueError for an impossible cell.
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
    """Return whether the dealer's state is possible, and the Next Queue holds Tetriminos if `dealt`."""
    for random in (game.random, game.garbage):
        # Other states would repeat themselves for ever.
        if isinstance(random, Random) and not (0 < random.a <= STATES_A and 0 < random.b <= STATES_B):
            return False
    dealer = game.dealer
    if isinstance(dealer, Bag):
        order = sorted(dealer.order)
        count = len(order) // 7  # of each Tetrimino; a history has any
        if dealer.left > _MOST_LEFT[game.options.deal] or order[0] < 1 or order[-1] > 7:
            return False
        if count and order != sorted(bytes(range(1, 8)) * count):
            return False
    return min(game.next) >= dealt and max(game.next) <= 7


# One list of rules: a damaged save may break any of them.
def is_played(game: "Game") -> bool:
    """Return whether the phase, the level, the Tetrimino in play and the full rows fit together."""
    phase = game.phase
    if (phase == GAME_OVER) != (game.over > 0):
        return False
    # Only Standard's rules have `first_level`. They have no Lock Phase: a resting piece stays in the Falling Phase.
    standard = hasattr(game, "first_level")
    if game.piece:
        if phase != FALLING and phase != LOCK or not (game.interval_us or game.soft) or not is_placed(game, standard):
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
    # An impossible level gives an impossible fall speed.
    interval_us = game.interval_us
    soft = game.soft
    game.soft = False  # at once it takes no time
    if not standard and not game.level and not game.over:
        return False
    game.set_interval()
    known = game.interval_us > 0
    game.interval_us = interval_us
    game.soft = soft
    if game.limit_ms and game.time_ms > game.limit_ms:
        return False
    return known and game.entered_ms <= game.time_ms


def is_placed(game: "Game", standard: bool) -> bool:
    """Return whether the Tetrimino in play has room, and rests on a Surface in the Lock Phase alone."""
    turned_last = game.turned_last
    point_5_used = game.point_5_used
    if not game.place(game.piece, game.x, game.y, game.facing):
        return False
    game.turned_last = turned_last
    game.point_5_used = point_5_used
    return (game.phase == LOCK) == (not standard and game.y == game.ghost_y)


def is_held(game: "Game") -> bool:
    """Return whether the control of each movement that continues by itself is held."""
    step = game.shift_step
    if step and not game.pressed >> (RIGHT if step > 0 else 0) & 1:
        return False
    if game.soft and not game.pressed >> SOFT_DROP & 1:
        return False
    return not game.sliding or step != 0 and not game.options.arr_ms
