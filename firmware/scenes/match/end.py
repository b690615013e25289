"""End a round of a match and go on to the next: nothing of this is in memory while it runs."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import controls
from firmware.save.journal import VERSUS
from firmware.scenes.match.result import tell_result
from firmware.scenes.match.round import face_games, forget, keep, tidy
from firmware.scenes.play_state import OVER

if TYPE_CHECKING:
    from firmware.contracts import Context, EdgeQueue, Match, MatchPlay


def end_round(scene: "MatchPlay") -> None:
    """Say who won, over the Matrix, and how the match stands."""
    match = scene.match
    scene.state = OVER
    scene.voice.stop_tune()
    scene.voice.tell_menu(1)
    scene.remember("match.watch")
    count(scene.context, match, scene.me)
    if match.is_decided():
        forget(scene.context.session)
    tidy(scene.context)  # the tables
    scene.view.draw_match(scene.shown)
    scene.view.draw_message(tell_result(match, scene.me) + " A_NEXT")


def count(context: "Context", match: "Match", me: int) -> None:
    """Add a round to what was reached against computers of its level."""
    from firmware.save.match_scores import Versus, find_level

    level = find_level(match, me)
    journal = context.journal
    if level and not journal.failed:
        versus = Versus()
        versus.restore(journal.read(VERSUS))
        seat = match.seats[me]
        # Until this player was out, or the round over.
        versus.count(level, match.winner == seat.team, seat, (seat.game.time_ms + 500) // 1000)
        length = versus.pack(journal.payload)
        if length > journal.room:
            tidy(context)  # for what a full memory takes to save it
        journal.save(VERSUS, length)


def answer(scene: "MatchPlay", edges: "EdgeQueue", now_ms: int) -> None:
    """After a round, let A or Start of any person lead on."""
    for queue in [edges] + scene.queues[1:]:
        for i in range(queue.count):
            button = queue.button[i]
            if queue.pressed[i] and (button == controls.ROTATE_CW or button == controls.PAUSE):
                begin_next_round(scene, now_ms)
                return


def begin_next_round(scene: "MatchPlay", now_ms: int) -> None:
    """Begin the next round, or show the result of the match."""
    match = scene.match
    if match.is_decided():
        scene.context.go("match.over", match)
        return
    # What the games of the last round hold goes before that of the next ones comes: 4 KB each.
    scene.shown = None
    for player in scene.players + [scene.trainer.hint if scene.trainer else None]:
        if player:
            player.game = player.hands.shadow.matrix = None
    if scene.noted:
        scene.noted.note_round(match)
    for seat in match.seats:
        seat.game.matrix = seat.practice = None
    tidy(scene.context)  # the words over the Matrix
    match.begin(match.round + 1)
    if scene.noted:
        scene.noted.begin_round(match)
    keep(scene.context, match)
    face_games(scene, now_ms)
    if scene.context.settings.music_on:
        tune = scene.context.settings.tune
        scene.voice.play_tune(tune if tune < 3 else now_ms % 3)
    scene.context.router.tidy()
