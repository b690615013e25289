"""Go on to the next round of a match; a running round does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.controls import LEFT, PAUSE
from firmware.scenes.again import AGAIN

if TYPE_CHECKING:
    from firmware.contracts import Any, EdgeQueue, MatchPlay


def answer(scene: "MatchPlay", edges: "EdgeQueue", now_ms: int) -> None:
    """After a round, go on at A or Start of any person; held, Start begins the next round or another match."""
    from firmware.scenes.again import judge

    controls = scene.queues[0]
    if controls is not edges:
        for i in range(controls.count):
            controls.pressed[i] &= controls.button[i] == PAUSE  # A is a button
    for queue in (edges, controls):
        down = scene.start_ms >= 0
        for i in range(queue.count):
            if queue.button[i] == PAUSE:
                if not down and not queue.pressed[i]:
                    queue.button[i] = LEFT  # its press woke the screen, and does nothing else
                down = queue.pressed[i] > 0
    wish = judge(scene, [edges] + scene.queues, scene.last_ms, now_ms)
    del judge
    if wish == AGAIN and scene.match.is_decided():
        from firmware.match_modules import begin_afresh

        begin_afresh(scene.context, "match.play")
    elif wish:
        begin_next_round(scene, now_ms)


def begin_next_round(scene: "MatchPlay", now_ms: int) -> None:
    match = scene.match
    if match.is_decided():
        scene.context.go("match.over", match)
        return
    from firmware.scenes.match.stop import tell

    tell(scene)  # a board needs up to a second for the next round
    del tell
    scene.shown = None  # type: ignore[assignment]  # until show_games
    thinking: "list[Any]" = scene.players + [scene.trainer.hint if scene.trainer else None]
    for player in thinking:
        if hasattr(player, "hands"):  # a bot has none
            player.game = player.hands.shadow.matrix = None
    if scene.noted:
        scene.noted.note_round(match)
    match.clear_seats()
    scene.context.tidy()  # frees the module that wrote over the Matrix
    if scene.context.journal.is_short():  # now, because the new games leave no large block for it
        from firmware.announcing import make_room

        make_room(scene.context)
        del make_room
        scene.context.tidy()
    match.begin_round(match.round + 1)
    if scene.noted:
        scene.noted.begin_round(match)
    # Imported only now: the new games would lie behind these modules, and split the largest block without them.
    from firmware.scenes.match.round import keep

    keep(scene.context, match)
    del keep
    scene.context.tidy()
    showing = scene.load_late("match.showing")
    showing.show_games(scene, now_ms)
    if scene.context.settings.music_on:
        scene.voice.play_tune(scene.context.settings.tune, now_ms)
    scene.context.router.tidy()
    showing.get_ready(scene)
