"""Save settings, tables of scores and the game in progress for the App, outside of play."""

from firmware import blocks
from firmware.compat import TYPE_CHECKING, const
from firmware.engine.options import HALF_TURNS
from firmware.save.journal import MATCH, NUMBERS, SETTINGS, SUSPENDED

if TYPE_CHECKING:
    from firmware.contracts import App, Game, Journal, Match, Record

NO_INITIALS = b"---"
_MORE_POINTS = const(5)


def resume(app: "App") -> "Game | Match | None":
    """Return the interrupted game, or None: a record may be of another version."""
    tell_loading(app)
    # Imported late here and below: between a press and a game only needed modules are compiled.
    from firmware.modes.catalogue import make_mode
    from firmware.save import suspended_revival
    from firmware.save.suspended import VARIANT

    if is_match_kept(app.journal):
        from firmware.save import match_revival

        return match_revival.restore(app.journal)
    record = app.journal.read(SUSPENDED)
    if not len(record):
        return None
    game = suspended_revival.restore(record, make_mode)
    if game:
        app.variant = record[VARIANT]
    return game


def is_match_kept(journal: "Journal") -> bool:
    """Return whether power-off last interrupted a match."""
    newer = journal.order[MATCH] > journal.order[SUSPENDED]
    return len(journal.read(MATCH)) > 0 and (newer or not len(journal.read(SUSPENDED)))


def finish(app: "App", game: "Game") -> None:
    """Forget the finished game in progress and rank its result (Guideline 11.2)."""
    # Imported late: between a press and a game only needed modules are compiled.
    from firmware.modes.catalogue import find
    from firmware.save.scores import find_kind

    app.suspended = app.placed = None
    app.played = True
    journal = app.journal
    if journal.failed:
        return
    journal.save(SUSPENDED, 0)
    if len(journal.read(MATCH)):
        journal.save(MATCH, 0)  # it made room for this game
    record = find(app.variant)
    result = game.mode.result(game)
    if game.options.garbage_rows:
        result = 0  # nearly full rows would be free lines
    if game.options.modern & _MORE_POINTS and record[b"result"].startswith(b"points") and not game.mode.rules:
        result = 0  # those points are not the guideline's
    kind = find_kind(record, game.options.aim)
    if result and kind:
        enter(app, game, record, kind, result)
    note(journal, game)


def enter(app: "App", game: "Game", record: "Record", kind: int, result: int) -> None:
    """Enter a result into its table if it is among the best."""
    from firmware.save.scores import open_table

    table = open_table(app.journal, kind, record[b"result"].endswith(b"fewest"))
    level = game.level
    if record[b"below"] == b"day":
        from firmware.modes.days import make_way

        level = make_way(table, game.seed, result)
    place = table.rank(result) if level >= 0 else -1
    if place >= 0:
        from firmware.save.scores import find_table

        app.placed = (place, find_table(app.variant, game.options.aim))
        table.insert(place, NO_INITIALS, result, game.lines, level)
        app.journal.save(kind, table.pack(app.journal.payload))
        app.best_of = app.variant << 10 | game.options.aim
        app.best_result = table.entry(0)[1]


def note(journal: "Journal", game: "Game") -> None:
    """Add a finished game to the lifetime statistics."""
    from firmware.save.life import Life

    life = Life(journal.read(NUMBERS))
    life.add_game(game)
    journal.save(NUMBERS, life.pack(journal.payload))


def tell_loading(app: "App") -> None:
    """Show LOADING, unless engine and view are loaded already."""
    if not blocks.are_there(app.settings.large_cells):
        tell(app, b"LOADING")


def tell(app: "App", word: bytes) -> None:
    """Show what is being done on an empty screen."""
    from firmware.view.art import FONT_5X7
    from firmware.view.lines import centre

    app.canvas.clear()
    centre(app.canvas, 60, word, FONT_5X7)
    app.device.display.show()


def begin(app: "App", first: str, subject: object) -> None:
    """Ask for the first scene; "go_on" stands for the game in progress."""
    if len(app.journal.read(SUSPENDED)) + len(app.journal.read(MATCH)):
        # Restored only on request: the title needs neither engine nor view.
        app.suspended = app.resume
    first, _, words = first.partition(" ")
    app.go(first, words.encode() if words else subject)
    linked = first == "link_lobby"
    if app.device.machine.renews and (linked or first == "match_play" or first == "go_on"):
        from firmware import match_modules

        match_modules.load(app, linked)
    if first == "go_on":
        go_on(app, False)
    elif first == "play" and not subject and app.suspended:
        app.subject = resume(app)


def go_on(app: "App", renews: bool = True) -> None:
    """Ask for the paused game in progress; a match in an empty heap, if the board `renews`."""
    game = app.suspended
    if callable(game):
        if renews and app.device.machine.renews and is_match_kept(app.journal):
            tell(app, b"LOADING")
            app.device.machine.renew(b"go_on")
        game = resume(app) if game == app.resume else game()
    app.go("match_play" if hasattr(game, "seats") else "play", game)


def make_room(app: "App") -> None:
    """Compact a journal that is short of room before a game, if that frees a quarter of its bank."""
    journal = app.journal
    if not journal.is_short():
        return
    # Imported late: seldom needed.
    from firmware.save.journal_compaction import compact, weigh

    if journal.end - weigh(journal) >= journal.stores[journal.bank].size >> 2:
        tell(app, b"SAVING")
        compact(journal)


def keep(app: "App") -> None:
    """Save the settings."""
    if not app.journal.failed:
        app.journal.save(SETTINGS, app.settings.pack(app.journal.payload))


def adjust(app: "App") -> None:
    """Apply the settings to screen, voice and buttons."""
    settings = app.settings
    display = app.device.display
    display.contrast(settings.contrast)
    display.turn(settings.turned)
    app.canvas.blocks = settings.blocks
    app.voice.set_volumes(
        settings.music_volume if settings.music_on else 0,
        settings.effects_volume if settings.effects_on else 0,
    )
    if app.device.bus is not None:
        app.device.bus.hurry(settings.fast_bus)
    from firmware.save.settings_fields import fit

    fit(settings, app.device.wired)
    app.mapping = None
    if settings.modern & HALF_TURNS:
        from firmware.device.half_turn import HalfTurns

        app.mapping = HalfTurns(settings.buttons + bytes((settings.target_buttons,)), app.edges.capacity)
        return
    for i in range(len(settings.buttons)):
        if settings.buttons[i] != 1 << i:
            # Most players keep the default buttons.
            from firmware.device.chords import Chords

            app.mapping = Chords(settings.buttons, app.edges.capacity)
            return
