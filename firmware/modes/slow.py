"""Adapt the rules of a game to options that few players choose: slow play (README 13) and modern rules (5)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.events import HARD_DROPPED
from firmware.engine.game import Game
from firmware.engine.options import AT_ONCE
from firmware.modes.marathon import Marathon

if TYPE_CHECKING:
    from typing import Any

    from firmware.engine.mode import Mode
    from firmware.engine.options import Options

STILL = const(4)

_PERCENT = b"\x64\x4b\x32\x19\x64"  # of the speed, by the option `slow`
_MOST_GENERATION_MS = const(1000)
_MOST_ANIMATE_MS = const(2000)
_LOCK_US = const(500_000)  # Guideline 5.7
_AGAIN_US = const(2_000_000)  # a timer that begins again; a saved game has no longer ones


def apply(options: "Options", mode: "Any", one_switch: int) -> None:
    """Set the options of a new game: STILL for one switch, 0 in a mode that is never slow.

    Recordings hold the stretched delays as they are. In Puzzles only Soft Drop moves a Tetrimino down, so it is slower.
    """
    if hasattr(mode, "record"):
        if options.soft_factor < AT_ONCE:
            options.soft_factor = max(1, options.soft_factor * _PERCENT[options.slow] // 100)
    elif not can_be_slow(mode):
        options.slow = 0
    elif one_switch:
        options.slow = STILL
    percent = _PERCENT[options.slow]
    options.generation_ms = min(options.generation_ms * 100 // percent, _MOST_GENERATION_MS)
    options.animate_ms = min(options.animate_ms * 100 // percent, _MOST_ANIMATE_MS)


def can_be_slow(mode: "Mode") -> bool:
    """Return whether a mode is Marathon or Zen; Zen alone has a Lock Down Timer of its own."""
    return type(mode) is Marathon or hasattr(mode.rules, "full_us")


def adapt(mode: "Mode", options: "Options") -> "Any":
    """Return the class of a mode's games with `slow` or `modern`; a mode that is never slow ignores `slow`."""
    options.check()
    rules: "Any" = mode.rules or Game
    if options.spins or options.modern and not mode.rules:
        from firmware.engine.extra_rules import ExtraRulesGame  # residents: STAY

        if not mode.rules:
            rules = ExtraRulesGame
        elif hasattr(rules, "full_us"):
            rules = type("Spins", (rules,), {name: getattr(ExtraRulesGame, name) for name in ("spin", "is_taken")})
    if options.kicks and (not mode.rules or hasattr(mode.rules, "full_us")):
        from firmware.modes.kicks import make_kicks

        rules = make_kicks(rules)
    if not options.slow or not can_be_slow(mode):
        return rules
    return make_still(rules) if options.slow == STILL else make_slow(rules, _PERCENT[options.slow])


def make_slow(rules: "Any", percent: int) -> "Any":
    """Return a class of games by `rules` whose times of a row and of the Lock Down take longer."""
    # Zen has a timer of its own. Its two methods for that are passed over: a board's stack is small.
    is_zen = hasattr(rules, "full_us")
    full_us = (rules.full_us if is_zen else _LOCK_US) * 100 // percent

    class SlowGame(rules):  # type: ignore[misc]
        """Play one game at a part of its speed."""

        interval_us: int

        def set_interval(self) -> None:
            """Stretch the time of a row."""
            Game.set_interval(self)
            self.interval_us = self.interval_us * 100 // percent

        def enter_new_row(self) -> None:
            """Stretch the Lock Down Timer."""
            Game.enter_new_row(self)
            self.lock_us = full_us

        def follow(self) -> None:
            """Stretch the Lock Down Timer if the movement restarts it; in Zen every movement does."""
            left_us = 0 if is_zen else self.lock_us
            self.lock_us = 0
            Game.follow(self)
            self.lock_us = left_us if left_us and not self.lock_us else full_us

    return SlowGame


def make_still(rules: "Any") -> "Any":
    """Return a class of games by `rules` where only Soft Drop and Hard Drop move a Tetrimino down (7.2)."""

    class StillGame(rules):  # type: ignore[misc]
        """Play one game without time pressure."""

        y: int
        score: int
        events: int
        follow = Game.follow  # not Zen's: a board's stack is small

        def set_interval(self) -> None:
            """Fall by Soft Drop only."""
            if self.soft:
                Game.set_interval(self)
            else:
                self.interval_us = _AGAIN_US

        def enter_new_row(self) -> None:
            """Record the new row, but never let the Lock Down Timer end."""
            Game.enter_new_row(self)
            self.lock_us = _AGAIN_US

        def fall(self, left_us: int) -> int:
            """Fall by Soft Drop only; otherwise wait without end."""
            if self.soft:
                return Game.fall(self, left_us)
            self.fall_us = _AGAIN_US
            return left_us

        def lock_down(self, hard: bool = False) -> None:
            """Never lock down by a timer, but begin it again."""
            self.lock_us = _AGAIN_US

        def hard_drop(self) -> None:
            """Drop to the Surface and lock down. Not by the usual method: a board's stack is small."""
            rows = self.y - self.ghost_y
            if rows:
                self.sink(rows)
                self.score += 2 * rows
            self.events |= HARD_DROPPED
            Game.lock_down(self, True)

    return StillGame
