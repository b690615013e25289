"""Choose the Game class that has a game's rules."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Game
    from firmware.engine.mode import Mode
    from firmware.engine.options import Options


def find_rules(mode: "Mode", options: "Options") -> "type[Game]":
    """Return the class of a mode's games with these options."""
    rules = mode.rules
    if not rules and options.modern:
        from firmware.engine.extra_rules import ExtraRulesGame

        rules = ExtraRulesGame
    elif not rules:
        from firmware.engine.game import Game

        rules = Game
    if options.slow:
        from firmware.modes.slow import slow_down

        rules = slow_down(rules, mode, options)
    return rules
