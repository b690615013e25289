"""Work out what the result of a game tells; the result does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.figures import count, write, write_hundredths
from firmware.modes.catalogue import find
from firmware.modes.classes import find_class, has_delays
from firmware.save.means import find_mean
from firmware.save.scores import find_kind, open_table
from firmware.scenes.menus.scores_result import write_result

if TYPE_CHECKING:
    from firmware.contracts import Game, Journal, Record, Session

_MINUTE_MS = const(60_000)
_LONGEST = const(8)  # characters of a difference beside VS BEST or VS MEAN


def find_facts(session: "Session", game: "Game") -> "tuple[bytes, list[bytes], bytes, list[bytes]]":
    """Return a game's delays, figures and lines a minute, and its distances to the best result and the mean."""
    record = find(session.variant)
    delays = b""
    if has_delays(record):
        from firmware.modes.delays import write_delays

        delays = write_delays(game.options)
    lpm = write_hundredths(100 * _MINUTE_MS * game.lines // game.time_ms if game.time_ms else 0)
    return delays, write(game, game.time_ms, count(game)), lpm, compare(session, game, record)


def compare(session: "Session", game: "Game", record: "Record") -> "list[bytes]":
    """Return the differences to the best result before this one and to the mean of ten, as far as there are some."""
    journal = session.journal
    options = game.options
    result = game.mode.result(game)
    kind = find_kind(record, options.aim, find_class(options, record))
    if record[b"below"] == b"day" and not journal.failed:
        return tell_days(journal, game.seed)
    if not result or not kind or journal.failed:
        return []
    table = open_table(journal, kind)
    place = 1 if session.placed and not session.placed[0] else 0
    best = table.entry(place)[1] if place < table.count else 0
    lines = []
    for other, name in ((best, b" BEST"), (find_mean(journal, kind, record, True), b" MEAN")):
        if other:
            more = result - other
            line = (b"-" if more < 0 else b"+") + write_result(record[b"result"], abs(more))
            lines.append(line + (b" VS" if len(line) <= _LONGEST else b"") + name)
    return lines


def tell_days(journal: "Journal", seed: int) -> "list[bytes]":
    """Return the days in a row up to that of the game, from the second one on."""
    from firmware.modes.days import count_since, is_day
    from firmware.save.week import count_row, read

    count = count_row(read(journal), count_since(seed)) if is_day(seed) else 0
    return [b"%d DAYS IN A ROW" % count] if count > 1 else []
