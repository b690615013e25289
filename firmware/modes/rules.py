"""Choose the Game class that has a game's rules."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Game
    from firmware.engine.mode import Mode
    from firmware.engine.options import Options


def find_rules(mode: "Mode", options: "Options") -> "type[Game]":
    """Return the class of a mode's games with these options."""
    if options.slow or options.kicks or options.spins or options.modern and not mode.rules:
        from firmware.modes.slow import adapt

        return adapt(mode, options)
    if mode.rules:
        return mode.rules
    from firmware.engine.game import Game

    return Game
