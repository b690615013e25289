"""Refuse a match for which a board's heap has no room, and name why; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.options import HALF_TURNS
from firmware.save.journal import MATCH

if TYPE_CHECKING:
    from firmware.contracts import Context, Settings

LINK = const("link.lobby")
RESUME_GAME = const("resume_game")

# The free bytes, with the modules of a match loaded, that leave 8 KB in play: for a linked match, then for a match
# against one, two and three computers. A Pico has 50,400; a display of 240 rows takes 9,900, so two fit.
_NEEDED = (26_800, 26_500, 30_500, 41_000)
# What match.entrance leaves more, at least: the modules of a linked match, and of one against computers, less its own.
_LINK_BYTES = const(75_300)
_MATCH_BYTES = const(64_100)
_MODERN_BYTES = const(7_000)  # the rules of today's games: a board has 12,096 instead of 20,096 against three
_MODERN_LOADED = const(3_400)  # of these, what a match against computers has loaded already at its second check
_MODERN_LINK_BYTES = const(10_200)  # the same for a linked match; less leaves no block of 4 KB after OPTIONS
_EAR_BYTES = const(3_100)
_RULES = const(12)  # the place of the rules in a saved match
_SWITCH_BYTES = const(4_700)


def check(context: "Context", word: str, is_loaded: bool) -> bool:
    """Go to the menu with a note if the heap is too small for what `word` opens; is_loaded: with its modules loaded."""
    free_bytes = context.device.machine.free_bytes()
    if free_bytes < 0:
        return False  # unknown
    if not is_loaded:
        free_bytes -= _LINK_BYTES if word.startswith(LINK) else _MATCH_BYTES
    count, rules = describe(context, word)
    missing = _NEEDED[count] - free_bytes
    if not count:  # the lobby agrees on the rules, and refuses what this handheld lacks the room for
        modern = missing + _MODERN_LINK_BYTES
        context.session.tell(name_excess(context, 0, modern, 1, False) if modern > 0 else b"")
    if rules:
        missing += _MODERN_BYTES - (_MODERN_LOADED if is_loaded else 0)
    if missing > 0:
        context.go("match.menu", name_excess(context, count, missing, rules, word == RESUME_GAME))
    return missing > 0


def describe(context: "Context", word: str) -> "tuple[int, int]":
    """Return against how many computers the match is, 0 if it is linked, and by which rules (0 for a lobby)."""
    # Imported late: a match needs neither module any more.
    if word == RESUME_GAME:
        from firmware.save.varint import Numbers

        numbers = Numbers(context.journal.read(MATCH), False, 1)
        try:
            count = [numbers.get() for _ in range(4)][-1]  # of the options, as match_suspended.py writes them
            options = [numbers.get() for _ in range(count)]
            return min(max(options[0] - 1, 1), 3), options[_RULES] if count > _RULES else 0
        except (ValueError, IndexError):
            return 1, 0  # the record is damaged
    from firmware.save.match_choices import OPPONENTS, RULES, choose

    if word.startswith(LINK):
        return 0, 0
    choices = choose(context.settings)
    return 1 + choices[OPPONENTS], choices[RULES]


def needs_map(settings: "Settings") -> bool:
    """Return whether other settings than BY EAR need a map of buttons: then it takes next to nothing."""
    usual = bytes([1 << control for control in range(8)])
    return settings.one_switch > 0 or settings.buttons != usual or settings.modern & HALF_TURNS > 0


def name_excess(context: "Context", count: int, missing: int, rules: int, is_kept: bool) -> bytes:
    """Return a note: what to turn off for the missing bytes, else that there are too many rivals, or no match fits.

    is_kept: whether the match is a suspended one, whose rivals stay.
    """
    settings = context.settings
    words = b"THIS NEEDS MORE|MEMORY:|"
    if settings.one_switch and missing <= _SWITCH_BYTES:
        return words + b"TURN OFF 1 KEY"
    if count and settings.by_ear > 1 and not needs_map(settings) and missing <= _EAR_BYTES:
        return words + b"TURN OFF BY EAR"
    if rules and not is_kept and missing <= (_MODERN_BYTES if count else _MODERN_LINK_BYTES):
        return words + b"RULES: GUIDE"
    if count > 1 and not is_kept and missing <= _NEEDED[count] - _NEEDED[1]:
        return words + b"FEWER RIVALS"
    return b"MEMORY IS SHORT|ON THIS SCREEN:|" + (b"NO MATCH" if count else b"NO LINK")
