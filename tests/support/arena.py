"""Play a Match in tests: seats whose games begin in a prepared Matrix, with a chosen order of Tetriminos."""

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.modes.lessons.demonstration import Demonstration, find_blob
from firmware.modes.lessons.demonstrations import DEMONSTRATIONS, NAMES
from firmware.save.recordings.recording import Recording
from tests.support.drill import CODES, CONTROLS, Order, choose

TARGET = controls.PAUSE
ACTIONS = [name.decode().replace("|", " ") for name in NAMES.split(b"\n")]

LINE = "#########."  # an upright I at the right clears it


class Arena:
    """One match with rules given by name; options of all games have the prefix `play_`, such as `play_level`."""

    def __init__(self, seed: int = 1, **rules: int) -> None:
        play = {name.removeprefix("play_"): value for name, value in rules.items() if name.startswith("play_")}
        self.options = choose(MatchOptions(), **{name: rules[name] for name in rules if not name.startswith("play_")})
        choices = [choose(Options(), **play) for _ in range(self.options.players)]
        self.match = Match(seed, self.options, choices)
        self.t_ms = 0

    @property
    def seats(self) -> list:
        return self.match.seats

    def game(self, number: int) -> Game:
        return self.seats[number].game

    def wait(self, ms: int) -> None:
        self.t_ms += ms
        self.match.advance(self.t_ms)

    def tap(self, number: int, *names: str) -> None:
        """Press and release controls of one player, now."""
        for name in names:
            button = TARGET if name == "target" else CONTROLS[name]
            for pressed in (1, 0):
                self.match.input(number, button, pressed, self.t_ms)

    def draw(self, number: int, art: str) -> None:
        """Put the rows of `art`, the bottom last, into a Matrix."""
        game = self.game(number)
        for y, line in enumerate(reversed(art.split())):
            game.matrix.set_row(y, bytes(CODES.index(cell) for cell in line))
        game.find_ghost(game.y)

    def deal(self, number: int, letters: str) -> None:
        """Deal these letters over and over to one player, the first letter now."""
        game = self.game(number)
        game.dealer = Order(letters)
        for i in range(6):
            game.next[i] = game.dealer.deal()
        game.generate()

    def attack(self, number: int, lines: int, ms: int = 0) -> None:
        """Send lines without a sender to a player; they arrive after `ms`."""
        self.seats[number].coming.send(self.match.time_ms + ms, lines)

    def drop(self, number: int, times: int = 1) -> None:
        for _ in range(times):
            self.tap(number, "hard")
            self.wait(self.game(number).options.generation_ms + self.game(number).options.animate_ms)

    def rows(self, number: int) -> list[str]:
        """Return a player's rows up to the highest Block as text, the bottom last."""
        matrix = self.game(number).matrix
        return ["".join(CODES[cell] for cell in matrix.rows[y]) for y in range(matrix.top - 1, -1, -1)]

    def gaps(self, number: int) -> list[int]:
        """Return the column of the gap of every row of garbage, the first that rose first; 10 for a Solid Line."""
        return [row.find(".") if "." in row else 10 for row in self.rows(number) if "#" in row]


class Performance:
    """An action of Guideline 8, played as in its demonstration by player 0 of a match of two.

    When the last Tetrimino comes, `queue` lines wait in the player's Receiving Queue. `before` is
    the number of lines sent until then.
    """

    def __init__(self, action: str, queue: int = 0) -> None:
        self.blob = find_blob(DEMONSTRATIONS, ACTIONS.index(action))
        self.before = 0
        last = self.play(0, -1).game(0).lock_downs
        self.arena = self.play(queue, last - 1)

    def play(self, queue: int, lock_downs: int) -> Arena:
        """Play the demonstration; `queue` lines come after `lock_downs` Lock Downs."""
        arena = Arena(quicken_s=0)
        mode = Demonstration(self.blob)
        recording = Recording(self.blob[mode.first :])
        seat = arena.seats[0]
        seat.game = game = Game(1, recording.options, seat)
        mode.begin(game)
        for i in range(6):
            game.next[i] = mode.deal()
        game.start(0)
        while recording.read():
            self.wait(arena, recording.time_ms, queue, lock_downs)
            arena.match.input(0, recording.button, recording.pressed, recording.time_ms)
        self.wait(arena, recording.time_ms, queue, lock_downs)
        return arena

    def wait(self, arena: Arena, t_ms: int, queue: int, lock_downs: int) -> None:
        seat = arena.seats[0]
        while arena.match.time_ms < t_ms:
            arena.match.advance(min(t_ms, arena.match.time_ms + 10))
            if seat.game.lock_downs == lock_downs and seat.game.piece and not seat.queued:
                self.before = seat.sent
                seat.coming.send(arena.match.time_ms, queue)
                seat.arrive(arena.match.time_ms)


def clear_rows(arena: Arena, rows: int = 1, below: str = "") -> int:
    """Let player 0 clear rows with an upright I, and those of `below` stay; return the lines sent."""
    before = arena.seats[0].sent
    arena.draw(0, "..........\n" * 10)
    arena.draw(0, f"{LINE}\n" * rows + below)
    arena.deal(0, "I")
    arena.tap(0, "cw", *["right"] * 4, "hard")
    arena.wait(1000)
    return arena.seats[0].sent - before
