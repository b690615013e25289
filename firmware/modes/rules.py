"""Choose the Game class that has a game's rules."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Game
    from firmware.engine.mode import Mode


def find_rules(mode: "Mode", modern: int) -> "type[Game]":
    """Return the class of a mode's games; `modern` is the option of that name."""
    if mode.rules:
        return mode.rules
    if modern:
        from firmware.engine.extra_rules import ExtraRulesGame

        return ExtraRulesGame
    from firmware.engine.game import Game

    return Game
