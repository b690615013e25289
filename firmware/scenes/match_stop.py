"""Pause a match, end a round and go on to the next: nothing of this is in memory while it runs."""

from firmware.engine import controls
from firmware.match.match import NOBODY
from firmware.save.journal import MATCH, VERSUS
from firmware.scenes.play_state import OVER, PAUSED, PLAYING


def pause(scene) -> None:
    """Stop the match; what the persons hold now may be let go unseen."""
    let_go(scene)
    remember(scene)
    app = scene.app
    app.suspended = scene.match
    scene.kept = False
    if not app.journal.failed:
        from firmware.save import match_suspended

        scene.kept = match_suspended.suspend(scene.match, app.journal)
        del match_suspended
        app.drop(False)  # 4 KB, before the menu takes as much
    from firmware.scenes.match_pause import Pause

    scene.state = PAUSED
    scene.voice.silence()
    scene.pause = Pause(scene)


def resume(scene, t_ms: int) -> None:
    """Go on after a pause, from `t_ms` of the clock."""
    scene.state = PLAYING
    scene.pause = None
    scene.last_ms = t_ms
    scene.view.reset()
    scene.voice.resume_tune()
    scene.app.drop(False)


def let_go(scene) -> None:
    """Release every control of the persons."""
    for number in scene.persons:
        seat = scene.match.seats[number]
        for button in range(controls.PAUSE):
            if not scene.players[number] and (seat.practice or seat.game).pressed >> button & 1:
                scene.match.input(number, button, 0, scene.time_ms)
                if scene.noted and not scene.match.over:
                    scene.noted.note_of(number, button, 0, scene.time_ms)


def remember(scene, watcher: str = "match_watch") -> None:
    """Let the match be watched again, as far as it was played."""
    app = scene.app
    if scene.noted:
        app.last = scene.noted.replay
        app.watcher = watcher
        scene.noted.stop(scene.match.time_ms)


def end_round(scene) -> None:
    """Say who won, over the Matrix, and how the match stands."""
    match = scene.match
    scene.state = OVER
    scene.voice.stop_tune()
    scene.voice.tell_menu(1)
    remember(scene)
    count(scene.app, match, scene.me)
    if match.is_decided():
        forget(scene.app)
    scene.app.drop(False)  # the tables
    scene.view.draw_match(scene.shown)
    scene.view.draw_message(tell_result(match, scene.me))


def forget(app) -> None:
    """Let there be nothing to go on with."""
    app.suspended = None
    journal = app.journal
    if not journal.failed and len(journal.read(MATCH)):
        journal.save(MATCH, 0)


def count(app, match, me: int) -> None:
    """Add a round to what was reached against computers of its level."""
    from firmware.save.match_scores import Versus, find_level

    level = find_level(match, me)
    journal = app.journal
    if level and not journal.failed:
        versus = Versus()
        versus.restore(journal.read(VERSUS))
        seat = match.seats[me]
        # Until this player was out, or the round over.
        versus.count(level, match.winner == seat.team, seat, (seat.game.time_ms + 500) // 1000)
        journal.save(VERSUS, versus.pack(journal.payload))


def tell_result(match, me: int) -> str:
    """Return what the result of a round is to player `me`, with the wins of all teams; computers alone have numbers."""
    words = "NOBODY WINS"
    if match.winner != NOBODY and match.options.level_of(0):
        words = ("TEAM" if match.options.teams else "PLAYER") + " " + str(match.winner + 1) + " WINS"
    elif match.winner != NOBODY:
        words = "YOU WIN" if match.seats[me].team == match.winner else "YOU LOSE"
    if match.options.wins > 1:
        words += " " + ":".join([str(match.wins[i]) for i in range(match.options.count_teams())])
    return words


def answer(scene, edges, now_ms: int) -> None:
    """After a round, let A or Start of any person lead on."""
    for queue in [edges] + scene.queues[1:]:
        for i in range(queue.count):
            button = queue.button[i]
            if queue.pressed[i] and (button == controls.ROTATE_CW or button == controls.PAUSE):
                go_on(scene, now_ms)
                return


def go_on(scene, now_ms: int) -> None:
    """Begin the next round, or show what the match came to."""
    match = scene.match
    if match.is_decided():
        scene.app.go("match_over", match)
        return
    # The games of the last round go before those of the next one come: 4 KB each.
    scene.shown = None
    for player in scene.players + [scene.trainer.hint if scene.trainer else None]:
        if player:
            player.game = player.hands.shadow.matrix = None
    if scene.noted:
        scene.noted.note_round(match)
    scene.app.drop(False)  # the words over the Matrix
    match.begin(match.round + 1)
    if scene.noted:
        scene.noted.begin_round(match)
    from firmware.scenes import match_round

    match_round.begin_round(scene, now_ms)
    if scene.app.settings.music_on:
        tune = scene.app.settings.tune
        scene.voice.play_tune(tune if tune < 3 else now_ms % 3)
    scene.app.drop(False)
