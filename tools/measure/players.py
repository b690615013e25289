"""Measure computer players on 32-bit MicroPython: their thinking time on a board in each frame, and their heap."""

from firmware.players.levels import BEST
from tools import interpreters
from tools.measure import board

_MATCH = """
import gc
from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.players.computer_team import ComputerTeam
from firmware.players.computers import find_pool
options = MatchOptions()
options.players = {players}
options.who = {who}
match = Match(5, options, [Options() for _ in range({players})])
for seat in match.seats:
    for row in range({garbage}):
        seat.game.matrix.raise_row(3 + row // 4)
gc.collect()
before = gc.mem_alloc()
company = ComputerTeam(match)
gc.collect()
print("heap", gc.mem_alloc() - before)
"""

# Like the scene of a match in frames with little other work, but with marks.
_THOUGHT = """
from time import ticks_us as mark
def play(frames):
    for frame in range(1, frames):
        t_ms = frame * 50 // 3
        company.press(t_ms)
        match.advance(t_ms)
        mark()
        pool = find_pool({computers})
        for i in range(len(company.players)):
            player = company.players[(frame + i) % len(company.players)]
            if player and pool > 0:
                pool = player.look(pool)
        mark()
mark()
mark()
play({frames})
"""

_LOCKED = """
import micropython
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.players.alone import pass_time
from firmware.players.player import Player
class Rising(Mode):
    def complete(self, game):
        if game.lock_downs % 5 == 0:
            game.receive(2, game.lock_downs % 10)
game = Game(3, Options(), Rising())
game.start(0)
game.advance(0)
player = Player({level}, 2)
player.watch(game)
def play(frames):
    micropython.heap_lock()
    for frame in range(1, frames):
        pass_time(player, frame * 50 // 3)
    micropython.heap_unlock()
play({frames})
print(game.lock_downs)
"""


def _begin(computers: int, garbage: int) -> str:
    """Return the script that begins a match of one person against `computers` of the best level."""
    who = sum(BEST << 4 * (1 + i) for i in range(computers))
    return _MATCH.format(players=computers + 1, who=who, garbage=garbage)


def measure_thought(computers: int, garbage: int = 0) -> list[float]:
    """Return the ms that the computers of a match think in each frame on a board."""
    script = _begin(computers, garbage) + _THOUGHT.format(frames=600, computers=computers)
    return [board.to_us(span) / 1000 for span in interpreters.spans_of(interpreters.run(interpreters.WASM, script))]


def measure_heap(computers: int) -> int:
    """Return the heap in bytes that `computers` players keep, without their modules."""
    return int(interpreters.run(interpreters.WASM, _begin(computers, 0)).last_line.split()[1])


def play_locked(level: int, frames: int) -> int:
    """Play with a locked heap and rising garbage; return the Tetriminos played, raise ScriptFailed on an allocation."""
    return int(interpreters.run(interpreters.WASM, _LOCKED.format(level=level, frames=frames)).last_line)


def opponent_rows() -> list[tuple[str, str]]:
    """Return the table's rows: board time and heap of one and of three computers of the best level."""
    rows = []
    for computers, name in ((1, "one computer"), (3, "three computers")):
        times = measure_thought(computers)
        figures = f"{sum(times) / len(times):.1f} ms, {max(times):.1f} ms"
        rows.append((f"thought of {name} a frame: mean, worst", figures))
        rows.append((f"heap of {name}, without the modules", f"{board.thousands(measure_heap(computers))} B"))
    return rows
