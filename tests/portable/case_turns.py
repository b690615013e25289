"""Each rotation system turns, and each rule of spins judges, the same on every interpreter."""

from binascii import crc32

from firmware.engine.mode import Mode
from firmware.engine.options import HALF_TURNS, Options
from firmware.engine.randomizer import Random
from firmware.modes.rules import find_rules


def begin(kicks, spins):
    """Return a game with a rotation system, a rule of spins, and half turns."""
    options = Options()
    options.kicks = kicks
    options.spins = spins
    options.modern = HALF_TURNS
    mode = Mode()
    return find_rules(mode, options)(1, options, mode)


def turn(game, random):
    direction = random.below(3)
    return game.turn_half() if direction > 1 else game.turn(direction)


def judge(game, _random):
    game.turned_last = True
    return game.spin()


def survey(game, seed, act):
    """Put Tetriminos anywhere in random stacks; return a hash of what `act` finds and of their places after it."""
    random = Random(seed)
    seen = 0
    for _ in range(30):
        for y in range(10):
            game.matrix.set_row(y, bytes([8 * random.below(2) for _ in range(10)]))
        for _ in range(20):
            if game.place(1 + random.below(7), random.below(7), random.below(12), random.below(4)):
                found = act(game, random)
                seen = crc32(bytes((found, game.x + 8, game.y + 8, game.facing)), seen)
    return "%08x" % seen


outcomes = [survey(begin(kicks, 0), 56, turn) for kicks in range(4)]
outcomes += [survey(begin(0, spins), 23, judge) for spins in range(3)]
assert outcomes == [outcome for i, outcome in enumerate(outcomes) if outcome not in outcomes[:i]], "two rules agree"
print("; ".join(outcomes))
