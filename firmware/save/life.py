"""Keep lifetime statistics over all games.

The record: format (1 byte), then numbers as firmware/save/varint.py writes them. First come the number of FIELDS and
their values, then the number of games with finesse and the finesse of each in percent, the oldest first.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.figures import APM, FINESSE, PPS, count, has_finesse, measure
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer, Game

GAMES = const(20)  # the last games, whose finesse is kept

# Places in Statistics.kinds: spin * COLUMNS + lines
COLUMNS = const(5)
TETRIS = const(4)
MINI = const(5)
T_SPIN = const(10)

_FORMAT = const(1)
_MOST = const((1 << 30) - 1)  # larger values stay at the largest small integer
_SECOND_MS = const(1000)

# Add new fields at the end; in an older record they are 0.
FIELDS = ("games", "seconds", "lines", "pieces", "tetrises", "t_spins", "minis", "back_to_backs") + (
    "best_score",
    "best_lines",
    "best_seconds",
    "best_combo",
    "best_pps",
    "best_apm",
)


class Life:
    """Hold the sums and the best values of all games.

    seconds: of play, without pauses. pieces: Tetriminos locked down. best_pps: Tetriminos a second, times 100, of games
    of a minute or longer; best_apm: their attack a minute, times 100 (firmware/modes/README.md, F). finesse: percent of
    Tetriminos without a needless press, for the last GAMES games, the oldest first. kept: how many entries of `finesse`
    are in use.
    """

    games: int
    seconds: int
    lines: int
    pieces: int
    tetrises: int
    t_spins: int
    minis: int
    back_to_backs: int
    best_score: int
    best_lines: int
    best_seconds: int
    best_combo: int
    best_pps: int
    best_apm: int

    def __init__(self, record: "Blob" = b"") -> None:
        """Read the numbers of a record, as far as it is valid; the others are 0."""
        for name in FIELDS:
            setattr(self, name, 0)
        self.finesse = bytearray(GAMES)
        self.kept = 0
        if len(record) and record[0] == _FORMAT:
            try:
                self.restore(Numbers(record, False))
            except (IndexError, ValueError):
                pass  # keep the numbers read so far

    def restore(self, numbers: Numbers) -> None:
        """Read the fields, and skip fields of a later version."""
        numbers.get()
        count = numbers.get()
        for i in range(count):
            number = numbers.get()
            if i < len(FIELDS):
                setattr(self, FIELDS[i], number)
        kept = min(numbers.get(), GAMES)
        numbers.items(self.finesse, kept)
        self.kept = kept

    def add_game(self, game: "Game") -> None:
        """Add a finished game if it had a Lock Down."""
        counts = game.statistics
        kinds = counts.kinds
        if not counts.pieces:
            return
        seconds = game.time_ms // _SECOND_MS
        self.add("games", 1)
        self.add("seconds", seconds)
        self.add("lines", game.lines)
        self.add("pieces", counts.pieces)
        self.add("tetrises", kinds[TETRIS])
        for lines in range(COLUMNS):
            self.add("minis", kinds[MINI + lines])
            self.add("t_spins", kinds[T_SPIN + lines])
        self.add("back_to_backs", counts.back_to_backs)
        self.best("best_score", game.score)
        self.best("best_lines", game.lines)
        self.best("best_seconds", seconds)
        self.best("best_combo", counts.longest_combo)
        figures = measure(game, game.time_ms, count(game))
        if seconds >= 60:
            self.best("best_pps", figures[PPS])
            self.best("best_apm", figures[APM])
        if not has_finesse(game):
            return
        if self.kept == GAMES:
            self.finesse[: GAMES - 1] = bytes(self.finesse[1:])
        else:
            self.kept += 1
        self.finesse[self.kept - 1] = figures[FINESSE]

    def add(self, name: str, amount: int) -> None:
        setattr(self, name, min(getattr(self, name) + amount, _MOST))

    def best(self, name: str, number: int) -> None:
        """Set a best value if `number` beats it."""
        if number > getattr(self, name):
            setattr(self, name, min(number, _MOST))

    def pack(self, buffer: "Buffer") -> int:
        """Write the record to `buffer`; return its length, at most 93 bytes."""
        numbers = Numbers(buffer, True)
        numbers.walk(_FORMAT)
        numbers.walk(len(FIELDS))
        for name in FIELDS:
            numbers.walk(getattr(self, name))
        numbers.walk(self.kept)
        numbers.items(self.finesse, self.kept)
        return numbers.at
