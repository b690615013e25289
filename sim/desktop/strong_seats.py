"""Play the computers above the handheld's levels by the strong player, each in a process of its own."""

import sys
from importlib.util import find_spec

from firmware.compat import ticks_add
from firmware.players.levels import BEST, NAMES, STRONGEST
from firmware.scenes.match.play import Scene as MatchPlay
from sim import terminal
from sim.bots.attacks import name_rules
from sim.bots.process import Bot, Fault
from sim.bots.rival import LiveRival, Rival

_SPANS_MS = 500, 286  # 2.0 and 3.5 pieces a second
_THINK_MS = 100, 20
_GAPS_MS = 25, 0  # between two presses
_FROZEN_MS = 1000
_GOODBYE_S = 1.0


def count_levels() -> int:
    """Return how many levels of computer players this PC has: the strong player needs Numba."""
    return STRONGEST if find_spec("numba") and find_spec("tools.bots") else BEST


def start_strong_bot(level: int, rules: int) -> Bot:
    """Start the process of a level above BEST, which plays for the table of the match's `rules`."""
    think_ms = str(_THINK_MS[level - BEST - 1])
    command = [sys.executable, "-m", "tools.bots", "tbp", "--strong", "--think", think_ms]
    bot = Bot([*command, "--attacks", name_rules(rules)])
    bot.goodbye_s = _GOODBYE_S
    return bot


class StrongSeats:
    """Take the seats of these computers in every match that a scene begins.

    waits: whether a match waits while they think. Without it the clock stands still only until they are ready.
    rivals: the player of each seat, kept from round to round.
    """

    def __init__(self, waits: bool) -> None:
        self.waits = waits
        self.rivals: dict[int, Rival] = {}
        self._kinds: dict[int, tuple[int, int]] = {}  # the level, and the rules of the match
        self._is_waiting = False
        self._reported: set[int] = set()

    def close(self) -> None:
        for rival in self.rivals.values():
            rival.bot.__exit__(None)
        self.rivals.clear()

    def look_at_frame(self, scene: object, now_ms: int) -> None:
        """Take the seats of a match that has begun in this frame, and hold its clock until all are ready."""
        if not isinstance(scene, MatchPlay):
            return
        levels = [scene.match.options.level_of(number) for number in range(scene.match.options.players)]
        seats = [number for number, level in enumerate(levels) if level > BEST and scene.players[number]]
        for number in seats:
            if scene.players[number] is not self.rivals.get(number):
                self._sit_down(scene, number, levels[number])
            self._report(number, levels[number])
        late = [number for number in seats if not self.rivals[number].wake()]
        if late:
            scene.last_ms = ticks_add(now_ms, _FROZEN_MS)
            scene.view.draw_message(f"{NAMES[levels[late[0]] - 1].decode()} WAKES UP")
        elif self._is_waiting:
            scene.last_ms = now_ms
            scene.view.reset()
        self._is_waiting = bool(late)

    def _sit_down(self, scene: MatchPlay, number: int, level: int) -> None:
        """Take a seat, with the process that had it before if its level and the rules are the same."""
        game = scene.match.seats[number].game
        rival = self.rivals.get(number)
        rules = scene.match.options.rules
        if rival and self._kinds[number] == (level, rules) and not rival.lost:
            rival.watch(game)
        else:
            if rival:
                rival.bot.__exit__(None)
            at = level - BEST - 1
            kind = Rival if self.waits else LiveRival
            rival = kind(start_strong_bot(level, rules), game, 0, gap_ms=_GAPS_MS[at])
            rival.span_ms = _SPANS_MS[at]
            self._reported.discard(number)
        self.rivals[number] = scene.players[number] = rival
        self._kinds[number] = level, rules

    def _report(self, number: int, level: int) -> None:
        """Write one line about a player that fails."""
        lost: Fault | None = self.rivals[number].lost
        if lost and number not in self._reported:
            self._reported.add(number)
            terminal.note("sim", f"{NAMES[level - 1].decode()} loses: it {lost}")
