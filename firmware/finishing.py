"""Rank and count a game that has ended; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import SPRINT, find
from firmware.modes.classes import find_class
from firmware.save.journal import MATCH, NUMBERS, SUSPENDED
from firmware.save.scores import find_kind, find_table, make_way, open_table

if TYPE_CHECKING:
    from firmware.contracts import Game, Journal, Record
    from firmware.save.scores import Table

NO_INITIALS = b"---"


def finish(journal: "Journal", variant: int, game: "Game") -> "tuple[tuple[int, int] | None, int, int]":
    """Rank the finished game, and delete the saved game in progress (Guideline 11.2).

    Return (place, number of the table), or None without a place; then the class of the game; then the table's best
    result, or -1 without a place.
    """
    if journal.failed:
        return None, 0, -1
    record = find(variant)
    number = find_class(game.options, record)
    kind = find_kind(record, game.options.aim, number)
    placed = None
    best = -1
    if kind and game.mode.result(game):
        # Opened here, not in `enter`: a board's stack has no room for another call.
        table = open_table(journal, kind, record[b"result"].endswith(b"fewest"))
        placed, best = enter(journal, variant, game, record, table, number)
    # After the result: power that fails in between loses neither.
    journal.save(SUSPENDED, 0)
    if len(journal.read(MATCH)):
        journal.save(MATCH, 0)  # this game replaced a match in progress
    return placed, number, best


def count(journal: "Journal", variant: int, game: "Game", is_best: bool) -> None:
    """Add a finished game to the lifetime statistics and its result to the last ones of its table.

    Keep the times at each tenth line of the best Sprint.
    """
    if journal.failed:
        return
    # Imported late: the frame in which the game ends has no time for it.
    from firmware.save.life import Life

    life = Life(journal.read(NUMBERS))
    life.add_game(game)
    journal.save(NUMBERS, life.pack(journal.payload))
    record = find(variant)
    kind = find_kind(record, game.options.aim, find_class(game.options, record))
    if record[b"below"] == b"day":
        from firmware.modes.days import is_day

        if is_day(game.seed):
            from firmware.save import week

            week.add(journal, game.seed)
    elif kind and game.mode.result(game):
        from firmware.save.means import add

        add(journal, kind, record, game.mode.result(game))
    if is_best and hasattr(game.mode, "splits"):  # of Sprints only
        from firmware.save.splits import keep_splits

        keep_splits(journal, game, find_class(game.options, find(SPRINT)))


def enter(
    journal: "Journal", variant: int, game: "Game", record: "Record", table: "Table", number: int
) -> "tuple[tuple[int, int] | None, int]":
    """Enter a result into `table` if it is among the best; return (place, number of the table) and the best, or -1."""
    aim = game.options.aim
    result = game.mode.result(game)
    level = game.level
    if record[b"below"] == b"day":
        level = make_way(table, game.seed, result)
    place = table.rank(result) if level >= 0 else -1
    if place < 0:
        return None, -1
    table.insert(place, NO_INITIALS, result, game.lines, level)
    journal.save(find_kind(record, aim, number), table.pack(journal.payload))
    return (place, find_table(variant, aim, number)), table.entry(0)[1]
