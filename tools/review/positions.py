"""Replay a recording and note, for each Tetrimino, what its player could know and what the player did."""

from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.engine.finesse import PRESSES
from firmware.engine.game import Game
from firmware.engine.manipulation import Manipulation
from firmware.engine.randomizer import Bag
from firmware.engine.statistics import Statistics
from firmware.match.seat import Seat
from firmware.modes.catalogue import FINESSE, PUZZLE, find, make_mode
from firmware.modes.daily import Daily
from firmware.modes.dig import Dig
from firmware.modes.rules import find_rules
from firmware.modes.sprint import Sprint
from firmware.modes.survive import Survive
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Player, Recording
from sim.bots.host import find_bag
from sim.bots.protocol import Move, find_gap
from sim.terminal import Refusal

FAST_LEVEL = 10  # from here on a Tetrimino may land before the presses lead to a place
MOST_LINES = 4  # of an all-clear

_STEP_MS = 1000
_COLUMNS = 13  # of a row of PRESSES
_NO_GAP = 4  # the strong player's guess, where no garbage shows its gap


class Position(NamedTuple):
    """One Tetrimino: what could be known when it came, and the place that its player chose.

    number, round: both from 1.  began_ms: the length of all rounds before.  generated_ms, locked_ms: in its round,
    rounded up.
    rows: the Matrix, cell codes, lowest row first.  hold: 0 if empty.  queue: the pieces seen, the one that came first.
    can_hold: whether Hold is on.  chain: Tetrises and spins so far that the next one is Back-to-Back with.
    combo: the last Lock Downs in a row that all cleared lines.  bag: the pieces left after the queue, if known.
    coming, gap: rows of garbage that will rise, and the probable column of their gap.
    move, held: the place, and whether Hold was used.  presses, fewest: of the Tetrimino that locked down; fewest is
    -1 where the table of finesse does not apply.  level: of the game, which decides how fast Tetriminos fall.
    most_lines: that an all-clear can have, see `count_lines`.
    """

    number: int
    round: int
    began_ms: int
    generated_ms: int
    locked_ms: int
    rows: tuple[bytes, ...]
    hold: int
    queue: tuple[int, ...]
    can_hold: bool
    chain: int
    bag: tuple[int, ...]
    coming: int
    gap: int
    move: Move
    held: bool
    presses: int
    fewest: int
    level: int
    most_lines: int = MOST_LINES
    combo: int = 0

    @property
    def at_ms(self) -> int:
        """The time of the generation in the whole recording."""
        return self.began_ms + self.generated_ms

    @property
    def wasted(self) -> int:
        """The presses more than the fewest."""
        return max(0, self.presses - self.fewest) if self.fewest >= 0 else 0


class Observer(Statistics):
    """Note the positions of a game; its statistics are told of each generation and each Lock Down."""

    def __init__(self, game: Game, positions: list[Position], round_number: int, began_ms: int) -> None:
        super().__init__()
        self.game = game
        self.positions = positions
        self.round = round_number
        self.began_ms = began_ms
        self.hold = game.hold
        self.known: dict[str, Any] = {}
        self.flights: list[tuple[int, int]] = []

    def enter(self) -> None:
        super().enter()
        if not self.known:
            self.note_generation()

    def note_generation(self) -> None:
        """Note what can be known at the generation of a Tetrimino; Hold may have exchanged it at once."""
        game = self.game
        count = game.options.next_count - (1 if game.held and not self.hold else 0)
        queue = [game.piece, *game.next[:count]]
        if game.held:
            queue[:1] = [game.hold] if self.hold else [game.hold, game.piece]
        seat = game.mode
        queued = 0
        self.flights = []
        if isinstance(seat, Seat):
            queued, flight = seat.queued, seat.coming
            self.flights = [(flight.due_ms[i], flight.lines[i]) for i in range(flight.count)]
        self.known = {
            "generated_ms": read_moment(game),
            "rows": tuple(bytes(row) for row in game.matrix.rows),
            "hold": self.hold,
            "queue": tuple(piece for piece in queue if piece),
            "can_hold": bool(game.options.hold_on),
            "chain": game.chain,
            "combo": self.combo + 1,
            "bag": tuple(find_bag(game, count)) if type(game.dealer) is Bag else (),
            "coming": queued,
            "gap": find_gap(game.matrix, _NO_GAP),
            "level": game.level,
            "most_lines": count_lines(game),
        }

    def place(self, tetrimino: Manipulation, dropped: bool) -> None:
        super().place(tetrimino, dropped)
        game = self.game
        known = self.known
        known["coming"] += sum(lines for due_ms, lines in self.flights if due_ms <= game.time_ms)
        fewest = -1
        if dropped and self.straight and game.find_ghost(game.matrix.top + 1) == game.y:
            fewest = PRESSES[((game.piece - 1) * 4 + game.facing) * _COLUMNS + game.x + 3]
        self.positions.append(
            Position(
                number=len(self.positions) + 1,
                round=self.round,
                began_ms=self.began_ms,
                locked_ms=read_moment(game),
                move=Move(game.piece, game.facing, game.x, game.y, game.spun),
                held=bool(game.held),
                presses=self.presses,
                fewest=fewest,
                **known,
            )
        )
        self.known = {}
        self.hold = game.hold


def read_moment(game: Game) -> int:
    """Return a game's time, rounded up to a whole millisecond."""
    return int(game.time_ms + (1 if game.time_us else 0))


def count_lines(game: Game) -> int:
    """Return the most lines that an all-clear can have: the game may end before, garbage rise, or no time be left."""
    if game.level >= FAST_LEVEL or isinstance(game.mode, Dig | Survive):
        return 0
    if isinstance(game.mode, Sprint):
        return min(MOST_LINES, game.goal)
    if isinstance(game.mode, Daily):
        blocks = sum(map(bool, b"".join(game.matrix.rows)))
        return min(MOST_LINES, (4 * game.goal + blocks) // 10)
    return MOST_LINES


def check_variant(variant: int) -> None:
    """Refuse a mode in which the strong player does not know what is good."""
    record = find(variant)
    name = record[b"mode"].split()[1].decode()
    if record[b"rules"] != b"guideline" or variant in (PUZZLE, FINESSE):
        raise Refusal(f"this is a game of {name}; a review needs a mode with the guideline's rules, such as marathon")


def read_game(recording: Recording) -> list[Position]:
    check_variant(recording.variant)
    if recording.options.kicks:
        raise Refusal("this game turns by another rotation system than SRS, which a review does not know")
    recording.rewind()
    mode = make_mode(recording.variant)
    game = find_rules(mode, recording.options)(recording.seed, recording.options, mode)
    positions: list[Position] = []
    observe(game, positions)
    player = Player(recording, game)
    _pass(player.advance, player.finished)
    recording.rewind()
    return positions


def read_match(recording: MatchRecording, number: int) -> list[Position]:
    """Return the positions of a player, counted from 0, in all rounds of a match."""
    positions: list[Position] = []
    player = MatchPlayer(recording)
    began_ms = 0
    while True:
        match = player.match
        observe(match.seats[number].game, positions, match.round + 1, began_ms)
        _pass(player.advance, player.is_round_over)
        began_ms += match.time_ms
        if not player.begin_next():
            recording.rewind()
            return positions


def observe(game: Game, positions: list[Position], round_number: int = 1, began_ms: int = 0) -> None:
    """Note the positions of a game from now on; its first Tetrimino may be in play."""
    observer = Observer(game, positions, round_number, began_ms)
    game.statistics = observer
    if game.piece:
        observer.note_generation()


def _pass(advance: Callable[[int], object], finished: Callable[[], bool]) -> None:
    time_ms = 0
    while not finished():
        time_ms += _STEP_MS
        advance(time_ms)
