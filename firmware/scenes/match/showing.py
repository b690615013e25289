"""Show a round of a match in its scene; a running round does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import HALF_TURNS
from firmware.match.options import MARKED
from firmware.scenes.play_state import PLAYING, READY

if TYPE_CHECKING:
    from firmware.contracts import Any, Match, MatchOptions, MatchPlay

# Free bytes needed for hints when a match begins. Hints take 10 KB in a match with computers, which have loaded the
# search, and 30 KB in a match without; a pause needs 10 KB more, and 16 KB stay free.
_ROOM_BYTES = const(32_000)
_THOUGHT_BYTES = const(58_900)


def map_buttons(scene: "MatchPlay") -> None:
    """Map the first player's buttons to the controls of this match."""
    context = scene.context
    settings = context.settings
    marked = is_marked(scene.match.options)
    mapping: "Any" = context.mapping
    scene.mapping = mapping
    turns = has_half_turns(scene.match) and settings.by_ear < 2
    # With 1 KEY none: a map of buttons would lose the pause that it gives. By GUIDELINE a ninth control has no half
    # turns; By ear needs it.
    ninth = mapping and len(mapping.masks) > PAUSE + 1 and settings.by_ear < 2
    if not settings.one_switch and (marked or turns or ninth):
        from firmware.mapping import map_match

        scene.mapping = map_match(context, marked, turns)
    if scene.mapping:
        scene.mapping.forget()  # in Practice another mapping had the edges


def has_half_turns(match: "Match") -> bool:
    return bool(match.modern and match.choices[0].modern & HALF_TURNS)


def is_marked(options: "MatchOptions") -> bool:
    """Return whether players choose their targets."""
    return options.target == MARKED and not options.aim


def can_advise(scene: "MatchPlay") -> bool:
    """Return whether a player who is out practises with hints in this match.

    A Pico has no room for hints with three computers. Without computers it has no room for the search, either.
    """
    options = scene.match.options
    if options.players == 2 and not options.aim:
        return False  # the round ends when one player is out
    scene.context.tidy()
    free_bytes = scene.context.device.machine.free_bytes()
    return not 0 <= free_bytes < (_ROOM_BYTES if any(scene.players) else _THOUGHT_BYTES)


def get_ready(scene: "MatchPlay") -> None:
    """Begin a round with READY, and music with the game."""
    session = scene.context.session
    if session.counts_down:
        scene.voice.silence()
        scene.halt(READY, scene.load_late("countdown").Countdown(scene, [("READY", 900), ("GO", 400)]))


def show_games(scene: "MatchPlay", now_ms: int) -> None:
    """Show the games of a round, and let time pass from the clock's `now_ms` on."""
    match = scene.match
    scene.halt(PLAYING, None)
    scene.last_ms = now_ms
    scene.time_ms = match.time_ms
    scene.danger = scene.waited = False
    scene.work = 0
    scene.coming = scene.pending = 0
    for i in range(len(scene.players)):
        player = scene.players[i]
        if player:
            player.watch(match.seats[i].game)
    seat = match.seats[scene.me]
    scene.shown = seat.practice or seat.game
    if scene.adviser:
        scene.adviser = scene.view.mark = None
        map_buttons(scene)
    if seat.practice:
        scene.find_adviser(seat.practice)
    options = scene.shown.options
    view = scene.view
    view.show_ghost = bool(options.ghost_on)
    view.next_count = options.next_count
    view.practised = seat.practised
    view.reset()
