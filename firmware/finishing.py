"""Rank and count a game that has ended; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.catalogue import find
from firmware.save.journal import MATCH, NUMBERS, SUSPENDED
from firmware.save.scores import find_kind, find_table, make_way, open_table

if TYPE_CHECKING:
    from firmware.contracts import Game, Journal, Record
    from firmware.save.scores import Table

NO_INITIALS = b"---"
_MORE_POINTS = const(5)


def finish(journal: "Journal", variant: int, game: "Game") -> "tuple[tuple[int, int] | None, int]":
    """Rank the finished game, and delete the saved game in progress (Guideline 11.2).

    Return (place, number of the table), or None without a place; then the table's best result, or -1 without a place.
    """
    ranked: tuple[tuple[int, int] | None, int] = (None, -1)
    if journal.failed:
        return ranked
    record = find(variant)
    result = game.mode.result(game)
    if game.options.garbage_rows or game.options.slow:
        result = 0  # Starting Blocks give easy lines, a slow game gives time
    if game.options.modern & _MORE_POINTS and record[b"result"].startswith(b"points") and not game.mode.rules:
        result = 0  # the guideline does not have these points
    kind = find_kind(record, game.options.aim, game.options.invisible)
    if result and kind:
        # Opened here, not in `enter`: a board's stack has no room for another call.
        table = open_table(journal, kind, record[b"result"].endswith(b"fewest"))
        ranked = enter(journal, variant, game, record, table, kind, result)
    # After the result: power that fails in between loses neither.
    journal.save(SUSPENDED, 0)
    if len(journal.read(MATCH)):
        journal.save(MATCH, 0)  # this game replaced a match in progress
    return ranked


def count(journal: "Journal", game: "Game", is_best: bool) -> None:
    """Add a finished game to the lifetime statistics; keep the times at each tenth line of the best Sprint."""
    if journal.failed:
        return
    # Imported late: the frame in which the game ends has no time for it.
    from firmware.save.life import Life

    life = Life(journal.read(NUMBERS))
    life.add_game(game)
    journal.save(NUMBERS, life.pack(journal.payload))
    if is_best and hasattr(game.mode, "splits") and not game.options.invisible:
        from firmware.save.splits import keep_splits

        keep_splits(journal, game)


def enter(
    journal: "Journal", variant: int, game: "Game", record: "Record", table: "Table", kind: int, result: int
) -> "tuple[tuple[int, int] | None, int]":
    """Enter a result into `table` if it is among the best; return the same tuple as `finish`."""
    level = game.level
    if record[b"below"] == b"day":
        level = make_way(table, game.seed, result)
    place = table.rank(result) if level >= 0 else -1
    if place < 0:
        return None, -1
    table.insert(place, NO_INITIALS, result, game.lines, level)
    journal.save(kind, table.pack(journal.payload))
    invisible = game.options.invisible
    # The session keeps the best result of visible games only.
    return (place, find_table(variant, game.options.aim, invisible)), -1 if invisible else table.entry(0)[1]
