"""Choose the Game class that has a game's rules."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Game
    from firmware.engine.mode import Mode


def find_rules(mode: "Mode", modern: int, slow: int = 0) -> "type[Game]":
    """Return the class of a mode's games; `modern` and `slow` are the options of these names."""
    if slow and getattr(mode, "slows", False):
        from firmware.modes.slow import slow_down

        return slow_down(find_rules(mode, modern), slow)
    if mode.rules:
        return mode.rules
    if modern:
        from firmware.engine.extra_rules import ExtraRulesGame

        return ExtraRulesGame
    from firmware.engine.game import Game

    return Game
