"""Rank and count a game that has ended; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import find
from firmware.modes.classes import find_class
from firmware.save.journal import MATCH, NUMBERS, SUSPENDED
from firmware.save.scores import find_kind, find_table, make_way, open_table, write_initials

if TYPE_CHECKING:
    from firmware.contracts import Game, Journal


def finish(journal: "Journal", variant: int, game: "Game", initials: int) -> "tuple[tuple[int, int] | None, int, int]":
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
    result = game.mode.result(game)
    if kind and result:
        # Here, not in a function of its own: a board's stack has no room for another call.
        table = open_table(journal, kind, record[b"result"].endswith(b"fewest"))
        level = game.level
        if record[b"below"] == b"day":
            level = make_way(table, game.seed, result)
        place = table.rank(result) if level >= 0 else -1
        if place >= 0:
            table.insert(place, write_initials(initials), result, game.lines, level)
            journal.save(kind, table.pack(journal.payload))
            placed = place, find_table(variant, game.options.aim, number)
            best = table.entry(0)[1]
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

        keep_splits(journal, game, find_class(game.options, record))
