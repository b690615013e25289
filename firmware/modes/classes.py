"""Choose the options of a game by what its mode knows, and decide by which class it is ranked (README.md, 17)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.options import Options
from firmware.option_table import list_extras

if TYPE_CHECKING:
    from firmware.contracts import Record, Settings

# A class below EASED is the value of `invisible`; with eased delays it is 3 more.
USUAL = const(0)
EASED = const(3)
OTHER = const(6)  # another dealer or rotation system, or other spins
UNRANKED = const(7)

GENERATION_MS = const(200)  # the guideline's delays
ANIMATE_MS = const(300)
_MORE_POINTS = const(5)  # rules of `modern` that give points

EXTRAS = list_extras()


def choose_options(settings: "Settings", record: "Record") -> Options:
    """Return the options of the next game of a mode: those of the settings, except the rules that it does not know."""
    options = Options()
    settings.apply(options)
    usual = Options()
    words = EXTRAS[1].split()
    for name in EXTRAS[0]:
        if words.pop(0) not in record[b"knows"].split():
            setattr(options, name, getattr(usual, name))
    return options


def has_delays(record: "Record") -> bool:
    return b"delays" in record[b"knows"]


def find_class(options: Options, record: "Record") -> int:
    """Return the class of a game with these options, which says in which table its result belongs."""
    known = record[b"knows"]
    if options.garbage_rows or options.slow:
        return UNRANKED  # Starting Blocks give easy lines, a slow game gives time
    if options.modern & _MORE_POINTS and b"modern" in known and record[b"result"].startswith(b"points"):
        return UNRANKED  # the guideline does not have these points
    number = options.invisible if b"vanish" in known else USUAL
    if has_delays(record):
        entry_ms = options.generation_ms - GENERATION_MS
        clear_ms = options.animate_ms - ANIMATE_MS
        if b"class 3" in record:  # only modes against the clock have a table of this class
            eased = entry_ms < 0 or clear_ms < 0
        else:
            eased = entry_ms > 0 or clear_ms > 0
        number += EASED if eased else 0
    if options.deal and b"deal" in known or options.kicks and b"kicks" in known or options.spins and b"spins" in known:
        return UNRANKED if number else OTHER
    return number
