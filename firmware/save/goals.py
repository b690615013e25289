"""Keep which goals are reached, and judge them by what the handheld has counted (modes/README 22).

The record: format (1 byte), then a bit for each line of goals.txt, the first in the low bit.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED
from firmware.match.figures import FINESSE, has_finesse, measure
from firmware.modes.catalogue import MARATHON, SPRINT, ZEN, find, split_file
from firmware.modes.classes import UNRANKED, find_class
from firmware.save.journal import ALL_CLEARS, NUMBERS, OPENERS, PUZZLES, VERSUS
from firmware.save.life import T_SPIN, TETRIS
from firmware.save.puzzles import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import Context, Game, Journal

GOALS = const(64)  # the journal's kind
COUNT = const(40)
STEP = const(8)  # goals of one step: their bits are one byte

_FORMAT = const(1)
_BYTES = const(6)
_MOST = const(96)  # puzzles or sides of openers
_NEVER = const(-(1 << 29))
_LEAST_PIECES = const(40)  # of a game whose finesse counts
_LEVELS = b"snail duck cat fox hawk"


def read() -> "Iterator[list[bytes]]":
    """Yield name, condition and words of each goal."""
    for line in split_file(__file__.rpartition("save")[0] + "goals.txt", b"\n"):
        if line and line[:1] != b"#":
            yield line.split(b"|", 2)


def load(journal: "Journal") -> bytearray:
    """Return the record, a new one if there is none."""
    record = bytearray(journal.read(GOALS))
    if len(record) != _BYTES or record[0] != _FORMAT:
        record = bytearray(_BYTES)
        record[0] = _FORMAT
    return record


def has(record: bytearray, number: int) -> int:
    """Return 1 if goal `number`, from 0, is reached, else 0."""
    return record[1 + number // STEP] >> number % STEP & 1


def judge(context: "Context", figures: "dict[bytes, int]", game: "Game | None" = None) -> bytes:
    """Save what is reached now; return what a result says of it, b"" for nothing new.

    figures: of `count_saves`. game: the session's game that has ended, or None.
    """
    journal = context.journal
    if journal.failed:
        return b""
    record = load(journal)
    if game and game.statistics.pieces:
        count_game(context.session.variant, game, figures)
    told = b""
    number = 0
    for name, condition, _ in read():
        figure, _, least = condition.partition(b" ")
        if not has(record, number) and figures.get(figure, _NEVER) >= int(least):
            record[1 + number // STEP] |= 1 << number % STEP
            told = b"GOAL " + name  # of several the hardest
        number += 1
    if told:
        journal.payload[:_BYTES] = record
        journal.save(GOALS, _BYTES)
    return told


def count_saves(journal: "Journal", done: bytes = b"") -> "dict[bytes, int]":
    """Return the figures of puzzles, openers, all-clear tasks, all games, days and matches against computers.

    done: a figure that is 1 now.
    """
    # Imported late: each is small, and none stays.
    from firmware.save import week
    from firmware.save.all_clears import Runs
    from firmware.save.life import Life
    from firmware.save.match_scores import LADDER, WON, Versus

    figures = {done: 1}
    figures[b"solved"] = Progress(_MOST, journal.read(PUZZLES)).count()
    figures[b"openers"] = Progress(_MOST, journal.read(OPENERS)).count()
    figures[b"clears"] = Runs(journal.read(ALL_CLEARS)).find_longest()
    figures[b"games"] = Life(journal.read(NUMBERS)).games
    figures[b"days"] = week.read(journal)[2]
    versus = Versus(journal.read(VERSUS))
    figures[b"ladder"] = versus.counts[LADDER]
    level = 0
    for name in _LEVELS.split():
        level += 1
        figures[name] = versus.field(level, WON)
    return figures


def count_game(variant: int, game: "Game", figures: "dict[bytes, int]") -> None:
    """Add the figures of a game of a mode, unless Starting Blocks or Zen made it easier."""
    options = game.options
    if options.garbage_rows or variant == ZEN:
        return
    record = find(variant)
    counts = game.statistics
    kinds = counts.kinds
    single, double, triple = kinds[T_SPIN + 1 : T_SPIN + 4]
    figures[b"lines"] = game.lines
    figures[b"holds"] = counts.holds
    figures[b"doubles"] = kinds[2] + double
    figures[b"triples"] = kinds[3] + triple
    figures[b"tetrises"] = kinds[TETRIS]
    figures[b"combo"] = counts.longest_combo
    figures[b"spins"] = single + double + triple
    figures[b"t2"] = double
    figures[b"t3"] = triple
    figures[b"chains"] = counts.back_to_backs
    if counts.keys and counts.pieces >= _LEAST_PIECES and has_finesse(game):
        figures[b"finesse"] = measure(game, game.time_ms, 0)[FINESSE]
    if record[b"below"] == b"grade":
        figures[b"grade"] = game.level
    if find_class(options, record) == UNRANKED:
        return  # slow
    result = game.mode.result(game)
    if record[b"result"] == b"time most":
        figures[b"survive"] = result // 1000
    if game.over == AIM_REACHED:
        if variant == SPRINT and options.aim in (0, 40):
            figures[b"sprint"] = -1 - result // 1000  # the last second has begun
        if variant == MARATHON and options.level == 1:
            figures[b"marathon"] = 1
