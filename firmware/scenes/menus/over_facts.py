"""Work out what the result of a game tells; the result does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.figures import count, write, write_hundredths
from firmware.modes.catalogue import find
from firmware.modes.classes import find_class, has_delays
from firmware.save.means import find_mean
from firmware.save.scores import find_kind, open_table
from firmware.scenes.menus.scores_result import write_result

if TYPE_CHECKING:
    from firmware.contracts import Any, Record

_MINUTE_MS = const(60_000)
_LONGEST = const(8)  # characters of a difference beside VS BEST or VS MEAN


def find_facts(scene: "Any") -> None:
    """Set the delays, the figures and the distances to the best result and the mean of the scene's game."""
    game = scene.game
    record = find(scene.context.session.variant)
    scene.delays = b""
    if has_delays(record):
        from firmware.modes.delays import write_delays

        scene.delays = write_delays(game.options)
    scene.figures = write(game, game.time_ms, count(game))
    scene.lpm = write_hundredths(100 * _MINUTE_MS * game.lines // game.time_ms if game.time_ms else 0)
    scene.distances = compare(scene, record)


def compare(scene: "Any", record: "Record") -> "list[bytes]":
    """Return the differences to the best result before this one and to the mean of ten, as far as there are some."""
    game = scene.game
    session = scene.context.session
    options = game.options
    result = game.mode.result(game)
    kind = find_kind(record, options.aim, find_class(options, record))
    if scene.below == b"day" and not session.journal.failed:
        return tell_days(scene)
    if not result or not kind or session.journal.failed:
        return []
    table = open_table(session.journal, kind)
    place = 1 if session.placed and not session.placed[0] else 0
    best = table.entry(place)[1] if place < table.count else 0
    lines = []
    for other, name in ((best, b" BEST"), (find_mean(session.journal, kind, record, True), b" MEAN")):
        if other:
            more = result - other
            line = (b"-" if more < 0 else b"+") + write_result(scene.result, abs(more))
            lines.append(line + (b" VS" if len(line) <= _LONGEST else b"") + name)
    return lines


def tell_days(scene: "Any") -> "list[bytes]":
    """Return the days in a row up to that of the game, from the second one on."""
    from firmware.modes.days import count_since, is_day
    from firmware.save.week import count_row, read

    seed = scene.game.seed
    count = count_row(read(scene.context.journal), count_since(seed)) if is_day(seed) else 0
    return [b"%d DAYS IN A ROW" % count] if count > 1 else []
