"""Play a Game move by move in tests, with a chosen order of Tetriminos, Blocks drawn as text, and a manual clock."""

import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.randomizer import Bag
from firmware.modes.rules import find_rules

CODES = ".IJLOSTZ#"
CONTROLS = {
    "left": controls.LEFT,
    "right": controls.RIGHT,
    "soft": controls.SOFT_DROP,
    "hard": controls.HARD_DROP,
    "cw": controls.ROTATE_CW,
    "ccw": controls.ROTATE_CCW,
    "hold": controls.HOLD,
}
LONGEST_MS = 100_000  # that a drill waits for an event

Chosen = TypeVar("Chosen")


def choose(options: Chosen, **values: float) -> Chosen:
    for name, value in values.items():
        assert hasattr(options, name)
        setattr(options, name, value)
    return options


class Order(Bag):
    """Deal Tetriminos in a written order, over and over."""

    def __init__(self, letters: str) -> None:
        self.letters = letters
        self.dealt = 0

    def deal(self) -> int:
        letter = self.letters[self.dealt % len(self.letters)]
        self.dealt += 1
        return CODES.index(letter)


class Garbage(Mode):
    """Send rows of garbage after each Lock Down, as an opponent does; remember the results of `receive`."""

    def __init__(self, rows: int, gap: int = 0) -> None:
        self.rows = rows
        self.gap = gap
        self.answers: list[bool] = []

    def complete(self, game: Game) -> None:
        self.answers.append(game.receive(self.rows, self.gap))


class Drill:
    """One game whose first Tetrimino is in play at time 0.

    `art` draws the lowest rows, the bottom last: `.` empty, a letter or `#` a Block.
    Options are given by name. `order` is dealt over and over; "" uses the game's own bag. `script` is passed to act().
    """

    def __init__(
        self,
        order: str = "IJLOSTZ",
        art: str = "",
        mode: Mode | None = None,
        seed: int = 1,
        script: Any = "",
        **options: int,
    ) -> None:
        chosen = choose(Options(), **options)
        rules = find_rules(mode, chosen) if mode else Game
        self.game = rules(seed, chosen, mode, Order(order) if order else None)
        self.draw(art)
        self.t_ms = 0
        self.game.start(0)
        self.happened = self.game.advance(0)
        self.act(script)

    def draw(self, art: str, bottom: int = 0) -> None:
        """Put the rows of `art` into the Matrix, its last line in row `bottom`."""
        lines = art.split()
        for index, line in enumerate(reversed(lines)):
            self.game.matrix.set_row(bottom + index, bytes(CODES.index(cell) for cell in line))

    def wait(self, ms: int) -> int:
        """Let `ms` milliseconds pass; return the event bits."""
        self.t_ms += ms
        return self.game.advance(self.t_ms % (1 << 29))

    def press(self, *names: str) -> int:
        """Press controls, now; return the event bits."""
        return self.edges((name, True) for name in names)

    def release(self, *names: str) -> int:
        """Release controls, now; return the event bits."""
        return self.edges((name, False) for name in names)

    def tap(self, *names: str) -> int:
        """Press and release controls one after the other, now; return the event bits."""
        return self.edges((name, pressed) for name in names for pressed in (True, False))

    def edges(self, edges: Iterable[tuple[str, bool]]) -> int:
        """Feed edges at the present moment; return the event bits."""
        happened = 0
        for name, pressed in edges:
            happened |= self.game.input(CONTROLS[name], pressed, self.t_ms % (1 << 29))
        return happened

    def act(self, script: str) -> int:
        """Tap `left`, or `left*4` times, press `+left`, release `-left`, wait `300` ms; return the event bits."""
        happened = 0
        for word in script.split():
            name, _, times = word.partition("*")
            if word.isdigit():
                happened |= self.wait(int(word))
            elif word[0] in "+-":
                happened |= self.edges([(word[1:], word[0] == "+")])
            else:
                happened |= self.tap(*[name] * int(times or 1))
        return happened

    def walk(self, *scripts: str) -> list[str]:
        """Return the columns of the Tetrimino in play after each script, such as 345."""
        return ["".join(map(str, self.columns)) for script in scripts if self.act(script) >= 0]

    def place(self, *names: str) -> int:
        """Tap controls, Hard Drop, and wait until the next Tetrimino is in play; return the event bits."""
        happened = self.tap(*names, "hard")
        options = self.game.options
        return happened | self.wait(options.generation_ms + (options.animate_ms if self.game.hit_count else 0))

    def until(self, wanted: int) -> int:
        """Let time pass in steps of 1 ms until an event of `wanted` happens; return the time in ms."""
        for passed in range(LONGEST_MS + 1):
            if self.wait(1 if passed else 0) & wanted:
                return passed
        raise AssertionError(f"event {wanted:#x} did not happen within {LONGEST_MS} ms")

    def clear(self, rows: int) -> int:
        """Drop an upright I into the gap of `rows` otherwise full rows; return the event bits."""
        self.draw("..........\n" * 4)
        self.draw("#########.\n" * rows)
        return self.place("cw", *["right"] * 4)

    def put_turned(self, piece: int, x: int, y: int, facing: int) -> None:
        """Put a Tetrimino into play at a place, as if it had just turned there."""
        assert self.game.place(piece, x, y, facing)
        self.game.turned_last = True
        self.game.find_ghost(self.game.y)

    @property
    def piece(self) -> str:
        """The letter of the Tetrimino in play, or a dot."""
        return CODES[self.game.piece]

    @property
    def queues(self) -> tuple[str, str]:
        """The letters of the Tetrimino in play and of the held one, or dots."""
        return self.piece, CODES[self.game.hold]

    @property
    def cells(self) -> set[tuple[int, int]]:
        """The cells (x, y) of the Tetrimino in play, by its masks."""
        game = self.game
        masks = (game.a, game.b, game.c, game.d)
        return {(bit - 3, game.y + row) for row, mask in enumerate(masks) for bit in range(16) if mask >> bit & 1}

    @property
    def columns(self) -> list[int]:
        return sorted({x for x, _ in self.cells})

    def matrix(self, rows: int = 20) -> list[str]:
        """Return the lowest rows as text, the bottom last."""
        return ["".join(CODES[cell] for cell in self.game.matrix.rows[y]) for y in range(rows - 1, -1, -1)]


def state(game: Game) -> dict[str, object]:
    """Return the whole state of a Game, to compare it with another.

    A Sprint's `splits` are left out: no rule reads them, and a resumed game does not know the earlier ones.
    """
    seen: dict[str, object] = {}
    assert game.ghost_y > -4  # reading ghost_y computes it
    slots = [name for kind in type(game).__mro__ for name in getattr(kind, "__slots__", ())]
    assert slots, "a Game without slots has its state elsewhere"
    for name in slots:
        value = getattr(game, name)
        if type(value) is int:
            seen[name] = value
            continue
        if name in ("options", "statistics", "random", "garbage", "dealer", "mode", "matrix"):
            value = {key: item for key, item in vars(value).items() if key not in ("random", "splits")}
        seen[name] = repr(value)
    seen["bag"] = repr(vars(game.random))
    return seen


def comparable_state(game: Game) -> dict[str, object]:
    return {name: value for name, value in state(game).items() if name != "mode"}


def place_in_stacks(game: Any, seed: int, pieces: tuple[int, ...]) -> Iterator[bool]:
    """Place Tetriminos in random stacks; yield whether each cannot move."""
    chance = random.Random(seed)
    for _ in range(40):
        for y in range(9):
            game.matrix.set_row(y, bytes(8 * (chance.random() < 0.65) for _ in range(10)))
        for piece, facing, x, y in itertools.product(pieces, range(4), range(-1, 9), range(1, 7)):
            if game.place(piece, x, y, facing):
                steps = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
                stuck = not any(game.place(piece, *step, facing) for step in steps)
                game.place(piece, x, y, facing)
                yield stuck
