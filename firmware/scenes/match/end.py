"""End a round of a match; a running round does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.match_modules import forget
from firmware.save.journal import VERSUS
from firmware.scenes.match.result import tell_result
from firmware.scenes.play_state import OVER
from firmware.sound.effects import MENU_CHOOSE

if TYPE_CHECKING:
    from firmware.contracts import Context, Match, MatchPlay


def end_round(scene: "MatchPlay") -> None:
    """Count the round, and show its result over the Matrix."""
    match = scene.match
    scene.halt(OVER, None)
    scene.voice.stop_tune()
    scene.voice.tell_menu(MENU_CHOOSE)
    scene.remember("match.watch")
    scene.context.tidy()  # the next imports would split the largest block between garbage
    count(scene.context, match, scene.me)
    if match.is_decided():
        forget(scene.context.session)
    scene.context.tidy()  # frees the modules of counting and saving
    scene.view.draw_match(scene.shown)
    scene.view.draw_message(tell_result(match, scene.me) + " A_NEXT")


def count(context: "Context", match: "Match", me: int) -> None:
    """Add a round to the results against computers of its level."""
    from firmware.save.match_scores import Versus, find_level

    level = find_level(match, me)
    journal = context.journal
    if level and not journal.failed:
        versus = Versus(journal.read(VERSUS))
        seat = match.seats[me]
        # The game's time ended when this player was out or the round over.
        versus.count(level, match.winner == seat.team, seat, (seat.game.time_ms + 500) // 1000)
        if match.winner == seat.team and match.is_decided():
            versus.climb(level, match.options)
        length = versus.pack(journal.payload)
        if length > journal.room:
            context.tidy()  # saving into a full journal needs memory
        journal.save(VERSUS, length)
