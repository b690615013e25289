"""Replay a recording and note every Tetrimino: its place, the Matrix before it, and what its Lock Down did."""

from dataclasses import dataclass

from firmware.engine import events
from firmware.engine.game import AIM_REACHED, LOCK_OUT, Game
from firmware.engine.mode import Mode
from firmware.match.seat import Seat
from firmware.modes.catalogue import make_mode
from firmware.modes.rules import find_rules
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Player, Recording
from sim.bots.places import cells_of

LETTERS = " IJLOSTZG"  # by cell code; G is garbage
FACINGS = ("North", "East", "South", "West")
_FUMEN_ROWS = 23
_FUMEN_PIECES = " IJLOSTZX"  # a fumen's names of our cell codes
_FUMEN_FACINGS = ("SPAWN", "RIGHT", "REVERSE", "LEFT")
_STEP_MS = 1000
_LINES = ((events.SINGLE, "Single"), (events.DOUBLE, "Double"), (events.TRIPLE, "Triple"), (events.TETRIS, "Tetris"))
_SPINS = ((events.T_SPIN, "T-Spin"), (events.MINI_T_SPIN, "Mini T-Spin"))


@dataclass
class Placement:
    """One Tetrimino, from its generation to the result of its Lock Down.

    rows: the 40 rows of the Matrix before the Lock Down, cell codes, lowest first.  x, y: lower
    left cell of its box.  generated_ms, locked_ms: rounded up to a whole millisecond.
    action: event bits.  score, level, lines: after its Line Clear.
    """

    piece: int
    facing: int
    x: int
    y: int
    rows: list[bytes]
    generated_ms: int
    locked_ms: int
    action: int = 0
    score: int = 0
    level: int = 0
    lines: int = 0

    def cells(self) -> frozenset[tuple[int, int]]:
        """Return the four cells (column, row) of its Minos."""
        return cells_of(self.piece, self.facing, self.x, self.y)

    def note_score(self, game: Game) -> None:
        self.score, self.level, self.lines = game.score, game.level, game.lines

    def name(self) -> str:
        """Return the name of the Lock Down, such as "Back-to-Back T-Spin Double", or ""."""
        words = ["Back-to-Back"] if self.action & events.BACK_TO_BACK else []
        words += [name for bit, name in _SPINS + _LINES if self.action & bit]
        return " ".join(words)


class Witness(Game):
    """Play a recording and note every Tetrimino; `witness` mixes in the rules of its variant."""

    def __init__(self, recording: Recording) -> None:
        self.placements: list[Placement] = []
        self.generated_ms = 0
        super().__init__(recording.seed, recording.options, make_mode(recording.variant))

    def moment_ms(self) -> int:
        """Return the game's time, rounded up to a whole millisecond."""
        return self.time_ms + (1 if self.time_us else 0)

    def generate(self) -> None:
        self.generated_ms = self.moment_ms()
        super().generate()

    def settle(self) -> bool:
        rows = [bytes(row) for row in self.matrix.rows]
        place = Placement(self.piece, self.facing, self.x, self.y, rows, self.generated_ms, self.moment_ms())
        self.placements.append(place)
        return super().settle()

    def lock_down(self, hard: bool = False) -> None:
        before = len(self.placements)
        super().lock_down(hard)
        self.note(before)

    def hard_drop(self) -> None:
        before = len(self.placements)
        super().hard_drop()
        self.note(before)  # a STILL game locks down without `lock_down`

    def note(self, before: int) -> None:
        """Note what a Lock Down did, if one has followed the first `before`."""
        for place in self.placements[before:]:
            place.action = self.action
            place.note_score(self)

    def eliminate(self) -> None:
        super().eliminate()
        self.placements[-1].note_score(self)


def witness(recording: Recording) -> Witness:
    recording.rewind()
    rules = find_rules(make_mode(recording.variant), recording.options)
    game = type("WitnessOf", (Witness, rules), {})(recording)
    player = Player(recording, game)
    time_ms = 0
    while not player.finished():
        time_ms += _STEP_MS
        player.advance(time_ms)
    recording.rewind()
    return game


class NotingMode(Mode):
    """Pass each step of a match's game on to its seat, and note every Tetrimino that locks down."""

    def __init__(self, seat: Seat, placements: list[Placement]) -> None:
        self.seat = seat
        self.placements = placements

    def match(self, game: Game) -> None:
        self.note(game)

    def iterate(self, game: Game) -> None:
        self.seat.iterate(game)
        self.placements[-1].action = game.action

    def complete(self, game: Game) -> None:
        self.placements[-1].note_score(game)
        self.seat.complete(game)

    def end(self, game: Game) -> None:
        self.seat.end(game)
        if game.over == LOCK_OUT:
            self.note(game)  # a Lock Out ends the game before match()

    def note(self, game: Game) -> None:
        """Note the Tetrimino that has just become Blocks."""
        rows = [bytearray(row) for row in game.matrix.rows]
        piece = 0
        for y, mask in enumerate((game.a, game.b, game.c, game.d), game.y):
            for x in range(10):
                if mask >> x + 3 & 1:
                    piece, rows[y][x] = rows[y][x], 0
        before = [bytes(row) for row in rows]
        self.placements.append(Placement(piece, game.facing, game.x, game.y, before, 0, game.time_ms))


def witness_match(recording: MatchRecording, number: int) -> list[Placement]:
    """Return all placements of a player, counted from 0, in all rounds of a match."""
    placements: list[Placement] = []
    player = MatchPlayer(recording)
    while True:
        seat = player.match.seats[number]
        seat.game.mode = NotingMode(seat, placements)
        time_ms = 0
        while not player.is_round_over():
            time_ms += _STEP_MS
            player.advance(time_ms)
        if not player.begin_next():
            return placements


def as_fumen(placements: list[Placement]) -> str:
    """Return the fumen of some placements, "v115@..." with a page for each.

    A page shows 23 rows. A Tetrimino that reaches above them is missing on its own page; the next page
    shows its Blocks.
    """
    from py_fumen_py import Field, Flags, Mino, Operation, Page, Rotation, encode

    pages: list[Page] = []
    for place in placements:
        field = Field([[Mino.parse_name(_FUMEN_PIECES[cell]) for cell in row] for row in place.rows[:_FUMEN_ROWS]])
        cells = place.cells()
        operation = Operation(Mino[LETTERS[place.piece]], Rotation[_FUMEN_FACINGS[place.facing]], 0, 0)
        shape = operation.shape()
        operation.shift(*(min(cell[axis] for cell in cells) - min(cell[axis] for cell in shape) for axis in (0, 1)))
        comment = f"{place.name()} score {place.score} level {place.level}".strip()
        inside = operation if operation.is_inside() else None
        pages.append(Page(field=field, operation=inside, comment=comment, flags=Flags(colorize=not pages)))
    return encode(pages)


def as_text(game: Witness, first: int, last: int) -> str:
    """Return a line for every Tetrimino from number `first` to `last`, and the Matrix after the last."""
    lines = [" no.  at      Tetrimino  column row   score level lines"]
    for number in range(first, last + 1):
        place = game.placements[number - 1]
        column = min(x for x, _ in place.cells())
        row = min(y for _, y in place.cells())
        minutes, ms = divmod(place.locked_ms, 60_000)
        lines.append(
            f"{number:4} {minutes:02}:{ms / 1000:06.3f}  {LETTERS[place.piece]} {FACINGS[place.facing]:5}  "
            f"{column:6} {row:3} {place.score:7} {place.level:5} {place.lines:5}  {place.name()}".rstrip()
        )
    rows = game.placements[last].rows if last < len(game.placements) else [bytes(row) for row in game.matrix.rows]
    top = max([y + 1 for y, row in enumerate(rows) if any(row)], default=0)
    lines += ["|" + "".join(LETTERS[cell] for cell in row) + "|" for row in reversed(rows[:top])]
    lines.append("+" + "-" * 10 + "+")
    if last == len(game.placements) and game.over:
        lines.append("completed" if game.over == AIM_REACHED else "game over")
    return "\n".join(lines)
