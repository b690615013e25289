"""The engine agrees with tests/references/reference.py, edge by edge, on random games.

Game number N is the same everywhere: options, starting Blocks, order of Tetriminos and edges all come
from N. Its edges are plausible: a Tetrimino is taken to a place and dropped or spun into it. They are also nasty:
bursts, both directions at once, unmatched edges, times that go backwards, a clock that wraps, long waits. After every
edge, and at moments between, everything public must be equal.

`play(Duel(N))` replays game N.
"""

import functools
import random
from typing import Any

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.engine import events, phases
from firmware.engine.game import AIM_REACHED, BLOCK_OUT, LOCK_OUT, Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, ULTRA_LINES, make_mode
from tests.references.presses import Player
from tests.references.reference import Reference
from tests.references.starts import Start
from tests.support.drill import CODES

CHUNK, CHUNKS = 50, 6
LONG_CHUNK, LONG_CHUNKS = 1000, 100

# The values that a game may choose; they include the extremes of every option.
CHOICES: dict[str, tuple[int, ...]] = {
    "level": (1, 1, 2, 5, 9, 13, 15), "next_count": (1, 6), "hold_on": (0, 1, 1, 1), "ghost_on": (0, 1),
    "lock_rule": (0, 0, 1, 2), "goal_rule": (0, 1), "das_ms": (1, 17, 100, 167, 300, 1000),
    "arr_ms": (0, 0, 1, 16, 33, 55, 500), "soft_factor": (1, 2, 20, 20, 33, 100, 1000, 1000),
    "generation_ms": (0, 1, 50, 200, 1000), "animate_ms": (0, 1, 300, 2000), "initial_rotation": (0, 1),
    "initial_hold": (0, 1), "guard_ms": (0, 100, 500, 1000), "cut_repeat": (0, 1, 2, 60, 1000),
    "early_presses": (0, 1, 1), "steady_repeat": (0, 1), "edition": (0, 1, 1),
}  # fmt: skip
AIMS = {MARATHON: (0, 1), SPRINT: (0, 1, 2, 4, 10), ULTRA: (0, 1, 3), ULTRA_LINES: (0, 1, 3)}


class Duel:
    """One game given to both engines: its options, its start, its moment on the clock, and its edges."""

    def __init__(self, number: int) -> None:
        self.chance = chance = random.Random(f"skyline {number}")
        self.number = number
        self.options = Options()
        self.variant = chance.choice((MARATHON, MARATHON, SPRINT, ULTRA, ULTRA_LINES))
        self.options.aim = chance.choice(AIMS[self.variant])
        if chance.random() < 0.8:
            for name, values in CHOICES.items():
                if chance.random() < 0.5:
                    setattr(self.options, name, chance.choice(values))
        start = Start(chance, self.options)
        seed = chance.randrange(1 << 30)
        self.game = Game(seed, self.options, make_mode(self.variant), start.make_dealer())
        self.reference = Reference(seed, self.options, self.variant, start.make_dealer())
        self.player = Player(chance, self.game, start.plans)
        for y, row in enumerate(start.rows):
            self.game.matrix.set_row(y, bytes(row))
            self.reference.blocks.update({(x, y): cell for x, cell in enumerate(row) if cell})
        if self.variant == MARATHON and chance.random() < 0.4:  # near the end of a level, or of a long game
            level = chance.choice((self.options.level, 14, 15, 15, 16, 19, 25))
            goal = chance.randint(1, 12)
            self.game.level = self.reference.level = level
            self.game.goal = self.reference.goal = goal
        self.t_ms = chance.choice((0, 12345, TICKS_PERIOD - 3000))
        self.game.start(self.t_ms)
        self.reference.start(self.t_ms)
        self.happened = self.first_clear_ms = 0
        self.log: list[tuple[object, ...]] = []

    def edge(self, control: int, pressed: bool, t_ms: int) -> None:
        self.log.append((t_ms, control, pressed))
        self.compare(self.game.input(control, pressed, t_ms), self.reference.input(control, pressed, t_ms))

    def advance(self, t_ms: int) -> None:
        self.log.append((t_ms,))
        self.compare(self.game.advance(t_ms), self.reference.advance(t_ms))

    def compare(self, happened: int, expected: int) -> None:
        """Fail with the game's number and history unless both engines show the same."""
        game, other = self.game, self.reference
        self.happened |= happened
        if game.hit_count and not self.first_clear_ms:
            self.first_clear_ms = game.time_ms
        ours = observe(
            game, b"".join(game.matrix.rows), game.statistics, (list(game.hits[: game.hit_count]), game.wait_us)
        )
        theirs = observe(other, other.matrix(), other, (other.hits, other.wait_until - other.now))
        if happened != expected or ours != theirs:
            lines = [f"game {self.number}", *(f"  {edge}" for edge in self.log)]
            if happened != expected:
                lines.append(f"events: engine {happened:#x}, reference {expected:#x}")
            for name in ours:
                if ours[name] != theirs[name]:
                    one, another = (
                        draw_rows(seen[name]) if name == "matrix" else seen[name] for seen in (ours, theirs)
                    )
                    lines.append(f"{name}: engine {one}, reference {another}")
            raise AssertionError("\n".join(lines))

    def wait(self, ms: int) -> None:
        """Let time pass, sometimes with a comparison in between, rarely with a pause."""
        chance = self.chance
        if ms > 1 and chance.random() < 0.3:
            self.advance((self.t_ms + chance.randrange(ms)) % TICKS_PERIOD)
        self.t_ms = (self.t_ms + ms) % TICKS_PERIOD
        if chance.random() < 0.01:
            self.advance(self.t_ms)
            self.t_ms = chance.randrange(TICKS_PERIOD)
            self.log.append(("start", self.t_ms))
            self.game.start(self.t_ms)
            self.reference.start(self.t_ms)


def draw_rows(cells: bytes) -> str:
    rows = ["".join(CODES[cell] for cell in cells[start : start + 10]) for start in range(0, len(cells), 10)]
    return "\n" + "\n".join(reversed([row for row in rows if row != "." * 10]))


def observe(game: Game | Reference, matrix: bytes, counts: Any, animation: object) -> dict[str, Any]:
    """Return the public state of an engine; that of the Tetrimino only while one is in play."""
    return {
        "matrix": matrix,
        "tetrimino": game.piece and (game.piece, game.facing, game.x, game.y, game.ghost_y),
        "queues": (list(game.next), game.hold, bool(game.held)),
        "tally": (game.score, game.level, game.lines, game.goal),
        "time_ms": game.time_ms,
        "phase": (game.phase, game.over),
        "counts": (counts.kinds, counts.back_to_backs, counts.longest_combo),
        "habits": (counts.pieces, counts.holds, counts.faults),
        "animation": animation if game.phase == phases.ANIMATE else None,
    }


def play(duel: Duel) -> Duel:
    """Play 20 to 60 edges and a last wait; return the duel."""
    chance = duel.chance
    duel.advance(duel.t_ms)
    length = chance.randint(20, 60)
    for count, (ms, control, pressed) in enumerate(duel.player.choose_edges(), 1):
        duel.wait(ms)
        late_ms = 40 if chance.random() < 0.02 else 0  # an edge that comes too late counts as now
        duel.edge(control, pressed, (duel.t_ms - late_ms) % TICKS_PERIOD)
        if count >= length or duel.game.over and chance.random() < 0.3:
            break
    duel.wait(chance.choice((10, 1000, 5000, 150_000)))
    duel.advance(duel.t_ms)
    return duel


@functools.cache
def played(number: int) -> Duel:
    """Play a game, once for all tests of a process."""
    return play(Duel(number))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_agree_edge_by_edge(chunk: int) -> None:
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        played(number)


def test_random_games_cover_all_events_ends_and_line_clears() -> None:
    happened, ends, kinds = 0, set(), set()
    for number in range(CHUNKS * CHUNK):
        duel = played(number)
        happened |= duel.happened
        ends.add(duel.game.over)
        kinds |= {index for index, count in enumerate(duel.game.statistics.kinds) if count}
    assert happened == (events.COMPLETED << 1) - 1 - events.GARBAGE  # none of these variants sends garbage
    assert ends == {0, LOCK_OUT, BLOCK_OUT, AIM_REACHED}
    assert kinds == {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13}  # spin * 5 + lines


def test_12_3_random_games_agree_if_a_limit_cuts_a_line_clear_short() -> None:
    """The same games again, each with a limit that cuts its first Line Clear short."""
    cut = 0
    for number in range(CHUNKS * CHUNK):
        duel = played(number)
        if duel.game.limit_ms and duel.options.animate_ms and duel.first_clear_ms:
            limited = Duel(number)
            limited.game.limit_ms = duel.first_clear_ms + 1 + number % duel.options.animate_ms
            limited.reference.limit = limited.game.limit_ms * 1000
            play(limited)
            cut += limited.game.lines > 0
    assert cut > 20


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(LONG_CHUNKS))
def test_a_hundred_thousand_games_agree_edge_by_edge(chunk: int) -> None:
    for number in range(chunk * LONG_CHUNK, (chunk + 1) * LONG_CHUNK):
        play(Duel(number))
