"""Number the variants; a recording stores these numbers."""

import sys

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.mode import Mode

if TYPE_CHECKING:
    from firmware.engine.game import Game

MARATHON = const(0)
SPRINT = const(1)
ULTRA = const(2)
ULTRA_LINES = const(3)
STANDARD = const(4)
TEST_SPEC = const(5)
WORST = const(6)
ZEN = const(7)
DIG = const(8)
SURVIVE = const(9)
MASTER = const(10)
PUZZLE = const(11)
FINESSE = const(12)
DAILY = const(13)

TIMED = const(b"\x01\x08\x09")  # the variants whose results are times: SPRINT, DIG and SURVIVE

# The module of each variant; one that only its own scene begins is a Marathon to all others. Only the played mode is in
# memory, and in a byte string the names cost little.
_MODULES = b"marathon sprint ultra ultra standard test_spec worst zen dig survive master marathon finesse daily"


def make_mode(variant: int) -> Mode:
    """Return the mode of a variant; raise ValueError with one line for an unknown one."""
    modules = _MODULES.split()
    if variant >= len(modules):
        raise ValueError("variant %d is not one of this version of Skyline" % variant)
    path = "firmware.modes." + modules[variant].decode()
    __import__(path)
    return sys.modules[path].make_mode(variant)


def find_rules(mode: Mode, modern: int) -> "type[Game]":
    """Return the class of a mode's games with this option `modern`."""
    if mode.rules:
        return mode.rules
    if modern:
        from firmware.engine.modern import ModernGame

        return ModernGame
    from firmware.engine.game import Game

    return Game
